import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { createSqlStorage, migrate, openSqlite } from "../../../pkg/storage/sql.js";
import { conversation, FULL, transcript } from "../../../pkg/testing/fixtures.js";
import { temporaryFolder } from "./sqlite-store.js";

describe("SQL storage and its database", () => {
  /** @type {ReturnType<typeof temporaryFolder>} */
  let folder;
  /** @type {import("../../../pkg/storage/sql.js").OpenedSqlite} */
  let opened;
  /** @type {ReturnType<typeof createSqlStorage>} */
  let storage;
  beforeEach(async () => {
    folder = temporaryFolder();
    opened = openSqlite(folder.file, { busyTimeout: 30 });
    await migrate(opened.db);
    storage = createSqlStorage({ db: opened.db });
  });
  afterEach(async () => {
    await opened.close();
    folder.remove();
  });

  test("a lock that another connection keeps is storageBusy; afterwards all is as before", async () => {
    const uid = await storage.insert(FULL);
    const other = new Database(folder.file);
    other.exec("begin immediate");
    const busy = /** @param {() => unknown} work */ (work) =>
      assert.rejects(
        async () => work(),
        (error) => {
          const { code, cause } = /** @type {Error & { code: string }} */ (error);
          assert.equal(code, "storageBusy");
          assert.equal(/** @type {{ code: string }} */ (cause).code, "SQLITE_BUSY");
          return true;
        },
      );
    await busy(() => storage.swap(uid, 0, { title: "x" }));
    await busy(() => storage.swap(uid, 0, { title: "x", messages: { keep: 2, append: transcript(1) } }));
    await busy(() => storage.insert(conversation()));
    await busy(() => storage.remove(uid, 0));
    await busy(() => storage.touch(uid, "claim-1", 5));
    assert.deepEqual(await storage.load(uid), { uid, ...FULL });
    other.exec("rollback");
    other.close();
    assert.equal(await storage.swap(uid, 0, { title: "x", messages: { keep: 2, append: transcript(1) } }), true);
  });

  test("a full database is storageFull, stores nothing of the swap, and goes on when there is room", async () => {
    const uid = await storage.insert(FULL);
    await sql`pragma max_page_count = 30`.execute(opened.db);
    const append = [...transcript(3), { role: /** @type {const} */ ("user"), content: "x".repeat(500_000) }];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await assert.rejects(async () => storage.swap(uid, 0, { title: "half", messages: { keep: 1, append } }), { code: "storageFull" });
      await assert.rejects(async () => storage.insert(conversation({ messages: append })), { code: "storageFull" });
    }
    assert.deepEqual(await storage.load(uid), { uid, ...FULL });
    assert.deepEqual(await storage.find({ limit: 5 }), [uid]);
    await sql`pragma max_page_count = 100000`.execute(opened.db);
    assert.equal(await storage.swap(uid, 0, { messages: { keep: 1, append } }), true);
    assert.equal((await storage.load(uid))?.messages.length, 5);
  });

  test("a call inside a transaction of the same database ends in storageBusy instead of waiting for ever", async () => {
    const uid = await storage.insert(conversation());
    await assert.rejects(
      opened.db.transaction().execute(async () => storage.load(uid)),
      { code: "storageBusy" },
    );
    assert.equal((await storage.load(uid))?.uid, uid);
  });

  test("without its tables it says what to do", async () => {
    const bare = openSqlite(`${folder.file}.bare`);
    const storage = createSqlStorage({ db: bare.db });
    await assert.rejects(async () => storage.find({ limit: 1 }), { code: "schemaMissing", message: /migrate/ });
    await assert.rejects(async () => storage.insert(conversation()), { code: "schemaMissing" });
    await bare.close();
  });

  test("a row that cannot be read is storageCorrupt and stops no other row (S3)", async () => {
    const broken = await storage.insert(FULL);
    const sound = await storage.insert(FULL);
    await opened.db.updateTable("agent_conversation").set({ activity: "[{" }).where("uid", "=", broken).execute();
    await assert.rejects(async () => storage.load(broken), { code: "storageCorrupt", message: new RegExp(`conversation ${broken}`) });
    assert.deepEqual(await storage.find({ limit: 5 }), [broken, sound]);
    assert.equal((await storage.load(sound))?.uid, sound);
  });

  test("loadSince reads no message before its index (N9)", async () => {
    const uid = await storage.insert(conversation({ messages: transcript(4) }));
    await opened.db.updateTable("agent_message").set({ body: "{" }).where("seq", "=", 1).execute();
    assert.deepEqual((await storage.loadSince(uid, 2))?.messages, transcript(4).slice(2));
    await assert.rejects(async () => storage.loadSince(uid, 1), { code: "storageCorrupt" });
    await assert.rejects(async () => storage.load(uid), { code: "storageCorrupt" });
  });

  test("loadSince refuses an index that is none", async () => {
    const uid = await storage.insert(FULL);
    for (const after of [-1, 0.5, Number.NaN, "1", null, undefined]) {
      await assert.rejects(async () => storage.loadSince(uid, /** @type {never} */ (after)), { code: "invalidArgument" });
    }
  });

  test("messages that are kept are not written again", async () => {
    const uid = await storage.insert(conversation({ messages: transcript(3) }));
    // A body that is not how this package would write it shows whether the row was touched.
    await opened.db.updateTable("agent_message").set({ body: '{ "role" : "user", "content" : "kept" }' }).where("seq", "<", 2).execute();
    await storage.swap(uid, 0, { messages: { keep: 2, append: transcript(2) } });
    const rows = await opened.db.selectFrom("agent_message").select(["seq", "body"]).orderBy("seq").execute();
    assert.deepEqual(
      rows.map((row) => row.seq),
      [0, 1, 2, 3],
    );
    assert.deepEqual(
      rows.slice(0, 2).map((row) => row.body),
      Array(2).fill('{ "role" : "user", "content" : "kept" }'),
    );
  });

  test("remove leaves no message, also where foreign keys are off", async () => {
    for (const foreignKeys of ["on", "off"]) {
      await sql.raw(`pragma foreign_keys = ${foreignKeys}`).execute(opened.db);
      const uid = await storage.insert(conversation({ messages: transcript(3) }));
      assert.equal(await storage.remove(uid, 0), true);
      assert.deepEqual(await opened.db.selectFrom("agent_message").selectAll().execute(), []);
    }
  });

  test("a uid is never used twice", async () => {
    const uid = await storage.insert(conversation());
    await storage.remove(uid, 0);
    assert.equal(await storage.insert(conversation()), uid + 1);
  });

  test("the queue is read from its index", async () => {
    const plan = await sql`explain query plan select uid from agent_conversation where status = 'processing' order by updated_at, uid limit 20`.execute(
      opened.db,
    );
    const details = plan.rows.map((row) => /** @type {{ detail: string }} */ (row).detail);
    assert.deepEqual(details, ["SEARCH agent_conversation USING COVERING INDEX agent_conversation_queue (status=?)"]);
  });
});
