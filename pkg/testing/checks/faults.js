import assert from "../assert.js";
import { conversation, FULL, loadSince, NOW, untyped } from "../fixtures.js";

const cycle = /** @type {Record<string, unknown>} */ ({ role: "user" });
cycle.self = cycle;

/** @type {[string, unknown][]} */
const BAD_MESSAGES = [
  ["no list", { role: "user" }],
  ["null", [null]],
  ["a string", ["hello"]],
  ["a list", [[]]],
  ["a hole", Array(1)],
  ["a cycle", [cycle]],
  ["a function", [{ role: "user", content: () => "x" }]],
  ["a bigint", [{ role: "user", content: "", big: 1n }]],
  ["NaN", [{ role: "user", content: "", score: Number.NaN }]],
  ["a Map", [{ role: "user", content: "", map: new Map([[1, 2]]) }]],
  ["bytes", [{ role: "user", content: "", bytes: new Uint8Array(2) }]],
  ["an undefined entry", [{ role: "user", content: [undefined] }]],
];

/** @type {[string, Record<string, unknown>][]} */
const BAD_FIELDS = [
  ["a title that is no string", { title: 7 }],
  ["a null status", { status: null }],
  ["a fraction of a second", { updatedAt: 1.5 }],
  ["a date", { updatedAt: new Date(0) }],
  ["a flag that is no boolean", { archived: 1 }],
  ["an object as uid", { decidedBy: {} }],
  ["NaN as uid", { decidedBy: Number.NaN }],
  ["a list as input", { pendingInput: [] }],
  ["text as context", { viewContext: "page" }],
  ["activity that is no list", { activity: {} }],
  ["activity that JSON cannot carry", { activity: [{ kind: "llm", round: 1, ms: Infinity }] }],
];

/** @type {import("../kit.js").Group} */
export function faultChecks({ describe, check, strictly, whenBroken }) {
  describe("when something goes wrong", () => {
    check("a swap that is refused half-way has written nothing (C1)", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      const append = [{ role: "user", content: "first" }, cycle];
      // Whether an adapter can keep such a message is its own affair; half of the swap it may not keep.
      const kept = await (async () => storage.swap(uid, 0, untyped({ title: "half", messages: { keep: 1, append } })))().catch(() => null);
      if (kept !== null) return;
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
      assert.equal(await storage.swap(uid, 0, { title: "whole" }), true);
    });

    whenBroken("a store that cannot be reached is an error of every method, never an answer (W6)", async ({ storage, breakDown }) => {
      const uid = await storage.insert(FULL);
      const repair = await breakDown();
      try {
        await assert.rejects(async () => storage.load(uid), {}, "load");
        await assert.rejects(async () => loadSince(storage, uid, 0), {}, "loadSince");
        await assert.rejects(async () => storage.insert(conversation()), {}, "insert");
        await assert.rejects(async () => storage.swap(uid, 0, { title: "x" }), {}, "swap");
        await assert.rejects(async () => storage.swap(uid, 0, { title: "x", messages: { keep: 0, append: [] } }), {}, "swap with messages");
        await assert.rejects(async () => storage.touch(uid, "claim-1", NOW), {}, "touch");
        await assert.rejects(async () => storage.find({ limit: 1 }), {}, "find");
        await assert.rejects(async () => storage.remove(uid, 0), {}, "remove");
      } finally {
        await repair();
      }
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
    });
  });

  describe("bad input is refused and loses nothing", () => {
    strictly("fields that nobody knows are an error, never dropped", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      for (const patch of ['{"titel":"x"}', '{"messageCount":0}', '{"__proto__":{"title":"x"}}', '{"constructor":1}', '{"title":"new","claim_id":"c"}']) {
        await assert.rejects(async () => storage.swap(uid, 0, JSON.parse(patch)), { code: "unknownField" }, patch);
      }
      await assert.rejects(async () => storage.insert(untyped({ ...conversation(), uid: 5 })), { code: "unknownField" });
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
      assert.deepEqual((await storage.find({ limit: 10 })).map(String), [String(uid)]);
    });

    strictly("a patch does not change uid, owner, revision or createdAt", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      for (const patch of [{ uid: 9 }, { owner: 8 }, { revision: 5 }, { createdAt: 1 }]) {
        await assert.rejects(async () => storage.swap(uid, 0, untyped({ title: "x", ...patch })), { code: "unknownField" });
      }
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
    });

    for (const [name, fields] of BAD_FIELDS) {
      strictly(`a field: ${name}`, async ({ storage }) => {
        const uid = await storage.insert(FULL);
        await assert.rejects(async () => storage.swap(uid, 0, untyped({ title: "half", ...fields })), { code: "invalidField" });
        await assert.rejects(async () => storage.insert(untyped({ ...conversation(), ...fields })), { code: "invalidField" });
        assert.deepEqual(await storage.load(uid), { uid, ...FULL });
        assert.deepEqual((await storage.find({ limit: 10 })).map(String), [String(uid)]);
      });
    }

    for (const [name, messages] of BAD_MESSAGES) {
      strictly(`messages: ${name}`, async ({ storage }) => {
        const uid = await storage.insert(FULL);
        await assert.rejects(async () => storage.swap(uid, 0, untyped({ title: "half", messages: { keep: 0, append: messages } })), { code: "invalidField" });
        await assert.rejects(async () => storage.insert(untyped({ ...conversation(), messages })), { code: "invalidField" });
        assert.deepEqual(await storage.load(uid), { uid, ...FULL });
        assert.deepEqual((await storage.find({ limit: 10 })).map(String), [String(uid)]);
      });
    }

    strictly("a transcript with a gap", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      for (const keep of [3, -1, 0.5, "1", null]) {
        await assert.rejects(async () => storage.swap(uid, 0, untyped({ title: "half", messages: { keep, append: [] } })), { code: "invalidField" });
      }
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
      assert.equal(await storage.swap(uid, 0, { title: "whole" }), true);
    });

    strictly("a heartbeat without a time", async ({ storage }) => {
      const uid = await storage.insert(conversation({ status: "locked", claimId: "c" }));
      for (const time of [undefined, null, "now", Number.NaN]) {
        await assert.rejects(async () => storage.touch(uid, "c", untyped(time)), { code: "invalidField" });
      }
      assert.equal((await storage.load(uid))?.updatedAt, NOW);
    });

    strictly("something that is no conversation and no patch", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      for (const nonsense of [null, undefined, "x", 7, []]) {
        await assert.rejects(async () => storage.insert(untyped(nonsense)), { code: "invalidField" });
        await assert.rejects(async () => storage.swap(uid, 0, untyped(nonsense)), { code: "invalidField" });
      }
      await assert.rejects(async () => storage.insert(untyped({ title: "nobody's" })), { code: "invalidField" });
      assert.deepEqual((await storage.find({ limit: 10 })).map(String), [String(uid)]);
    });
  });
}
