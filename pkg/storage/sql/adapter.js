import { checkedHeartbeat, checkedPatch, checkKeep, conversationKey, newConversation } from "../fields.js";
import { decodeJson } from "../json.js";
import { checkedAfter, checkedQuery } from "../query.js";
import { dialectOf } from "./dialect.js";
import { guarded, inTransaction, repeated } from "./faults.js";
import { CONVERSATION_COLUMNS, columnsOf, conversationOf } from "./rows.js";

/**
 * @typedef {import("../sql.js").AgentTables} AgentTables
 * @typedef {import("kysely").Kysely<AgentTables>} Database a connection pool or a transaction
 * @typedef {import("../fields.js").MessageChange} MessageChange
 * @typedef {import("../../index.js").Message} Message
 * @typedef {import("kysely").Updateable<AgentTables["agent_conversation"]>} Changes
 */

/** Rows of one insert statement: far below every database's limit of parameters. */
const BATCH = 500;

/** @type {typeof import("../sql.js").createSqlStorage} */
export function createSqlStorage({ db: hostDb, dialect: named, now = Date.now }) {
  const dialect = dialectOf(hostDb, named);
  const db = /** @type {Database} */ (/** @type {unknown} */ (hostDb));
  return {
    load: (uid) => guarded(async () => (await read(db, uid, 0))?.conversation ?? null),

    // N9
    loadSince: (uid, after) =>
      guarded(async () => {
        const found = await read(db, uid, checkedAfter(after));
        return found && { ...found.conversation, messageCount: found.messageCount };
      }),

    insert: (conversation) => guarded(async () => insert(db, dialect, newConversation(conversation, now()))),

    swap: (uid, revision, patch) =>
      guarded(async () => {
        const change = checkedPatch(patch);
        const key = conversationKey(uid);
        return key !== null && Number.isSafeInteger(revision) && swap(db, key, revision, change);
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
 * The row and its messages from index `from` on, as they were at one moment.
 *
 * @param {Database} db
 * @param {unknown} uid
 * @param {number} from
 * @returns {Promise<{ conversation: import("../../index.js").Conversation, messageCount: number } | null>}
 */
async function read(db, uid, from) {
  const key = conversationKey(uid);
  if (key === null) return null;
  if (from > 0) {
    // An unchanged poll is this one query.
    const row = await rowOf(db, key);
    if (!row || Number(row.message_count) <= from)
      return row ? { conversation: { ...conversationOf(row), messages: [] }, messageCount: Number(row.message_count) } : null;
  }
  return inTransaction(db.transaction().setIsolationLevel("repeatable read"), async (trx) => {
    const row = await rowOf(trx, key);
    if (!row) return null;
    const stored = await trx
      .selectFrom("agent_message")
      .select(["seq", "body"])
      .where("conversation_uid", "=", key)
      .where("seq", ">=", from)
      .orderBy("seq")
      .execute();
    const messages = stored.map(({ seq, body }) => /** @type {Message} */ (decodeJson(body, `message ${seq} of conversation ${key}`)));
    return { conversation: { ...conversationOf(row), messages }, messageCount: Number(row.message_count) };
  });
}

/** @param {Database} db @param {number} key */
const rowOf = (db, key) => db.selectFrom("agent_conversation").select(CONVERSATION_COLUMNS).where("uid", "=", key).executeTakeFirst();

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
  return inTransaction(db.transaction(), async (trx) => {
    const statement = trx.insertInto("agent_conversation").values(row);
    const uid =
      dialect === "mysql"
        ? Number((await statement.executeTakeFirstOrThrow()).insertId)
        : Number((await statement.returning("uid").executeTakeFirstOrThrow()).uid);
    await appendMessages(trx, uid, 0, messages);
    return uid;
  });
}

/**
 * C1. With messages it is one transaction, and the compare-and-swap is its first statement: a lost one has changed nothing, and SQLite never meets a
 * transaction that read before it writes (which fails at once when another process wrote in between, whatever the busy timeout).
 *
 * @param {Database} db
 * @param {number} uid
 * @param {number} revision
 * @param {ReturnType<typeof checkedPatch>} change
 * @returns {Promise<boolean>}
 */
function swap(db, uid, revision, { fields, messages }) {
  const columns = columnsOf(fields);
  if (!messages) return repeated(() => compareAndSwap(db, uid, revision, columns));
  return inTransaction(db.transaction(), async (trx) => {
    if (!(await compareAndSwap(trx, uid, revision, columns))) return false;
    await changeMessages(trx, uid, messages);
    return true;
  });
}

/**
 * @param {Database} db
 * @param {number} uid
 * @param {number} revision
 * @param {Changes} columns
 */
async function compareAndSwap(db, uid, revision, columns) {
  const { numUpdatedRows } = await db
    .updateTable("agent_conversation")
    .set({ ...columns, revision: revision + 1 })
    .where("uid", "=", uid)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Messages are appended; rows go only where an edit cuts the transcript (N3).
 *
 * @param {Database} trx which holds the row since its compare-and-swap
 * @param {number} uid
 * @param {MessageChange} change
 */
async function changeMessages(trx, uid, { keep, append }) {
  const row = await trx.selectFrom("agent_conversation").select("message_count").where("uid", "=", uid).executeTakeFirstOrThrow();
  const count = Number(row.message_count);
  checkKeep(keep, count);
  if (keep < count) await trx.deleteFrom("agent_message").where("conversation_uid", "=", uid).where("seq", ">=", keep).execute();
  await appendMessages(trx, uid, keep, append);
  const length = keep + append.length;
  if (length !== count) await trx.updateTable("agent_conversation").set({ message_count: length }).where("uid", "=", uid).execute();
}

/**
 * @param {Database} trx
 * @param {number} uid
 * @param {number} first
 * @param {string[]} bodies
 */
async function appendMessages(trx, uid, first, bodies) {
  for (let start = 0; start < bodies.length; start += BATCH) {
    const rows = bodies.slice(start, start + BATCH).map((body, index) => ({ conversation_uid: uid, seq: first + start + index, body }));
    await trx.insertInto("agent_message").values(rows).execute();
  }
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
  const { numUpdatedRows } = await db
    .updateTable("agent_conversation")
    .set(heartbeat)
    .where("uid", "=", uid)
    .where("status", "=", "locked")
    .where("claim_id", "=", claimId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
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
  let select = db.selectFrom("agent_conversation").select("uid");
  if (statuses) select = select.where("status", "in", statuses);
  if (owner !== undefined) select = select.where("owner", "=", owner);
  if (archived !== undefined) select = select.where("archived", "=", archived ? 1 : 0);
  if (pinned !== undefined) select = select.where("pinned", "=", pinned ? 1 : 0);
  // Stored times are whole seconds, so a fraction may be rounded up; an integer column of PostgreSQL takes no other.
  if (updatedBefore !== undefined) select = select.where("updated_at", "<", Math.ceil(updatedBefore));
  const rows = await select.orderBy("updated_at").orderBy("uid").limit(limit).execute();
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
