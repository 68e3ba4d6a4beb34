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
  for (const { name, encode } of CODECS) {
    if (fields[name] !== undefined) encode(columns, fields[name]);
  }
  return columns;
}

/**
 * A conversation without its messages. Some drivers give 64-bit integers as text, hence `Number`.
 *
 * @param {ConversationRow} row
 * @returns {Omit<import("../../index.js").Conversation, "uid" | "messages"> & { uid: number }}
 * @throws {import("../errors.js").StorageError} `storageCorrupt`
 */
export function conversationOf(row) {
  const columns = /** @type {Columns} */ (row);
  /** @type {Record<string, unknown>} */
  const conversation = { uid: Number(row.uid) };
  for (const { name, decode } of CODECS) conversation[name] = decode(columns);
  return /** @type {ReturnType<typeof conversationOf>} */ (conversation);
}

/**
 * How one field is stored; made once, since every row of every poll goes through all of them.
 *
 * @typedef {object} Codec
 * @property {keyof Fields} name
 * @property {(columns: Columns, value: any) => void} encode
 * @property {(columns: Columns) => unknown} decode
 */

/**
 * @param {keyof Fields} name
 * @returns {Codec}
 */
function codecOf(name) {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  switch (FIELDS[name]) {
    case "uid":
    case "uid?": {
      // The text is what lookups compare, the type is what brings 7 back as 7 (C8).
      const type = `${column}_type`;
      return {
        name,
        encode(columns, value) {
          columns[column] = uidText(value);
          columns[type] = value === null ? null : typeof value;
        },
        decode: (columns) => (columns[type] === "number" ? Number(columns[column]) : columns[column]),
      };
    }
    case "integer":
      return { name, encode: (columns, value) => void (columns[column] = value), decode: (columns) => Number(columns[column]) };
    case "boolean":
      return { name, encode: (columns, value) => void (columns[column] = value ? 1 : 0), decode: (columns) => Number(columns[column]) !== 0 };
    case "object?":
    case "list":
      return {
        name,
        encode: (columns, value) => void (columns[column] = value === null ? null : JSON.stringify(value)),
        decode(columns) {
          const value = columns[column];
          return value === null ? null : decodeJson(String(value), `${column} of conversation ${columns.uid}`);
        },
      };
    case "text":
      return {
        name,
        encode(columns, value) {
          columns[column] = value;
          if (name === "title") columns.title_folded = folded(value);
        },
        decode: (columns) => columns[column],
      };
  }
}

const CODECS = FIELD_NAMES.map(codecOf);
