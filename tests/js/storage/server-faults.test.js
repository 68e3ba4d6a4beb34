// What goes wrong with a database server, on real ones: a code for each, nothing half written, and on it goes once the cause is gone.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { inTransaction } from "../../../pkg/storage/sql/faults.js";
import { migrate, openDatabase } from "../../../pkg/storage/sql.js";
import { conversation, FULL, transcript } from "../../../pkg/testing/fixtures.js";
import { administer, startDatabaseServer } from "../../../scripts/databases.mjs";
import { emptyDatabase } from "./databases.js";

/** @typedef {import("../../../pkg/storage/sql.js").OpenedDatabase} Opened */

/** Makes the next message that is stored meet a full disk, as the server itself says it. */
const FULL_DISK = {
  postgres: [
    "create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room' using errcode = '53100'; end $$",
    "create trigger no_room before insert on agent_message for each row execute function refuse()",
  ],
  mariadb: ["create trigger no_room before insert on agent_message for each row signal sqlstate 'HY000' set mysql_errno = 1114"],
};

const ROOM = { postgres: "drop trigger no_room on agent_message", mariadb: "drop trigger no_room" };

/** Holds a row until the function it gives is called. @param {Opened} opened @param {number} uid */
async function lockRow({ db }, uid) {
  let release = () => {};
  const released = new Promise((resolve) => (release = () => resolve(undefined)));
  let locked = () => {};
  const holding = new Promise((resolve) => (locked = () => resolve(undefined)));
  const ended = db.transaction().execute(async (trx) => {
    await trx.updateTable("agent_conversation").set({ error_code: "held" }).where("uid", "=", uid).execute();
    locked();
    await released;
    await trx.updateTable("agent_conversation").set({ error_code: FULL.errorCode }).where("uid", "=", uid).execute();
  });
  await holding;
  return async () => {
    release();
    await ended;
  };
}

for (const kind of /** @type {const} */ (["postgres", "mariadb"])) {
  describe(`faults of ${kind}`, () => {
    test("a URL that leads nowhere says so, without the password", async (t) => {
      const { url } = await emptyDatabase(t, kind);
      const wrong = [
        Object.assign(new URL(url), { pathname: "/nobodys" }),
        Object.assign(new URL(url), { password: "hunter2" }),
        Object.assign(new URL(url), { username: "nobody" }),
        Object.assign(new URL(url), { port: "1" }),
      ];
      for (const { href, password } of wrong) {
        await assert.rejects(openDatabase(href), (error) => {
          const { code, message } = /** @type {Error & { code: string }} */ (error);
          assert.equal(code, "storageUnavailable", message);
          assert.ok(!message.includes(password), message);
          return true;
        });
      }
    });

    test("a server that takes the connection and says nothing is given up", async (t) => {
      const silent = createServer((socket) => void socket.on("error", () => {})).listen(0, "127.0.0.1");
      t.after(() => silent.close());
      await once(silent, "listening");
      const { port } = /** @type {import("node:net").AddressInfo} */ (silent.address());
      await assert.rejects(openDatabase(`${kind}://u:p@127.0.0.1:${port}/db`, { connectTimeout: 300 }), { code: "storageUnavailable" });
    });

    test("a row that another connection holds is storageBusy or storageTimeout, whichever limit is met first", async (t) => {
      const database = await emptyDatabase(t, kind);
      const holder = await database.open();
      await migrate(holder.db);
      const uid = await holder.storage.insert(FULL);
      const release = await lockRow(holder, uid);
      const impatient = await database.open({ busyTimeout: 1000, statementTimeout: 20_000 });
      const hurried = await database.open({ busyTimeout: 20_000, statementTimeout: 500 });
      for (const [{ storage }, code] of /** @type {const} */ ([
        [impatient, "storageBusy"],
        [hurried, "storageTimeout"],
      ])) {
        await assert.rejects(async () => storage.swap(uid, 0, { title: "x", messages: { keep: 1, append: transcript(1) } }), { code });
        await assert.rejects(async () => storage.remove(uid, 0), { code });
      }
      await release();
      assert.deepEqual(await impatient.storage.load(uid), { uid, ...FULL });
      assert.equal(await hurried.storage.swap(uid, 0, { title: "x" }), true);
    });

    test("two transactions that wait for each other both come to their end", async (t) => {
      const { db, storage } = await (await emptyDatabase(t, kind)).open();
      await migrate(db);
      const [a, b] = [await storage.insert(conversation()), await storage.insert(conversation())];
      let arrived = 0;
      let attempts = 0;
      let open = () => {};
      const bothInside = new Promise((resolve) => (open = () => resolve(undefined)));
      /** @param {number} first @param {number} second @param {string} title */
      const cross = (first, second, title) =>
        inTransaction(db.transaction(), async (trx) => {
          attempts += 1;
          await trx.updateTable("agent_conversation").set({ title }).where("uid", "=", first).execute();
          if ((arrived += 1) === 2) open();
          await bothInside;
          await trx.updateTable("agent_conversation").set({ error_message: title }).where("uid", "=", second).execute();
        });
      await Promise.all([cross(a, b, "one"), cross(b, a, "two")]);
      assert.ok(attempts > 2, "no deadlock was met");
      const rows = await Promise.all([a, b].map((uid) => storage.load(uid)));
      assert.deepEqual(
        rows.map((row) => [row?.title, row?.errorMessage]),
        [
          ["one", "two"],
          ["two", "one"],
        ],
      );
    });

    test("a full disk is storageFull and stores nothing of the swap", async (t) => {
      const { db, storage } = await (await emptyDatabase(t, kind)).open();
      await migrate(db);
      const uid = await storage.insert(FULL);
      for (const statement of FULL_DISK[kind]) await sql.raw(statement).execute(db);
      const patch = { title: "half", messages: { keep: 1, append: transcript(3) } };
      await assert.rejects(async () => storage.swap(uid, 0, patch), { code: "storageFull" });
      await assert.rejects(async () => storage.insert(FULL), { code: "storageFull" });
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
      assert.deepEqual(await storage.find({ limit: 5 }), [uid]);
      await sql.raw(ROOM[kind]).execute(db);
      assert.equal(await storage.swap(uid, 0, patch), true);
    });

    test("several processes may migrate at once; a schema of a newer version is refused by all", async (t) => {
      const database = await emptyDatabase(t, kind);
      const opened = await Promise.all(Array.from({ length: 4 }, () => database.open({ poolSize: 2 })));
      await Promise.all(opened.map(({ db }) => migrate(db)));
      const { db, storage } = /** @type {Opened} */ (opened[0]);
      const uid = await storage.insert(FULL);
      const { rows } = await sql`select name from agent_migration`.execute(db);
      assert.equal(new Set(rows.map((row) => /** @type {{ name: string }} */ (row).name)).size, rows.length);
      await sql`insert into agent_migration (name, timestamp) values ('9999_from_the_future', '2099')`.execute(db);
      for (const { db } of opened) await assert.rejects(migrate(db), { code: "schemaTooNew" });
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
    });

    test("a server that goes away is storageUnavailable for every method, and this process lives on", async (t) => {
      const server = await startDatabaseServer(kind);
      t.after(() => server.stop());
      await administer(kind, server.url, "create database chat");
      const { db, storage, close } = await openDatabase(`${server.url}/chat`, { connectTimeout: 1000 });
      t.after(close);
      await migrate(db);
      const uid = await storage.insert(FULL);
      await server.stop();
      const gone = { code: "storageUnavailable" };
      await assert.rejects(async () => storage.load(uid), gone);
      await assert.rejects(async () => storage.loadSince(uid, 1), gone);
      await assert.rejects(async () => storage.insert(conversation()), gone);
      await assert.rejects(async () => storage.swap(uid, 0, { title: "x" }), gone);
      await assert.rejects(async () => storage.swap(uid, 0, { messages: { keep: 0, append: [] } }), gone);
      await assert.rejects(async () => storage.touch(uid, "claim-1", 5), gone);
      await assert.rejects(async () => storage.find({ limit: 1 }), gone);
      await assert.rejects(async () => storage.remove(uid, 0), gone);
    });
  });
}
