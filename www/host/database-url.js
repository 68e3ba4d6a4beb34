/** Which database: an address, a file, or the embedded default. */
import { isAbsolute, resolve } from "node:path";

/**
 * @typedef {object} DatabaseConfig
 * @property {"sqlite" | "postgres" | "mysql"} kind
 * @property {string} url As `openDatabase` takes it: `sqlite:` and an absolute path, or the server's address. It may hold a password: never shown.
 * @property {string} name What messages call it: the path, or the address without user and password.
 */

/** @type {Record<string, DatabaseConfig["kind"]>} */
const SERVERS = { "postgres:": "postgres", "postgresql:": "postgres", "mysql:": "mysql", "mariadb:": "mysql" };

const HELP =
  "DATABASE_URL must be sqlite:<path>, postgres://user:password@host:port/database or mariadb://user:password@host:port/database (mysql:// is the same).";

/**
 * @param {string | undefined} url DATABASE_URL
 * @param {string | undefined} file DATABASE_FILE
 * @param {string} root What relative paths are resolved against.
 * @param {string[]} problems
 * @returns {DatabaseConfig}
 */
export function readDatabase(url, file, root, problems) {
  if (url === undefined) return sqlite(file ?? ".data/agent-turn.sqlite", root);
  if (file !== undefined) problems.push("DATABASE_URL and DATABASE_FILE are both set; choose one.");
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path !== undefined) return sqlite(path, root);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const kind = SERVERS[parsed?.protocol ?? ""];
  // The value itself stays out of the sentence: it may hold a password.
  if (parsed === null || kind === undefined || parsed.hostname === "" || parsed.pathname.length < 2) {
    problems.push(HELP);
    return sqlite(":memory:", root);
  }
  return { kind, url, name: `${parsed.protocol}//${parsed.host}${parsed.pathname}` };
}

/** @param {string} path @param {string} root @returns {DatabaseConfig} */
function sqlite(path, root) {
  const name = path === ":memory:" || isAbsolute(path) ? path : resolve(root, path);
  return { kind: "sqlite", url: `sqlite:${name}`, name };
}
