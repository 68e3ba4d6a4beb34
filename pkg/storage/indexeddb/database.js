import { StorageError } from "../errors.js";
import { openDB } from "./idb.js";

/**
 * @typedef {import("../fields.js").Fields} Fields
 * @typedef {Fields & { uid: number, ownerKey: string, messageCount: number }} Row a conversation as stored; `ownerKey` is the owner as text (C8)
 *
 * @typedef {object} Schema
 * @property {{ key: number, value: Omit<Row, "uid"> & { uid?: number }, indexes: { queue: [string, number], owner: [string, number], age: number } }} conversations
 * @property {{ key: [uid: number, seq: number], value: string }} messages one JSON text per message
 *
 * @typedef {import("idb").IDBPDatabase<Schema & import("idb").DBSchema>} Database
 * @typedef {import("idb").IDBPTransaction<Schema & import("idb").DBSchema, ("conversations" | "messages")[], "versionchange">} Upgrade
 * @typedef {(db: Database, upgrade: Upgrade) => void} UpgradeStep
 *
 * @typedef {object} Connection
 * @property {() => Promise<Database>} database opens it where it is not open
 * @property {(database: Database) => void} forget the next call opens another connection
 * @property {() => Promise<void>} close
 */

/**
 * From one version of the schema to the next; the database's version is their number. Once released, a step never changes.
 *
 * @type {readonly UpgradeStep[]}
 */
export const UPGRADES = [createStores];

/** @type {UpgradeStep} */
function createStores(db) {
  // The keys of an index end with the primary key, so equal times come out by uid (C3). A uid is never given out twice.
  const conversations = db.createObjectStore("conversations", { keyPath: "uid", autoIncrement: true });
  conversations.createIndex("queue", ["status", "updatedAt"]);
  conversations.createIndex("owner", ["ownerKey", "updatedAt"]);
  conversations.createIndex("age", "updatedAt");
  db.createObjectStore("messages");
}

/**
 * The connection of one storage: opened on first use, and again after the browser or an upgrade in another tab ended it.
 *
 * @param {{ name: string, busyTimeout: number, upgrades?: readonly UpgradeStep[] }} options
 * @returns {Connection}
 */
export function connectTo({ name, busyTimeout, upgrades = UPGRADES }) {
  let closed = false;
  /** @type {Promise<Database> | null} */
  let opening = null;

  /** @param {Promise<Database> | null} ended */
  const forgetOpening = (ended) => {
    if (opening === ended) opening = null;
  };

  function open() {
    /** @type {Promise<Database>} */
    const mine = openDatabase(name, busyTimeout, upgrades, () => forgetOpening(mine)).catch((error) => {
      forgetOpening(mine);
      throw error;
    });
    return mine;
  }

  return {
    database() {
      if (closed) return Promise.reject(new StorageError("storageUnavailable", "this storage was closed"));
      opening ??= open();
      return opening;
    },
    forget(database) {
      database.close();
      opening = null;
    },
    async close() {
      closed = true;
      const last = await opening?.catch(() => null);
      opening = null;
      last?.close();
    },
  };
}

/**
 * @param {string} name
 * @param {number} busyTimeout
 * @param {readonly UpgradeStep[]} upgrades
 * @param {() => void} ended told when the connection is of no use any more
 * @returns {Promise<Database>}
 */
function openDatabase(name, busyTimeout, upgrades, ended) {
  return new Promise((resolve, reject) => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let givenUp = false;
    /** @type {Promise<Database>} */
    const opened = openDB(name, upgrades.length, {
      upgrade(db, oldVersion, _newVersion, transaction) {
        for (const step of upgrades.slice(oldVersion)) step(/** @type {Database} */ (db), /** @type {Upgrade} */ (/** @type {unknown} */ (transaction)));
      },
      // A tab with an older version of the page holds its connection. Ours let go when asked; somebody else's may not.
      blocked() {
        timer = setTimeout(() => {
          givenUp = true;
          reject(new StorageError("storageBusy", `another tab has held an older version of the database ${name} for ${busyTimeout} ms; close or reload it`));
        }, busyTimeout);
      },
      // Another tab upgrades or deletes the database: it waits for this connection to end, and work in flight is finished first.
      blocking(_current, _blocked, event) {
        /** @type {IDBDatabase} */ (event.target).close();
        ended();
      },
      terminated: ended,
    });
    opened
      .then(
        (database) => (givenUp ? database.close() : resolve(database)),
        (error) => reject(error),
      )
      .finally(() => clearTimeout(timer));
  });
}
