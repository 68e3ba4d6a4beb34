// The component as a package: loading, errors, panics, freeing, memory (rules W1-W7). Each loading story runs in a process of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import init, { AgentTurnError, ChatEngine, inputForm, mapOutcome, present, statusRules } from "agent-turn";
import { createMemoryStorage } from "agent-turn/storage/memory";
import * as component from "../../../pkg/wasm/agent_turn.js";
import { inProcess } from "./process.js";

const actor = { uid: 7, isAdmin: false, groups: [] };

/** @param {Partial<import("agent-turn").Host>} [parts] @returns {import("agent-turn").Host} */
const hostOf = (parts) => ({
  storage: createMemoryStorage(),
  runtime: {
    run: async ({ runUuid }) => ({ outcome: "completed", runUuid, steps: [], loopResult: { finalContent: "Hello" } }),
    approve: () => Promise.reject(new Error("not in this test")),
    submitInput: () => Promise.reject(new Error("not in this test")),
    status: () => null,
  },
  resolveTask: () => ({ uid: 1, promptTemplate: "", configuration: { uid: 1, name: "Default", systemPrompt: "" } }),
  ...parts,
});

const settings = { taskUid: 1, extensionKey: "test" };

test("W1: nothing answers before init, and everything says so", () => {
  const codes = inProcess(`
    import { ChatEngine, statusRules, version } from "agent-turn";
    const codes = [];
    for (const call of [() => version(), () => statusRules("idle"), () => new ChatEngine({}, {})]) {
      try { call(); codes.push("answered"); } catch (error) { codes.push(error.name + " " + error.code); }
    }
    console.log(JSON.stringify(codes));`);
  assert.deepEqual(codes, Array(3).fill("AgentTurnError notInitialized"));
});

test("W1: init any number of times, also at once, loads once; a failed load is not remembered", () => {
  const story = inProcess(`
    import init, { version } from "agent-turn";
    let compiled = 0;
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (bytes, imports) => {
      if ("./agent_turn_bg.js" in (imports ?? {})) compiled += 1; // Node has modules of its own
      return instantiate(bytes, imports);
    };
    const failed = await init(new Uint8Array([1, 2, 3])).then(() => "loaded", (error) => error instanceof Error);
    const afterFailure = compiled;
    await Promise.all([init(), init(), init()]);
    await init();
    console.log(JSON.stringify({ failed, loads: compiled - afterFailure, version: version() }));`);
  assert.deepEqual(story, { failed: true, loads: 1, version: "0.1.0" });
});

test("W5: after a panic every call fails at once with the first cause, calls in flight settle, and a fresh init recovers", () => {
  const story = inProcess(`
    import init, { ChatEngine, statusRules } from "agent-turn";
    import { createMemoryStorage } from "agent-turn/storage/memory";
    import * as component from "./pkg/wasm/agent_turn.js";
    await init();
    const host = { storage: createMemoryStorage(), runtime: { run: () => new Promise(() => {}) }, resolveTask: () => ({ uid: 1, promptTemplate: "", configuration: {} }) };
    const actor = { uid: 7, isAdmin: false, groups: [] };
    const engine = new ChatEngine(host, { taskUid: 1, extensionKey: "x" });
    const { uid } = await engine.createConversation(actor);
    await engine.sendMessage(uid, actor, { content: "Hi" });
    const hanging = engine.runNext("w").catch((error) => error.code);
    await new Promise((done) => setTimeout(done, 20));
    try { component.panicForTest(); } catch {}
    const code = (call) => { try { call(); return "answered"; } catch (error) { return error.code + ": " + error.message; } };
    const sync = code(() => statusRules("idle"));
    const late = await engine.poll(uid, actor).catch((error) => error.code);
    engine.free();
    await init(undefined, { fresh: true });
    const old = await engine.poll(uid, actor).catch((error) => error.code);
    const fresh = new ChatEngine(host, { taskUid: 1, extensionKey: "x" });
    const status = (await fresh.poll(uid, actor)).conversation.status;
    console.log(JSON.stringify({ hanging: await hanging, sync, late, old, status }));`);
  assert.deepEqual({ ...story, sync: undefined }, { hanging: "poisoned", sync: undefined, late: "poisoned", old: "freed", status: "locked" });
  assert.match(story.sync, /^poisoned: [\s\S]*a panic on purpose/);
});

test("W7: an engine that was freed says so; freeing twice and in flight is safe", async () => {
  await init();
  const engine = new ChatEngine(hostOf(), settings);
  const created = await engine.createConversation(actor);
  assert.ok(created.ok);
  await engine.sendMessage(created.uid, actor, { content: "Hi" });
  const turn = engine.runNext("w");
  engine.free();
  engine.free();
  assert.equal((await turn)?.status, "idle");
  await assert.rejects(engine.poll(created.uid, actor), { name: "AgentTurnError", code: "freed" });
});

test("W3: two engines over one store do not mix, and a callback may call the engine back", async () => {
  await init();
  const storage = createMemoryStorage();
  /** @type {ChatEngine} */
  let first;
  const host = hostOf({ storage, log: () => void first.poll(1, actor).catch(() => {}) });
  first = new ChatEngine(host, settings);
  const second = new ChatEngine(hostOf({ storage }), { ...settings, extensionKey: "other" });
  const created = await Promise.all([first.createConversation(actor), second.createConversation(actor)]);
  const uids = created.map((reply) => (reply.ok ? reply.uid : assert.fail()));
  await Promise.all(uids.map((uid, i) => (i ? first : second).sendMessage(uid, actor, { content: `Message ${i}` })));
  const reports = await Promise.all([first.runNext("a"), second.runNext("b"), first.runNext("c")]);
  assert.deepEqual(reports.map((report) => report?.outcome ?? null).sort(), ["notClaimed", "settled", "settled"].sort());
});

test("W4: errors are errors, with the host's own as cause", async () => {
  await init();
  const boom = new Error("disk gone");
  const engine = new ChatEngine(hostOf({ storage: { ...createMemoryStorage(), load: () => Promise.reject(boom) } }), settings);
  await assert.rejects(engine.retry(1, actor), (error) => error instanceof AgentTurnError && error.code === "host.storage.load" && error.cause === boom);
  // @ts-expect-error a host is an object
  assert.throws(() => new ChatEngine(null, settings), { name: "AgentTurnError", code: "invalidArgument" });
  // @ts-expect-error a text
  assert.throws(() => statusRules(5), { code: "invalidArgument" });
});

test("W6: keys reach no prototype, and what is passed on keeps its keys", () => {
  const call = JSON.parse('{"name":"f","arguments":{"__proto__":{"polluted":true},"constructor":1}}');
  const row = { status: "awaiting_approval", runUuid: "r", owner: 7, uid: 1, messages: [] };
  const waiting = { runUuid: "r", mode: /** @type {const} */ ("approval"), turnDigest: "d", pendingCalls: [call] };
  const view = present(/** @type {any} */ (row), { ...actor, mayDecide: true }, waiting);
  assert.deepEqual(Object.keys(/** @type {object} */ (view.card?.calls[0]?.arguments)), ["__proto__", "constructor"]);
  assert.equal(/** @type {any} */ ({}).polluted, undefined);
});

test("W7: 100,000 good and 100,000 failing calls leave no page and no table slot behind, and the next answer is right", async () => {
  await init();
  const { memory, __wbindgen_externrefs: table } = await component.default();
  const row = { uid: 1, owner: 7, status: "locked", revision: 1, messages: [{ role: "user", content: "Hi" }] };
  const result = { outcome: "completed", runUuid: "r", steps: [], loopResult: { finalContent: "Hello" } };
  const good = () => mapOutcome(/** @type {any} */ (row), result);
  const broken = {
    get outcome() {
      throw new Error("getter");
    },
  };
  const failing = [
    () => mapOutcome(/** @type {any} */ (row), /** @type {any} */ (broken)),
    () => mapOutcome(/** @type {any} */ (null), result),
    () =>
      inputForm(
        new Proxy(
          {},
          {
            ownKeys() {
              throw new Error("proxy");
            },
          },
        ),
      ),
    () => present(/** @type {any} */ ({ ...row, status: "nobody knows" }), { ...actor, mayDecide: true }),
  ];
  const rounds = 100_000;
  const warm = 2_000;
  let size;
  for (let i = 0; i < warm + rounds; i++) {
    if (i === warm) size = [memory.buffer.byteLength, table.length];
    good();
    assert.throws(failing[i % failing.length]);
  }
  assert.deepEqual([memory.buffer.byteLength, table.length], size);
  assert.equal(good().status, "idle");
});
