import assert from "../assert.js";
import { conversation, NOW, untyped } from "../fixtures.js";

/** @typedef {import("../../index.js").Storage} Storage */

/** @param {Storage} storage @param {Partial<import("../../index.js").Conversation>} fields */
const insert = async (storage, fields) => storage.insert(conversation(fields));

/** Uids are compared as text (C8). @param {Storage} storage @param {Parameters<Storage["find"]>[0]} query @param {import("../../index.js").Uid[]} expected */
async function finds(storage, query, expected) {
  assert.deepEqual((await storage.find(query)).map(String), expected.map(String));
}

/** @type {import("../kit.js").Group} */
export function queryChecks({ describe, check, strictly }) {
  describe("find", () => {
    check("gives the oldest first (C3)", async ({ storage }) => {
      const late = await insert(storage, { updatedAt: NOW + 2 });
      const early = await insert(storage, { updatedAt: NOW - 1 });
      const middle = await insert(storage, {});
      await finds(storage, { limit: 10 }, [early, middle, late]);
      await finds(storage, { limit: 2 }, [early, middle]);
      await finds(storage, { limit: 0 }, []);
    });

    strictly("gives the smaller uid first where the times are the same", async ({ storage }) => {
      const late = await insert(storage, { updatedAt: NOW + 2 });
      const early = await insert(storage, { updatedAt: NOW - 1 });
      const tied = [await insert(storage, {}), await insert(storage, {}), await insert(storage, {})];
      await finds(storage, { limit: 10 }, [early, ...tied, late]);
      await finds(storage, { limit: 2 }, [early, tied[0]]);
      await finds(storage, { limit: 0 }, []);
    });

    check("takes the order from updatedAt as it is now", async ({ storage }) => {
      const [first, second] = [await insert(storage, { status: "locked", claimId: "c" }), await insert(storage, {})];
      await storage.touch(first, "c", NOW + 5);
      await finds(storage, { limit: 10 }, [second, first]);
      await storage.swap(second, 0, { updatedAt: NOW + 9 });
      await finds(storage, { limit: 10 }, [first, second]);
    });

    check("orders times as numbers", async ({ storage }) => {
      const [big, small] = [await insert(storage, { updatedAt: 10_000_000_000 }), await insert(storage, { updatedAt: 9 })];
      await finds(storage, { limit: 10 }, [small, big]);
    });

    check("filters by status", async ({ storage }) => {
      const processing = await insert(storage, { status: "processing" });
      const locked = await insert(storage, { status: "locked" });
      await insert(storage, { status: "idle" });
      await finds(storage, { statuses: ["processing"], limit: 10 }, [processing]);
      await finds(storage, { statuses: ["locked", "processing", "tool_loop"], limit: 10 }, [processing, locked]);
      await finds(storage, { statuses: [], limit: 10 }, []);
      await storage.swap(processing, 0, { status: "idle" });
      await finds(storage, { statuses: ["processing"], limit: 10 }, []);
    });

    check("compares owners as text (C8)", async ({ storage }) => {
      const number = await insert(storage, { owner: 7 });
      const text = await insert(storage, { owner: "7" });
      const named = await insert(storage, { owner: "u-9" });
      await insert(storage, { owner: "U-9" });
      await insert(storage, { owner: 70 });
      await finds(storage, { owner: 7, limit: 10 }, [number, text]);
      await finds(storage, { owner: "7", limit: 10 }, [number, text]);
      await finds(storage, { owner: "u-9", limit: 10 }, [named]);
      await finds(storage, { owner: "u-9' or '1'='1", limit: 10 }, []);
      await finds(storage, { owner: "%", limit: 10 }, []);
    });

    check("filters by archived, pinned and time, all at once", async ({ storage }) => {
      const archived = await insert(storage, { archived: true, updatedAt: NOW - 5 });
      const pinned = await insert(storage, { pinned: true });
      const both = await insert(storage, { archived: true, pinned: true, updatedAt: NOW - 9, owner: 8 });
      await finds(storage, { archived: true, limit: 10 }, [both, archived]);
      await finds(storage, { archived: false, limit: 10 }, [pinned]);
      await finds(storage, { pinned: true, limit: 10 }, [both, pinned]);
      await finds(storage, { pinned: false, archived: true, limit: 10 }, [archived]);
      await finds(storage, { statuses: ["idle"], owner: "8", archived: true, pinned: true, updatedBefore: NOW, limit: 10 }, [both]);
      await finds(storage, { statuses: ["failed"], owner: "8", limit: 10 }, []);
    });

    check("takes updatedBefore strictly", async ({ storage }) => {
      const uid = await insert(storage, { updatedAt: NOW });
      await finds(storage, { updatedBefore: NOW, limit: 10 }, []);
      await finds(storage, { updatedBefore: NOW + 0.5, limit: 10 }, [uid]);
      await finds(storage, { updatedBefore: NOW + 1, limit: 10 }, [uid]);
    });

    check("takes an undefined filter as absent", async ({ storage }) => {
      const uid = await insert(storage, {});
      const query = { statuses: undefined, owner: undefined, archived: undefined, pinned: undefined, updatedBefore: undefined, limit: 10 };
      await finds(storage, query, [uid]);
    });

    strictly("refuses a query with nonsense in it instead of answering with other rows", async ({ storage }) => {
      await insert(storage, {});
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
        await assert.rejects(async () => storage.find(untyped(query)), { code: "invalidArgument" }, JSON.stringify(query));
      }
    });
  });
}
