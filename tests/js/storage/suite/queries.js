import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { conversation, NOW, untyped } from "./fixtures.js";

/** @typedef {import("../../../../pkg/index.js").Storage} Storage */

/** @param {() => Storage} storage */
export function queryTests(storage) {
  /** @param {Partial<import("../../../../pkg/index.js").Conversation>} fields */
  const insert = (fields) => storage().insert(conversation(fields));

  describe("find", () => {
    test("gives the oldest first, then the smaller uid (C3)", async () => {
      const late = await insert({ updatedAt: NOW + 2 });
      const early = await insert({ updatedAt: NOW - 1 });
      const tied = [await insert({}), await insert({}), await insert({})];
      assert.deepEqual(await storage().find({ limit: 10 }), [early, ...tied, late]);
      assert.deepEqual(await storage().find({ limit: 2 }), [early, tied[0]]);
      assert.deepEqual(await storage().find({ limit: 0 }), []);
    });

    test("takes the order from updatedAt as it is now", async () => {
      const [first, second] = [await insert({ status: "locked", claimId: "c" }), await insert({})];
      await storage().touch(first, "c", NOW + 5);
      assert.deepEqual(await storage().find({ limit: 10 }), [second, first]);
      await storage().swap(second, 0, { updatedAt: NOW + 9 });
      assert.deepEqual(await storage().find({ limit: 10 }), [first, second]);
    });

    test("orders times as numbers", async () => {
      const [big, small] = [await insert({ updatedAt: 10_000_000_000 }), await insert({ updatedAt: 9 })];
      assert.deepEqual(await storage().find({ limit: 10 }), [small, big]);
    });

    test("filters by status", async () => {
      const processing = await insert({ status: "processing" });
      const locked = await insert({ status: "locked" });
      await insert({ status: "idle" });
      assert.deepEqual(await storage().find({ statuses: ["processing"], limit: 10 }), [processing]);
      assert.deepEqual(await storage().find({ statuses: ["locked", "processing", "tool_loop"], limit: 10 }), [processing, locked]);
      assert.deepEqual(await storage().find({ statuses: [], limit: 10 }), []);
      await storage().swap(processing, 0, { status: "idle" });
      assert.deepEqual(await storage().find({ statuses: ["processing"], limit: 10 }), []);
    });

    test("compares owners as text (C8)", async () => {
      const number = await insert({ owner: 7 });
      const text = await insert({ owner: "7" });
      const named = await insert({ owner: "u-9" });
      await insert({ owner: "U-9" });
      await insert({ owner: 70 });
      assert.deepEqual(await storage().find({ owner: 7, limit: 10 }), [number, text]);
      assert.deepEqual(await storage().find({ owner: "7", limit: 10 }), [number, text]);
      assert.deepEqual(await storage().find({ owner: "u-9", limit: 10 }), [named]);
      assert.deepEqual(await storage().find({ owner: "u-9' or '1'='1", limit: 10 }), []);
      assert.deepEqual(await storage().find({ owner: "%", limit: 10 }), []);
    });

    test("filters by archived, pinned and time, all at once", async () => {
      const archived = await insert({ archived: true, updatedAt: NOW - 5 });
      const pinned = await insert({ pinned: true });
      const both = await insert({ archived: true, pinned: true, updatedAt: NOW - 9, owner: 8 });
      assert.deepEqual(await storage().find({ archived: true, limit: 10 }), [both, archived]);
      assert.deepEqual(await storage().find({ archived: false, limit: 10 }), [pinned]);
      assert.deepEqual(await storage().find({ pinned: true, limit: 10 }), [both, pinned]);
      assert.deepEqual(await storage().find({ pinned: false, archived: true, limit: 10 }), [archived]);
      assert.deepEqual(await storage().find({ statuses: ["idle"], owner: "8", archived: true, pinned: true, updatedBefore: NOW, limit: 10 }), [both]);
      assert.deepEqual(await storage().find({ statuses: ["failed"], owner: "8", limit: 10 }), []);
    });

    test("takes updatedBefore strictly", async () => {
      const uid = await insert({ updatedAt: NOW });
      assert.deepEqual(await storage().find({ updatedBefore: NOW, limit: 10 }), []);
      assert.deepEqual(await storage().find({ updatedBefore: NOW + 0.5, limit: 10 }), [uid]);
      assert.deepEqual(await storage().find({ updatedBefore: NOW + 1, limit: 10 }), [uid]);
    });

    test("takes an undefined filter as absent", async () => {
      const uid = await insert({});
      const query = { statuses: undefined, owner: undefined, archived: undefined, pinned: undefined, updatedBefore: undefined, limit: 10 };
      assert.deepEqual(await storage().find(query), [uid]);
    });

    test("refuses a query with nonsense in it instead of answering with other rows", async () => {
      await insert({});
      const nonsense = [
        null,
        {},
        { limit: -1 },
        { limit: 1.5 },
        { limit: Infinity },
        { limit: "5" },
        { limit: 5, owner: null },
        { limit: 5, owner: { uid: 7 } },
        { limit: 5, statuses: "idle" },
        { limit: 5, statuses: [7] },
        { limit: 5, archived: 0 },
        { limit: 5, pinned: "false" },
        { limit: 5, updatedBefore: "x" },
        { limit: 5, ownerUid: 7 },
      ];
      for (const query of nonsense) {
        await assert.rejects(async () => storage().find(untyped(query)), { code: "invalidArgument" }, JSON.stringify(query));
      }
    });
  });
}
