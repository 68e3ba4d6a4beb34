// In the page: the storage suite and the cases of IndexedDB alone; the test in Node asks for them by name.
import { createIndexedDbStorage } from "../../pkg/storage/indexeddb.js";
import { storageSuite } from "../js/storage/suite.js";
import { indexedDbTests } from "./indexeddb-cases.js";
import { claimAll, fillQueue, freshName, overflow, removeDatabase } from "./indexeddb-jobs.js";
import { runCollected } from "./shims/test.js";

/** @typedef {import("../../pkg/storage/indexeddb.js").IndexedDbStorage} IndexedDbStorage */

/** The database of the test that runs now, and every connection to it. @type {{ name: string, connections: IndexedDbStorage[] }} */
let current;

function connect() {
  const storage = createIndexedDbStorage({ name: current.name });
  current.connections.push(storage);
  return storage;
}

const closeAll = () => Promise.all(current.connections.splice(0).map((storage) => storage.close()));

async function suite() {
  storageSuite({
    name: "IndexedDB",
    create() {
      current = { name: freshName(), connections: [] };
      return connect();
    },
    async destroy() {
      await closeAll();
      await removeDatabase(current.name);
    },
    connect,
    async reopen() {
      await closeAll();
      return connect();
    },
  });
  indexedDbTests();
  return runCollected();
}

Object.assign(globalThis, { suite, claimAll, fillQueue, overflow });
