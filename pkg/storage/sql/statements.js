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
  /** @type {Map<string, import("better-sqlite3").Statement<unknown[]>>} */
  const kept = new Map();

  /** @param {string} text */
  function prepare(text) {
    const known = kept.get(text);
    // One that is being read row by row belongs to its reader.
    if (known?.busy) return compile(text);
    const statement = known ?? compile(text);
    kept.delete(text);
    kept.set(text, statement);
    if (kept.size > KEPT) kept.delete(/** @type {string} */ (kept.keys().next().value));
    return statement;
  }

  return Object.assign(sqlite, { prepare });
}
