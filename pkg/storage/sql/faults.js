import { StorageError } from "../errors.js";

/** @typedef {import("../errors.js").StorageErrorCode} StorageErrorCode */

/** The database has taken the whole transaction back by itself, at once and for the sake of another one: it may be tried again. */
const REPEATABLE = /^(SQLITE_BUSY_SNAPSHOT|40001$|40P01$|ER_LOCK_DEADLOCK|ER_CHECKREAD)/;

/** A deadlock among many is met again now and then; one that is met so often is no accident. */
const ATTEMPTS = 5;

/** Longest pause before the next attempt, per attempt so far; milliseconds. */
const PAUSE_MS = 10;

/**
 * What the drivers' own codes mean: SQLite result codes, PostgreSQL SQLSTATE, MySQL symbols, Node's socket errors. The first match counts.
 *
 * @type {readonly [RegExp, StorageErrorCode, string][]}
 */
const KINDS = [
  [/^(SQLITE_(BUSY|LOCKED)|40001$|40P01$|55P03$|ER_LOCK_|ER_CHECKREAD)/, "storageBusy", "the database is locked by another connection"],
  [/^(57014$|25P03$|ER_QUERY_TIMEOUT|ER_STATEMENT_TIMEOUT|PROTOCOL_SEQUENCE_TIMEOUT)/, "storageTimeout", "a statement took longer than it may"],
  [/^(SQLITE_FULL|53100$|ER_DISK_FULL|ER_RECORD_FILE_FULL)/, "storageFull", "the database has no room left"],
  [
    /^(SQLITE_READONLY|25006$|ER_OPTION_PREVENTS_STATEMENT|ER_READ_ONLY_MODE|ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION)/,
    "storageReadOnly",
    "the database may only be read",
  ],
  [/^(42501$|ER_(TABLE|COLUMN)ACCESS_DENIED)/, "storageReadOnly", "the database's user lacks a right"],
  [/^SQLITE_NOTADB/, "storageNotADatabase", "the file is not a database"],
  [/^(SQLITE_CORRUPT|XX001$|XX002$|ER_NOT_KEYFILE|ER_CRASHED_ON_USAGE)/, "storageCorrupt", "the database is damaged"],
  [/^(42P01$|ER_NO_SUCH_TABLE)/, "schemaMissing", "the tables are missing; run migrate(db) first"],
  [/^(22001$|22021$|54000$|ER_DATA_TOO_LONG)/, "invalidField", "a value does not fit its column"],
  [
    /^(SQLITE_(CANTOPEN|IOERR|PERM|AUTH)|08|28|3D000$|53300$|57P|ECONN|EHOST|ENET|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|PROTOCOL_|ER_ACCESS_DENIED|ER_DBACCESS_DENIED|ER_BAD_DB|ER_HOST_|ER_CON_|ER_TOO_MANY_USER|ER_SERVER_SHUTDOWN|ER_CONNECTION_KILLED)/,
    "storageUnavailable",
    "the database cannot be reached",
  ],
  [/^(SQLITE_|ER_|[0-9A-Z]{5}$)/, "storageFailed", "the database refused the statement"],
];

/** What has no code of the driver's. @type {readonly [RegExp, StorageErrorCode, string][]} */
const MESSAGES = [
  [/connection is not open|already been destroyed|pool after calling end|pool is closed/i, "storageUnavailable", "the database connection is closed"],
  [
    /connection terminated|connection (is in )?closed state|timeout exceeded when trying to connect|not queryable/i,
    "storageUnavailable",
    "the database cannot be reached",
  ],
  [/^query read timeout/i, "storageTimeout", "a statement took longer than it may"],
];

/** Codes that MariaDB has and the driver does not know by name. @type {Readonly<Record<number, string>>} */
const MARIADB = { 1969: "ER_STATEMENT_TIMEOUT", 1927: "ER_CONNECTION_KILLED" };

/**
 * A driver's error as a `StorageError`; what is not a driver's (a bug) comes back as it is.
 *
 * @param {unknown} error
 * @returns {unknown}
 */
export function storageFault(error) {
  if (!(error instanceof Error) || error instanceof StorageError) return error;
  const said = MESSAGES.find(([pattern]) => pattern.test(error.message));
  if (said) return new StorageError(said[1], said[2], error);
  const code = driverCode(error);
  if (code === "SQLITE_ERROR" && /^no such table/.test(error.message)) {
    return new StorageError("schemaMissing", "the tables are missing; run migrate(db) first", error);
  }
  const kind = KINDS.find(([pattern]) => pattern.test(code));
  return kind ? new StorageError(kind[1], `${kind[2]} (${code})`, error) : error;
}

/** @param {Error} error */
function driverCode(error) {
  const { code, errno } = /** @type {{ code?: unknown, errno?: unknown }} */ (error);
  return (typeof errno === "number" && MARIADB[errno]) || (typeof code === "string" ? code : "");
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
 * One transaction. One that the database has taken back because of another is tried again, so `work` must do nothing that lasts but through `trx`. The
 * work's own error is what the caller gets, also when the database has already rolled back by itself (a full disk) and the explicit rollback fails for that
 * reason.
 *
 * @template DB, T
 * @param {import("kysely").TransactionBuilder<DB>} transaction
 * @param {(trx: import("kysely").Transaction<DB>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export function inTransaction(transaction, work) {
  return repeated(async () => {
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
  });
}

/**
 * Work that is one transaction or one statement, tried again where the database took it back for another's sake.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function repeated(work) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof Error) || !REPEATABLE.test(driverCode(error))) throw error;
      // Those that met wait for different times, or they meet again.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * attempt));
    }
  }
}
