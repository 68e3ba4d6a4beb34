import { checkedHeartbeat, checkedPatch, checkKeep, conversationKey, isCount, newConversation } from "../fields.js";
import { decodeJson } from "../json.js";
import { checkedList } from "../listing.js";
import { checkedAfter, checkedQuery, demand } from "../query.js";
import { connectTo } from "./database.js";
import { guarded } from "./faults.js";
import { find, list } from "./find.js";
import { headOf, messageKeys, rowOf } from "./rows.js";
import { inTransaction } from "./transaction.js";

/**
 * @typedef {import("./database.js").Connection} Connection
 * @typedef {import("./database.js").Row} Row
 * @typedef {import("./transaction.js").Transaction<"readwrite">} Writing
 * @typedef {import("../fields.js").MessageChange} MessageChange
 * @typedef {import("../../index.js").Message} Message
 */

/** @type {typeof import("../indexeddb.js").createIndexedDbStorage} */
export function createIndexedDbStorage({ name = "agent-turn", now = Date.now, busyTimeout = 5000 } = {}) {
  demand(typeof name === "string" && name !== "", "name must be the name of a database");
  demand(isCount(busyTimeout), "busyTimeout must be a count of milliseconds");
  return storageOver(connectTo({ name, busyTimeout }), now);
}

/**
 * @param {Connection} connection
 * @param {() => number} now
 * @returns {import("../indexeddb.js").IndexedDbStorage}
 */
export function storageOver(connection, now) {
  return {
    load: (uid) => guarded(async () => (await read(connection, uid, 0))?.conversation ?? null),

    // N9
    loadSince: (uid, after) =>
      guarded(async () => {
        const found = await read(connection, uid, checkedAfter(after));
        return found && { ...found.conversation, messageCount: found.messageCount };
      }),

    insert: (conversation) =>
      guarded(async () => {
        const { fields, messages } = newConversation(conversation, now());
        return inTransaction(connection, "readwrite", async (trx) => {
          const uid = await trx.objectStore("conversations").add(rowOf(fields, messages.length));
          await appendMessages(trx, uid, 0, messages);
          return uid;
        });
      }),

    swap: (uid, revision, patch) =>
      guarded(async () => {
        const { fields, messages } = checkedPatch(patch);
        return change(connection, uid, revision, async (trx, row) => {
          const messageCount = messages ? await changeMessages(trx, row, messages) : row.messageCount;
          await trx.objectStore("conversations").put({ ...row, ...fields, revision: revision + 1, messageCount });
        });
      }),

    // C5
    touch: (uid, claimId, updatedAt, activity) =>
      guarded(async () => {
        const heartbeat = checkedHeartbeat(updatedAt, activity);
        const key = conversationKey(uid);
        if (key === null || typeof claimId !== "string" || claimId === "") return false;
        return inTransaction(connection, "readwrite", async (trx) => {
          const row = await rowAt(trx, key);
          if (row?.status !== "locked" || row.claimId !== claimId) return false;
          await trx.objectStore("conversations").put({ ...row, ...heartbeat });
          return true;
        });
      }),

    find: (query) =>
      guarded(async () => {
        const wanted = checkedQuery(query);
        return inTransaction(connection, "readonly", (trx) => find(trx, wanted));
      }),

    remove: (uid, revision) =>
      guarded(() =>
        change(connection, uid, revision, async (trx, row) => {
          await Promise.all([trx.objectStore("conversations").delete(row.uid), trx.objectStore("messages").delete(messageKeys(row.uid))]);
        }),
      ),

    list: (query) =>
      guarded(async () => {
        const wanted = checkedList(query);
        return wanted === null ? [] : inTransaction(connection, "readonly", (trx) => list(trx, wanted));
      }),

    close: () => connection.close(),
  };
}

/**
 * The row and its messages from index `from` on, as they were at one moment.
 *
 * @param {Connection} connection
 * @param {unknown} uid
 * @param {number} from
 * @returns {Promise<{ conversation: import("../../index.js").Conversation, messageCount: number } | null>}
 */
async function read(connection, uid, from) {
  const key = conversationKey(uid);
  if (key === null) return null;
  const [row, bodies] = await inTransaction(connection, "readonly", (trx) =>
    Promise.all([rowAt(trx, key), trx.objectStore("messages").getAll(messageKeys(key, from))]),
  );
  if (!row) return null;
  const messages = bodies.map((body, index) => /** @type {Message} */ (decodeJson(body, `message ${from + index} of conversation ${key}`)));
  return { conversation: { ...headOf(row), messages }, messageCount: row.messageCount };
}

/**
 * @param {import("./transaction.js").Transaction<"readonly" | "readwrite">} trx
 * @param {number} key
 * @returns {Promise<Row | undefined>}
 */
async function rowAt(trx, key) {
  return /** @type {Promise<Row | undefined>} */ (trx.objectStore("conversations").get(key));
}

/**
 * C1: the row is read and written in one transaction, and no other that writes runs meanwhile.
 *
 * @param {Connection} connection
 * @param {unknown} uid
 * @param {number} revision
 * @param {(trx: Writing, row: Row) => Promise<void>} write
 * @returns {Promise<boolean>}
 */
async function change(connection, uid, revision, write) {
  const key = conversationKey(uid);
  if (key === null || !Number.isSafeInteger(revision)) return false;
  return inTransaction(connection, "readwrite", async (trx) => {
    const row = await rowAt(trx, key);
    if (row?.revision !== revision) return false;
    await write(trx, row);
    return true;
  });
}

/**
 * Messages are appended; rows go only where an edit cuts the transcript (N3).
 *
 * @param {Writing} trx
 * @param {Row} row
 * @param {MessageChange} change
 * @returns {Promise<number>} how many there are afterwards
 */
async function changeMessages(trx, { uid, messageCount }, { keep, append }) {
  checkKeep(keep, messageCount);
  if (keep < messageCount) await trx.objectStore("messages").delete(messageKeys(uid, keep));
  await appendMessages(trx, uid, keep, append);
  return keep + append.length;
}

/**
 * @param {Writing} trx
 * @param {number} uid
 * @param {number} first
 * @param {string[]} bodies
 */
async function appendMessages(trx, uid, first, bodies) {
  const store = trx.objectStore("messages");
  await Promise.all(bodies.map((body, index) => store.add(body, [uid, first + index])));
}
