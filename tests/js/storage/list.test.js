import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createSqlStorage, listConversations, migrate, openSqlite } from "../../../pkg/storage/sql.js";
import { conversation, FULL, NOW, transcript } from "../../../pkg/testing/fixtures.js";

describe("listConversations", () => {
  const { db, close } = openSqlite(":memory:");
  /** @type {Record<string, number>} */
  const uids = {};
  before(async () => {
    await migrate(db);
    const storage = createSqlStorage({ db });
    /** @type {[string, Partial<import("../../../pkg/index.js").Conversation>][]} */
    const rows = [
      ["old", { title: "Über uns", updatedAt: NOW - 9 }],
      ["new", { title: "100% Rabatt", updatedAt: NOW + 9 }],
      ["pinnedOld", { title: "Team_Seite!", pinned: true, updatedAt: NOW - 99 }],
      ["pinnedNew", { title: "1000 Rabatte", pinned: true, owner: "u-9" }],
      ["archived", { title: "Alt \\ Archiv", archived: true, owner: "7" }],
    ];
    for (const [name, fields] of rows) uids[name] = await storage.insert(conversation({ messages: transcript(2), ...fields }));
  });
  after(close);

  /** @param {Omit<Parameters<typeof listConversations>[1], "limit">} query */
  const names = async (query) => {
    const rows = await listConversations(db, { limit: 10, ...query });
    return rows.map((row) => Object.keys(uids).find((name) => uids[name] === row.uid));
  };

  test("gives pinned ones first, then the newest", async () => {
    assert.deepEqual(await names({}), ["pinnedNew", "pinnedOld", "new", "archived", "old"]);
    assert.equal((await listConversations(db, { limit: 2 })).length, 2);
    assert.deepEqual(await listConversations(db, { limit: 0 }), []);
  });

  test("gives the whole row without the messages", async () => {
    const own = openSqlite(":memory:");
    await migrate(own.db);
    const uid = await createSqlStorage({ db: own.db }).insert(FULL);
    const { messages, ...fields } = FULL;
    assert.deepEqual(await listConversations(own.db, { limit: 5 }), [{ uid, ...fields, messageCount: messages.length }]);
    await own.close();
  });

  test("filters by owners, compared as text (C8), and by archived", async () => {
    assert.deepEqual(await names({ owners: [7] }), ["pinnedOld", "new", "archived", "old"]);
    assert.deepEqual(await names({ owners: ["7"], archived: false }), ["pinnedOld", "new", "old"]);
    assert.deepEqual(await names({ owners: ["u-9", 8] }), ["pinnedNew"]);
    assert.deepEqual(await names({ owners: [] }), []);
    assert.deepEqual(await names({ archived: true }), ["archived"]);
  });

  test("searches titles without regard to case, also beyond ASCII", async () => {
    assert.deepEqual(await names({ search: "RABATT" }), ["pinnedNew", "new"]);
    assert.deepEqual(await names({ search: "üBER" }), ["old"]);
    assert.deepEqual(await names({ search: "u\u0308ber UNS" }), ["old"]);
    assert.deepEqual(await names({ search: "" }), await names({}));
    assert.deepEqual(await names({ search: "nowhere" }), []);
  });

  test("takes wildcards literally", async () => {
    assert.deepEqual(await names({ search: "100%" }), ["new"]);
    assert.deepEqual(await names({ search: "%" }), ["new"]);
    assert.deepEqual(await names({ search: "_" }), ["pinnedOld"]);
    assert.deepEqual(await names({ search: "seite!" }), ["pinnedOld"]);
    assert.deepEqual(await names({ search: "\\" }), ["archived"]);
    assert.deepEqual(await names({ search: "!%" }), []);
    assert.deepEqual(await names({ search: "' or 1=1 --" }), []);
    assert.deepEqual(await names({ search: "%".repeat(200_000) }), []);
  });

  test("follows a title that is changed", async () => {
    const storage = createSqlStorage({ db });
    await storage.swap(Number(uids.old), 0, { title: "Kontakt" });
    assert.deepEqual(await names({ search: "KONTAKT" }), ["old"]);
    assert.deepEqual(await names({ search: "über" }), []);
  });

  test("refuses a query with nonsense in it", async () => {
    const nonsense = [
      null,
      {},
      { limit: -1 },
      { limit: 5, owners: "7" },
      { limit: 5, owners: [{}] },
      { limit: 5, owners: null },
      { limit: 5, search: 7 },
      { limit: 5, archived: 1 },
    ];
    for (const query of nonsense) await assert.rejects(listConversations(db, /** @type {never} */ (query)), { code: "invalidArgument" });
  });
});
