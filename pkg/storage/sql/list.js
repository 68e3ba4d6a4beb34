import { sql } from "kysely";
import { checkedList } from "../listing.js";
import { execute } from "./compiled.js";
import { guarded } from "./faults.js";
import { CONVERSATION_COLUMNS, conversationOf } from "./rows.js";

/** @type {typeof import("../sql.js").listConversations} */
export function listConversations(db, query) {
  return guarded(async () => {
    const wanted = checkedList(query);
    if (wanted === null) return [];
    const { owners, search, archived, limit } = wanted;
    const database = /** @type {import("kysely").Kysely<import("../sql.js").AgentTables>} */ (/** @type {unknown} */ (db));
    const like = search === "" ? undefined : patternOf(search);
    const flag = archived === undefined ? undefined : Number(archived);
    const { rows } = await execute(database, "list", { owners, archived: flag, like, limit }, ({ owners, archived, like, limit }) => {
      let select = database.selectFrom("agent_conversation").select(CONVERSATION_COLUMNS);
      if (owners) select = select.where("owner", "in", owners);
      if (archived !== undefined) select = select.where("archived", "=", archived);
      if (like !== undefined) select = select.where(contains(like));
      // The rows of several owners have to be sorted. A database without statistics would rather look for them among everybody's, which an index has in order.
      const pinned = owners && owners.length > 1 ? sql`pinned + 0` : sql.ref("pinned");
      return select.orderBy(pinned, "desc").orderBy("updated_at", "desc").orderBy("uid", "desc").limit(limit);
    });
    return rows.map((row) => ({ ...conversationOf(row), messageCount: Number(row.message_count) }));
  });
}

/** What contains the text. "!" is the escape, since the databases read a backslash differently. @param {string} text */
const patternOf = (text) => `%${text.replace(/[!%_]/g, "!$&")}%`;

/** @param {string} pattern @returns {import("kysely").RawBuilder<import("kysely").SqlBool>} */
const contains = (pattern) => sql`title_folded like ${pattern} escape '!'`;
