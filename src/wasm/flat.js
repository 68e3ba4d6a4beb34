// Plain data as one text, which crosses the boundary in one call: the JavaScript side of src/flat.rs, where the format is described. Reading a value of
// the host takes each of its properties once, and checks the limits of rule W4 on the way.

/** An argument is level 1; an object or array at level 65 is too deep (rule W4). */
const MAX_DEPTH = 64;
/** Text of one value, in UTF-16 code units (rule W4). */
const MAX_TEXT = 64 * 1024 * 1024;
/** Objects of one value: what shares its parts can look exponentially larger than it is. */
const MAX_OBJECTS = 4 * 1024 * 1024;

const END = "\0";
const ESCAPE = "\x01";

class Limit extends Error {
  /** @param {"tooDeep" | "tooLarge"} code */
  constructor(code) {
    super(code);
    this.limit = code;
  }
}

/** "tooDeep" or "tooLarge" where that is what was thrown. @param {unknown} error */
export const limit = (error) => (error instanceof Limit ? error.limit : undefined);

class Walk {
  out = "";
  text = 0;
  objects = 0;

  /** @param {number} length */
  count(length) {
    this.text += length;
    if (this.text > MAX_TEXT) throw new Limit("tooLarge");
  }

  /** @param {number} level */
  enter(level) {
    if (level > MAX_DEPTH) throw new Limit("tooDeep");
    this.objects += 1;
    if (this.objects > MAX_OBJECTS) throw new Limit("tooLarge");
  }

  /** Measures without reading more than it must. @param {any} value @param {number} level */
  measure(value, level) {
    if (ArrayBuffer.isView(value)) return;
    this.enter(level);
    if (Array.isArray(value)) for (let i = 0; i < value.length; i++) this.measurePart(value[i], level);
    else for (const key in value) this.measurePart(value[key], level);
  }

  /** @param {unknown} part @param {number} level of what it is part of */
  measurePart(part, level) {
    if (typeof part === "string") this.count(part.length);
    else if (typeof part === "object" && part !== null) this.measure(part, level + 1);
  }

  /** Functions, symbols and undefined are absent. @param {unknown} value @param {number} level @returns {boolean} whether there was something to write */
  write(value, level) {
    switch (typeof value) {
      case "string":
        this.count(value.length);
        this.out += `s${escaped(value)}${END}`;
        return true;
      case "number":
        this.out += number(value);
        return true;
      case "boolean":
        this.out += value ? "t" : "f";
        return true;
      case "bigint":
        this.out += integer(value);
        return true;
      case "object":
        if (value === null) this.out += "z";
        else this.object(value, level);
        return true;
      default:
        return false;
    }
  }

  /** @param {any} value @param {number} level */
  object(value, level) {
    this.enter(level);
    if (Array.isArray(value)) {
      this.out += "[";
      for (let i = 0; i < value.length; i++) if (!this.write(value[i], level + 1)) this.out += "z";
      this.out += "]";
    } else if (value instanceof Date) this.write(value.toJSON(), level);
    else if (ArrayBuffer.isView(value)) this.out += "{}";
    else this.map(value, level);
  }

  /** @param {any} value @param {number} level */
  map(value, level) {
    this.out += "{";
    for (const key of Object.keys(value)) {
      const before = this.out;
      this.out += `:${escaped(key)}${END}`;
      if (!this.write(value[key], level + 1)) this.out = before;
    }
    this.out += "}";
  }
}

/** @param {string} text */
const escaped = (text) => (text.includes(END) || text.includes(ESCAPE) ? text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll(END, `${ESCAPE}0`) : text);

/** The bits of numbers that are not written as digits. */
const bits = new DataView(new ArrayBuffer(8));

/** @param {number} value */
function number(value) {
  if (Number.isSafeInteger(value) && (value > 0 || Object.is(value, 0))) return `n${value}${END}`;
  bits.setFloat64(0, value);
  return `d${bits.getUint32(0)}${END}${bits.getUint32(4)}${END}`;
}

/** Within 2^53 a number, within 64 bits an integer, beyond a text. @param {bigint} value */
function integer(value) {
  if (BigInt.asIntN(64, value) !== value) return `s${value}${END}`;
  return Number.isSafeInteger(Number(value)) ? number(Number(value)) : `i${BigInt.asUintN(64, value)}${END}`;
}

/** Throws where a value is too deep or too large. @param {unknown} value */
export function measure(value) {
  new Walk().measurePart(value, 0);
}

/** The text of plain data; undefined where there is none. @param {unknown} value @returns {string | undefined} */
export function flat(value) {
  const walk = new Walk();
  return walk.write(value, 1) ? walk.out : undefined;
}

/** The value of a text that Rust has written. @param {string} text @returns {unknown} */
export function made(text) {
  let at = 0;
  const piece = () => {
    const end = text.indexOf(END, at);
    const found = text.slice(at, end);
    at = end + 1;
    return found.includes(ESCAPE) ? found.replaceAll(`${ESCAPE}0`, END).replaceAll(`${ESCAPE}1`, ESCAPE) : found;
  };
  const list = () => {
    const items = [];
    while (text[at] !== "]") items.push(value());
    at++;
    return items;
  };
  const map = () => {
    const object = {};
    while (text[at++] === ":") define(object, piece(), value());
    return object;
  };
  /** @returns {unknown} */
  const value = () => {
    switch (text[at++]) {
      case "t":
        return true;
      case "f":
        return false;
      case "n":
        return Number(piece());
      case "d":
        bits.setUint32(0, Number(piece()));
        bits.setUint32(4, Number(piece()));
        return bits.getFloat64(0);
      case "i":
        return BigInt.asIntN(64, BigInt(piece()));
      case "s":
        return piece();
      case "[":
        return list();
      case "{":
        return map();
      default:
        return null;
    }
  };
  return value();
}

/** A key is data and reaches no prototype (rule W6). @param {any} object @param {string} key @param {unknown} value */
function define(object, key, value) {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

// A stored row of the host: what a rule reads of it, and the host's own objects with a patch of ours (rules O11, W6). What a getter throws goes to the caller.
/** @typedef {Record<string, unknown>} Fields an object of the host */
/** @typedef {{ index?: number, set: Fields, remove: string[] }} NewMessage without an index a message of its own */
/** @typedef {{ messages?: { keep: number, append: NewMessage[] } } & Fields} Written a patch, as `Patch::to_value` in conversation/patch.rs writes it */

/** The texts and flags of a row that a rule looks at: "" and false are what Rust takes them for where they are absent. */
const SCALARS = [
  "uid",
  "owner",
  "title",
  "claimId",
  "errorMessage",
  "errorCode",
  "runUuid",
  "lastRunUuid",
  "decision",
  "decidedBy",
  "turnDigest",
  "denyReason",
  "systemPrompt",
  "archived",
  "pinned",
];
const OTHERS = ["status", "revision", "updatedAt", "messageCount", "activity", "pendingInput"];

/** The fields of a stored row without its messages; undefined where it is none. @param {any} value */
export function row(value) {
  if (!isObject(value) || !Array.isArray(value.messages) || typeof value.status !== "string" || typeof value.revision !== "number") return undefined;
  return fields(value);
}

/**
 * The fields of a conversation that was passed as an argument; its messages may be missing where they are not looked at.
 * @param {any} value @param {boolean} needsMessages
 */
export function conversation(value, needsMessages) {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  if (needsMessages ? !Array.isArray(value.messages) : value.messages !== undefined && !Array.isArray(value.messages)) return undefined;
  return fields(value);
}

/** @param {unknown} value @returns {boolean} */
const isObject = (value) => typeof value === "object" && value !== null;

/** @param {Fields} value */
function fields(value) {
  measure(value);
  const known = /** @type {Fields} */ ({});
  for (const key of OTHERS) known[key] = value[key];
  for (const key of SCALARS) {
    const field = value[key];
    if (field !== "" && field !== false && field !== null) known[key] = field;
  }
  return flat(known);
}

/** @param {any} value @returns {readonly unknown[]} */
export const messages = (value) => value.messages ?? [];

/** What a reader gets of a row: without messages, claim and, unless an administrator looks, the technical message (rule E3). @param {any} value @param {boolean} showsMessage */
export function shown(value, showsMessage) {
  const { messages: _, messageCount: __, ...rest } = value;
  rest.claimId = "";
  if (!showsMessage) rest.errorMessage = "";
  return rest;
}

/**
 * A patch as `swap` gets it.
 * @param {readonly unknown[]} messages those that were read @param {number} offset how many before them were not @param {string} text the patch
 */
export function patch(messages, offset, text) {
  const patch = /** @type {Written} */ (made(text));
  if (patch.messages === undefined) return patch;
  const { keep, append } = patch.messages;
  return {
    ...patch,
    messages: { keep, append: append.map(({ index, set, remove }) => (index === undefined ? set : change(messages[index - offset], set, remove))) },
  };
}

/** The row as it is after a patch. @param {any} value @param {number} offset @param {string} text the patch */
export function patched(value, offset, text) {
  const { messages: changed, ...fields } = patch(value.messages, offset, text);
  return { ...value, ...fields, messages: changed === undefined ? value.messages : finish(value.messages, changed.keep - offset, changed.append) };
}

/**
 * A copy of a message with fields set and removed; every other one of its own stays, whatever it is called.
 * @param {unknown} message @param {Fields} set @param {readonly string[]} remove @returns {Fields}
 */
export function change(message, set, remove) {
  const changed = /** @type {Fields} */ ({});
  const from = /** @type {Fields} */ (message ?? {});
  for (const key of Object.keys(from)) {
    if (!remove.includes(key)) define(changed, key, Object.hasOwn(set, key) ? set[key] : from[key]);
  }
  for (const key of Object.keys(set)) {
    if (!Object.hasOwn(changed, key)) define(changed, key, set[key]);
  }
  return changed;
}

/** The first `keep` messages, as they are, and what follows. @param {readonly unknown[]} messages @param {number} keep @param {readonly unknown[]} append @returns {unknown[]} */
export function finish(messages, keep, append) {
  const finished = messages.slice(0, Math.max(keep, 0));
  for (const message of append) finished.push(message);
  return finished;
}
