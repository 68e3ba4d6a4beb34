// @ts-nocheck: these tests look at results without narrowing them first
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADMIN, answer, approval, kinds, noStep, OWNER, page, refusedFor, request, runtime, STRANGER, script, site } from "./support.mjs";

const writing = ["touch_page", { uid: 12, title: "About us" }, "call_1"];
const later = () => Date.now() + 60_000;

/** A model that does not answer before it is called off, as a request to a provider would: it keeps the process awake. */
const thinking = (asked) => (options) =>
  new Promise((_, reject) => {
    const open = setInterval(() => {}, 1000);
    const off = () => {
      clearInterval(open);
      reject(options.abortSignal.reason);
    };
    options.abortSignal.addEventListener("abort", off, { once: true });
    asked();
  });

/** @param {any} agent @param {string} uuid */
const ended = async (agent, uuid) => [await agent.status(OWNER, uuid), (await agent.result(OWNER, uuid)).outcome];
const CANCELLED = [{ status: "cancelled" }, "cancelled"];

test("cancel: a model that thinks is called off, by the run's owner and by administrators only", async (t) => {
  const { db } = await site(t);
  for (const who of [OWNER, ADMIN]) {
    const asked = request();
    const answers = [];
    const agent = await runtime(t, {
      db,
      model: script(
        thinking(async () => {
          answers.push(await agent.cancel(STRANGER, asked.runUuid));
          answers.push(await agent.cancel(who, asked.runUuid));
        }),
      ),
    });
    const result = await agent.run(asked, noStep);
    assert.deepEqual([result.outcome, result.error, answers], ["cancelled", null, [false, true]]);
    assert.deepEqual(await ended(agent, asked.runUuid), CANCELLED);
    assert.equal(await agent.cancel(who, asked.runUuid), false, "nothing is left to stop");
  }
});

test("cancel: a write under way is finished and told, no other begins", async (t) => {
  const { db } = await site(t);
  const asked = request();
  const agent = await runtime(t, {
    db,
    model: script(answer("", writing, ["touch_page", { uid: 13, title: "Imprint" }, "call_2"])),
    hooks: {
      afterWrite: async (_input, { signal }) => {
        assert.equal(await agent.cancel(OWNER, asked.runUuid), true);
        assert.equal(signal.aborted, false, "a write is not cut off");
      },
    },
  });
  assert.equal((await agent.run(asked, noStep)).outcome, "cancelled");
  assert.deepEqual([(await page(db, 12)).writes, (await page(db, 13)).writes], [1, 0]);
  const events = await agent.events(OWNER, asked.runUuid);
  assert.deepEqual(kinds(events), ["llm", "tool", "tool_write"]);
  assert.deepEqual(events.at(-1).payload, { writeTargetTable: "pages", writeTargetUid: 12 });
});

test("cancel: a run in another process learns of it by its next save, before anything else is written", async (t) => {
  const { db } = await site(t);
  const asked = request();
  const other = await runtime(t, { db, model: script(answer("never asked")) });
  const agent = await runtime(t, {
    db,
    heartbeatSeconds: 5,
    model: script(async () => {
      assert.equal(await other.cancel(OWNER, asked.runUuid), true);
      return answer("", writing);
    }),
  });
  assert.equal((await agent.run(asked, noStep)).outcome, "cancelled");
  assert.equal((await page(db, 12)).writes, 0);
  assert.deepEqual(await ended(other, asked.runUuid), CANCELLED);
});

test("cancel: a run in another process that waits for its model learns of it by its heartbeat", async (t) => {
  const { db } = await site(t);
  const asked = request();
  const other = await runtime(t, { db, model: script(answer("never asked")) });
  const model = script(thinking(() => other.cancel(OWNER, asked.runUuid)));
  const agent = await runtime(t, { db, heartbeatSeconds: 0.02, model });
  assert.equal((await agent.run(asked, noStep)).outcome, "cancelled");
  assert.deepEqual(await ended(other, asked.runUuid), CANCELLED);
});

test("cancel: no card appears after it, and a decision finds nothing", async (t) => {
  const { db } = await site(t);
  const asked = request();
  const other = await runtime(t, { db, model: script(answer("never asked")) });
  const model = script(async () => {
    await other.cancel(OWNER, asked.runUuid);
    return answer("", ["rename_page", { uid: 12, title: "About us" }]);
  });
  const agent = await runtime(t, { db, model });
  assert.equal((await agent.run(asked, noStep)).outcome, "cancelled");
  assert.equal(await agent.waitingView(OWNER, asked.runUuid), null);
  await assert.rejects(agent.approve(OWNER, asked.runUuid, { approved: true, decidedBy: 7, turnDigest: "d" }, noStep), refusedFor("notAwaiting"));
});

test("cancel: between an approval and its first write nothing is written; a waiting run is cancelled at once", async (t) => {
  const { db } = await site(t);
  const model = script(answer("", ["rename_page", { uid: 12, title: "About us" }]));
  const stops = [];
  const agent = await runtime(t, { db, model, log: (_level, what, { runUuid } = {}) => what === "decision.saved" && stops.push(agent.cancel(OWNER, runUuid)) });
  const [decided, waiting] = [request(), request()];
  const paused = await agent.run(decided, noStep);
  const end = await agent.approve(OWNER, decided.runUuid, approval(paused), noStep);
  assert.deepEqual([end.outcome, await Promise.all(stops)], ["cancelled", [true]]);
  assert.equal((await page(db, 12)).writes, 0);
  await agent.run(waiting, noStep);
  assert.equal(await agent.cancel(OWNER, waiting.runUuid), true);
  assert.deepEqual(await ended(agent, waiting.runUuid), CANCELLED);
});

test("cancel: a run whose process died is ended by whoever recovers it, and what it began is told", async (t) => {
  const { db } = await site(t);
  const asked = request();
  const dying = await runtime(t, {
    db,
    model: script(answer("", writing)),
    hooks: {
      afterWrite: (_input, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          dying.close();
        }),
    },
  });
  assert.equal((await dying.run(asked, noStep)).outcome, "lease_lost");
  const next = await runtime(t, { db, now: later, model: script(answer("never asked")) });
  assert.equal(await next.cancel(OWNER, asked.runUuid), true);
  assert.equal(await next.recover(), 0, "it was not carried on");
  assert.deepEqual(await ended(next, asked.runUuid), CANCELLED);
  assert.deepEqual(kinds(await next.events(OWNER, asked.runUuid)), ["llm", "tool", "tool_write"]);
  assert.equal((await page(db, 12)).writes, 1);
});
