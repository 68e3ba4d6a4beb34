import { Kysely, MysqlDialect, sql } from "kysely";
import { StorageError } from "../errors.js";

/**
 * @typedef {import("mysql2").Pool} Pool
 * @typedef {import("mysql2").PoolConnection} PoolConnection
 * @typedef {import("kysely").MysqlPoolConnection} KyselyConnection
 */

/** What a client allows on top of the server's own limit, before it takes the connection for dead; milliseconds. */
const GRACE_MS = 5000;

/**
 * A pool of connections to MariaDB or MySQL through mysql2. It has been used once when this resolves.
 *
 * @param {string} url
 * @param {import("./open.js").Options} options
 * @returns {Promise<{ db: Kysely<unknown>, close(): Promise<void> }>}
 */
export async function openMysql(url, { readOnly, busyTimeout, connectTimeout, statementTimeout, poolSize }) {
  const { createPool } = await loadDriver();
  const pool = createPool({ uri: url, connectionLimit: poolSize, charset: "utf8mb4", connectTimeout, enableKeepAlive: true });
  const session = sessionSettings({ readOnly, busyTimeout, statementTimeout });
  pool.on("connection", (connection) => {
    // An error of this statement shows again at the next one of the same connection.
    /** @type {PoolConnection} */ (connection).query(session, () => {});
  });
  const db = new Kysely({ dialect: new MysqlDialect({ pool: limited(pool, statementTimeout) }) });
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

/**
 * Values that do not fit are refused, not cut; a lock is waited for as long as on the other databases; a statement has a limit of time. MariaDB and MySQL
 * name that limit differently and run each only its own kind of comment.
 *
 * @param {{ readOnly: boolean, busyTimeout: number, statementTimeout: number }} options
 */
function sessionSettings({ readOnly, busyTimeout, statementTimeout }) {
  return [
    "set session sql_mode = concat_ws(',', nullif(@@sql_mode, ''), 'STRICT_ALL_TABLES')",
    `innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(busyTimeout / 1000))}`,
    `lock_wait_timeout = ${Math.max(1, Math.ceil(busyTimeout / 1000))}`,
    ...(readOnly ? ["transaction_read_only = 1"].map(readOnlySetting) : []),
  ]
    .join(", ")
    .concat(` /*M!100101 , max_statement_time = ${statementTimeout / 1000} */ /*!80000 , max_execution_time = ${statementTimeout} */`);
}

/** MariaDB before 11.1 knows the variable by its older name only. @param {string} setting */
const readOnlySetting = (setting) => setting.replace("transaction_read_only", "tx_read_only");

/**
 * The pool as Kysely sees it, with a limit of time on the client's side for a server that does not answer at all: its connection is given up.
 *
 * @param {Pool} pool
 * @param {number} statementTimeout milliseconds; 0: none
 * @returns {import("kysely").MysqlPool}
 */
function limited(pool, statementTimeout) {
  if (statementTimeout === 0) return /** @type {import("kysely").MysqlPool} */ (/** @type {unknown} */ (pool));
  /** @type {WeakMap<PoolConnection, KyselyConnection>} */
  const known = new WeakMap();
  return {
    getConnection: (callback) =>
      pool.getConnection((error, connection) => {
        if (error) return callback(error, /** @type {never} */ (undefined));
        const wrapped = known.get(connection) ?? withLimit(connection, statementTimeout + GRACE_MS);
        known.set(connection, wrapped);
        callback(null, wrapped);
      }),
    end: (callback) => pool.end(callback),
  };
}

/**
 * @param {PoolConnection} connection
 * @param {number} timeout milliseconds
 * @returns {KyselyConnection}
 */
function withLimit(connection, timeout) {
  /** @param {string} text @param {readonly unknown[]} values @param {(error: unknown, result: unknown) => void} callback */
  const query = (text, values, callback) =>
    connection.query({ sql: text, values: [...values], timeout }, (error, result) => {
      if (error?.code === "PROTOCOL_SEQUENCE_TIMEOUT") connection.destroy();
      callback(error, result);
    });
  return /** @type {KyselyConnection} */ (/** @type {unknown} */ ({ query, release: () => connection.release() }));
}

/** mysql2 is an optional peer: a host on another database does not need it. */
async function loadDriver() {
  try {
    const { default: mysql } = await import("mysql2");
    return mysql;
  } catch (error) {
    throw new StorageError("storageUnavailable", "the package mysql2 is not installed or does not load", error);
  }
}
