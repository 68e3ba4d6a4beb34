/** The tables of the runtime. They live beside those of a storage adapter, hence migration tables of their own. */
import { Migrator, MysqlAdapter, sql } from "kysely";
import { AiSdkRuntimeError } from "./errors.js";
import { parsed } from "./stored.js";
import { isPlainObject } from "./text.js";

const ATTEMPTS = 20;

/**
 * Text without the 64 KB limit that `text` has on MySQL and MariaDB.
 * @param {import("kysely").Kysely<unknown>} db
 */
const longText = (db) => (db.getExecutor().adapter instanceof MysqlAdapter ? sql`longtext` : sql`text`);

/**
 * A table that does not exist yet. What a MySQL or MariaDB server takes for text by default may know no emoji, and may take two names for one: its tables
 * say what they need, in a comment that only the one runs and one that only the other runs.
 * @param {import("kysely").Kysely<any>} db
 * @param {string} name
 */
function newTable(db, name) {
  const table = db.schema.createTable(name).ifNotExists();
  if (!(db.getExecutor().adapter instanceof MysqlAdapter)) return table;
  return table.modifyEnd(sql`default character set utf8mb4 collate /*M!100201 utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */`);
}

/** @type {Record<string, import("kysely").Migration>} */
const MIGRATIONS = {
  "001_runs": {
    async up(db) {
      const long = longText(db);
      await newTable(db, "agent_run")
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
      await createIndex(db, "agent_run_lease", "agent_run", ["status", "lease_expires"]);
      await newTable(db, "agent_run_event")
        .addColumn("run_uuid", "varchar(64)", (column) => column.notNull())
        .addColumn("sequence", "integer", (column) => column.notNull())
        .addColumn("kind", "varchar(32)", (column) => column.notNull())
        .addColumn("round", "integer", (column) => column.notNull())
        .addColumn("duration_ms", "bigint", (column) => column.notNull())
        .addColumn("payload", long, (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("agent_run_event_key", ["run_uuid", "sequence"])
        .execute();
      await newTable(db, "agent_effect")
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
  // A run's log grows by appending; before, the whole state was written again with every step.
  "002_log": {
    async up(db) {
      const long = longText(db);
      await newTable(db, "agent_run_log")
        .addColumn("run_uuid", "varchar(64)", (column) => column.notNull())
        .addColumn("sequence", "integer", (column) => column.notNull())
        .addColumn("kind", "varchar(16)", (column) => column.notNull())
        .addColumn("body", long, (column) => column.notNull())
        .addPrimaryKeyConstraint("agent_run_log_key", ["run_uuid", "sequence"])
        .execute();
      await newTable(db, "agent_usage")
        .addColumn("run_uuid", "varchar(64)", (column) => column.notNull())
        .addColumn("round", "integer", (column) => column.notNull())
        .addColumn("extension", "varchar(64)", (column) => column.notNull())
        .addColumn("operation", "varchar(64)", (column) => column.notNull())
        .addColumn("configuration", "varchar(191)", (column) => column.notNull())
        .addColumn("model", "varchar(191)", (column) => column.notNull())
        .addColumn("prompt_tokens", "bigint", (column) => column.notNull())
        .addColumn("completion_tokens", "bigint", (column) => column.notNull())
        .addColumn("cost_micros", "bigint", (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .addPrimaryKeyConstraint("agent_usage_key", ["run_uuid", "round"])
        .execute();
      await createIndex(db, "agent_usage_time", "agent_usage", ["created_at"]);
      await createIndex(db, "agent_run_age", "agent_run", ["status", "updated_at"]);
      // SQLite keeps no transaction around a migration: one that was cut off begins anew, so each step looks first.
      const columns = await columnsOf(db, "agent_run");
      if (!columns.includes("logged"))
        await db.schema
          .alterTable("agent_run")
          .addColumn("logged", "integer", (column) => column.notNull().defaultTo(0))
          .execute();
      if (!columns.includes("reason"))
        await db.schema
          .alterTable("agent_run")
          .addColumn("reason", "varchar(32)", (column) => column.notNull().defaultTo(""))
          .execute();
      if (!columns.includes("request")) return;
      await moveStates(db);
      await db.schema.alterTable("agent_run").dropColumn("request").execute();
    },
  },
  // A person can stop a run that another process works on.
  "003_stop": {
    async up(db) {
      if ((await columnsOf(db, "agent_run")).includes("stop_asked")) return;
      await db.schema
        .alterTable("agent_run")
        .addColumn("stop_asked", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
};

/**
 * PostgreSQL keeps a transaction around all migrations.
 * @param {import("kysely").Kysely<any>} db
 * @param {(trx: import("kysely").Kysely<any>) => Promise<void>} work
 */
const inTransaction = (db, work) => (db.isTransaction ? work(db) : db.transaction().execute(work));

/**
 * MySQL does not know IF NOT EXISTS for an index; there the migration lock keeps a second process out.
 * @param {import("kysely").Kysely<unknown>} db
 * @param {string} name
 * @param {string} table
 * @param {string[]} columns
 */
async function createIndex(db, name, table, columns) {
  const index = db.schema.createIndex(name).on(table).columns(columns);
  await (db.getExecutor().adapter instanceof MysqlAdapter ? index : index.ifNotExists()).execute();
}

/**
 * @param {import("kysely").Kysely<unknown>} db
 * @param {string} name
 */
async function columnsOf(db, name) {
  const tables = await db.introspection.getTables();
  return tables.find((table) => table.name === name)?.columns.map((column) => column.name) ?? [];
}

/**
 * Open runs of the first version: what was one text becomes lines of the log.
 * @param {import("kysely").Kysely<any>} db
 */
async function moveStates(db) {
  const rows = await db.selectFrom("agent_run").select(["uuid", "request", "state"]).where("state", "<>", "").where("logged", "=", 0).execute();
  for (const { uuid, request, state } of rows) {
    const old = parsed(state);
    if (!isPlainObject(old) || !Array.isArray(old.messages) || !Array.isArray(old.steps)) continue; // unreadable before and after
    /** @type {[string, unknown][]} */
    const lines = [["request", parsed(request)], ...old.messages.map((body) => /** @type {[string, unknown]} */ (["message", body]))];
    const segment = lines.length;
    for (const step of old.steps) lines.push(["step", step]);
    const at = lines.length;
    const turn = isPlainObject(old.turn) ? old.turn : null;
    if (turn) lines.push(["turn", { round: turn.round, calls: turn.calls }]);
    for (const [callId, result] of Object.entries(turn?.results ?? {})) lines.push(["result", { callId, ...Object(result) }]);
    const spent = { promptTokens: 0, completionTokens: 0, costMicros: 0 };
    const head = { round: old.round, segmentRounds: old.segmentRounds, spent, segment, turn: turn && { at, approved: turn.approved, pause: turn.pause } };
    const values = lines.map(([kind, body], sequence) => ({ run_uuid: uuid, sequence, kind, body: JSON.stringify(body) }));
    await inTransaction(db, async (trx) => {
      const moved = { state: JSON.stringify(head), logged: lines.length };
      const { numUpdatedRows } = await trx.updateTable("agent_run").set(moved).where("uuid", "=", uuid).where("logged", "=", 0).executeTakeFirst();
      if (Number(numUpdatedRows) === 1) await trx.insertInto("agent_run_log").values(values).execute();
    });
  }
}

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
