import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMemoryStorage } from "agent-turn/storage/memory";
import { createConversations } from "../../../www/host/conversations.js";
import { createMayAct, createUsers } from "../../../www/host/users.js";
import { scriptedApp } from "./support.js";

const NEW = {
  owner: 1,
  title: "Old",
  messages: [],
  status: "idle",
  revision: 0,
  claimId: "",
  errorMessage: "",
  errorCode: "",
  runUuid: "",
  lastRunUuid: "",
  decision: "",
  decidedBy: null,
  turnDigest: "",
  denyReason: "",
  pendingInput: null,
  systemPrompt: "",
  viewContext: null,
  activity: [],
  archived: false,
  pinned: false,
  createdAt: 1000,
  updatedAt: 1000,
};

/**
 * One stored conversation behind the application.
 *
 * @param {object} [fields]
 * @param {object} [options]
 * @param {number} [options.loseSwaps] So many swaps are lost to somebody else's write first.
 */
async function stored(fields = {}, { loseSwaps = 0 } = {}) {
  const storage = createMemoryStorage();
  const uid = await storage.insert(/** @type {any} */ ({ ...NEW, ...fields }));
  let [left, loads] = [loseSwaps, 0];
  const racing = {
    load: (/** @type {number} */ id) => {
      loads += 1;
      return storage.load(id);
    },
    swap: async (/** @type {number} */ id, /** @type {number} */ revision, /** @type {any} */ patch) => {
      if (left > 0) {
        left -= 1;
        await storage.swap(id, revision, { errorCode: `other${left}` });
      }
      return storage.swap(id, revision, patch);
    },
  };
  const mayAct = createMayAct({});
  const conversations = createConversations({ storage: racing, mayAct, find: async () => [], readsAll: () => false });
  const { client } = scriptedApp({ conversations, users: createUsers() });
  return {
    row: async () => /** @type {import("agent-turn").Conversation} */ (await storage.load(uid)),
    loads: () => loads,
    change: (/** @type {unknown} */ body, user = 1, target = uid) => client.as(user).send("PATCH", `/api/conversations/${target}`, body),
  };
}

describe("PATCH of a conversation", () => {
  it("changes what it names and nothing else", async () => {
    const { change, row } = await stored();
    assert.deepEqual((await change({ title: "  New\u0000 \u{1F600} ", pinned: true })).body, { ok: true });
    const { title, pinned, archived, revision, updatedAt, systemPrompt } = await row();
    assert.deepEqual(
      { title, pinned, archived, revision, systemPrompt },
      { title: "New \u{1F600}", pinned: true, archived: false, revision: 1, systemPrompt: "" },
    );
    assert.ok(updatedAt > 1000);
    await change({ archived: true, systemPrompt: "Be brief.\nAlways." });
    assert.deepEqual([(await row()).archived, (await row()).systemPrompt, (await row()).title], [true, "Be brief.\nAlways.", "New \u{1F600}"]);
    await change({ systemPrompt: "" });
    assert.equal((await row()).systemPrompt, "");
  });

  it("counts lengths in code points", async () => {
    const { change, row } = await stored();
    const longest = "\u{1F600}".repeat(255);
    assert.equal((await change({ title: longest })).status, 200);
    assert.equal((await row()).title, longest);
    assert.equal((await change({ systemPrompt: "\u{1F600}".repeat(10000) })).status, 200);
  });

  for (const [name, body, code] of /** @type {[string, unknown, string][]} */ ([
    ["nothing", {}, "badRequest"],
    ["unknown fields only", { status: "idle", owner: 2 }, "badRequest"],
    ["a blank title", { title: " \u200b\u{E0001}\n" }, "badRequest"],
    ["a long title", { title: "x".repeat(256) }, "badRequest"],
    ["a title that is no text", { title: 7 }, "invalidArgument"],
    ["a title of null", { title: null }, "invalidArgument"],
    ["a flag that is no boolean", { pinned: "true" }, "invalidArgument"],
    ["a flag of 1", { archived: 1 }, "invalidArgument"],
    ["a prompt that is no text", { systemPrompt: ["x"] }, "invalidArgument"],
    ["a long prompt", { systemPrompt: "x".repeat(10001) }, "promptTooLong"],
    ["one good and one bad field", { title: "Good", pinned: null }, "invalidArgument"],
  ])) {
    it(`refuses ${name} and stores nothing`, async () => {
      const { change, row } = await stored();
      const before = await row();
      assert.deepEqual((await change(body)).body, { ok: false, httpStatus: 400, code });
      assert.deepEqual(await row(), before);
    });
  }

  it("never changes what is not the host's to change", async () => {
    const { change, row } = await stored();
    await change({ title: "New", status: "failed", owner: 2, revision: 9, messages: { keep: 0, append: [{ role: "user", content: "x" }] } });
    const { status, owner, revision, messages } = await row();
    assert.deepEqual({ status, owner: String(owner), revision, messages }, { status: "idle", owner: "1", revision: 1, messages: [] });
  });

  it("is for the owner: readers are told so, others that there is no such conversation", async () => {
    const { change, row } = await stored();
    assert.deepEqual((await change({ pinned: true }, 2)).body, { ok: false, httpStatus: 403, code: "forbidden" });
    const approvers = await stored({ owner: 2 });
    assert.deepEqual((await approvers.change({ pinned: true }, 1)).body, { ok: false, httpStatus: 404, code: "notFound" });
    assert.deepEqual((await change({ pinned: true }, 1, 99)).body, { ok: false, httpStatus: 404, code: "notFound" });
    assert.equal((await row()).pinned, false);
  });

  it("tries again when somebody else wrote in between, five times", async () => {
    const winning = await stored({}, { loseSwaps: 4 });
    assert.equal((await winning.change({ pinned: true })).status, 200);
    assert.deepEqual([(await winning.row()).pinned, (await winning.row()).errorCode, winning.loads()], [true, "other0", 5]);
    const losing = await stored({}, { loseSwaps: 5 });
    assert.deepEqual((await losing.change({ pinned: true })).body, { ok: false, httpStatus: 409, code: "conflict" });
    assert.deepEqual([(await losing.row()).pinned, losing.loads()], [false, 5]);
  });

  it("leaves the heartbeat of a running turn alone", async () => {
    for (const status of ["locked", "processing", "failed"]) {
      const { change, row } = await stored({ status });
      assert.equal((await change({ title: "New" })).status, 200);
      assert.deepEqual([(await row()).title, (await row()).updatedAt], ["New", 1000], status);
    }
  });
});
