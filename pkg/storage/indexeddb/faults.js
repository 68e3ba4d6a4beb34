import { StorageError } from "../errors.js";

/** @typedef {import("../errors.js").StorageErrorCode} StorageErrorCode */

/**
 * What the names of IndexedDB's exceptions mean.
 *
 * @type {Readonly<Record<string, [StorageErrorCode, string]>>}
 */
const KINDS = {
  QuotaExceededError: ["storageFull", "the browser gives this site no more room"],
  VersionError: ["schemaTooNew", "the database was made by a newer version of agent-turn; reload the page or update the package"],
  NotFoundError: ["schemaMissing", "the database has other object stores than agent-turn's"],
  NotReadableError: ["storageCorrupt", "the browser cannot read what it has stored"],
  ReadOnlyError: ["storageReadOnly", "the database may only be read"],
  TimeoutError: ["storageBusy", "the transaction did not get its turn in time"],
  SecurityError: ["storageUnavailable", "the browser keeps no data for this page"],
  InvalidStateError: ["storageUnavailable", "the connection to the database has ended"],
  AbortError: ["storageUnavailable", "the browser broke the transaction off; nothing of it was written"],
  UnknownError: ["storageUnavailable", "the browser cannot reach its database"],
};

/**
 * IndexedDB's exception as a `StorageError`; what is not its own (a bug) comes back as it is.
 *
 * @param {unknown} error
 * @returns {unknown}
 */
export function storageFault(error) {
  if (!(error instanceof DOMException)) return error;
  const [code, message] = KINDS[error.name] ?? ["storageFailed", "the database refused the request"];
  return new StorageError(code, `${message} (${error.name}: ${error.message})`, error);
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function guarded(work) {
  try {
    return await work();
  } catch (error) {
    throw storageFault(error);
  }
}
