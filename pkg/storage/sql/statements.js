import { Recent } from "./recent.js";

/** How many compiled statements a connection keeps; a host asks some dozens of different questions, over and over. */
const KEPT = 200;

/**
 * Lets a connection keep its compiled statements: Kysely asks for each anew, and compiling was a tenth of a turn's time. SQLite compiles again by itself
 * where the schema has changed.
 *
 * @param {import("better-sqlite3").Database} sqlite
 * @returns {import("better-sqlite3").Database} the same
 */
export function keepingStatements(sqlite) {
  const compile = sqlite.prepare.bind(sqlite);
  /** @type {Recent<import("better-sqlite3").Statement<unknown[]>>} */
  const kept = new Recent(KEPT);

  /** @param {string} text */
  function prepare(text) {
    const statement = kept.get(text, () => compile(text));
    // One that is being read row by row belongs to its reader.
    return statement.busy ? compile(text) : statement;
  }

  return Object.assign(sqlite, { prepare });
}
