import { StorageError } from "./errors.js";
import { isCount, isRecord, uidText } from "./fields.js";

/**
 * @typedef {object} FindQuery
 * @property {string[]} [statuses]
 * @property {string} [owner] as text (C8)
 * @property {boolean} [archived]
 * @property {boolean} [pinned]
 * @property {number} [updatedBefore] Unix seconds, exclusive
 * @property {number} limit
 */

const KNOWN = new Set(["statuses", "owner", "archived", "pinned", "updatedBefore", "limit"]);

/**
 * Checks a query of `Storage.find`. A filter nobody knows, or one with nonsense in it, would answer with other people's rows, so it is refused.
 *
 * @param {unknown} query
 * @returns {FindQuery}
 * @throws {StorageError} `invalidArgument`
 */
export function checkedQuery(query) {
  if (!isRecord(query)) throw new StorageError("invalidArgument", "a query is an object");
  for (const name of Object.keys(query)) demand(KNOWN.has(name), `a query has no filter ${JSON.stringify(name)}`);
  const { statuses, owner, archived, pinned, updatedBefore, limit } = query;
  demand(isCount(limit), "limit must be a count");
  demand(statuses === undefined || (Array.isArray(statuses) && statuses.every((status) => typeof status === "string")), "statuses must be a list of strings");
  demand(archived === undefined || typeof archived === "boolean", "archived must be a boolean");
  demand(pinned === undefined || typeof pinned === "boolean", "pinned must be a boolean");
  demand(updatedBefore === undefined || Number.isFinite(updatedBefore), "updatedBefore must be Unix seconds");
  const ownerText = owner === undefined ? undefined : uidText(owner);
  demand(ownerText !== null, "owner must be a uid");
  return /** @type {FindQuery} */ ({ statuses, owner: ownerText, archived, pinned, updatedBefore, limit });
}

/**
 * @param {unknown} after
 * @returns {number} index of the first message wanted
 * @throws {StorageError} `invalidArgument`
 */
export function checkedAfter(after) {
  demand(isCount(after), "after must be a count of messages");
  return /** @type {number} */ (after);
}

/**
 * @param {boolean} ok
 * @param {string} message
 */
export function demand(ok, message) {
  if (!ok) throw new StorageError("invalidArgument", message);
}
