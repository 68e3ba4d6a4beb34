// What may be attached, told from the bytes. The declared type only decides where bytes say nothing: between kinds of plain text.
import { fileTypeFromBuffer } from "file-type";

export const PDF = "application/pdf";
export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** The container of old Office files, and of new ones under a password. */
export const COMPOUND = "application/x-cfb";

export const IMAGES = Object.freeze(["image/png", "image/jpeg", "image/gif", "image/webp"]);
export const TEXTS = Object.freeze(["text/plain", "text/markdown", "text/csv"]);

/** Every type that may be attached. */
export const TYPES = Object.freeze([...TEXTS, ...IMAGES, PDF, DOCX, XLSX]);

/** Control characters that no text has. */
const BINARY = /[^\P{Cc}\t\n\v\f\r\u0085]/u;

/** UTF-16 says what it is. @param {Uint8Array} bytes */
const utf16 = ([first, second]) => (first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : null);

/**
 * The type of a file by its bytes (rule M6a).
 *
 * @param {Uint8Array} bytes
 * @param {string} declared what the sender says
 * @returns {Promise<string>} one of {@link TYPES}, {@link COMPOUND}, or `application/octet-stream` for whatever else
 */
export async function typeOf(bytes, declared) {
  // The mark of UTF-16 would pass for the start of an MP3.
  const found = utf16(bytes) ? null : await recognised(bytes);
  if (found) return TYPES.includes(found) || found === COMPOUND ? found : "application/octet-stream";
  const text = decoded(bytes);
  if (text === null || BINARY.test(text)) return "application/octet-stream";
  return TEXTS.includes(declared) ? declared : "text/plain";
}

/** What the library says; a file that ends in the middle of its own structure is one it does not know. @param {Uint8Array} bytes */
async function recognised(bytes) {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime ?? null;
  } catch {
    return null;
  }
}

/** UTF-8, or UTF-16 with its mark; null: neither. @param {Uint8Array} bytes */
export function decoded(bytes) {
  try {
    return new TextDecoder(utf16(bytes) ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
