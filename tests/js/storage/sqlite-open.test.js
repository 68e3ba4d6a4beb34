import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { createSqlStorage, migrate, openSqlite, StorageError } from "../../../pkg/storage/sql.js";
import { conversation } from "../../../pkg/testing/fixtures.js";
import { temporaryFolder } from "./sqlite-store.js";

/** @param {unknown} value @returns {never} */
const untyped = (value) => /** @type {never} */ (value);

describe("openSqlite", () => {
  /** @type {ReturnType<typeof temporaryFolder>} */
  let folder;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  test("creates the folders and the file, in WAL, with foreign keys, full durability and a busy timeout", async () => {
    const { db, close } = openSqlite(join(folder.path, "a", "b", "c.sqlite"));
    const pragma = async (/** @type {string} */ name) => Object.values(/** @type {{}} */ ((await sql.raw(`pragma ${name}`).execute(db)).rows[0]))[0];
    assert.deepEqual(
      [await pragma("journal_mode"), await pragma("foreign_keys"), await pragma("synchronous"), await pragma("busy_timeout")],
      ["wal", 1, 2, 5000],
    );
    await close();
  });

  test("takes :memory:, which is a database of its own", async () => {
    const [one, other] = [openSqlite(":memory:"), openSqlite(":memory:")];
    await migrate(one.db);
    assert.equal(await createSqlStorage({ db: one.db }).insert(conversation()), 1);
    await assert.rejects(async () => createSqlStorage({ db: other.db }).load(1), { code: "schemaMissing" });
    await Promise.all([one.close(), other.close()]);
  });

  test("says which path cannot be opened", () => {
    mkdirSync(folder.path, { recursive: true });
    const file = join(folder.path, "plain.txt");
    writeFileSync(file, "");
    for (const path of [folder.path, join(file, "chat.sqlite")]) {
      assert.throws(
        () => openSqlite(path),
        (error) => {
          assert.ok(error instanceof StorageError && error instanceof Error);
          assert.equal(error.code, "storageUnavailable");
          assert.ok(error.message.includes(path), error.message);
          assert.ok(error.cause instanceof Error);
          return true;
        },
      );
    }
    assert.throws(() => openSqlite(join(folder.path, "missing.sqlite"), { readOnly: true }), { code: "storageUnavailable" });
  });

  test("refuses a file that is no database and leaves it as it is", () => {
    const file = join(folder.path, "page.html");
    const text = "<!doctype html>".repeat(200);
    writeFileSync(file, text);
    assert.throws(() => openSqlite(file), { name: "StorageError", code: "storageNotADatabase" });
    assert.equal(readFileSync(file, "utf8"), text);
  });

  test("refuses a path or a timeout that is none", () => {
    for (const path of ["", "a\0b", null, undefined, 7, {}]) assert.throws(() => openSqlite(untyped(path)), { code: "invalidArgument" });
    for (const busyTimeout of [-1, 0.5, Number.NaN, "5"]) {
      assert.throws(() => openSqlite(folder.file, { busyTimeout: untyped(busyTimeout) }), { code: "invalidArgument" });
    }
  });

  test("a closed store rejects with storageUnavailable; closing twice is fine", async () => {
    const { db, close } = openSqlite(folder.file);
    await migrate(db);
    const storage = createSqlStorage({ db });
    await Promise.all([close(), close()]);
    await close();
    await assert.rejects(async () => storage.load(1), { code: "storageUnavailable" });
    await assert.rejects(async () => storage.insert(conversation()), { code: "storageUnavailable" });
    const unused = openSqlite(folder.file);
    await unused.close();
    await assert.rejects(async () => createSqlStorage({ db: unused.db }).load(1), { code: "storageUnavailable" });
  });

  test("closing waits for the transaction in flight", async () => {
    const { db, close } = openSqlite(folder.file);
    await migrate(db);
    const inserted = createSqlStorage({ db }).insert(conversation());
    await close();
    assert.equal(await inserted, 1);
    const again = openSqlite(folder.file);
    assert.equal((await createSqlStorage({ db: again.db }).load(1))?.uid, 1);
    await again.close();
  });

  test("a store opened for reading reads, and says so when it is to write", async () => {
    const writer = openSqlite(folder.file);
    await migrate(writer.db);
    const uid = await createSqlStorage({ db: writer.db }).insert(conversation({ title: "one" }));
    const reader = openSqlite(folder.file, { readOnly: true });
    await migrate(reader.db);
    const storage = createSqlStorage({ db: reader.db });
    assert.equal((await storage.load(uid))?.title, "one");
    await assert.rejects(async () => storage.swap(uid, 0, { title: "two" }), { code: "storageReadOnly" });
    await assert.rejects(async () => storage.swap(uid, 0, { messages: { keep: 0, append: [] } }), { code: "storageReadOnly" });
    assert.equal((await storage.load(uid))?.title, "one");
    await Promise.all([reader.close(), writer.close()]);
  });

  test("two paths to one file are one store", async () => {
    const one = openSqlite(folder.file);
    await migrate(one.db);
    const other = openSqlite(join(dirname(folder.file), "..", "data", "chat.sqlite"));
    const [a, b] = [createSqlStorage({ db: one.db }), createSqlStorage({ db: other.db })];
    const uids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? a : b).insert(conversation({ messages: [{ role: "user", content: "x" }] }))),
    );
    assert.equal(new Set(uids).size, 20);
    await Promise.all([one.close(), other.close()]);
  });
});
