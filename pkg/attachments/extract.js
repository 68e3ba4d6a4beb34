// The text of a document. Runs in the worker thread: the libraries here meet bytes that anybody may have made.
import { AttachmentError } from "./errors.js";
import { COMPOUND, DOCX, decoded, PDF, TEXTS, XLSX } from "./types.js";

/**
 * @typedef {object} Limits
 * @property {number} pages pages of a PDF, sheets of a workbook
 * @property {number} characters code units of text
 *
 * @typedef {{ text: string, pages: number | null, truncated: boolean }} Extracted
 * `pages`: how many the document has; `truncated`: there was more than the limits let through
 *
 * @typedef {(bytes: Uint8Array, limits: Limits) => Promise<Extracted>} Extract
 */

/** Parts of a text up to a limit. @param {number} limit */
function collector(limit) {
  /** @type {string[]} */
  const parts = [];
  let left = limit;
  return {
    /** false: full. @param {string} part */
    add(part) {
      const taken = part.slice(0, left).replace(/[\ud800-\udbff]$/, ""); // no half of a pair at the cut
      parts.push(taken);
      left -= part.length;
      return left >= 0;
    },
    text: () => parts.join(""),
  };
}

/** @type {Extract} */
async function pdf(bytes, limits) {
  const { getDocument } = await import("unpdf/pdfjs");
  const document = await getDocument({ data: bytes, isEvalSupported: false, useSystemFonts: true, verbosity: 0 }).promise;
  try {
    const out = collector(limits.characters);
    const last = Math.min(document.numPages, limits.pages);
    let whole = document.numPages <= limits.pages;
    for (let number = 1; number <= last; number++) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const lines = items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
      page.cleanup();
      if (!out.add(`${number > 1 ? "\n\n" : ""}${lines}`)) {
        whole = false;
        break;
      }
    }
    return { text: out.text().trim(), pages: document.numPages, truncated: !whole };
  } finally {
    await document.loadingTask.destroy();
  }
}

/** @type {Extract} */
async function docx(bytes, limits) {
  const { default: mammoth } = await import("mammoth");
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) });
  const out = collector(limits.characters);
  const whole = out.add(value.replace(/\n{3,}/g, "\n\n").trim());
  return { text: out.text(), pages: null, truncated: !whole };
}

/** A cell as a person would write it; what would read as a separator becomes a space. @param {unknown} cell */
function cellText(cell) {
  if (cell === null || cell === undefined) return "";
  const text = cell instanceof Date ? cell.toISOString().replace(/T00:00:00\.000Z$/, "") : String(cell);
  return text.replace(/[\t\r\n]+/g, " ").trim();
}

/** Each sheet under its name, cells apart by tabs. @type {Extract} */
async function xlsx(bytes, limits) {
  const { default: readSheets } = await import("read-excel-file/node");
  const sheets = await readSheets(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const out = collector(limits.characters);
  let whole = sheets.length <= limits.pages;
  for (const [index, { sheet, data }] of sheets.slice(0, limits.pages).entries()) {
    whole = out.add(`${index ? "\n\n" : ""}# ${cellText(sheet)}`) && whole;
    for (const row of data) {
      const line = row.map(cellText).join("\t").trimEnd();
      if (line && !out.add(`\n${line}`)) return { text: out.text(), pages: sheets.length, truncated: true };
    }
  }
  return { text: out.text(), pages: sheets.length, truncated: !whole };
}

/** @type {Extract} */
async function plain(bytes, limits) {
  const text = decoded(bytes);
  if (text === null) throw new AttachmentError("broken", "text/plain");
  const out = collector(limits.characters);
  const whole = out.add(text);
  return { text: out.text(), pages: null, truncated: !whole };
}

/** @type {Record<string, Extract>} */
const extractors = { [PDF]: pdf, [DOCX]: docx, [XLSX]: xlsx, ...Object.fromEntries(TEXTS.map((type) => [type, plain])) };

/** Whether a type has text to find. @param {string} mimeType */
export const hasText = (mimeType) => Object.hasOwn(extractors, mimeType);

/** The name of the stream that holds an encrypted Office file, as its container writes it. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

/**
 * @param {Uint8Array} bytes @param {string} mimeType by the bytes @param {Limits} limits
 * @returns {Promise<Extracted>}
 * @throws {AttachmentError}
 */
export async function extract(bytes, mimeType, limits) {
  if (mimeType === COMPOUND) throw new AttachmentError(Buffer.from(bytes).includes(ENCRYPTED_PACKAGE) ? "encrypted" : "unsupported", mimeType);
  const read = extractors[mimeType];
  if (!read) throw new AttachmentError("unsupported", mimeType);
  try {
    return await read(bytes, limits);
  } catch (cause) {
    if (cause instanceof AttachmentError) throw cause;
    const encrypted = cause instanceof Error && cause.name === "PasswordException";
    throw new AttachmentError(encrypted ? "encrypted" : "broken", mimeType, { cause });
  }
}
