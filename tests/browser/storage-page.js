// In the page: the storage suite and the cases of IndexedDB alone; the test in Node asks for them by name.
import { createIndexedDbStorage } from "../../pkg/storage/indexeddb.js";
import { storageKit } from "../../pkg/testing/index.js";
import { indexedDbTests } from "./indexeddb-cases.js";
import { claimAll, fillQueue, freshName, overflow, removeDatabase } from "./indexeddb-jobs.js";
import { runCollected, test } from "./shims/test.js";

/** @typedef {import("../../pkg/storage/indexeddb.js").IndexedDbStorage} IndexedDbStorage */

/** A database of its own for every check. @returns {import("../../pkg/testing/index.js").OpenedStore} */
function openStore() {
  const name = freshName();
  /** @type {IndexedDbStorage[]} */
  const connections = [];
  const connect = () => {
    const storage = createIndexedDbStorage({ name });
    connections.push(storage);
    return storage;
  };
  const closeAll = () => Promise.all(connections.splice(0).map((storage) => storage.close()));
  return {
    storage: connect(),
    connect,
    async reopen() {
      await closeAll();
      return connect();
    },
    async close() {
      await closeAll();
      await removeDatabase(name);
    },
  };
}

async function suite() {
  storageKit({ it: test, name: "IndexedDB", strict: true, outlives: true, open: openStore });
  indexedDbTests();
  return runCollected();
}

Object.assign(globalThis, { suite, claimAll, fillQueue, overflow });
