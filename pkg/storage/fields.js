import { StorageError } from "./errors.js";
import { encodeJson } from "./json.js";

/**
 * @typedef {import("../index.js").Conversation} Conversation
 * @typedef {Omit<Conversation, "uid" | "messages">} Fields a conversation without its key and its messages
 * @typedef {"uid" | "uid?" | "text" | "integer" | "boolean" | "object?" | "list"} Kind
 * @typedef {{ keep: number, append: string[] }} MessageChange `append` holds one JSON text per message
 */

/**
 * Every field of a conversation and what it holds; "?" admits null. The one place to add a field to, in the order of the contract.
 *
 * @type {Readonly<Record<keyof Fields, Kind>>}
 */
export const FIELDS = Object.freeze({
  owner: "uid",
  title: "text",
  status: "text",
  revision: "integer",
  claimId: "text",
  errorMessage: "text",
  errorCode: "text",
  runUuid: "text",
  lastRunUuid: "text",
  decision: "text",
  decidedBy: "uid?",
  turnDigest: "text",
  denyReason: "text",
  pendingInput: "object?",
  systemPrompt: "text",
  viewContext: "object?",
  activity: "list",
  archived: "boolean",
  pinned: "boolean",
  createdAt: "integer",
  updatedAt: "integer",
});

export const FIELD_NAMES = /** @type {(keyof Fields)[]} */ (Object.keys(FIELDS));

/** Written once, or (revision) by the store alone. */
const FIXED = new Set(["uid", "owner", "revision", "createdAt"]);

/**
 * A new conversation, checked and copied, with defaults for what is absent (C1).
 *
 * @param {unknown} input
 * @param {number} now Unix milliseconds, for absent timestamps
 * @returns {{ fields: Fields, messages: string[] }}
 * @throws {StorageError} `unknownField`, `invalidField`
 */
export function newConversation(input, now) {
  if (!isRecord(input)) throw new StorageError("invalidField", "a conversation is an object");
  const { messages = [], ...rest } = input;
  const given = checkedFields(rest, new Set());
  if (given.owner === undefined) throw new StorageError("invalidField", "a conversation needs an owner");
  const seconds = Math.floor(now / 1000);
  /** @type {Fields} */
  const defaults = {
    owner: given.owner,
    title: "",
    status: "idle",
    revision: 0,
    claimId: "",
    errorMessage: "",
    errorCode: "",
    runUuid: "",
    lastRunUuid: "",
    decision: "",
    decidedBy: null,
    turnDigest: "",
    denyReason: "",
    pendingInput: null,
    systemPrompt: "",
    viewContext: null,
    activity: [],
    archived: false,
    pinned: false,
    createdAt: seconds,
    updatedAt: seconds,
  };
  return { fields: { ...defaults, ...given }, messages: encodedMessages(messages, "messages") };
}

/**
 * What one swap changes, checked and copied before anything is written (C1). An undefined field counts as absent.
 *
 * @param {unknown} patch
 * @returns {{ fields: Partial<Fields>, messages: MessageChange | null }}
 * @throws {StorageError} `unknownField`, `invalidField`
 */
export function checkedPatch(patch) {
  if (!isRecord(patch)) throw new StorageError("invalidField", "a patch is an object");
  const { messages, ...rest } = patch;
  return { fields: checkedFields(rest, FIXED), messages: messages === undefined ? null : checkedMessageChange(messages) };
}

/**
 * The activity of a heartbeat.
 *
 * @param {unknown} updatedAt
 * @param {unknown} activity
 * @returns {Partial<Fields>}
 * @throws {StorageError} `invalidField`
 */
export function checkedHeartbeat(updatedAt, activity) {
  return checkedFields({ updatedAt: updatedAt ?? null, activity }, FIXED);
}

/**
 * @param {number} keep
 * @param {number} count
 * @throws {StorageError} `invalidField`: a gap in the transcript is a caller's bug, not a lost swap
 */
export function checkKeep(keep, count) {
  if (keep > count) throw new StorageError("invalidField", `messages.keep is ${keep}, but only ${count} messages are stored`);
}

/**
 * @param {Record<string, unknown>} input
 * @param {Set<string>} fixed
 * @returns {Partial<Fields>}
 */
function checkedFields(input, fixed) {
  /** @type {Record<string, unknown>} */
  const fields = {};
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(FIELDS, name) || fixed.has(name)) {
      throw new StorageError("unknownField", fixed.has(name) ? `${name} cannot be changed by a patch` : `a conversation has no field ${JSON.stringify(name)}`);
    }
    if (value !== undefined) fields[name] = checkedValue(name, FIELDS[/** @type {keyof Fields} */ (name)], value);
  }
  return /** @type {Partial<Fields>} */ (fields);
}

/**
 * @param {string} name
 * @param {Kind} kind
 * @param {unknown} value
 */
function checkedValue(name, kind, value) {
  if (kind.endsWith("?") && value === null) return null;
  switch (kind) {
    case "text":
      return requireField(typeof value === "string", name, "a string", value);
    case "boolean":
      return requireField(typeof value === "boolean", name, "a boolean", value);
    case "integer":
      return requireField(Number.isSafeInteger(value), name, "an integer", value);
    case "uid":
    case "uid?":
      return requireField(uidText(value) !== null, name, "a string or a finite number", value);
    case "object?":
      requireField(isRecord(value), name, "an object or null", value);
      return JSON.parse(encodeJson(value, name));
    case "list":
      requireField(Array.isArray(value), name, "a list", value);
      return JSON.parse(encodeJson(value, name));
  }
}

/**
 * @param {boolean} ok
 * @param {string} name
 * @param {string} expected
 * @param {unknown} value
 */
function requireField(ok, name, expected, value) {
  if (!ok) throw new StorageError("invalidField", `${name} must be ${expected}`);
  return value;
}

/**
 * @param {unknown} change
 * @returns {MessageChange}
 */
function checkedMessageChange(change) {
  if (!isRecord(change) || !isCount(change.keep)) throw new StorageError("invalidField", "messages must be {keep, append} with keep a count");
  return { keep: /** @type {number} */ (change.keep), append: encodedMessages(change.append, "messages.append") };
}

/**
 * @param {unknown} messages
 * @param {string} what
 * @returns {string[]}
 */
function encodedMessages(messages, what) {
  if (!Array.isArray(messages)) throw new StorageError("invalidField", `${what} must be a list`);
  return Array.from(messages, (message, index) => {
    if (!isRecord(message)) throw new StorageError("invalidField", `${what}[${index}] must be an object`);
    return encodeJson(message, `${what}[${index}]`);
  });
}

/**
 * The key of a conversation: 12 and "12" are one (C8); anything that names no conversation is null.
 *
 * @param {unknown} uid
 * @returns {number | null}
 */
export function conversationKey(uid) {
  const key = typeof uid === "string" && /^[1-9][0-9]{0,15}$/.test(uid) ? Number(uid) : uid;
  return typeof key === "number" && Number.isSafeInteger(key) && key > 0 ? key : null;
}

/**
 * The text a uid is compared by (C8); null: not a uid.
 *
 * @param {unknown} uid
 * @returns {string | null}
 */
export function uidText(uid) {
  if (typeof uid === "string") return uid;
  return typeof uid === "number" && Number.isFinite(uid) ? String(uid) : null;
}

/** @param {unknown} value @returns {value is number} */
export function isCount(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
