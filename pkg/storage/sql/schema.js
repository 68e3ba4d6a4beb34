import { Migrator, sql } from "kysely";
import { StorageError } from "../errors.js";
import { columnTypes, dialectOf } from "./dialect.js";
import { guarded } from "./faults.js";

/**
 * @typedef {import("../sql.js").SqlDialect} SqlDialect
 * @typedef {import("kysely").Kysely<unknown>} Database
 */

export const MIGRATION_TABLE = "agent_migration";
export const MIGRATION_LOCK_TABLE = "agent_migration_lock";

/**
 * In the order of their names; once released, a migration never changes.
 *
 * @param {SqlDialect} dialect
 * @returns {Record<string, { up(db: Database): Promise<void> }>}
 */
export const migrationsFor = (dialect) => ({
  "0001_conversations": { up: (db) => createConversations(db, dialect) },
  "0002_lists": { up: (db) => indexLists(db, dialect) },
});

/** @type {typeof import("../sql.js").migrate} */
export function migrate(db, options = {}) {
  return guarded(async () => {
    const dialect = dialectOf(db, options.dialect);
    const database = /** @type {Database} */ (/** @type {unknown} */ (db));
    if (await isCurrent(database, dialect)) return;
    if (dialect === "sqlite") await underWriteLock(database, (connection) => migrateToLatest(connection, dialect));
    else await migrateToLatest(database, dialect);
  });
}

/**
 * @param {Database} db
 * @param {SqlDialect} dialect
 * @returns {Promise<boolean>} whether every migration has run
 * @throws {StorageError} `schemaTooNew`
 */
async function isCurrent(db, dialect) {
  const known = Object.keys(migrationsFor(dialect));
  const applied = await appliedMigrations(db);
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length > 0) {
    throw new StorageError("schemaTooNew", `the database was migrated by a newer version of agent-turn (${newer.join(", ")}); update the package`);
  }
  return applied.length === known.length;
}

/**
 * @param {Database} db
 * @returns {Promise<string[]>}
 */
async function appliedMigrations(db) {
  const tables = await db.introspection.getTables();
  if (!tables.some((table) => table.name === MIGRATION_TABLE)) return [];
  const { rows } = await sql`select name from ${sql.table(MIGRATION_TABLE)}`.execute(db);
  return rows.map((row) => /** @type {{ name: string }} */ (row).name);
}

/**
 * @param {Database} db
 * @param {SqlDialect} dialect
 */
async function migrateToLatest(db, dialect) {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrationsFor(dialect) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  // A newer version may have come in between.
  await isCurrent(db, dialect);
  throw error;
}

/**
 * Kysely's SQLite adapter takes no migration lock, so the whole migration runs in one transaction that holds the write lock from its first statement:
 * a second process waits (busy timeout) and then finds everything done, and a failed migration leaves nothing.
 *
 * @param {Database} db
 * @param {(connection: Database) => Promise<void>} work
 */
function underWriteLock(db, work) {
  return db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection);
    try {
      await work(connection);
      await sql`commit`.execute(connection);
    } catch (error) {
      // Where SQLite has rolled back by itself there is nothing to roll back; the first error is the one to tell.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

/**
 * @param {Database} db
 * @param {SqlDialect} dialect
 */
async function createConversations(db, dialect) {
  const { key, integer, word, text } = columnTypes(dialect);
  await db.schema
    .createTable("agent_conversation")
    .addColumn("uid", key)
    .addColumn("owner", word, (column) => column.notNull())
    .addColumn("owner_type", word, (column) => column.notNull())
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("title_folded", text, (column) => column.notNull())
    .addColumn("status", word, (column) => column.notNull())
    .addColumn("revision", integer, (column) => column.notNull())
    .addColumn("claim_id", word, (column) => column.notNull())
    .addColumn("error_message", text, (column) => column.notNull())
    .addColumn("error_code", word, (column) => column.notNull())
    .addColumn("run_uuid", word, (column) => column.notNull())
    .addColumn("last_run_uuid", word, (column) => column.notNull())
    .addColumn("decision", word, (column) => column.notNull())
    .addColumn("decided_by", word)
    .addColumn("decided_by_type", word)
    .addColumn("turn_digest", text, (column) => column.notNull())
    .addColumn("deny_reason", word, (column) => column.notNull())
    .addColumn("pending_input", text)
    .addColumn("system_prompt", text, (column) => column.notNull())
    .addColumn("view_context", text)
    .addColumn("activity", text, (column) => column.notNull())
    .addColumn("archived", integer, (column) => column.notNull())
    .addColumn("pinned", integer, (column) => column.notNull())
    .addColumn("created_at", integer, (column) => column.notNull())
    .addColumn("updated_at", integer, (column) => column.notNull())
    .addColumn("message_count", integer, (column) => column.notNull())
    .execute();
  await db.schema.createIndex("agent_conversation_queue").on("agent_conversation").columns(["status", "updated_at", "uid"]).execute();
  await db.schema.createIndex("agent_conversation_owner").on("agent_conversation").columns(["owner", "updated_at"]).execute();
  await db.schema
    .createTable("agent_message")
    .addColumn("conversation_uid", integer, (column) => column.notNull())
    .addColumn("seq", integer, (column) => column.notNull())
    .addColumn("body", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("agent_message_key", ["conversation_uid", "seq"])
    .addForeignKeyConstraint("agent_message_conversation", ["conversation_uid"], "agent_conversation", ["uid"], (key) => key.onDelete("cascade"))
    .execute();
}

/**
 * Lists are read in the order of an index: one of what an owner has, one of what everybody has, which is also that of the archive and of removal (G2).
 * Before, all of an owner's rows were sorted, and all there are for who sees all.
 *
 * @param {Database} db
 * @param {SqlDialect} dialect
 */
async function indexLists(db, dialect) {
  const order = ["archived", "pinned", "updated_at", "uid"];
  // MySQL takes no change of a table back: one that was cut off begins anew, so each step looks first.
  const present = dialect === "mysql" ? await indexNames(db) : ["agent_conversation_owner"];
  for (const [name, columns] of Object.entries({ agent_conversation_list: order, agent_conversation_owner_list: ["owner", ...order] })) {
    if (!present.includes(name)) await db.schema.createIndex(name).on("agent_conversation").columns(columns).execute();
  }
  if (!present.includes("agent_conversation_owner")) return;
  const old = db.schema.dropIndex("agent_conversation_owner");
  await (dialect === "mysql" ? old.on("agent_conversation") : old).execute();
}

/** @param {Database} db of MySQL or MariaDB */
async function indexNames(db) {
  /** @type {import("kysely").RawBuilder<{ name: string }>} */
  const query = sql`select distinct index_name as name from information_schema.statistics where table_schema = database() and table_name = 'agent_conversation'`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}
