// Reads how large the parts of a WebAssembly binary are: its sections, and its functions by the names that the section "name" gives them.

/** @typedef {{ name: string, size: number }} Sized */

const sectionNames = ["custom", "type", "import", "function", "table", "memory", "global", "export", "start", "element", "code", "data", "data count", "tag"];
const [CUSTOM, IMPORT, CODE] = [0, 2, 10];
const FUNCTION_NAMES = 1;

/** A reader of a binary, from one place on. */
class Reader {
  /** @param {Buffer} bytes @param {number} at */
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes.readUInt8(this.at++);
  }

  /** An unsigned integer in LEB128. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  text() {
    const length = this.number();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }

  /** @template T @param {() => T} read @returns {T[]} */
  list(read) {
    return Array.from({ length: this.number() }, read);
  }
}

/** How many of the imports are functions: they come first in the numbering. @param {Reader} reader */
function importedFunctions(reader) {
  const limits = () => {
    const flags = reader.number();
    reader.number();
    if (flags & 1) reader.number();
  };
  const kinds = reader.list(() => {
    reader.text();
    reader.text();
    const kind = reader.byte();
    if (kind === 0) reader.number();
    else if (kind === 1) {
      reader.byte();
      limits();
    } else if (kind === 2) limits();
    else reader.at += 2;
    return kind;
  });
  return kinds.filter((kind) => kind === 0).length;
}

/** @param {Reader} reader @param {number} end @returns {Map<number, string>} */
function functionNames(reader, end) {
  while (reader.at < end) {
    const kind = reader.byte();
    const length = reader.number();
    if (kind === FUNCTION_NAMES) return new Map(reader.list(() => [reader.number(), reader.text()]));
    reader.at += length;
  }
  return new Map();
}

/**
 * Sections and functions of a binary with their bytes.
 * @param {Buffer} bytes
 * @returns {{ sections: Sized[], functions: Sized[] }}
 */
export function sizesOf(bytes) {
  const reader = new Reader(bytes, 8);
  const sections = /** @type {Sized[]} */ ([]);
  let imported = 0;
  let bodies = /** @type {number[]} */ ([]);
  let names = /** @type {Map<number, string>} */ (new Map());
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const size = reader.number();
    const end = reader.at + size;
    const name = id === CUSTOM ? `custom ${reader.text()}` : (sectionNames[id] ?? String(id));
    sections.push({ name, size });
    if (id === IMPORT) imported = importedFunctions(reader);
    else if (id === CODE)
      bodies = reader.list(() => {
        const length = reader.number();
        reader.at += length;
        return length;
      });
    else if (name === "custom name") names = functionNames(reader, end);
    reader.at = end;
  }
  return { sections, functions: bodies.map((size, index) => ({ size, name: names.get(index + imported) ?? "without a name" })) };
}
