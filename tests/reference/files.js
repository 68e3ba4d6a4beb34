// M6, M6a, M7, N8: files of messages.
import { AgentTurnError } from "../../pkg/errors.js";
import { isBlank, isObject, isUid, textOr } from "./values.js";

const OCTETS = "application/octet-stream";
const DEFAULT_BUDGET = 20 * 1024 * 1024;
const SIGNED = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "application/pdf", "application/zip"];
const OFFICE = /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-)|msword)/;

/** The files of a message; the older single fields count as one (N8). @param {any} message @returns {any[]} */
export function filesOf(message) {
  if (Array.isArray(message.files)) return message.files.filter((/** @type {any} */ f) => isObject(f) && isUid(f.fileUid));
  return isUid(message.fileUid) ? [{ fileUid: message.fileUid, fileName: message.fileName, fileMimeType: message.fileMimeType }] : [];
}

/** @param {any} file @returns {{ base64: string, bytes: Buffer }} */
function contentOf(file) {
  if (typeof file.base64 === "string") return { base64: file.base64, bytes: Buffer.from(file.base64.slice(0, 64), "base64") };
  const bytes = Buffer.from(file.bytes ?? []);
  return { base64: bytes.toString("base64"), bytes };
}

/** What the first bytes say. @param {Buffer} bytes @param {string} declared */
function signature(bytes, declared) {
  const head = bytes.toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  if (head.startsWith("RIFF") && head.slice(8, 12) === "WEBP") return "image/webp";
  if (head.startsWith("BM") && declared.startsWith("image/")) return "image/bmp";
  if (head.startsWith("%PDF-")) return "application/pdf";
  if (head.startsWith("PK\x03\x04") || head.startsWith("PK\x05\x06") || head.startsWith("PK\x07\x08"))
    return OFFICE.test(declared) ? declared : "application/zip";
  return "";
}

/** @param {any} file */
function typeOf(file) {
  const declared = textOr(file.mimeType).toLowerCase();
  const found = signature(contentOf(file).bytes, declared);
  if (found !== "") return found;
  return SIGNED.includes(declared) ? OCTETS : declared || OCTETS;
}

/** How a file would be sent, or null where the provider cannot take it. @param {any} file @param {any} accepts */
function partOf(file, accepts) {
  const type = typeOf(file);
  if (type.startsWith("image/")) {
    const { base64 } = contentOf(file);
    return accepts.images === true ? { size: base64.length, part: { type: "image_url", image_url: { url: `data:${type};base64,${base64}` } } } : null;
  }
  if (accepts.documents === true) {
    const { base64 } = contentOf(file);
    return { size: base64.length, part: { type: "document", source: { type: "base64", media_type: type, data: base64 } } };
  }
  if (isBlank(textOr(file.extractedText))) return null; // nothing could be extracted
  return { size: Buffer.byteLength(file.extractedText), part: { type: "text", text: file.extractedText } };
}

/**
 * What becomes of every file: a line and perhaps a part, looked at from the newest back.
 * @param {any[]} messages @param {any} input as `buildTranscript` takes it @param {(message: any) => boolean} isSilent M8a: not sent, so its files are not either
 * @returns {Map<number, { lines: string[], parts: any[] }>} by message index
 */
export function attachments(messages, input, isSilent) {
  const accepts = isObject(input.task.configuration?.accepts) ? input.task.configuration.accepts : {};
  const lastUser = messages.findLastIndex((m) => m.role === "user");
  const found = new Map();
  let left = input.attachmentBudget ?? DEFAULT_BUDGET;
  for (let at = messages.length - 1; at >= 0; at--) {
    const files = isSilent(messages[at]) ? [] : filesOf(messages[at]);
    if (files.length === 0) continue;
    const entry = { lines: /** @type {string[]} */ ([]), parts: /** @type {any[]} */ ([]) };
    found.set(at, entry);
    for (const reference of [...files].reverse()) {
      const file = input.files && Object.hasOwn(input.files, String(reference.fileUid)) ? input.files[String(reference.fileUid)] : null;
      if (!isObject(file)) {
        entry.lines.unshift(`[File ${reference.fileName} (uid ${reference.fileUid}) is no longer available]`);
        continue;
      }
      const name = `File ${file.name || reference.fileName} (uid ${reference.fileUid}, path ${file.identifier})`;
      const sent = partOf(file, accepts);
      if (!sent) {
        if (at === lastUser)
          throw new AgentTurnError("attachmentUnsupported", `attachments of type ${typeOf(file)} are not supported by the configured provider`);
        entry.lines.unshift(`[${name} is not attached: files of type ${typeOf(file)} are not supported]`);
      } else if (sent.size > left) {
        left = -1;
        entry.lines.unshift(`[${name} is not attached: the attachments of this conversation are too large]`);
      } else {
        left -= sent.size;
        entry.lines.unshift(`[${name}]`);
        entry.parts.unshift(sent.part);
      }
    }
  }
  return found;
}
