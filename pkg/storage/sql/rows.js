import { FIELD_NAMES, FIELDS, uidText } from "../fields.js";
import { decodeJson } from "../json.js";
import { folded } from "../listing.js";

/**
 * @typedef {import("../fields.js").Fields} Fields
 * @typedef {import("../sql.js").ConversationTable} ConversationTable
 * @typedef {Omit<import("kysely").Selectable<ConversationTable>, "title_folded">} ConversationRow
 * @typedef {Record<string, string | number | null>} Columns
 */

/** @type {(keyof ConversationRow)[]} */
export const CONVERSATION_COLUMNS = [
  "uid",
  "owner",
  "owner_type",
  "title",
  "status",
  "revision",
  "claim_id",
  "error_message",
  "error_code",
  "run_uuid",
  "last_run_uuid",
  "decision",
  "decided_by",
  "decided_by_type",
  "turn_digest",
  "deny_reason",
  "pending_input",
  "system_prompt",
  "view_context",
  "activity",
  "archived",
  "pinned",
  "created_at",
  "updated_at",
  "message_count",
];

/**
 * The columns of checked fields.
 *
 * @param {Partial<Fields>} fields
 * @returns {Columns}
 */
export function columnsOf(fields) {
  /** @type {Columns} */
  const columns = {};
  for (const name of FIELD_NAMES) {
    if (fields[name] !== undefined) Object.assign(columns, encoded(name, fields[name]));
  }
  return columns;
}

/**
 * @param {keyof Fields} name
 * @param {unknown} value
 * @returns {Columns}
 */
function encoded(name, value) {
  const column = columnName(name);
  switch (FIELDS[name]) {
    case "uid":
    case "uid?":
      // The text is what lookups compare, the type is what brings 7 back as 7 (C8).
      return { [column]: uidText(value), [`${column}_type`]: value === null ? null : typeof value };
    case "boolean":
      return { [column]: value ? 1 : 0 };
    case "object?":
    case "list":
      return { [column]: value === null ? null : JSON.stringify(value) };
    default:
      return name === "title"
        ? { title: /** @type {string} */ (value), title_folded: folded(/** @type {string} */ (value)) }
        : { [column]: /** @type {string | number} */ (value) };
  }
}

/**
 * A conversation without its messages. Some drivers give 64-bit integers as text, hence `Number`.
 *
 * @param {ConversationRow} row
 * @returns {Omit<import("../../index.js").Conversation, "uid" | "messages"> & { uid: number }}
 * @throws {import("../errors.js").StorageError} `storageCorrupt`
 */
export function conversationOf(row) {
  /** @type {Record<string, unknown>} */
  const conversation = { uid: Number(row.uid) };
  for (const name of FIELD_NAMES) conversation[name] = decoded(row, name);
  return /** @type {ReturnType<typeof conversationOf>} */ (conversation);
}

/**
 * @param {ConversationRow} row
 * @param {keyof Fields} name
 */
function decoded(row, name) {
  const columns = /** @type {Columns} */ (row);
  const column = columnName(name);
  const value = columns[column];
  switch (FIELDS[name]) {
    case "uid":
    case "uid?":
      return columns[`${column}_type`] === "number" ? Number(value) : value;
    case "integer":
      return Number(value);
    case "boolean":
      return Number(value) !== 0;
    case "object?":
    case "list":
      return value === null ? null : decodeJson(String(value), `${column} of conversation ${row.uid}`);
    default:
      return value;
  }
}

/** @param {string} name */
function columnName(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
