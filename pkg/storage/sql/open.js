import { fileURLToPath } from "node:url";
import { StorageError } from "../errors.js";
import { isCount } from "../fields.js";
import { demand } from "../query.js";
import { createSqlStorage } from "./adapter.js";
import { storageFault } from "./faults.js";
import { openMysql } from "./mysql.js";
import { openPostgres } from "./postgres.js";
import { openSqlite } from "./sqlite.js";

/**
 * @typedef {import("../sql.js").SqlDialect} SqlDialect
 * @typedef {import("../sql.js").DatabaseOptions} DatabaseOptions
 * @typedef {Required<DatabaseOptions>} Options
 */

const SCHEMES = "sqlite:, postgres:, mariadb: or mysql:";

/** @type {Record<string, SqlDialect>} */
const DIALECTS = { sqlite: "sqlite", file: "sqlite", postgres: "postgres", postgresql: "postgres", mariadb: "mysql", mysql: "mysql" };

/** @type {Options} */
const DEFAULTS = { readOnly: false, busyTimeout: 5000, connectTimeout: 5000, statementTimeout: 30_000, poolSize: 10 };

/** @type {typeof import("../sql.js").openDatabase} */
export async function openDatabase(url, options = {}) {
  demand(typeof url === "string" && url.trim() !== "", "the database must be a URL or the path of a file");
  const checked = checkedOptions(options);
  const { dialect, place } = databaseOf(url.trim());
  const { db, close } = dialect === "sqlite" ? openFile(place, checked) : await connect(dialect, place, checked);
  return { dialect, db: /** @type {never} */ (db), storage: createSqlStorage({ db, dialect }), close };
}

/** @type {typeof import("../sql.js").describeDatabase} */
export function describeDatabase(url) {
  const { dialect, place } = databaseOf(url.trim());
  if (dialect === "sqlite") return place;
  const { protocol, host, pathname } = new URL(place);
  return `${protocol}//${host}${pathname}`;
}

/**
 * @param {string} url
 * @returns {{ dialect: SqlDialect, place: string }} `place` is the path of a file, or the URL of a server
 * @throws {StorageError} `invalidArgument`
 */
function databaseOf(url) {
  // A single letter is the drive of a Windows path.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === undefined) return { dialect: "sqlite", place: url };
  const dialect = Object.hasOwn(DIALECTS, scheme) ? DIALECTS[scheme] : undefined;
  if (dialect === undefined) throw new StorageError("invalidArgument", `a database URL begins with ${SCHEMES}, not with "${scheme}:"`);
  if (dialect === "sqlite") return { dialect, place: sqlitePath(url, scheme) };
  checkServer(url, scheme);
  return { dialect, place: url };
}

/**
 * @param {string} url
 * @param {string} scheme
 */
function sqlitePath(url, scheme) {
  const rest = url.slice(scheme.length + 1);
  if (!rest.startsWith("//")) return rest;
  try {
    return fileURLToPath(`file:${rest}`);
  } catch (error) {
    throw new StorageError("invalidArgument", "a SQLite URL is sqlite: and a path, or sqlite:// and an absolute path", error);
  }
}

/**
 * The drivers would take an incomplete URL and go to a database that nobody named. The URL itself is not repeated: it may hold a password.
 *
 * @param {string} url
 * @param {string} scheme
 */
function checkServer(url, scheme) {
  const form = `${scheme}://user:password@host:port/database`;
  demand(URL.canParse(url) && /^[a-z]+:\/\//i.test(url), `the database URL cannot be read; its form is ${form}`);
  const { hostname, pathname } = new URL(url);
  demand(hostname !== "" && pathname.length > 1 && !pathname.slice(1).includes("/"), `the database URL must name a host and a database: ${form}`);
}

/**
 * @param {string} path
 * @param {Options} options
 * @returns {{ db: import("kysely").Kysely<unknown>, close(): Promise<void> }}
 */
const openFile = (path, { busyTimeout, readOnly }) => openSqlite(path, { busyTimeout, readOnly });

/**
 * @param {"postgres" | "mysql"} dialect
 * @param {string} url
 * @param {Options} options
 */
async function connect(dialect, url, options) {
  try {
    return await (dialect === "postgres" ? openPostgres(url, options) : openMysql(url, options));
  } catch (error) {
    const fault = storageFault(error);
    if (!(fault instanceof StorageError)) throw new StorageError("storageUnavailable", `${describeDatabase(url)} cannot be opened`, error);
    throw new StorageError(fault.code, `${describeDatabase(url)}: ${fault.message}`, fault.cause ?? fault);
  }
}

/**
 * @param {DatabaseOptions} options
 * @returns {Options}
 */
function checkedOptions(options) {
  const { readOnly, ...counts } = { ...DEFAULTS, ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) };
  demand(typeof readOnly === "boolean", "readOnly must be a boolean");
  for (const [name, value] of Object.entries(counts)) {
    demand(Object.hasOwn(DEFAULTS, name), `a database has no option ${JSON.stringify(name)}`);
    demand(isCount(value) && value < 2 ** 31, `${name} must be a count${name === "poolSize" ? "" : " of milliseconds"}`);
  }
  demand(counts.poolSize > 0, "poolSize must be at least 1");
  return { readOnly, ...counts };
}
