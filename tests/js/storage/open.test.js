import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { describeDatabase, migrate, openDatabase } from "../../../pkg/storage/sql.js";
import { FULL } from "../../../pkg/testing/fixtures.js";
import { DATABASE_KINDS } from "../../../scripts/databases.mjs";
import { emptyDatabase } from "./databases.js";

/** @param {unknown} value @returns {never} */
const untyped = (value) => /** @type {never} */ (value);

describe("openDatabase", () => {
  for (const kind of DATABASE_KINDS) {
    test(`${kind}: a URL is all it takes`, async (t) => {
      const database = await emptyDatabase(t, kind);
      const { db, dialect, storage, close } = await database.open();
      assert.equal(dialect, kind === "mariadb" ? "mysql" : kind);
      await migrate(db);
      const uid = await storage.insert(FULL);
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
      await Promise.all([close(), close()]);
      await assert.rejects(async () => storage.load(uid), { code: "storageUnavailable" });
      const again = await database.open({ readOnly: true });
      assert.deepEqual(await again.storage.load(uid), { uid, ...FULL });
      await assert.rejects(async () => again.storage.swap(uid, 0, { title: "x" }), { code: "storageReadOnly" });
    });
  }

  test("postgres: statements are prepared, unless the URL says otherwise; a column that is added meanwhile disturbs nobody", async (t) => {
    const { url } = await emptyDatabase(t, "postgres");
    for (const [suffix, some] of /** @type {[string, boolean][]} */ ([
      ["", true],
      ["?prepared=on", true],
      ["?prepared=off", false],
    ])) {
      const { db, storage, close } = await openDatabase(`${url}${suffix}`, { poolSize: 1 });
      await migrate(db);
      const uid = await storage.insert(FULL);
      for (let times = 0; times < 7; times += 1) assert.equal((await storage.load(uid))?.title, FULL.title);
      const everything = () => sql`select * from agent_conversation where uid = ${uid}`.execute(db);
      await everything();
      /** @type {import("kysely").RawBuilder<{ statement: string }>} */
      const prepared = sql`select statement from pg_prepared_statements`;
      const statements = (await prepared.execute(db)).rows.map(({ statement }) => statement);
      assert.equal(statements.length > 0, some, suffix);
      assert.ok(!statements.some((statement) => statement.includes("select *")));
      const name = untyped(`added_${suffix.length}`);
      await sql`alter table agent_conversation add column ${sql.ref(name)} integer`.execute(db);
      assert.equal((await everything()).rows.length, 1);
      assert.equal((await storage.load(uid))?.title, FULL.title);
      await close();
    }
    await assert.rejects(openDatabase(`${url}?prepared=maybe`), { code: "invalidArgument" });
  });

  test("takes a path, sqlite: and file: for a SQLite file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "agent-turn-open-"));
    const path = join(folder, "a b.sqlite");
    for (const url of [path, `sqlite:${path}`, `sqlite://${pathToFileURL(path).pathname}`, pathToFileURL(path).href, ` ${path}\n`]) {
      const { dialect, close } = await openDatabase(url);
      await close();
      assert.deepEqual([dialect, existsSync(path)], ["sqlite", true], url);
      rmSync(path);
    }
    const memory = await openDatabase("sqlite::memory:");
    await migrate(memory.db);
    assert.equal(await memory.storage.insert(FULL), 1);
    await memory.close();
    rmSync(folder, { recursive: true });
  });

  test("refuses what names no database, without repeating a password", async () => {
    const nonsense = [
      "",
      " ",
      null,
      7,
      "oracle://host/db",
      "http://host/db",
      "postgres:db",
      "postgres://u:secret@host",
      "postgres://u:secret@host/",
      "mysql://u:secret@host/a/b",
      "mariadb:///db",
      "mysql://u:secret@host:port/db",
      "sqlite://host/path",
    ];
    for (const url of nonsense) {
      await assert.rejects(openDatabase(untyped(url)), (error) => {
        const { code, message } = /** @type {import("../../../pkg/storage/sql.js").StorageError} */ (error);
        assert.equal(code, "invalidArgument", `${url}: ${message}`);
        assert.doesNotMatch(message, /secret/);
        return true;
      });
    }
    for (const options of [{ poolSize: 0 }, { poolSize: 1.5 }, { busyTimeout: -1 }, { statementTimeout: "5" }, { readOnly: 1 }, { timeout: 5 }]) {
      await assert.rejects(openDatabase("sqlite::memory:", untyped(options)), { code: "invalidArgument" }, JSON.stringify(options));
    }
  });

  test("describeDatabase names a server without user, password and parameters", () => {
    assert.equal(describeDatabase("postgres://u:secret@db.example:5433/chat?sslmode=require"), "postgres://db.example:5433/chat");
    assert.equal(describeDatabase("mariadb://u@db.example/chat"), "mariadb://db.example/chat");
    assert.equal(describeDatabase("sqlite:data/chat.sqlite"), "data/chat.sqlite");
  });
});

describe("what the drivers give", () => {
  for (const kind of DATABASE_KINDS) {
    test(`${kind}: 64-bit integers and counts are numbers`, async (t) => {
      const { db } = await (await emptyDatabase(t, kind)).open();
      const { rows } = await sql`select count(*) as n, ${sql.raw("9007199254740991")} as big`.execute(db);
      assert.deepEqual({ .../** @type {object} */ (rows[0]) }, { n: 1, big: Number.MAX_SAFE_INTEGER });
    });
  }
});
