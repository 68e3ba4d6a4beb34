/** The tables of the host itself: the demo site, attached files, the lease of the upkeep. They lie beside those of the package, with migration tables of their own. */
import { Migrator, MysqlAdapter, PostgresAdapter, SqliteAdapter, sql } from "kysely";

/** @typedef {import("kysely").Kysely<any>} Database */

const ATTEMPTS = 20;

/**
 * The column types that differ. `key`: the growing primary key; `word`: short text that is compared, case-sensitively; `text`: any length.
 *
 * @param {Database} db
 */
export function columnTypes(db) {
  const { adapter } = db.getExecutor();
  if (adapter instanceof PostgresAdapter) return { key: sql`serial primary key`, word: sql`varchar(255)`, text: sql`text`, bytes: sql`bytea` };
  if (adapter instanceof MysqlAdapter)
    return {
      key: sql`integer auto_increment primary key`,
      word: sql`varchar(255) character set utf8mb4 collate utf8mb4_bin`,
      text: sql`longtext character set utf8mb4 collate utf8mb4_bin`,
      bytes: sql`longblob`,
    };
  return { key: sql`integer primary key autoincrement`, word: sql`varchar(255)`, text: sql`text`, bytes: sql`blob` };
}

/** Inserts one row and gives its uid; the databases tell it in different ways. @param {Database} db @param {string} table @param {Record<string, unknown>} values @returns {Promise<number>} */
export async function insertedUid(db, table, values) {
  const statement = db.insertInto(table).values(values);
  if (db.getExecutor().adapter instanceof MysqlAdapter) return Number((await statement.executeTakeFirstOrThrow()).insertId);
  return Number((await statement.returning("uid").executeTakeFirstOrThrow()).uid);
}

/** Whether the database is a file that one process writes at a time. @param {Database} db */
export const isSqlite = (db) => db.getExecutor().adapter instanceof SqliteAdapter;

/**
 * Runs migrations that any number of processes may start at the same time: servers have a lock for it; where there is none (SQLite), the one that comes
 * second meets a table or a record of the first, and looks again.
 *
 * @param {Database} db
 * @param {string} name Of the tables that record them.
 * @param {Record<string, import("kysely").Migration>} migrations
 */
export async function runMigrations(db, name, migrations) {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations }, migrationTableName: name, migrationLockTableName: `${name}_lock` });
  /** @type {unknown} */
  let failure;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    failure = error;
    await new Promise((resolve) => setTimeout(resolve, 25 + 25 * attempt));
  }
  throw failure;
}

/** @type {Record<string, import("kysely").Migration>} */
const HOST_MIGRATIONS = {
  "001_files_and_leases": {
    async up(db) {
      const { key, word, text, bytes } = columnTypes(db);
      // Databases of before these migrations have the table already.
      await db.schema
        .createTable("agent_file")
        .ifNotExists()
        .addColumn("uid", key)
        .addColumn("owner", word, (column) => column.notNull())
        .addColumn("name", text, (column) => column.notNull())
        .addColumn("mime_type", word, (column) => column.notNull())
        .addColumn("bytes", bytes, (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("agent_lease")
        .ifNotExists()
        .addColumn("name", word, (column) => column.notNull().primaryKey())
        .addColumn("holder", word, (column) => column.notNull())
        .addColumn("version", "bigint", (column) => column.notNull())
        .execute();
    },
  },
  "002_texts_of_files": {
    async up(db) {
      await db.schema.alterTable("agent_file").addColumn("extracted_text", columnTypes(db).text).execute();
      await db.schema
        .alterTable("agent_file")
        .addColumn("unreadable", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
};

/** @param {Database} db */
export const migrateHost = (db) => runMigrations(db, "agent_host_migration", HOST_MIGRATIONS);
