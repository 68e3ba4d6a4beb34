import { sql } from "kysely";
import { isCount, isRecord, uidText } from "../fields.js";
import { demand } from "../query.js";
import { guarded } from "./faults.js";
import { CONVERSATION_COLUMNS, conversationOf, folded } from "./rows.js";

/** No title is as long as this (N1: 255 code points), and databases limit the length of a pattern. */
const LONGEST_SEARCH = 4096;

/** @type {typeof import("../sql.js").listConversations} */
export function listConversations(db, query) {
  return guarded(async () => {
    const { owners, search, archived, limit } = checkedList(query);
    if (owners?.length === 0 || search.length > LONGEST_SEARCH) return [];
    const database = /** @type {import("kysely").Kysely<import("../sql.js").AgentTables>} */ (/** @type {unknown} */ (db));
    let select = database.selectFrom("agent_conversation").select(CONVERSATION_COLUMNS);
    if (owners) select = select.where("owner", "in", owners);
    if (archived !== undefined) select = select.where("archived", "=", archived ? 1 : 0);
    if (search !== "") select = select.where(titleContains(search));
    const rows = await select.orderBy("pinned", "desc").orderBy("updated_at", "desc").orderBy("uid", "desc").limit(limit).execute();
    return rows.map((row) => ({ ...conversationOf(row), messageCount: Number(row.message_count) }));
  });
}

/** @param {unknown} query */
function checkedList(query) {
  demand(isRecord(query), "a list query is an object");
  const { owners, search = "", archived, limit } = /** @type {Record<string, unknown>} */ (query);
  demand(isCount(limit), "limit must be a count");
  demand(typeof search === "string", "search must be a string");
  demand(archived === undefined || typeof archived === "boolean", "archived must be a boolean");
  demand(owners === undefined || Array.isArray(owners), "owners must be a list of uids");
  const texts = /** @type {unknown[] | undefined} */ (owners)?.map(uidText);
  demand(!texts?.includes(null), "owners must be a list of uids");
  return {
    owners: /** @type {string[] | undefined} */ (texts),
    search: folded(/** @type {string} */ (search)),
    archived: /** @type {boolean | undefined} */ (archived),
    limit: /** @type {number} */ (limit),
  };
}

/**
 * "!" is the escape, since the databases read a backslash differently.
 *
 * @param {string} text
 * @returns {import("kysely").RawBuilder<import("kysely").SqlBool>}
 */
function titleContains(text) {
  return sql`title_folded like ${`%${text.replace(/[!%_]/g, "!$&")}%`} escape '!'`;
}
