import { MysqlAdapter, PostgresAdapter, SqliteAdapter, sql } from "kysely";
import { StorageError } from "../errors.js";

/**
 * @typedef {import("../sql.js").SqlDialect} SqlDialect
 * @typedef {import("kysely").RawBuilder<unknown>} ColumnType
 */

/** @type {readonly SqlDialect[]} */
const DIALECTS = ["sqlite", "postgres", "mysql"];

/**
 * @template DB
 * @param {import("kysely").Kysely<DB>} db
 * @param {SqlDialect} [dialect] wins over what `db` says
 * @returns {SqlDialect}
 * @throws {StorageError} `invalidArgument`
 */
export function dialectOf(db, dialect) {
  if (dialect !== undefined) {
    if (!DIALECTS.includes(dialect)) throw new StorageError("invalidArgument", `dialect must be one of ${DIALECTS.join(", ")}`);
    return dialect;
  }
  const { adapter } = db.getExecutor();
  if (adapter instanceof SqliteAdapter) return "sqlite";
  if (adapter instanceof PostgresAdapter) return "postgres";
  if (adapter instanceof MysqlAdapter) return "mysql";
  throw new StorageError("invalidArgument", "the dialect of db is not known; pass dialect");
}

/** Compared by every character, trailing spaces too (C8). The two name that collation differently, and each runs only its own kind of comment. */
const EXACT = sql`character set utf8mb4 collate /*M!100201 utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */`;

/**
 * The column types that differ. `key`: the growing primary key, never used twice; `word`: short text that is indexed or compared, case-sensitively;
 * `text`: any length.
 *
 * @param {SqlDialect} dialect
 * @returns {{ key: ColumnType, integer: ColumnType, word: ColumnType, text: ColumnType }}
 */
export function columnTypes(dialect) {
  switch (dialect) {
    case "sqlite":
      return { key: sql`integer primary key autoincrement`, integer: sql`integer`, word: sql`text`, text: sql`text` };
    case "postgres":
      return { key: sql`bigserial primary key`, integer: sql`bigint`, word: sql`text`, text: sql`text` };
    case "mysql":
      return {
        key: sql`bigint auto_increment primary key`,
        integer: sql`bigint`,
        word: sql`varchar(255) ${EXACT}`,
        text: sql`longtext ${EXACT}`,
      };
  }
}
