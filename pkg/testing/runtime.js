/** A suite that an agent runtime runs against itself: see runtime.d.ts. Each check is named after what a chat depends on. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";

/**
 * @typedef {import("./runtime.d.ts").RuntimeScene} Scene
 * @typedef {import("./runtime.d.ts").RuntimeUnderTest} UnderTest
 * @typedef {import("./runtime.d.ts").ModelTurn} ModelTurn
 * @typedef {import("../index.d.ts").RunResult} RunResult
 * @typedef {{ scene: Scene, under: UnderTest, writes: () => number, title: { current: string } }} Stage
 */

/** @type {import("../index.d.ts").Actor} */
const OWNER = { uid: 7, isAdmin: false, groups: [] };
/** @type {import("../index.d.ts").Actor} */
const STRANGER = { uid: 8, isAdmin: false, groups: [] };

const WRITE = { name: "kit_write", input: { title: "About us" } };
const ASK = { name: "kit_ask", input: { question: "Where?" } };
/** @type {ModelTurn} */
const DONE = { text: "All done." };
const noStep = () => {};

/** @param {string} [runUuid] @returns {import("../index.d.ts").RunRequest} */
const request = (runUuid = randomUUID()) => ({
  runUuid,
  configuration: { uid: 1, name: "kit", systemPrompt: "" },
  messages: [
    { role: "system", content: "You work on a site." },
    { role: "user", content: "Rename the page to About us" },
  ],
  actor: OWNER,
  allowedToolNames: null,
  options: { callerSource: { extension: "kit", operation: "chatTurn" } },
});

/** @param {RunResult} result */
const digestOf = (result) => result.suspendedState?.turnDigest ?? "";

/** @param {RunResult} paused @param {object} [fields] */
const yes = (paused, fields = {}) => ({ approved: true, decidedBy: 7, turnDigest: digestOf(paused), ...fields });

/** @param {...string} reasons */
const refusedFor =
  (...reasons) =>
  (/** @type {unknown} */ error) =>
    reasons.includes(String(/** @type {{ reason?: unknown } | null} */ (error)?.reason));

/** @param {Stage} stage */
async function proposed({ under }) {
  const asked = request();
  const paused = await under.runtime.run(asked, noStep);
  assert.equal(paused.outcome, "awaiting_approval");
  return { uuid: asked.runUuid, paused };
}

/** @type {{ name: string, turns: ModelTurn[], check: (stage: Stage) => Promise<void> }[]} */
const CHECKS = [
  {
    name: "a plain answer: completed, under the announced uuid, found again (T7)",
    turns: [DONE],
    async check({ under: { runtime } }) {
      const asked = request();
      const result = await runtime.run(asked, noStep);
      assert.deepEqual([result.outcome, result.runUuid, result.loopResult?.finalContent], ["completed", asked.runUuid, DONE.text]);
      assert.equal((await runtime.status(OWNER, asked.runUuid))?.status, "completed");
      const found = await runtime.result?.(OWNER, asked.runUuid);
      if (found) assert.equal(found.loopResult?.finalContent, DONE.text);
    },
  },
  {
    name: "a read runs at once; text beside the call is in the steps, and each step was told (O6)",
    turns: [{ text: "Let me look.", calls: [{ name: "kit_read", input: {} }] }, DONE],
    async check({ under: { runtime } }) {
      /** @type {import("../index.d.ts").RunStep[]} */
      const told = [];
      const result = await runtime.run(request(), (step) => told.push(step));
      assert.equal(result.outcome, "completed");
      const spoken = result.steps?.find(({ kind }) => kind === "llm");
      assert.deepEqual([spoken?.content, spoken?.requestedToolCalls?.length], ["Let me look.", 1]);
      assert.ok(result.steps?.some(({ kind, toolName, toolIsError }) => kind === "tool" && toolName === "kit_read" && toolIsError === false));
      assert.deepEqual(
        told.map(({ kind }) => kind),
        result.steps?.map(({ kind }) => kind),
      );
    },
  },
  {
    name: "a write waits: nothing is written, the card shows it, its digest is the result's",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { runtime } = stage.under;
      assert.equal(stage.writes(), 0);
      assert.ok(digestOf(paused), "a digest");
      assert.equal((await runtime.status(OWNER, uuid))?.status, "waiting_for_approval");
      const view = await runtime.waitingView?.(OWNER, uuid);
      if (!view) return;
      assert.deepEqual([view.mode, view.turnDigest, view.pendingCalls.length], ["approval", digestOf(paused), 1]);
      assert.deepEqual([view.pendingCalls[0]?.name, view.pendingCalls[0]?.arguments, view.pendingCalls[0]?.declaresWrite], [WRITE.name, WRITE.input, true]);
    },
  },
  {
    name: "an approval is carried out once, leaves its event, and counts once",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { runtime } = stage.under;
      const end = await runtime.approve(OWNER, uuid, yes(paused), noStep);
      assert.deepEqual([end.outcome, end.loopResult?.finalContent, stage.writes()], ["completed", DONE.text, 1]);
      const kinds = (await runtime.events?.(OWNER, uuid))?.map(({ kind }) => kind);
      if (kinds) assert.ok(kinds.includes("tool_write") || kinds[kinds.indexOf("approval") + 1] === "tool", `the write can be told from ${kinds} (V7)`);
      await assert.rejects(async () => runtime.approve(OWNER, uuid, yes(paused), noStep), refusedFor("notAwaiting", "alreadyResuming"));
      assert.equal(stage.writes(), 1);
    },
  },
  {
    name: "a denial writes nothing, and the model answers",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const end = await stage.under.runtime.approve(OWNER, uuid, yes(paused, { approved: false, denyReason: "skip" }), noStep);
      assert.deepEqual([end.outcome, stage.writes()], ["completed", 0]);
    },
  },
  {
    name: "a digest of something else is stale, for both answers, and the run still waits (D5)",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { runtime } = stage.under;
      for (const turnDigest of ["0".repeat(64), "", `${digestOf(paused)}0`]) {
        for (const approved of [true, false]) {
          await assert.rejects(async () => runtime.approve(OWNER, uuid, yes(paused, { approved, turnDigest }), noStep), refusedFor("staleTurn"));
        }
      }
      assert.deepEqual([(await runtime.status(OWNER, uuid))?.status, stage.writes()], ["waiting_for_approval", 0]);
      assert.equal((await runtime.approve(OWNER, uuid, yes(paused), noStep)).outcome, "completed");
    },
  },
  {
    name: "two approvals at the same moment: one is carried out, the other refused",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { runtime, other = runtime } = stage.under;
      const settled = await Promise.allSettled([runtime, other].map(async (one) => one.approve(OWNER, uuid, yes(paused), noStep)));
      assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 1);
      const refused = settled.find((one) => one.status === "rejected");
      assert.ok(refused?.status === "rejected" && refusedFor("alreadyResuming", "notAwaiting")(refused.reason), String(refused?.reason));
      assert.equal(stage.writes(), 1);
    },
  },
  {
    name: "a waiting run outlives its process: another instance decides it",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { other } = stage.under;
      assert.ok(other, "setup gives no second instance over the same store");
      assert.equal((await other.status(OWNER, uuid))?.status, "waiting_for_approval");
      assert.equal((await other.approve(OWNER, uuid, yes(paused), noStep)).outcome, "completed");
      assert.equal(stage.writes(), 1);
    },
  },
  {
    name: "what a card would change has moved on: nothing runs, same digest; the next approval counts (O7)",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { runtime } = stage.under;
      stage.title.current = "Somebody was faster";
      const bounced = await runtime.approve(OWNER, uuid, yes(paused), noStep);
      assert.deepEqual([bounced.outcome, digestOf(bounced), stage.writes()], ["awaiting_approval", digestOf(paused), 0]);
      assert.equal((await runtime.approve(OWNER, uuid, yes(bounced), noStep)).outcome, "completed");
      assert.equal(stage.writes(), 1);
    },
  },
  {
    name: "a stranger sees nothing and decides nothing; an unknown run looks the same",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { runtime } = stage.under;
      for (const [actor, run] of /** @type {const} */ ([
        [STRANGER, uuid],
        [OWNER, randomUUID()],
      ])) {
        assert.equal(await runtime.status(actor, run), null);
        assert.equal((await runtime.result?.(actor, run)) ?? null, null);
        assert.equal((await runtime.waitingView?.(actor, run)) ?? null, null);
        assert.deepEqual((await runtime.events?.(actor, run)) ?? [], []);
        await assert.rejects(async () => runtime.approve(actor, run, yes(paused), noStep), refusedFor("notPermitted", "notAwaiting"));
        if (runtime.cancelIfWaiting) assert.equal((await runtime.cancelIfWaiting(actor, run)).cancelled, false);
      }
      assert.deepEqual([(await runtime.status(OWNER, uuid))?.status, stage.writes()], ["waiting_for_approval", 0]);
    },
  },
  {
    name: "a question: a wrong answer leaves it open, a right one goes on, the digests of the two pauses are not interchangeable",
    turns: [{ calls: [ASK] }, DONE],
    async check({ under: { runtime } }) {
      const asked = request();
      const paused = await runtime.run(asked, noStep);
      assert.equal(paused.outcome, "awaiting_input");
      const answer = (/** @type {object} */ fields) => ({ data: { choice: "Home" }, submittedBy: 7, turnDigest: digestOf(paused), ...fields });
      await assert.rejects(async () => runtime.submitInput(OWNER, asked.runUuid, answer({ data: { choice: 5 } }), noStep), refusedFor("invalidInput"));
      await assert.rejects(async () => runtime.submitInput(OWNER, asked.runUuid, answer({ turnDigest: "0".repeat(64) }), noStep), refusedFor("staleTurn"));
      await assert.rejects(async () => runtime.approve(OWNER, asked.runUuid, yes(paused), noStep), refusedFor("notAwaiting"));
      assert.equal((await runtime.status(OWNER, asked.runUuid))?.status, "waiting_for_input");
      assert.equal((await runtime.submitInput(OWNER, asked.runUuid, answer({}), noStep)).outcome, "completed");
    },
  },
  {
    name: "a withdrawn run cannot be decided; one that has ended cannot be withdrawn",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { runtime } = stage.under;
      if (!runtime.cancelIfWaiting) return;
      const { uuid, paused } = await proposed(stage);
      assert.deepEqual(await runtime.cancelIfWaiting(OWNER, uuid), { cancelled: true, status: "cancelled" });
      await assert.rejects(async () => runtime.approve(OWNER, uuid, yes(paused), noStep), refusedFor("notAwaiting"));
      assert.deepEqual([await runtime.cancelIfWaiting(OWNER, uuid), stage.writes()], [{ cancelled: false, status: "cancelled" }, 0]);
    },
  },
  {
    name: "a tool that throws, and one that does not exist, are errors for the model, not for the run",
    turns: [
      {
        calls: [
          { name: "kit_fail", input: {} },
          { name: "kit_no_such_tool", input: {} },
        ],
      },
      DONE,
    ],
    async check({ under: { runtime } }) {
      const result = await runtime.run(request(), noStep);
      assert.equal(result.outcome, "completed");
      assert.ok(result.steps?.filter(({ kind }) => kind === "tool").every(({ toolIsError }) => toolIsError === true));
    },
  },
  {
    name: "a model that fails is a failed result, not an exception",
    turns: [{ fails: "the provider is down" }],
    async check({ under: { runtime } }) {
      const asked = request();
      const result = await runtime.run(asked, noStep);
      assert.equal(result.outcome, "failed");
      assert.equal(typeof result.error?.message, "string");
      assert.equal((await runtime.status(OWNER, asked.runUuid))?.status, "failed");
    },
  },
  {
    name: "an observer that throws does not break the run",
    turns: [{ calls: [{ name: "kit_read", input: {} }] }, DONE],
    async check({ under: { runtime } }) {
      const broken = () => {
        throw new Error("the observer is broken");
      };
      assert.equal((await runtime.run(request(), broken)).outcome, "completed");
    },
  },
  {
    name: "one uuid is one run: a second one is not begun (T7)",
    turns: [{ calls: [WRITE] }, DONE],
    async check(stage) {
      const { uuid, paused } = await proposed(stage);
      const { runtime } = stage.under;
      await assert.rejects(async () => runtime.run(request(uuid), noStep));
      assert.equal((await runtime.approve(OWNER, uuid, yes(paused), noStep)).outcome, "completed");
      assert.equal(stage.writes(), 1);
    },
  },
];

/**
 * Registers the checks as tests, each with a runtime of its own.
 * @param {(name: string, body: () => Promise<void>) => unknown} test
 * @param {(scene: Scene) => Promise<UnderTest> | UnderTest} setup
 */
export function runtimeKit(test, setup) {
  for (const { name, turns, check } of CHECKS) {
    test(`runtime kit: ${name}`, async () => {
      let written = 0;
      const title = { current: "Team" };
      const scene = sceneOf(turns, title, () => {
        written += 1;
      });
      const under = await setup(scene);
      try {
        await check({ scene, under, writes: () => written, title });
      } finally {
        await under.close?.();
      }
    });
  }
}

/**
 * @param {ModelTurn[]} turns
 * @param {{ current: string }} title
 * @param {() => void} wrote
 * @returns {Scene}
 */
function sceneOf(turns, title, wrote) {
  const object = { type: "object", properties: {} };
  let asked = 0;
  return {
    nextTurn: () => /** @type {ModelTurn} */ (turns[Math.min((asked += 1), turns.length) - 1]),
    tools: [
      { name: "kit_read", description: "Reads the title", effect: "read", inputSchema: object, execute: () => title.current },
      {
        name: "kit_write",
        description: "Renames the page",
        effect: "write",
        inputSchema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
        preview: (input) => ({ lines: [`${title.current} → ${input.title}`] }),
        execute: (input) => {
          wrote();
          title.current = String(input.title);
          return "renamed";
        },
      },
      {
        name: "kit_ask",
        description: "Asks the user",
        effect: "read",
        inputSchema: { type: "object", properties: { question: { type: "string" } } },
        asks: () => ({ type: "object", properties: { choice: { type: "string", enum: ["Home", "News"] } }, required: ["choice"] }),
      },
      {
        name: "kit_fail",
        description: "Fails",
        effect: "read",
        inputSchema: object,
        execute: () => {
          throw new Error("the disk is full");
        },
      },
    ],
  };
}
