import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { migrationsFor } from "../../../pkg/storage/sql/schema.js";
import { createSqlStorage, migrate, openSqlite } from "../../../pkg/storage/sql.js";
import { conversation, FULL } from "../../../pkg/testing/fixtures.js";
import { temporaryFolder } from "./sqlite-store.js";

const KNOWN = Object.keys(migrationsFor("sqlite"));

describe("migrate", () => {
  /** @type {ReturnType<typeof temporaryFolder>} */
  let folder;
  /** @type {(() => Promise<void>)[]} */
  let closers;
  beforeEach(() => {
    folder = temporaryFolder();
    closers = [];
  });
  afterEach(async () => {
    await Promise.all(closers.map((close) => close()));
    folder.remove();
  });

  function openDatabase() {
    const { db, close } = openSqlite(folder.file);
    closers.push(close);
    return db;
  }

  /** @param {ReturnType<typeof openDatabase>} db */
  const tableNames = async (db) => (await db.introspection.getTables()).map((table) => table.name).sort();

  test("may run any number of times and keeps what is stored", async () => {
    const db = openDatabase();
    await migrate(db);
    const uid = await createSqlStorage({ db }).insert(FULL);
    const changes = async () => /** @type {{ n: number }} */ ((await sql`select total_changes() as n`.execute(db)).rows[0]).n;
    const before = await changes();
    await migrate(db);
    await migrate(openDatabase());
    assert.equal(await changes(), before);
    assert.deepEqual(await createSqlStorage({ db }).load(uid), { uid, ...FULL });
    assert.deepEqual(await tableNames(db), ["agent_conversation", "agent_message", "agent_migration", "agent_migration_lock"]);
  });

  test("several connections at once all succeed", async () => {
    const databases = Array.from({ length: 4 }, openDatabase);
    await Promise.all(databases.map((db) => migrate(db)));
    const uids = await Promise.all(databases.map((db) => createSqlStorage({ db }).insert(conversation())));
    assert.deepEqual([...uids].sort(), [1, 2, 3, 4]);
  });

  test("several processes that start at once on a new file all succeed", async () => {
    const worker = fileURLToPath(new URL("migrate-worker.js", import.meta.url));
    const children = Array.from({ length: 4 }, () => fork(worker, [folder.file]));
    const exits = children.map((child) => once(child, "exit"));
    await Promise.all(children.map((child) => once(child, "message")));
    for (const child of children) child.send("go");
    assert.deepEqual(
      (await Promise.all(exits)).map(([code]) => code),
      [0, 0, 0, 0],
    );
    const db = openDatabase();
    assert.equal((await createSqlStorage({ db }).find({ limit: 10 })).length, 4);
    const { rows } = await sql`select name from agent_migration`.execute(db);
    assert.equal(rows.length, KNOWN.length);
  });

  test("a schema of a newer version is refused and left as it is", async () => {
    const db = openDatabase();
    await migrate(db);
    await sql`insert into agent_migration (name, timestamp) values ('9999_from_the_future', '2099-01-01T00:00:00.000Z')`.execute(db);
    for (const database of [db, openDatabase()]) {
      await assert.rejects(migrate(database), { name: "StorageError", code: "schemaTooNew", message: /9999_from_the_future/ });
    }
    assert.equal((await sql`select name from agent_migration`.execute(db)).rows.length, KNOWN.length + 1);
  });

  test("one that fails leaves nothing behind, and works once the cause is gone", async () => {
    const db = openDatabase();
    await sql`create table agent_message (mine integer)`.execute(db);
    await assert.rejects(migrate(db), { name: "StorageError", code: "storageFailed" });
    assert.deepEqual(await tableNames(db), ["agent_message"]);
    await sql`drop table agent_message`.execute(db);
    await migrate(db);
    assert.equal(await createSqlStorage({ db }).insert(conversation()), 1);
  });

  test("leaves the host's own tables alone", async () => {
    const db = openDatabase();
    await sql`create table page (uid integer primary key, title text)`.execute(db);
    await sql`insert into page (title) values ('Team')`.execute(db);
    await migrate(db);
    assert.deepEqual((await sql`select * from page`.execute(db)).rows, [{ uid: 1, title: "Team" }]);
  });

  test("refuses a dialect that nobody knows", async () => {
    const db = openDatabase();
    await assert.rejects(migrate(db, { dialect: /** @type {never} */ ("oracle") }), { code: "invalidArgument" });
    assert.throws(() => createSqlStorage({ db, dialect: /** @type {never} */ ("oracle") }), { code: "invalidArgument" });
    assert.deepEqual(await tableNames(db), []);
  });
});
