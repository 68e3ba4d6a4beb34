/** The tables of the runtime. They live beside those of a storage adapter, hence migration tables of their own. */
import { Migrator, MysqlAdapter, sql } from "kysely";
import { AiSdkRuntimeError } from "./errors.js";

const ATTEMPTS = 20;

/**
 * Text without the 64 KB limit that `text` has on MySQL and MariaDB.
 * @param {import("kysely").Kysely<unknown>} db
 */
const longText = (db) => (db.getExecutor().adapter instanceof MysqlAdapter ? sql`longtext` : sql`text`);

/** @type {Record<string, import("kysely").Migration>} */
const MIGRATIONS = {
  "001_runs": {
    async up(db) {
      const long = longText(db);
      await db.schema
        .createTable("agent_run")
        .ifNotExists()
        .addColumn("uuid", "varchar(64)", (column) => column.primaryKey().notNull())
        .addColumn("version", "integer", (column) => column.notNull())
        .addColumn("status", "varchar(32)", (column) => column.notNull())
        .addColumn("owner", "varchar(191)", (column) => column.notNull())
        .addColumn("request", long, (column) => column.notNull())
        .addColumn("state", long, (column) => column.notNull())
        .addColumn("result", long)
        .addColumn("resumes", "integer", (column) => column.notNull())
        .addColumn("recoveries", "integer", (column) => column.notNull())
        .addColumn("events", "integer", (column) => column.notNull())
        .addColumn("claim_id", "varchar(64)", (column) => column.notNull())
        .addColumn("lease_expires", "bigint", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .execute();
      const index = db.schema.createIndex("agent_run_lease").on("agent_run").columns(["status", "lease_expires"]);
      // MySQL does not know IF NOT EXISTS for an index; there the migration lock keeps a second process out.
      await (db.getExecutor().adapter instanceof MysqlAdapter ? index : index.ifNotExists()).execute();
      await db.schema
        .createTable("agent_run_event")
        .ifNotExists()
        .addColumn("run_uuid", "varchar(64)", (column) => column.notNull())
        .addColumn("sequence", "integer", (column) => column.notNull())
        .addColumn("kind", "varchar(32)", (column) => column.notNull())
        .addColumn("round", "integer", (column) => column.notNull())
        .addColumn("duration_ms", "bigint", (column) => column.notNull())
        .addColumn("payload", long, (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("agent_run_event_key", ["run_uuid", "sequence"])
        .execute();
      await db.schema
        .createTable("agent_effect")
        .ifNotExists()
        .addColumn("run_uuid", "varchar(64)", (column) => column.notNull())
        .addColumn("call_id", "varchar(128)", (column) => column.notNull())
        .addColumn("tool", "varchar(64)", (column) => column.notNull())
        .addColumn("status", "varchar(16)", (column) => column.notNull())
        .addColumn("result", long)
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("agent_effect_key", ["run_uuid", "call_id"])
        .execute();
    },
  },
};

/**
 * Brings the tables up to date. Two processes that start at once do not disturb each other: where the database has no lock for
 * migrations (SQLite), the one that comes second meets a table or a record of the first, and looks again.
 * @param {import("kysely").Kysely<unknown>} db
 * @throws {AiSdkRuntimeError} `migrationFailed`
 */
export async function migrate(db) {
  const migrator = new Migrator({
    db: /** @type {import("kysely").Kysely<any>} */ (db),
    provider: { getMigrations: async () => MIGRATIONS },
    migrationTableName: "agent_runtime_migration",
    migrationLockTableName: "agent_runtime_migration_lock",
  });
  /** @type {unknown} */
  let failure;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { error } = await migrator.migrateToLatest();
    if (error === undefined) return;
    failure = error;
    await new Promise((resolve) => setTimeout(resolve, 25 + 25 * attempt));
  }
  throw new AiSdkRuntimeError("migrationFailed", "The tables of the runtime could not be made.", failure);
}
