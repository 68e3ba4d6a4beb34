// The host's own objects, read and made anew without leaving JavaScript (rules M10, W6). Rust decides: it reads `scan`, looks closer where a byte
// says so, and gives `weave` its plan. Nothing here catches anything: what a getter of the host throws goes to the caller. Keys of the host are
// only ever defined as data, never assigned.

import { change, flat } from "./flat.js";

/** @typedef {Record<string, unknown>} Fields an object of the host */
/** @typedef {{ role: unknown, content: unknown, tool_calls?: unknown[], tool_call_id?: unknown, name?: unknown }} Wire a message for the runtime */
/** @typedef {Map<string, unknown> | Fields} FileMap what `readFile` gave, by the text of the uid */

/** The flags of `scan`, as `flag` in conversation.rs has them; bits 0-2 are the role. */
const NO_MESSAGE = 7;
const PLAIN = 8;
const MARKED = 16;
const PROVIDER = 32;
const FILES = 64;
const CLIENT_ID = 128;

/** One byte per message. @param {readonly unknown[]} messages @returns {Uint8Array} */
export function scan(messages) {
  const length = messages.length;
  const flags = new Uint8Array(length);
  for (let i = 0; i < length; i++) {
    const message = messages[i];
    flags[i] = typeof message === "object" && message !== null && !Array.isArray(message) ? flagsOf(/** @type {Fields} */ (message)) : NO_MESSAGE;
  }
  return flags;
}

/** @param {Fields} message @returns {number} */
function flagsOf(message) {
  const role = message.role;
  const content = message.content;
  const notice = message.notice;
  const clientId = message.clientId;
  const files = message.files;
  let flags = role === "user" ? 0 : role === "assistant" ? 1 : role === "system" ? 2 : role === "tool" ? 3 : 4;
  if (typeof content === "string" && startsVisible(content)) flags |= PLAIN;
  if ((typeof notice === "string" && notice !== "") || message.besideToolCall === true) flags |= MARKED;
  if (given(message.tool_calls) || given(message.tool_call_id) || given(message.name)) flags |= PROVIDER;
  if (Array.isArray(files) ? files.length > 0 : isUid(message.fileUid)) flags |= FILES;
  if (typeof clientId === "string" && clientId !== "") flags |= CLIENT_ID;
  return flags;
}

/** @param {unknown} value */
const given = (value) => value !== undefined && value !== null;

/** What `Uid::from_value` takes. @param {unknown} value */
const isUid = (value) => (typeof value === "string" ? value !== "" : typeof value === "number" ? Number.isFinite(value) : typeof value === "bigint");

/** Whether the first character behind ASCII blanks is none that rule M11 lists. False only makes Rust look closer. @param {string} text */
function startsVisible(text) {
  let at = 0;
  let code = text.charCodeAt(0);
  while (code <= 0x20) code = text.charCodeAt(++at); // NaN at the end
  return (code > 0x20 && code < 0x7f) || (code > 0xad && code < 0x61c) || (code > 0x3000 && code < 0xdb40);
}

/** @param {readonly unknown[]} messages @param {number} index @returns {Fields} */
function at(messages, index) {
  const message = messages[index];
  return typeof message === "object" && message !== null ? /** @type {Fields} */ (message) : {};
}

/** The fields of a message that the rules look at, where they are of their type. @param {readonly unknown[]} messages @param {number} index */
export function head(messages, index) {
  const message = at(messages, index);
  const known = /** @type {Fields} */ ({});
  for (const key of ["role", "notice", "clientId", "decisionLine"]) putText(known, message, key);
  const args = message.noticeArgs;
  if (Array.isArray(args)) known.noticeArgs = args.filter((arg) => typeof arg === "string");
  if (message.besideToolCall === true) known.besideToolCall = true;
  const files = message.files;
  if (Array.isArray(files)) known.files = files.map((_, i) => reference({}, at(files, i)));
  else reference(known, message);
  return flat(known);
}

/** @param {Fields} known @param {Fields} from @returns {Fields} */
function reference(known, from) {
  const uid = from.fileUid;
  if (isUid(uid)) known.fileUid = uid;
  putText(known, from, "fileName");
  putText(known, from, "fileMimeType");
  return known;
}

/** @param {Fields} known @param {Fields} from @param {string} key one of ours */
function putText(known, from, key) {
  const value = from[key];
  if (typeof value === "string") known[key] = value;
}

/** The mark of a message in one byte, as transcript/mark.rs has it: what is asked for often needs no head. @param {readonly unknown[]} messages @param {number} index @returns {number} */
export function mark(messages, index) {
  const message = at(messages, index);
  return noticeCode(message.notice) | (message.besideToolCall === true ? 8 : 0);
}

/** @param {unknown} notice @returns {number} */
function noticeCode(notice) {
  switch (notice) {
    case "nothingSaved":
      return 1;
    case "noAnswer":
      return 2;
    case "runFinishedOutside":
      return 3;
    case "alreadyWritten":
      return 4;
    case "guardrail":
      return 5;
    default:
      return 0;
  }
}

/** The content where it is a text. @param {readonly unknown[]} messages @param {number} index @returns {string | undefined} */
export function text(messages, index) {
  const content = at(messages, index).content;
  return typeof content === "string" ? content : undefined;
}

/** Whether the content is an array that is not empty. @param {readonly unknown[]} messages @param {number} index @returns {boolean} */
export function hasParts(messages, index) {
  const content = at(messages, index).content;
  return Array.isArray(content) && content.length > 0;
}

/**
 * The provider fields of a message: `{tool_calls, tool_call_id, name}`. Of a call its id, and its arguments where they are there and no text (rule
 * M8); a text stays where it is (rule M10).
 * @param {readonly unknown[]} messages @param {number} index
 */
export function provider(messages, index) {
  const message = at(messages, index);
  const fields = /** @type {Fields} */ ({ tool_calls: [] });
  const calls = message.tool_calls;
  if (Array.isArray(calls)) fields.tool_calls = calls.map((_, i) => callView(at(calls, i)));
  putText(fields, message, "tool_call_id");
  putText(fields, message, "name");
  return flat(fields);
}

/** @param {Fields} call @returns {Fields} */
function callView(call) {
  const view = /** @type {Fields} */ ({});
  putText(view, call, "id");
  const args = holder(call).arguments;
  if (args !== undefined && typeof args !== "string") view.arguments = args;
  return view;
}

/** Where a call has its arguments. @param {Fields} call @returns {Fields} */
function holder(call) {
  const inner = call.function;
  return isFields(inner) ? inner : call;
}

/** @param {unknown} value @returns {value is Fields} */
const isFields = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/* ---------------------------------------------------------------- files */

/** The type is read from this many bytes (rule M6a). */
const HEAD = 16;

/**
 * What is known of a file without what it holds; undefined: it is gone (rule M7).
 * @param {FileMap | null | undefined} files @param {string} uid
 * @returns {string | undefined} `{name, identifier, mimeType, head, base64Length, extractedBytes}`
 */
export function fileInfo(files, uid) {
  const file = fileOf(files, uid);
  if (file === null) return undefined;
  const bytes = viewOf(file.bytes);
  const base64 = bytes === null ? textOf(file.base64) : null;
  const extracted = textOf(file.extractedText) ?? "";
  const extractedBytes = extracted.trim() === "" ? null : utf8Length(extracted);
  if (bytes === null && base64 === null && extractedBytes === null) return undefined;
  return flat({
    name: textOf(file.name) ?? "",
    identifier: textOf(file.identifier) ?? "",
    mimeType: textOf(file.mimeType) ?? "",
    head: bytes === null ? decoded(base64 ?? "") : Array.from(bytes.subarray(0, HEAD)),
    base64Length: bytes === null ? (base64 ?? "").length : Math.ceil(bytes.length / 3) * 4,
    extractedBytes,
  });
}

/** @param {FileMap | null | undefined} files @param {string} uid @returns {Fields | null} */
function fileOf(files, uid) {
  if (files === undefined || files === null) return null;
  const file = files instanceof Map ? files.get(uid) : Object.hasOwn(files, uid) ? files[uid] : null;
  return isFields(file) ? file : null;
}

/** @param {unknown} value */
const textOf = (value) => (typeof value === "string" ? value : null);

/** @param {unknown} bytes @returns {Uint8Array | null} */
function viewOf(bytes) {
  return ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : null;
}

/** @param {string} text */
function utf8Length(text) {
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      length++; // a pair: four bytes for two units
      i++;
    }
  }
  return length;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The first bytes of base64 text; what is no base64 is passed over. @param {string} base64 @returns {number[]} */
function decoded(base64) {
  const bytes = /** @type {number[]} */ ([]);
  let bits = 0;
  let count = 0;
  for (let i = 0; i < base64.length && bytes.length < HEAD; i++) {
    const char = base64[i] === "-" ? "+" : base64[i] === "_" ? "/" : /** @type {string} */ (base64[i]);
    const sextet = ALPHABET.indexOf(char);
    if (sextet < 0) continue;
    bits = ((bits << 6) | sextet) & 0xffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return bytes;
}

/** Bytes per call of `String.fromCharCode`: a multiple of three, so that the pieces fit together. */
const CHUNK = 3 * 8192;

/** Base64 per array of bytes: one file may hang on several messages, and a turn may be built again. @type {WeakMap<object, string>} */
const encoded = new WeakMap();

/** @param {Fields} file @returns {string} */
function base64Of(file) {
  const content = file.bytes;
  const bytes = viewOf(content);
  if (bytes === null) return textOf(file.base64) ?? "";
  const key = /** @type {object} */ (content);
  let base64 = encoded.get(key);
  if (base64 === undefined) {
    base64 = "";
    for (let i = 0; i < bytes.length; i += CHUNK) base64 += btoa(String.fromCharCode(...bytes.subarray(i, i + CHUNK)));
    encoded.set(key, base64);
  }
  return base64;
}

/* ---------------------------------------------------------------- the plan */

/**
 * Carries out a plan (`Plan::encode` in transcript/ops.rs): the messages for the runtime.
 * @param {readonly unknown[]} messages @param {FileMap | null | undefined} files @param {Uint32Array} ops @param {readonly any[]} values
 * @returns {Wire[]}
 */
export function weave(messages, files, ops, values) {
  const out = /** @type {Wire[]} */ ([]);
  for (let i = 0; i < ops.length; i++) {
    const operand = /** @type {number} */ (ops[i]) >>> 3;
    switch (/** @type {number} */ (ops[i]) & 7) {
      case 0:
        copy(out, messages, /** @type {number} */ (ops[++i]), operand);
        break;
      case 1:
        append(out, `\n\n${text(messages, operand) ?? ""}`);
        break;
      case 2:
        append(out, values[operand]);
        break;
      case 3:
        out.push({ role: values[operand].role, content: values[operand].content });
        break;
      case 4:
        out.push(withFields(at(messages, operand), values[/** @type {number} */ (ops[++i])]));
        break;
      default:
        addParts(out, files, values[operand]);
    }
  }
  return out;
}

/** @param {Wire[]} out @param {readonly unknown[]} messages @param {number} start @param {number} count */
function copy(out, messages, start, count) {
  for (let i = start; i < start + count; i++) {
    const message = /** @type {Fields} */ (messages[i]);
    out.push({ role: message.role, content: message.content });
  }
}

/** @param {Wire[]} out @param {string} more */
function append(out, more) {
  const last = /** @type {Wire} */ (out[out.length - 1]);
  last.content = /** @type {string} */ (last.content) + more;
}

/** @param {Fields} message @param {{ calls: { at: number, arguments: string | null }[], toolCallId: boolean, name: boolean }} fields @returns {Wire} */
function withFields(message, fields) {
  const content = message.content;
  const wire = /** @type {Wire} */ ({
    role: message.role,
    content: typeof content === "string" || (Array.isArray(content) && content.length > 0) ? content : "",
  });
  if (fields.calls.length > 0) {
    const calls = /** @type {unknown[]} */ (message.tool_calls);
    wire.tool_calls = fields.calls.map((sent) => (sent.arguments === null ? calls[sent.at] : withArguments(at(calls, sent.at), sent.arguments)));
  }
  if (fields.toolCallId) wire.tool_call_id = message.tool_call_id;
  if (fields.name) wire.name = message.name;
  return wire;
}

/** @param {Fields} call @param {string} json @returns {Fields} */
function withArguments(call, json) {
  const inner = holder(call);
  return inner === call ? change(call, { arguments: json }, []) : change(call, { function: change(inner, { arguments: json }, []) }, []);
}

/** @param {Wire[]} out @param {FileMap | null | undefined} files @param {{ text: string, files: { uid: string, kind: string, mime: string }[] }} added */
function addParts(out, files, added) {
  const last = /** @type {Wire} */ (out[out.length - 1]);
  const base = last.content;
  const parts = Array.isArray(base) ? base.slice() : [];
  parts.push({ type: "text", text: typeof base === "string" ? base + added.text : added.text });
  for (const file of added.files) parts.push(filePart(fileOf(files, file.uid) ?? {}, file.kind, file.mime));
  last.content = parts;
}

/** @param {Fields} file @param {string} kind @param {string} mime @returns {Fields} */
function filePart(file, kind, mime) {
  if (kind === "image") return { type: "image_url", image_url: { url: `data:${mime};base64,${base64Of(file)}` } };
  if (kind === "document") return { type: "document", source: { type: "base64", media_type: mime, data: base64Of(file) } };
  return { type: "text", text: textOf(file.extractedText) ?? "" };
}
