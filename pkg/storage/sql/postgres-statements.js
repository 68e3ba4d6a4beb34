/** What PostgreSQL does in one statement, and so in one round trip and one snapshot. */
import { sql } from "kysely";
import { execute, whole } from "./compiled.js";
import { CONVERSATION_COLUMNS } from "./rows.js";

/**
 * @typedef {import("./adapter.js").Database} Database
 * @typedef {import("./adapter.js").Changes} Changes
 */

/**
 * A conversation's row with the bodies of its messages from index `from` on. The messages' index is not looked at where there are none (N9).
 *
 * @param {Database} db
 * @param {number} uid
 * @param {number} from
 * @returns {Promise<{ row: import("./rows.js").ConversationRow, bodies: string[] } | null>}
 */
export async function readInOne(db, uid, from) {
  const { rows } = await execute(db, "load in one", { uid, from }, ({ uid, from }) =>
    db
      .selectFrom("agent_conversation")
      .select(CONVERSATION_COLUMNS)
      .select((select) => [
        select
          .case()
          .when("message_count", ">", from)
          .then(
            select
              .selectFrom("agent_message")
              .select(sql`json_agg(body order by seq)::text`.as("bodies"))
              .whereRef("agent_message.conversation_uid", "=", "agent_conversation.uid")
              .where("agent_message.seq", ">=", from),
          )
          .end()
          .as("bodies"),
      ])
      .where("uid", "=", uid),
  );
  const [row] = rows;
  return row ? { row, bodies: JSON.parse(/** @type {string | null} */ (row.bodies) ?? "[]") } : null;
}

/**
 * C1: the compare-and-swap with the messages it appends. False, with nothing changed: the swap is lost, or it keeps another number of messages than are
 * stored. What it cuts off cannot be replaced here: the parts of one statement do not see each other's rows, and the new ones would meet the old.
 *
 * @param {Database} db
 * @param {number} uid
 * @param {number} revision
 * @param {Changes} columns
 * @param {import("../fields.js").MessageChange} change
 * @returns {Promise<boolean>}
 */
export async function appendInOne(db, uid, revision, columns, { keep, append }) {
  const changes = { ...columns, revision: revision + 1, message_count: keep + append.length };
  const { rows } = await execute(db, "append in one", { uid, revision, changes, keep, bodies: whole(append) }, ({ uid, revision, changes, keep, bodies }) =>
    db
      .with("swapped", (query) =>
        query
          .updateTable("agent_conversation")
          .set(changes)
          .where("uid", "=", uid)
          .where("revision", "=", revision)
          .where("message_count", "=", keep)
          .returning("uid"),
      )
      .with("added", (query) =>
        query
          .insertInto("agent_message")
          .columns(["conversation_uid", "seq", "body"])
          .expression(sql`select uid, ${keep} + place - 1, body from swapped, unnest(${bodies}::text[]) with ordinality as appended (body, place)`),
      )
      .selectFrom("swapped")
      .select("uid"),
  );
  return rows.length === 1;
}
