export { StorageError } from "./errors.js";
export { createIndexedDbStorage } from "./indexeddb/adapter.js";
