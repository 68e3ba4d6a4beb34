import { folded } from "../listing.js";
import { headOf } from "./rows.js";

/**
 * @typedef {import("./database.js").Row} Row
 * @typedef {import("../query.js").FindQuery} FindQuery
 * @typedef {import("./transaction.js").Transaction<"readonly">} Transaction
 * @typedef {{ index: "queue" | "owner" | "age", range: IDBKeyRange }} Walk along one index, oldest first
 */

/**
 * C3
 *
 * @param {Transaction} trx
 * @param {FindQuery} query
 * @returns {Promise<number[]>}
 */
export async function find(trx, query) {
  if (query.limit === 0) return [];
  const found = await Promise.all(walks(query).map((walk) => firstMatches(trx, walk, query)));
  return found
    .flat()
    .sort((a, b) => a.updatedAt - b.updatedAt || a.uid - b.uid)
    .slice(0, query.limit)
    .map(({ uid }) => uid);
}

/**
 * The indexes to walk along: the rows of each are in the order of the answer already, so that each gives no more than `limit`.
 *
 * @param {FindQuery} query
 * @returns {Walk[]}
 */
function walks({ statuses, owner, updatedBefore = Number.POSITIVE_INFINITY }) {
  const from = Number.NEGATIVE_INFINITY;
  const below = (/** @type {string} */ first) => IDBKeyRange.bound([first, from], [first, updatedBefore], false, true);
  if (statuses) return [...new Set(statuses)].map((status) => ({ index: "queue", range: below(status) }));
  if (owner !== undefined) return [{ index: "owner", range: below(owner) }];
  return [{ index: "age", range: IDBKeyRange.upperBound(updatedBefore, true) }];
}

/**
 * @param {Transaction} trx
 * @param {Walk} walk
 * @param {FindQuery} query
 * @returns {Promise<Row[]>}
 */
async function firstMatches(trx, { index, range }, query) {
  /** @type {Row[]} */
  const rows = [];
  const store = trx.objectStore("conversations");
  for (let cursor = await store.index(index).openCursor(range); cursor !== null; cursor = await cursor.continue()) {
    const row = /** @type {Row} */ (cursor.value);
    if (matches(row, query)) rows.push(row);
    if (rows.length === query.limit) break;
  }
  return rows;
}

/**
 * @param {Row} row
 * @param {Pick<FindQuery, "owner" | "archived" | "pinned">} query
 */
function matches(row, { owner, archived, pinned }) {
  return (
    (owner === undefined || row.ownerKey === owner) && (archived === undefined || row.archived === archived) && (pinned === undefined || row.pinned === pinned)
  );
}

/**
 * Pinned first, then newest first.
 *
 * @param {Transaction} trx
 * @param {import("../listing.js").CheckedList} query
 * @returns {Promise<import("../list-types.js").ConversationSummary[]>}
 */
export async function list(trx, { owners, search, archived, limit }) {
  const store = trx.objectStore("conversations");
  const ofOwner = (/** @type {string} */ owner) => store.index("owner").getAll(IDBKeyRange.bound([owner], [owner, []]));
  const rows = /** @type {Row[]} */ (owners ? (await Promise.all([...new Set(owners)].map(ofOwner))).flat() : await store.getAll());
  return rows
    .filter((row) => (archived === undefined || row.archived === archived) && folded(row.title).includes(search))
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt || b.uid - a.uid)
    .slice(0, limit)
    .map((row) => ({ ...headOf(row), messageCount: row.messageCount }));
}
