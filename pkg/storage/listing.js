import { isCount, isRecord, uidText } from "./fields.js";
import { demand } from "./query.js";

/**
 * @typedef {object} CheckedList
 * @property {string[]} [owners] as text (C8)
 * @property {string} search folded
 * @property {boolean} [archived]
 * @property {number} limit
 */

/** No title is as long as this (N1: 255 code points), and databases limit the length of a pattern. */
const LONGEST_SEARCH = 4096;

/**
 * Checks the query of a list view; null: nothing can match it.
 *
 * @param {unknown} query
 * @returns {CheckedList | null}
 * @throws {import("./errors.js").StorageError} `invalidArgument`
 */
export function checkedList(query) {
  demand(isRecord(query), "a list query is an object");
  const { owners, search = "", archived, limit } = /** @type {Record<string, unknown>} */ (query);
  demand(isCount(limit), "limit must be a count");
  demand(typeof search === "string", "search must be a string");
  demand(archived === undefined || typeof archived === "boolean", "archived must be a boolean");
  demand(owners === undefined || Array.isArray(owners), "owners must be a list of uids");
  const texts = /** @type {unknown[] | undefined} */ (owners)?.map(uidText);
  demand(!texts?.includes(null), "owners must be a list of uids");
  const wanted = /** @type {CheckedList} */ ({ owners: texts, search: folded(/** @type {string} */ (search)), archived, limit });
  return texts?.length === 0 || limit === 0 || wanted.search.length > LONGEST_SEARCH ? null : wanted;
}

/**
 * Titles are searched in this form, since `lower` of the databases differs beyond ASCII.
 *
 * @param {string} text
 */
export function folded(text) {
  return text.normalize("NFKC").toLowerCase();
}
