import { sql } from "kysely";
import { checkedList } from "../listing.js";
import { guarded } from "./faults.js";
import { CONVERSATION_COLUMNS, conversationOf } from "./rows.js";

/** @type {typeof import("../sql.js").listConversations} */
export function listConversations(db, query) {
  return guarded(async () => {
    const wanted = checkedList(query);
    if (wanted === null) return [];
    const { owners, search, archived, limit } = wanted;
    const database = /** @type {import("kysely").Kysely<import("../sql.js").AgentTables>} */ (/** @type {unknown} */ (db));
    let select = database.selectFrom("agent_conversation").select(CONVERSATION_COLUMNS);
    if (owners) select = select.where("owner", "in", owners);
    if (archived !== undefined) select = select.where("archived", "=", archived ? 1 : 0);
    if (search !== "") select = select.where(titleContains(search));
    const rows = await select.orderBy("pinned", "desc").orderBy("updated_at", "desc").orderBy("uid", "desc").limit(limit).execute();
    return rows.map((row) => ({ ...conversationOf(row), messageCount: Number(row.message_count) }));
  });
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
