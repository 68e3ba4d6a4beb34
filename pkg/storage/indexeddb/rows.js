import { FIELD_NAMES, uidText } from "../fields.js";

/**
 * @typedef {import("./database.js").Row} Row
 * @typedef {import("../fields.js").Fields} Fields
 * @typedef {Omit<import("../../index.js").Conversation, "uid" | "messages"> & { uid: number }} Head
 */

/**
 * @param {Fields} fields
 * @param {number} messageCount
 * @returns {Omit<Row, "uid">}
 */
export function rowOf(fields, messageCount) {
  return { ...fields, ownerKey: /** @type {string} */ (uidText(fields.owner)), messageCount };
}

/**
 * A conversation without its messages.
 *
 * @param {Row} row
 * @returns {Head}
 */
export function headOf(row) {
  return /** @type {Head} */ ({ uid: row.uid, ...Object.fromEntries(FIELD_NAMES.map((name) => [name, row[name]])) });
}

/**
 * The keys of a conversation's messages from index `from` on.
 *
 * @param {number} uid
 * @param {number} [from]
 */
export function messageKeys(uid, from = 0) {
  return IDBKeyRange.bound([uid, from], [uid, Number.POSITIVE_INFINITY]);
}
