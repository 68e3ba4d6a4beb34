import { checkedHeartbeat, checkedPatch, conversationKey, newConversation } from "../fields.js";
import { checkedAfter, checkedQuery } from "../query.js";
import { execute } from "./compiled.js";
import { dialectOf } from "./dialect.js";
import { guarded, inTransaction, repeated } from "./faults.js";
import { columnsOf } from "./rows.js";
import { compareAndSwap, insertMessages, read, swapWithMessages } from "./transcript.js";

/**
 * @typedef {import("../sql.js").AgentTables} AgentTables
 * @typedef {import("kysely").Kysely<AgentTables>} Database a connection pool or a transaction
 * @typedef {import("kysely").Updateable<AgentTables["agent_conversation"]>} Changes
 */

/** @type {typeof import("../sql.js").createSqlStorage} */
export function createSqlStorage({ db: hostDb, dialect: named, now = Date.now }) {
  const dialect = dialectOf(hostDb, named);
  const db = /** @type {Database} */ (/** @type {unknown} */ (hostDb));
  return {
    load: (uid) => guarded(async () => (await read(db, dialect, uid, 0))?.conversation ?? null),

    // N9
    loadSince: (uid, after) =>
      guarded(async () => {
        const found = await read(db, dialect, uid, checkedAfter(after));
        return found && { ...found.conversation, messageCount: found.messageCount };
      }),

    insert: (conversation) => guarded(async () => insert(db, dialect, newConversation(conversation, now()))),

    swap: (uid, revision, patch) =>
      guarded(async () => {
        const change = checkedPatch(patch);
        const key = conversationKey(uid);
        return key !== null && Number.isSafeInteger(revision) && swap(db, dialect, key, revision, change);
      }),

    touch: (uid, claimId, updatedAt, activity) =>
      guarded(async () => {
        const heartbeat = columnsOf(checkedHeartbeat(updatedAt, activity));
        const key = conversationKey(uid);
        return key !== null && typeof claimId === "string" && claimId !== "" && repeated(() => touch(db, key, claimId, heartbeat));
      }),

    find: (query) => guarded(async () => find(db, checkedQuery(query))),

    remove: (uid, revision) =>
      guarded(async () => {
        const key = conversationKey(uid);
        return key !== null && Number.isSafeInteger(revision) && remove(db, key, revision);
      }),
  };
}

/**
 * @param {Database} db
 * @param {import("../sql.js").SqlDialect} dialect
 * @param {ReturnType<typeof newConversation>} conversation
 * @returns {Promise<number>}
 */
function insert(db, dialect, { fields, messages }) {
  const row = /** @type {import("kysely").Insertable<AgentTables["agent_conversation"]>} */ (
    /** @type {unknown} */ ({ ...columnsOf(fields), message_count: messages.length })
  );
  if (messages.length === 0) return repeated(() => insertRow(db, dialect, row));
  return inTransaction(db.transaction(), async (trx) => {
    const uid = await insertRow(trx, dialect, row);
    await insertMessages(trx, uid, 0, messages);
    return uid;
  });
}

/**
 * @param {Database} db
 * @param {import("../sql.js").SqlDialect} dialect
 * @param {import("kysely").Insertable<AgentTables["agent_conversation"]>} row
 * @returns {Promise<number>}
 */
async function insertRow(db, dialect, row) {
  if (dialect === "mysql") {
    const { insertId } = await execute(db, "insert", row, (row) => db.insertInto("agent_conversation").values(row));
    return Number(insertId);
  }
  const { rows } = await execute(db, "insert", row, (row) => db.insertInto("agent_conversation").values(row).returning("uid"));
  return Number(rows[0]?.uid);
}

/**
 * C1
 *
 * @param {Database} db
 * @param {import("../sql.js").SqlDialect} dialect
 * @param {number} uid
 * @param {number} revision
 * @param {ReturnType<typeof checkedPatch>} change
 * @returns {Promise<boolean>}
 */
function swap(db, dialect, uid, revision, { fields, messages }) {
  const columns = columnsOf(fields);
  return messages ? swapWithMessages(db, dialect, uid, revision, columns, messages) : repeated(() => compareAndSwap(db, uid, revision, columns));
}

/**
 * C5
 *
 * @param {Database} db
 * @param {number} uid
 * @param {string} claimId
 * @param {Changes} heartbeat
 */
async function touch(db, uid, claimId, heartbeat) {
  const { numAffectedRows } = await execute(db, "touch", { heartbeat, uid, claimId }, ({ heartbeat, uid, claimId }) =>
    db.updateTable("agent_conversation").set(heartbeat).where("uid", "=", uid).where("status", "=", "locked").where("claim_id", "=", claimId),
  );
  return numAffectedRows === 1n;
}

/**
 * C3
 *
 * @param {Database} db
 * @param {import("../query.js").FindQuery} query
 * @returns {Promise<number[]>}
 */
async function find(db, { statuses, owner, archived, pinned, updatedBefore, limit }) {
  if (statuses?.length === 0) return [];
  const flag = (/** @type {boolean | undefined} */ value) => (value === undefined ? undefined : Number(value));
  const filters = {
    statuses,
    owner,
    archived: flag(archived),
    pinned: flag(pinned),
    // Stored times are whole seconds, so a fraction may be rounded up; an integer column of PostgreSQL takes no other.
    before: updatedBefore === undefined ? undefined : Math.ceil(updatedBefore),
  };
  const { rows } = await execute(db, "find", { filters, limit }, ({ filters: { statuses, owner, archived, pinned, before }, limit }) => {
    let select = db.selectFrom("agent_conversation").select("uid");
    if (statuses) select = select.where("status", "in", statuses);
    if (owner !== undefined) select = select.where("owner", "=", owner);
    if (archived !== undefined) select = select.where("archived", "=", archived);
    if (pinned !== undefined) select = select.where("pinned", "=", pinned);
    if (before !== undefined) select = select.where("updated_at", "<", before);
    return select.orderBy("updated_at").orderBy("uid").limit(limit);
  });
  return rows.map((row) => Number(row.uid));
}

/**
 * @param {Database} db
 * @param {number} uid
 * @param {number} revision
 */
function remove(db, uid, revision) {
  return inTransaction(db.transaction(), async (trx) => {
    const { numDeletedRows } = await trx.deleteFrom("agent_conversation").where("uid", "=", uid).where("revision", "=", revision).executeTakeFirst();
    if (numDeletedRows !== 1n) return false;
    // The foreign key does it too, but not on a SQLite connection of the host's that leaves foreign keys off.
    await trx.deleteFrom("agent_message").where("conversation_uid", "=", uid).execute();
    return true;
  });
}
