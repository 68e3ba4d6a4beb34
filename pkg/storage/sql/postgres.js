import { Kysely, PostgresDialect, sql } from "kysely";
import { StorageError } from "../errors.js";

const INT8 = 20;

/** What a client allows on top of the server's own limit, before it takes the connection for dead; milliseconds. */
const GRACE_MS = 5000;

/**
 * A pool of connections through pg. It has been used once when this resolves.
 *
 * @param {string} url
 * @param {import("./open.js").Options} options
 * @returns {Promise<{ db: Kysely<unknown>, close(): Promise<void> }>}
 */
export async function openPostgres(url, { readOnly, busyTimeout, connectTimeout, statementTimeout, poolSize }) {
  const { Pool, types } = await loadDriver();
  /** @param {number} id @param {"text"} format */
  const getTypeParser = (id, format) => (id === INT8 ? Number : types.getTypeParser(id, format));
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    application_name: "agent-turn",
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout === 0 ? undefined : statementTimeout + GRACE_MS,
    lock_timeout: busyTimeout,
    // A process that stands still inside a transaction must not keep its rows from all others.
    idle_in_transaction_session_timeout: statementTimeout,
    ...(readOnly ? { options: "-c default_transaction_read_only=on" } : {}),
    // 64-bit integers as numbers: every one we store is a safe integer. Only for this pool: the host may see it differently.
    types: { getTypeParser: /** @type {typeof types.getTypeParser} */ (getTypeParser) },
  });
  // An idle connection that breaks is replaced when one is needed; unheard, the event would end the process.
  pool.on("error", () => {});
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  /** @type {Promise<void> | undefined} */
  let closed;
  return { db, close: () => (closed ??= db.destroy()) };
}

/** pg is an optional peer: a host on another database does not need it. */
async function loadDriver() {
  try {
    const { default: pg } = await import("pg");
    return pg;
  } catch (error) {
    throw new StorageError("storageUnavailable", "the package pg is not installed or does not load", error);
  }
}
