// What only IndexedDB has: upgrades, tabs with other versions, connections that end.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { storageOver } from "../../pkg/storage/indexeddb/adapter.js";
import { connectTo, UPGRADES } from "../../pkg/storage/indexeddb/database.js";
import { createIndexedDbStorage } from "../../pkg/storage/indexeddb.js";
import { conversation, FULL, NOW, transcript } from "../../pkg/testing/fixtures.js";
import { freshName, removeDatabase } from "./indexeddb-jobs.js";

/** @typedef {import("../../pkg/index.js").Conversation} Conversation */

/** The next version of the schema, as a later release may bring it. @type {typeof UPGRADES} */
const NEWER = [...UPGRADES, (_db, upgrade) => void upgrade.objectStore("conversations").createIndex(/** @type {"age"} */ ("later"), "title")];

/** @param {string} name @param {{ upgrades?: typeof UPGRADES, busyTimeout?: number }} [options] */
function open(name, { upgrades = UPGRADES, busyTimeout = 5000 } = {}) {
  return storageOver(connectTo({ name, busyTimeout, upgrades }), Date.now);
}

/** A connection that is not ours. @param {string} name @param {number} version @param {(db: IDBDatabase) => void} [upgrade] @returns {Promise<IDBDatabase>} */
function openPlain(name, version, upgrade) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => upgrade?.(request.result);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function indexedDbTests() {
  describe("IndexedDB", () => {
    upgradeTests();
    endingTests();
    optionTests();
    listTests();
  });
}

function upgradeTests() {
  test("a newer version of the package upgrades the database and keeps what is stored", async () => {
    const name = freshName();
    const older = open(name);
    const uid = await older.insert(FULL);
    const newer = open(name, { upgrades: NEWER });
    assert.deepEqual(await newer.load(uid), { uid, ...FULL });
    assert.equal(await newer.swap(uid, 0, { title: "upgraded" }), true);
    await assert.rejects(async () => older.load(uid), { code: "schemaTooNew" });
    await assert.rejects(async () => older.swap(uid, 1, { title: "too late" }), { code: "schemaTooNew" });
    await Promise.all([older.close(), newer.close()]);
    await removeDatabase(name);
  });

  test("an upgrade waits for work in flight, and loses none of it", async () => {
    const name = freshName();
    const older = open(name);
    const uid = await older.insert(conversation());
    const writing = older.swap(uid, 0, { messages: { keep: 0, append: transcript(500) } });
    const newer = open(name, { upgrades: NEWER });
    const read = newer.load(uid);
    assert.equal(await writing, true);
    assert.equal((await read)?.messages.length, 500);
    await Promise.all([older.close(), newer.close()]);
    await removeDatabase(name);
  });

  test("first opens at the same time create the database once", async () => {
    const name = freshName();
    const storages = Array.from({ length: 4 }, () => open(name));
    const uids = await Promise.all(storages.map((storage) => storage.insert(conversation())));
    assert.equal(new Set(uids).size, 4);
    await Promise.all(storages.map((storage) => storage.close()));
    await removeDatabase(name);
  });

  test("an upgrade that another page holds up ends in storageBusy, and goes through once it lets go", async () => {
    const name = freshName();
    const first = open(name);
    const uid = await first.insert(conversation());
    await first.close();
    const stubborn = await openPlain(name, 1);
    const newer = open(name, { upgrades: NEWER, busyTimeout: 50 });
    await assert.rejects(async () => newer.load(uid), { code: "storageBusy" });
    stubborn.close();
    assert.equal((await newer.load(uid))?.uid, uid);
    await newer.close();
    await removeDatabase(name);
  });

  test("a database of somebody else under the same name is told apart", async () => {
    const name = freshName();
    (await openPlain(name, UPGRADES.length, (db) => void db.createObjectStore("theirs"))).close();
    const storage = open(name);
    await assert.rejects(async () => storage.load(1), { code: "schemaMissing" });
    await storage.close();
    await removeDatabase(name);
  });
}

function endingTests() {
  test("a database that is deleted while it is used is empty afterwards, and usable", async () => {
    const name = freshName();
    const storage = open(name);
    const uid = await storage.insert(FULL);
    await removeDatabase(name);
    assert.equal(await storage.load(uid), null);
    assert.equal(await storage.swap(uid, 0, { title: "x" }), false);
    const next = await storage.insert(FULL);
    assert.deepEqual(await storage.load(next), { uid: next, ...FULL });
    await storage.close();
    await removeDatabase(name);
  });

  test("after close every call is refused; work in flight is finished", async () => {
    const name = freshName();
    const storage = open(name);
    const uid = await storage.insert(conversation());
    const writing = storage.swap(uid, 0, { messages: { keep: 0, append: transcript(200) } });
    const closing = storage.close();
    assert.equal(await writing, true);
    await closing;
    await storage.close();
    await assert.rejects(async () => storage.load(uid), { code: "storageUnavailable" });
    await assert.rejects(async () => storage.list({ limit: 1 }), { code: "storageUnavailable" });
    const again = open(name);
    assert.equal((await again.load(uid))?.messages.length, 200);
    await again.close();
    await removeDatabase(name);
  });

  test("broken JSON in a message is storageCorrupt and names the message", async () => {
    const name = freshName();
    const storage = open(name);
    const uid = await storage.insert(conversation({ messages: transcript(2) }));
    const plain = await openPlain(name, UPGRADES.length);
    await new Promise((resolve) => {
      const trx = plain.transaction("messages", "readwrite");
      trx.objectStore("messages").put("{", [uid, 1]);
      trx.oncomplete = resolve;
    });
    plain.close();
    await assert.rejects(async () => storage.load(uid), /message 1 of conversation/);
    await assert.rejects(async () => storage.load(uid), { code: "storageCorrupt" });
    assert.equal(await storage.remove(uid, 0), true);
    await storage.close();
    await removeDatabase(name);
  });
}

function optionTests() {
  test("options that make no sense are refused", async () => {
    for (const options of [{ name: "" }, { name: 7 }, { busyTimeout: -1 }, { busyTimeout: "5" }]) {
      await assert.rejects(async () => createIndexedDbStorage(/** @type {never} */ (options)), { code: "invalidArgument" });
    }
  });

  test("absent times of a new conversation are now", async () => {
    const name = freshName();
    const storage = createIndexedDbStorage({ name, now: () => 1_700_000_000_999 });
    const uid = await storage.insert(/** @type {Conversation} */ (/** @type {unknown} */ ({ owner: 7 })));
    const stored = await storage.load(uid);
    assert.deepEqual([stored?.status, stored?.messages, stored?.createdAt, stored?.updatedAt], ["idle", [], 1_700_000_000, 1_700_000_000]);
    await storage.close();
    await removeDatabase(name);
  });
}

function listTests() {
  test("a list: pinned first, then newest; by owners as text, by archived, by part of the title; without messages", async () => {
    const name = freshName();
    const storage = open(name);
    /** @type {[string, Partial<Conversation>][]} */
    const rows = [
      ["old", { title: "Über uns", updatedAt: NOW - 9 }],
      ["new", { title: "100% Rabatt", updatedAt: NOW + 9 }],
      ["pinnedOld", { title: "Team_Seite!", pinned: true, updatedAt: NOW - 99 }],
      ["pinnedNew", { title: "1000 Rabatte", pinned: true, owner: "u-9" }],
      ["archived", { title: "Alt \\ Archiv", archived: true, owner: "7" }],
    ];
    /** @type {Map<number, string>} */
    const names = new Map();
    for (const [label, fields] of rows) names.set(await storage.insert(conversation({ messages: transcript(2), ...fields })), label);
    const listed = async (/** @type {object} */ query) => (await storage.list({ limit: 10, ...query })).map(({ uid }) => names.get(uid));
    assert.deepEqual(await listed({}), ["pinnedNew", "pinnedOld", "new", "archived", "old"]);
    assert.deepEqual(await listed({ limit: 2 }), ["pinnedNew", "pinnedOld"]);
    assert.deepEqual(await listed({ limit: 0 }), []);
    assert.deepEqual(await listed({ owners: [7] }), ["pinnedOld", "new", "archived", "old"]);
    assert.deepEqual(await listed({ owners: ["u-9", "7", 7], archived: false }), ["pinnedNew", "pinnedOld", "new", "old"]);
    assert.deepEqual(await listed({ owners: [] }), []);
    assert.deepEqual(await listed({ search: "RABATT" }), ["pinnedNew", "new"]);
    assert.deepEqual(await listed({ search: "u\u0308ber" }), ["old"]);
    assert.deepEqual(await listed({ search: "%" }), ["new"]);
    const [whole] = await storage.list({ search: "team", limit: 1 });
    const { messages: _, ...fields } = conversation({ title: "Team_Seite!", pinned: true, updatedAt: NOW - 99 });
    assert.deepEqual(whole, { uid: whole?.uid, ...fields, messageCount: 2 });
    for (const query of [null, {}, { limit: -1 }, { limit: 5, owners: "7" }, { limit: 5, search: 7 }, { limit: 5, archived: 1 }]) {
      await assert.rejects(async () => storage.list(/** @type {never} */ (query)), { code: "invalidArgument" });
    }
    await storage.close();
    await removeDatabase(name);
  });
}
