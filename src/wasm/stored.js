// A stored row of the host: what a rule reads of it, and the host's own objects with a patch of ours (rules O11, W6). What a getter throws goes to the caller.
import { flat, made, measure } from "./flat.js";

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

/** @param {Fields} object @param {string} key @param {unknown} value */
function define(object, key, value) {
  Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The first `keep` messages, as they are, and what follows. @param {readonly unknown[]} messages @param {number} keep @param {readonly unknown[]} append @returns {unknown[]} */
export function finish(messages, keep, append) {
  const finished = messages.slice(0, Math.max(keep, 0));
  for (const message of append) finished.push(message);
  return finished;
}
