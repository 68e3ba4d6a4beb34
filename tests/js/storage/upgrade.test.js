/** From every earlier version of the tables to this one: what is stored stays, any number of processes may do it at once, and one that was cut off is finished. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Migrator, sql } from "kysely";
import { MIGRATION_LOCK_TABLE, MIGRATION_TABLE, migrationsFor } from "../../../pkg/storage/sql/schema.js";
import { migrate } from "../../../pkg/storage/sql.js";
import { FULL } from "../../../pkg/testing/fixtures.js";
import { DATABASE_KINDS } from "../../../scripts/databases.mjs";
import { emptyDatabase } from "./databases.js";

/** @typedef {import("../../../pkg/storage/sql.js").OpenedDatabase} Opened */

const VERSIONS = Object.keys(migrationsFor("sqlite"));
const INDEXES = ["agent_conversation_list", "agent_conversation_owner_list", "agent_conversation_queue"];

/** Makes the tables as an earlier version left them. @param {Opened} opened @param {string} version */
async function migrateTo({ db, dialect }, version) {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrationsFor(dialect) },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: MIGRATION_LOCK_TABLE,
  });
  const { error } = await migrator.migrateTo(version);
  assert.equal(error, undefined);
}

/** Indexes of conversations beside the key. @param {Opened} opened @returns {Promise<string[]>} */
async function indexes({ db, dialect }) {
  const query = {
    sqlite: sql`select name from sqlite_master where type = 'index' and tbl_name = 'agent_conversation'`,
    postgres: sql`select indexname as name from pg_indexes where tablename = 'agent_conversation'`,
    mysql: sql`select distinct index_name as name from information_schema.statistics where table_schema = database() and table_name = 'agent_conversation'`,
  }[dialect];
  const found = (await query.execute(db)).rows.map((row) => /** @type {{ name: string }} */ (row).name);
  return found.filter((name) => !/pkey$|^PRIMARY$/.test(name)).sort();
}

for (const kind of DATABASE_KINDS) {
  describe(`upgrades on ${kind}`, () => {
    for (const version of VERSIONS) {
      test(`from ${version}, by several processes at once`, async (t) => {
        const database = await emptyDatabase(t, kind);
        const opened = await Promise.all(Array.from({ length: 4 }, () => database.open({ poolSize: 2 })));
        const first = /** @type {Opened} */ (opened[0]);
        await migrateTo(first, version);
        const uid = await first.storage.insert(FULL);
        await Promise.all(opened.map(({ db }) => migrate(db)));
        assert.deepEqual(await indexes(first), INDEXES);
        for (const { storage } of opened) assert.deepEqual(await storage.load(uid), { uid, ...FULL });
        const { rows } = await sql`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(first.db);
        assert.deepEqual(
          rows.map((row) => /** @type {{ name: string }} */ (row).name),
          VERSIONS,
        );
      });
    }
  });
}

test("mariadb: an upgrade that was cut off after any of its steps is finished by the next start", async (t) => {
  const steps = [
    sql`create index agent_conversation_list on agent_conversation (archived, pinned, updated_at, uid)`,
    sql`create index agent_conversation_owner_list on agent_conversation (owner, archived, pinned, updated_at, uid)`,
    sql`drop index agent_conversation_owner on agent_conversation`,
  ];
  for (let done = 1; done <= steps.length; done += 1) {
    const opened = await (await emptyDatabase(t, "mariadb")).open();
    await migrateTo(opened, String(VERSIONS[0]));
    for (const step of steps.slice(0, done)) await step.execute(opened.db);
    await migrate(opened.db);
    assert.deepEqual(await indexes(opened), INDEXES);
  }
});
