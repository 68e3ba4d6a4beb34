import { StorageError } from "../errors.js";

/** @typedef {import("../errors.js").StorageErrorCode} StorageErrorCode */

/**
 * What the drivers' own codes mean: SQLite result codes, PostgreSQL SQLSTATE, MySQL symbols, Node's socket errors. The first match counts.
 *
 * @type {readonly [RegExp, StorageErrorCode, string][]}
 */
const KINDS = [
  [/^(SQLITE_(BUSY|LOCKED)|40001$|40P01$|55P03$|ER_LOCK_)/, "storageBusy", "the database is locked by another connection"],
  [/^(SQLITE_FULL|53100$|ER_DISK_FULL|ER_RECORD_FILE_FULL)/, "storageFull", "the database has no room left"],
  [
    /^(SQLITE_READONLY|25006$|ER_OPTION_PREVENTS_STATEMENT|ER_READ_ONLY_MODE|ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION)/,
    "storageReadOnly",
    "the database may only be read",
  ],
  [/^SQLITE_NOTADB/, "storageNotADatabase", "the file is not a database"],
  [/^(SQLITE_CORRUPT|XX001$|XX002$|ER_NOT_KEYFILE|ER_CRASHED_ON_USAGE)/, "storageCorrupt", "the database is damaged"],
  [/^(42P01$|ER_NO_SUCH_TABLE)/, "schemaMissing", "the tables are missing; run migrate(db) first"],
  [
    /^(SQLITE_(CANTOPEN|IOERR|PERM|AUTH)|08|28|57P|ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|PROTOCOL_|ER_ACCESS_DENIED|ER_CON_)/,
    "storageUnavailable",
    "the database cannot be reached",
  ],
  [/^(SQLITE_|ER_|[0-9A-Z]{5}$)/, "storageFailed", "the database refused the statement"],
];

/**
 * A driver's error as a `StorageError`; what is not a driver's (a bug) comes back as it is.
 *
 * @param {unknown} error
 * @returns {unknown}
 */
export function storageFault(error) {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  // A closed connection has no code in better-sqlite3, pg and Kysely.
  if (/connection is not open|already been destroyed|pool after calling end|pool is closed/i.test(error.message)) {
    return new StorageError("storageUnavailable", "the database connection is closed", error);
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "SQLITE_ERROR" && /^no such table/.test(error.message)) {
    return new StorageError("schemaMissing", "the tables are missing; run migrate(db) first", error);
  }
  const kind = KINDS.find(([pattern]) => pattern.test(code));
  return kind ? new StorageError(kind[1], `${kind[2]} (${code})`, error) : error;
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

/**
 * One transaction. The work's own error is what the caller gets, also when the database has already rolled back by itself (a full disk) and the explicit
 * rollback fails for that reason.
 *
 * @template DB, T
 * @param {import("kysely").TransactionBuilder<DB>} transaction
 * @param {(trx: import("kysely").Transaction<DB>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function inTransaction(transaction, work) {
  /** @type {{ error: unknown } | undefined} */
  let failed;
  try {
    return await transaction.execute((trx) =>
      work(trx).catch((error) => {
        failed = { error };
        throw error;
      }),
    );
  } catch (error) {
    throw failed ? failed.error : error;
  }
}
