import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Kysely, SqliteAdapter, SqliteDriver, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { StorageError } from "../errors.js";
import { isCount } from "../fields.js";
import { demand } from "../query.js";
import { storageFault } from "./faults.js";
import { keepingStatements } from "./statements.js";
import { Turns, turnsOf } from "./turns.js";

/** @typedef {import("better-sqlite3").Database} Sqlite */

const IN_MEMORY = ":memory:";
const PAUSE_MS = 20;

/** @type {typeof import("../sql.js").openSqlite} */
export function openSqlite(path, { busyTimeout = 5000, readOnly = false } = {}) {
  demand(typeof path === "string" && path !== "" && !path.includes("\0"), "path must be the path of a file");
  demand(isCount(busyTimeout), "busyTimeout must be a count of milliseconds");
  const sqlite = openFile(path, busyTimeout, readOnly);
  const { turns, leave } = path === IN_MEMORY ? { turns: new Turns(), leave() {} } : turnsOf(path);
  const db = new Kysely({
    dialect: {
      createDriver: () => new TurnTakingDriver(sqlite, turns, busyTimeout),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createAdapter: () => new SqliteAdapter(),
      createIntrospector: (database) => new SqliteIntrospector(database),
    },
  });
  /** @type {Promise<void> | undefined} */
  let closed;
  return {
    db,
    close() {
      closed ??= closeAfterWork(db, sqlite).finally(leave);
      return closed;
    },
  };
}

/** Kysely's driver, but one connection of the process at a time, and a rollback that SQLite has done by itself is no second error. */
class TurnTakingDriver extends SqliteDriver {
  #sqlite;
  #turns;
  #timeout;

  /**
   * @param {Sqlite} sqlite
   * @param {Turns} turns
   * @param {number} timeout milliseconds
   */
  constructor(sqlite, turns, timeout) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
    this.#turns = turns;
    this.#timeout = timeout;
  }

  /** @override */
  async acquireConnection() {
    await this.#turns.acquire(this.#timeout);
    return super.acquireConnection();
  }

  /** @override */
  async releaseConnection() {
    await super.releaseConnection();
    this.#turns.release();
  }

  /**
   * @override
   * @param {import("kysely").DatabaseConnection} connection
   */
  async rollbackTransaction(connection) {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * @param {string} path
 * @param {number} busyTimeout
 * @param {boolean} readOnly
 * @returns {Sqlite}
 */
function openFile(path, busyTimeout, readOnly) {
  const Database = loadDriver();
  /** @type {Sqlite | undefined} */
  let sqlite;
  try {
    if (path !== IN_MEMORY && !readOnly) mkdirSync(dirname(path), { recursive: true });
    sqlite = new Database(path, { timeout: busyTimeout, readonly: readOnly });
    configure(sqlite, busyTimeout, readOnly);
    return keepingStatements(sqlite);
  } catch (error) {
    sqlite?.close();
    throw openingFault(error, path);
  }
}

/**
 * @param {Sqlite} sqlite
 * @param {number} busyTimeout
 * @param {boolean} readOnly
 */
function configure(sqlite, busyTimeout, readOnly) {
  // The first read of the file: here a file that is no database shows itself.
  sqlite.pragma("schema_version");
  if (!readOnly) switchToWal(sqlite, busyTimeout);
  // A commit that was reported survives a power cut: a recorded decision must not come undone after its write took place (D6).
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
}

/**
 * Readers and the writer do not block each other in WAL. Two processes that switch a new file at once meet a lock that the busy timeout does not wait for.
 *
 * @param {Sqlite} sqlite
 * @param {number} busyTimeout
 */
function switchToWal(sqlite, busyTimeout) {
  const deadline = Date.now() + busyTimeout;
  for (;;) {
    try {
      sqlite.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      const busy = /^SQLITE_(BUSY|LOCKED)/.test(/** @type {{ code?: string }} */ (error).code ?? "");
      if (!busy || Date.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

/**
 * @param {unknown} error
 * @param {string} path
 * @returns {unknown}
 */
function openingFault(error, path) {
  const fault = storageFault(error);
  if (fault instanceof StorageError) return new StorageError(fault.code, `${path}: ${fault.message}`, error);
  return new StorageError("storageUnavailable", `${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`, error);
}

/**
 * better-sqlite3 is an optional peer: a host on another database does not need it.
 *
 * @returns {typeof import("better-sqlite3")}
 */
function loadDriver() {
  try {
    return createRequire(import.meta.url)("better-sqlite3");
  } catch (error) {
    throw new StorageError("storageUnavailable", "the package better-sqlite3 is not installed or does not load", error);
  }
}

/**
 * @template DB
 * @param {Kysely<DB>} db
 * @param {Sqlite} sqlite
 */
async function closeAfterWork(db, sqlite) {
  // Taking the connection waits for the transaction that has it; one that does not end in time is rolled back by closing.
  await db
    .connection()
    .execute(async () => {})
    .catch(() => {});
  await db.destroy();
  sqlite.close();
}
