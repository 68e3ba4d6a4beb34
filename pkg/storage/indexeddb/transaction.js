/**
 * @typedef {import("./database.js").Connection} Connection
 * @typedef {import("./database.js").Schema & import("idb").DBSchema} Schema
 * @typedef {("conversations" | "messages")[]} Stores
 */

/**
 * @template {IDBTransactionMode} Mode
 * @typedef {import("idb").IDBPTransaction<Schema, Stores, Mode>} Transaction
 */

/** @type {Stores} */
const STORES = ["conversations", "messages"];

/**
 * One transaction over conversations and messages: all of it is written, or nothing. Transactions that write come one after the other, also those of
 * several tabs. A commit that was reported is on disk: a recorded decision must not come undone after its write took place (D6).
 *
 * @template {"readonly" | "readwrite"} Mode
 * @template T
 * @param {Connection} connection
 * @param {Mode} mode
 * @param {(trx: Transaction<Mode>) => Promise<T>} work awaits nothing but requests of this transaction, which would end without one
 * @returns {Promise<T>}
 */
export async function inTransaction(connection, mode, work) {
  const trx = await begin(connection, mode);
  const done = trx.done;
  done.catch(() => {});
  try {
    const result = await work(trx);
    await done;
    return result;
  } catch (error) {
    abort(trx);
    await done.catch(() => {});
    throw error;
  }
}

/**
 * A connection that ended since it was opened has begun nothing, so another one is tried.
 *
 * @template {"readonly" | "readwrite"} Mode
 * @param {Connection} connection
 * @param {Mode} mode
 * @returns {Promise<Transaction<Mode>>}
 */
async function begin(connection, mode) {
  const database = await connection.database();
  try {
    return database.transaction(STORES, mode, { durability: "strict" });
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "InvalidStateError")) throw error;
    connection.forget(database);
    return (await connection.database()).transaction(STORES, mode, { durability: "strict" });
  }
}

/** @param {Transaction<"readonly" | "readwrite">} trx */
function abort(trx) {
  try {
    trx.abort();
  } catch {
    // It has ended by itself.
  }
}
