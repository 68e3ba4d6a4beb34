/**
 * A change of one run with the rows that belong to it: all of it or nothing. PostgreSQL takes it as one statement, and so in one trip; elsewhere it is a
 * transaction whose first statement is the change.
 */
import { PostgresAdapter, sql } from "kysely";

/**
 * @typedef {import("kysely").Kysely<import("./types.js").Tables>} Db
 * @typedef {{ table: "agent_run_event" | "agent_run_log" | "agent_usage" | "agent_effect", rows: object[] }} Added
 */

/**
 * @param {Db} db
 * @param {(db: Db) => any} change an update or an insert of one row of `agent_run`, not yet executed
 * @param {{ added?: Added[], cleared?: string | false }} parts rows to add; `cleared`: the run whose log goes
 * @returns {Promise<boolean>} false: the change met no row, and nothing was written
 */
export function together(db, change, { added = [], cleared = false }) {
  const parts = added.filter(({ rows }) => rows.length > 0);
  return db.getExecutor().adapter instanceof PostgresAdapter ? oneStatement(db, change, parts, cleared) : transaction(db, change, parts, cleared);
}

/**
 * @param {Db} db
 * @param {(db: Db) => any} change
 * @param {Added[]} added
 * @param {string | false} cleared
 */
function transaction(db, change, added, cleared) {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows, numInsertedOrUpdatedRows } = await change(trx).executeTakeFirst();
    if (Number(numUpdatedRows ?? numInsertedOrUpdatedRows) !== 1) return false;
    for (const { table, rows } of added) {
      await trx
        .insertInto(table)
        .values(/** @type {any} */ (rows))
        .execute();
    }
    if (cleared !== false) await trx.deleteFrom("agent_run_log").where("run_uuid", "=", cleared).execute();
    return true;
  });
}

/**
 * The other parts take their rows from what the change has met: nothing, if it met nothing. A change that waited for another one looks at its conditions
 * again before it counts.
 * @param {any} db
 * @param {(db: Db) => any} change
 * @param {Added[]} added
 * @param {string | false} cleared
 */
async function oneStatement(db, change, added, cleared) {
  let query = db.with("held", (/** @type {Db} */ creator) => change(creator).returning("uuid"));
  for (const { table, rows } of added) {
    const given = sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`;
    query = query.with(`${table}_added`, (/** @type {any} */ creator) =>
      creator.insertInto(table).expression(sql`select given.* from held, ${given} as given`),
    );
  }
  if (cleared !== false) {
    query = query.with("cleared", (/** @type {any} */ creator) =>
      creator.deleteFrom("agent_run_log").where("run_uuid", "in", (/** @type {any} */ rows) => rows.selectFrom("held").select("uuid")),
    );
  }
  return (await query.selectFrom("held").select("uuid").execute()).length === 1;
}
