/**
 * The conversation's row together with its messages: read as they were at one moment, and swapped in one piece (C1). PostgreSQL does either in one
 * statement. The others take two statements to read and a transaction of two to append; what an edit cuts off is a transaction everywhere.
 */
import { checkKeep, conversationKey } from "../fields.js";
import { decodeJson } from "../json.js";
import { execute } from "./compiled.js";
import { inTransaction, repeated } from "./faults.js";
import { appendInOne, readInOne } from "./postgres-statements.js";
import { CONVERSATION_COLUMNS, conversationOf } from "./rows.js";

/**
 * @typedef {import("./adapter.js").Database} Database
 * @typedef {import("./adapter.js").Changes} Changes
 * @typedef {import("../sql.js").SqlDialect} SqlDialect
 * @typedef {import("../fields.js").MessageChange} MessageChange
 * @typedef {{ conversation: import("../../index.js").Conversation, messageCount: number }} Found
 */

/** Rows of one insert statement: far below every database's limit of parameters. */
const BATCH = 500;

/** How often a read that met a change is begun anew, before a transaction keeps changes out of its sight. */
const READS = 3;

/**
 * The row and its messages from index `from` on, as they were at one moment.
 *
 * @param {Database} db
 * @param {SqlDialect} dialect
 * @param {unknown} uid
 * @param {number} from
 * @returns {Promise<Found | null>}
 */
export async function read(db, dialect, uid, from) {
  const key = conversationKey(uid);
  if (key === null) return null;
  if (dialect === "postgres") {
    const stored = await readInOne(db, key, from);
    return stored && found(stored.row, stored.bodies, from);
  }
  for (let left = READS; left > 0; left -= 1) {
    const stored = await readInTwo(db, key, from);
    if (stored !== "changed") return stored;
  }
  return inTransaction(db.transaction().setIsolationLevel("repeatable read"), async (trx) => {
    const stored = await readInTwo(trx, key, from);
    if (stored === "changed") throw new Error("a transaction saw a change of another one");
    return stored;
  });
}

/**
 * Messages change only together with the revision, so those that were read at the row's revision are the row's. An unchanged poll is the first statement
 * alone (N9).
 *
 * @param {Database} db
 * @param {number} key
 * @param {number} from
 * @returns {Promise<Found | null | "changed">}
 */
async function readInTwo(db, key, from) {
  const {
    rows: [row],
  } = await execute(db, "load", { key }, ({ key }) => db.selectFrom("agent_conversation").select(CONVERSATION_COLUMNS).where("uid", "=", key));
  if (!row) return null;
  if (Number(row.message_count) <= from) return found(row, [], from);
  const { rows: stored } = await execute(db, "messages", { key, from }, ({ key, from }) =>
    db
      .selectFrom("agent_message")
      .innerJoin("agent_conversation", "agent_conversation.uid", "agent_message.conversation_uid")
      .select(["agent_message.body", "agent_conversation.revision"])
      .where("agent_message.conversation_uid", "=", key)
      .where("agent_message.seq", ">=", from)
      .orderBy("agent_message.seq"),
  );
  if (Number(stored[0]?.revision) !== Number(row.revision)) return "changed";
  return found(
    row,
    stored.map(({ body }) => body),
    from,
  );
}

/**
 * @param {import("./rows.js").ConversationRow} row
 * @param {string[]} bodies
 * @param {number} from the index of the first
 * @returns {Found}
 */
function found(row, bodies, from) {
  const messages = bodies.map(
    (body, index) => /** @type {import("../../index.js").Message} */ (decodeJson(body, `message ${from + index} of conversation ${row.uid}`)),
  );
  return { conversation: { ...conversationOf(row), messages }, messageCount: Number(row.message_count) };
}

/**
 * C1. The compare-and-swap is the first statement: a lost one has changed nothing, and SQLite never meets a transaction that read before it writes (which
 * fails at once when another process wrote in between, whatever the busy timeout).
 *
 * @param {Database} db
 * @param {SqlDialect} dialect
 * @param {number} uid
 * @param {number} revision
 * @param {Changes} columns
 * @param {MessageChange} change
 * @returns {Promise<boolean>}
 */
export async function swapWithMessages(db, dialect, uid, revision, columns, change) {
  const transaction = db.transaction();
  if (dialect === "postgres") {
    const appended = await repeated(() => appendInOne(db, uid, revision, columns, change));
    return appended || inTransaction(transaction, (trx) => rewrite(trx, uid, revision, columns, change));
  }
  return inTransaction(transaction, async (trx) => (await append(trx, uid, revision, columns, change)) || rewrite(trx, uid, revision, columns, change));
}

/**
 * @param {Database} db
 * @param {number} uid
 * @param {number} revision
 * @param {Changes} columns
 * @param {number} [length] of the transcript, when that is a condition too
 */
export async function compareAndSwap(db, uid, revision, columns, length) {
  const changes = { ...columns, revision: revision + 1 };
  const { numAffectedRows } = await execute(db, "swap", { changes, uid, revision, length }, ({ changes, uid, revision, length }) => {
    const update = db.updateTable("agent_conversation").set(changes).where("uid", "=", uid).where("revision", "=", revision);
    return length === undefined ? update : update.where("message_count", "=", length);
  });
  return numAffectedRows === 1n;
}

/**
 * What nearly every swap does: all stored messages stay. False, with nothing changed: the swap is lost, or it keeps another number of messages.
 *
 * @param {Database} trx
 * @param {number} uid
 * @param {number} revision
 * @param {Changes} columns
 * @param {MessageChange} change
 */
async function append(trx, uid, revision, columns, { keep, append }) {
  if (!(await compareAndSwap(trx, uid, revision, { ...columns, message_count: keep + append.length }, keep))) return false;
  await insertMessages(trx, uid, keep, append);
  return true;
}

/**
 * Cuts the transcript where an edit begins (N3), and refuses a gap.
 *
 * @param {Database} trx
 * @param {number} uid
 * @param {number} revision
 * @param {Changes} columns
 * @param {MessageChange} change
 */
async function rewrite(trx, uid, revision, columns, { keep, append }) {
  if (!(await compareAndSwap(trx, uid, revision, columns))) return false;
  const row = await trx.selectFrom("agent_conversation").select("message_count").where("uid", "=", uid).executeTakeFirstOrThrow();
  checkKeep(keep, Number(row.message_count));
  await trx.deleteFrom("agent_message").where("conversation_uid", "=", uid).where("seq", ">=", keep).execute();
  await insertMessages(trx, uid, keep, append);
  await trx
    .updateTable("agent_conversation")
    .set({ message_count: keep + append.length })
    .where("uid", "=", uid)
    .execute();
  return true;
}

/**
 * @param {Database} trx
 * @param {number} uid
 * @param {number} first
 * @param {string[]} bodies
 */
export async function insertMessages(trx, uid, first, bodies) {
  for (let start = 0; start < bodies.length; start += BATCH) {
    const rows = bodies.slice(start, start + BATCH).map((body, index) => ({ conversation_uid: uid, seq: first + start + index, body }));
    await execute(trx, "insert messages", rows, (rows) => trx.insertInto("agent_message").values(rows));
  }
}
