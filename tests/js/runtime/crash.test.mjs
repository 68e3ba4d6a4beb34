// @ts-nocheck: these tests hand in what the types forbid, and look at results without narrowing them first
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { planner } from "./child.mjs";
import { answer, approval, kinds, noStep, OWNER, page, refusedFor, request, runtime, script, site } from "./support.mjs";

const child = new URL("./child.mjs", import.meta.url).pathname;

/**
 * Runs a child to its end; resolves to the signal that ended it and what it printed.
 * @param {unknown} order
 * @returns {Promise<{ signal: string | null, stdout: string, stderr: string }>}
 */
const spawn = (order) =>
  new Promise((resolve) => {
    execFile(process.execPath, [child, JSON.stringify(order)], (error, stdout, stderr) => resolve({ signal: error?.signal ?? null, stdout, stderr }));
  });

const args = { uid: 12, title: "About us" };
const later = () => Date.now() + 60_000; // past every lease of a child

/**
 * Lets a child die at `point` and hands the run to this process.
 * @param {import("node:test").TestContext} t
 * @param {{ point: string, action?: string, tool?: string, prepare?: (agent: any, uuid: string) => Promise<object> }} order
 */
async function crashed(t, { point, action = "run", tool = "touch_page", prepare }) {
  const { db, file } = await site(t);
  const call = tool === "ask_choice" ? [tool, { question: "Where?", options: ["Home"] }] : [tool, args];
  const agent = await runtime(t, { db, model: planner(call), now: later });
  const uuid = randomUUID();
  const order = { file, point, action, uuid, call, ...(await prepare?.(agent, uuid)) };
  const { signal, stdout, stderr } = await spawn(order);
  assert.equal(signal, "SIGKILL", `the child reached the point: ${stdout}${stderr}`);
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "running", leaseExpired: true });
  assert.equal(await agent.result(OWNER, uuid), null);
  return { db, agent, uuid };
}

/**
 * The result of a completed run, what the model was told of its one call, and the kinds of its events.
 * @param {any} agent
 * @param {string} uuid
 */
async function settled(agent, uuid) {
  const result = await agent.result(OWNER, uuid);
  assert.equal(result.outcome, "completed");
  const [told, ...rest] = JSON.parse(result.loopResult.finalContent);
  assert.equal(rest.length, 0);
  return { result, told, events: kinds(await agent.events(OWNER, uuid)) };
}

const unknown = /^It is unknown whether this change took effect/;
const once = '{"renamed":"About us"}';

// point, writes before recovery, writes after, what the model is told
const writeTable = [
  ["run.created", 0, 1, once],
  ["model:1", 0, 1, once],
  ["step.saved", 0, 1, once],
  ["effect.started", 0, 0, unknown],
  ["write:before", 0, 0, unknown],
  ["write:after", 1, 1, unknown],
  ["effect.executed", 1, 1, unknown],
  ["effect.done", 1, 1, once],
  ["call.saved", 1, 1, once],
  ["model:2", 1, 1, once],
];

for (const [point, before, after, expected] of writeTable) {
  test(`killed at ${point}: carried on, the write at most once`, async (t) => {
    const { db, agent, uuid } = await crashed(t, { point });
    assert.equal((await page(db, 12)).writes, before);
    assert.equal(await agent.recover(), 1);
    const { result, told, events } = await settled(agent, uuid);
    assert.equal((await page(db, 12)).writes, after);
    if (typeof expected === "string") assert.deepEqual(told, { type: "text", value: expected });
    else {
      assert.equal(told.type, "error-text");
      assert.match(told.value, expected);
    }
    assert.deepEqual(events, ["llm", "tool", "tool_write", "llm"]);
    assert.equal(result.steps.find(({ kind }) => kind === "llm").content, "Working on it.", "texts from before the crash are in the result (O6)");
    assert.equal(await agent.recover(), 0);
  });
}

test("killed between effect and record: an idempotent write runs again", async (t) => {
  const { db, agent, uuid } = await crashed(t, { point: "write:after", tool: "set_title" });
  assert.equal(await agent.recover(), 1);
  assert.deepEqual((await settled(agent, uuid)).told, { type: "text", value: once });
  assert.deepEqual(await page(db, 12), { uid: 12, title: "About us", writes: 2 });
});

const toCard = async (agent, uuid) => ({ turnDigest: (await agent.run(request({ runUuid: uuid }), noStep)).suspendedState.turnDigest });
const approveTable = [
  ["decision.saved", 1, once],
  ["effect.started", 0, unknown],
  ["write:after", 1, unknown],
  ["effect.done", 1, once],
  ["call.saved", 1, once],
  ["model:2", 1, once],
];

for (const [point, writes, expected] of approveTable) {
  test(`approval killed at ${point}: carried on, the write at most once`, async (t) => {
    const { db, agent, uuid } = await crashed(t, { point, action: "approve", tool: "rename_page", prepare: toCard });
    assert.equal(await agent.recover(), 1);
    const { told, events } = await settled(agent, uuid);
    assert.equal((await page(db, 12)).writes, writes);
    if (typeof expected === "string") assert.equal(told.value, expected);
    else assert.match(told.value, expected);
    assert.deepEqual(events, ["llm", "approval", "tool", "tool_write", "llm"]);
  });
}

test("approval killed right after the claim: the same card comes back, nothing ran", async (t) => {
  const { db, agent, uuid } = await crashed(t, { point: "run.claimed", action: "approve", tool: "rename_page", prepare: toCard });
  await assert.rejects(agent.approve(OWNER, uuid, { approved: true, decidedBy: 7, turnDigest: "x" }, noStep), refusedFor("alreadyResuming"));
  assert.equal(await agent.recover(), 1);
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
  const paused = await agent.result(OWNER, uuid);
  assert.equal(paused.outcome, "awaiting_approval");
  assert.deepEqual(kinds(await agent.events(OWNER, uuid)), ["llm"]);
  assert.equal((await agent.approve(OWNER, uuid, approval(paused), noStep)).outcome, "completed");
  assert.equal((await page(db, 12)).writes, 1);
});

const toQuestion = async (agent, uuid) => ({ ...(await toCard(agent, uuid)), data: { choice: "Home" } });

test("answer killed right after the claim: the question comes back", async (t) => {
  const { agent, uuid } = await crashed(t, { point: "run.claimed", action: "answer", tool: "ask_choice", prepare: toQuestion });
  assert.equal(await agent.recover(), 1);
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_input" });
});

test("answer killed once it was accepted: it counts", async (t) => {
  const { agent, uuid } = await crashed(t, { point: "decision.saved", action: "answer", tool: "ask_choice", prepare: toQuestion });
  assert.equal(await agent.recover(), 1);
  const { told, events } = await settled(agent, uuid);
  assert.equal(told.value, '{"choice":"Home"}');
  assert.deepEqual(events, ["llm", "input", "tool", "llm"]);
});

test("two processes approve at once: one carries out, the other is refused", async (t) => {
  const { db, file } = await site(t);
  const call = ["rename_page", args];
  const agent = await runtime(t, { db, model: planner(call) });
  const uuid = randomUUID();
  const order = { file, action: "approve", uuid, call, ...(await toCard(agent, uuid)) };
  const outcomes = (await Promise.all([spawn(order), spawn(order)])).map(({ stdout }) => JSON.parse(stdout));
  assert.equal(outcomes.filter(({ outcome }) => outcome === "completed").length, 1, JSON.stringify(outcomes));
  // Whoever comes while the other works is `alreadyResuming`; whoever comes after it has ended meets a settled run.
  assert.match(outcomes.find(({ refused }) => refused).refused, /^(alreadyResuming|notAwaiting)$/);
  assert.equal((await page(db, 12)).writes, 1);
});

test("three processes bring up the tables of one new database at once", async (t) => {
  const { db, file } = await site(t);
  const outcomes = await Promise.all([1, 2, 3].map(() => spawn({ file, action: "migrate" })));
  assert.deepEqual(
    outcomes.map(({ stdout }) => stdout),
    Array(3).fill('{"outcome":"done"}\n'),
    outcomes.map(({ stderr }) => stderr).join(""),
  );
  const { rows } = await sql`select name from agent_runtime_migration`.execute(db);
  assert.equal(rows.length, 3);
});

test("a run that is alive is not taken, by its own process or another", async (t) => {
  const { db } = await site(t);
  const other = await runtime(t, { db, model: script(answer("taken")) });
  const seen = async () => {
    assert.equal(await other.recover(), 0);
    return answer("mine");
  };
  const agent = await runtime(t, { db, model: script(seen) });
  assert.equal((await agent.run(request(), noStep)).loopResult.finalContent, "mine");

  let now = 1_000_000;
  const blocked = async () => {
    now += 60_000; // as after a long block of the event loop: the lease is over, but the process lives
    assert.equal(await late.recover(), 0);
    return answer("late");
  };
  const late = await runtime(t, { db, now: () => now, model: script(blocked, answer("taken")) });
  assert.equal((await late.run(request(), noStep)).loopResult.finalContent, "late");
});

test("the heartbeat keeps the lease while the model thinks", async (t) => {
  const { db } = await site(t);
  const lease = async () => (await sql`select lease_expires from agent_run`.execute(db)).rows[0].lease_expires;
  const agent = await runtime(t, {
    db,
    leaseSeconds: 5,
    heartbeatSeconds: 0.02,
    model: script(async () => {
      const first = await lease();
      while ((await lease()) === first) await new Promise((resolve) => setTimeout(resolve, 5));
      return answer("thought");
    }),
  });
  assert.equal((await agent.run(request(), noStep)).loopResult.finalContent, "thought");
});

test("a process that lost its lease writes nothing more", async (t) => {
  const { db } = await site(t);
  const other = await runtime(t, { db, model: planner(["touch_page", { uid: 13, title: "Taken" }]), now: later });
  const asked = request();
  const agent = await runtime(t, {
    db,
    model: script(async () => {
      assert.equal(await other.recover(), 1);
      return answer("", ["touch_page", args]);
    }),
  });
  const result = await agent.run(asked, noStep);
  assert.equal(result.outcome, "lease_lost");
  assert.deepEqual([(await page(db, 12)).writes, (await page(db, 13)).writes], [0, 1]);
  assert.match((await agent.result(OWNER, asked.runUuid)).loopResult.finalContent, /Taken/);
  assert.deepEqual(kinds(await agent.events(OWNER, asked.runUuid)), ["llm", "tool", "tool_write", "llm"]);
});

test("a tool that is still running when its lease is lost does not begin a second effect", async (t) => {
  const { db } = await site(t);
  const other = await runtime(t, { db, model: planner(["touch_page", args]), now: later });
  const asked = request();
  const agent = await runtime(t, { db, model: planner(["touch_page", args]), hooks: { beforeWrite: async () => assert.equal(await other.recover(), 1) } });
  assert.equal((await agent.run(asked, noStep)).outcome, "lease_lost");
  assert.equal((await page(db, 12)).writes, 1, "the call that had begun took effect; the one that took over did not repeat it");
  assert.match((await agent.result(OWNER, asked.runUuid)).loopResult.finalContent, /unknown whether/);
});

test("close: the run is handed over at once, and new work is refused", async (t) => {
  const { db } = await site(t);
  const asked = request();
  const stop = new AbortController();
  const model = script(
    ({ abortSignal }) =>
      new Promise((_, reject) => {
        abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
        stop.abort();
      }),
  );
  const agent = await runtime(t, { db, model, signal: stop.signal });
  assert.equal((await agent.run(asked, noStep)).outcome, "lease_lost");
  await agent.close();
  for (const work of [() => agent.run(request(), noStep), () => agent.recover(), () => agent.approve(OWNER, asked.runUuid, { approved: true }, noStep)]) {
    await assert.rejects(work(), { code: "closed" });
  }
  const next = await runtime(t, { db, model: script(answer("carried on")) });
  assert.deepEqual(await next.status(OWNER, asked.runUuid), { status: "running", leaseExpired: true });
  const outcomes = await Promise.all([next.recover(), (await runtime(t, { db, model: script(answer("carried on")) })).recover()]);
  assert.deepEqual(outcomes.sort(), [0, 1], "one of two takes it");
  assert.equal((await next.result(OWNER, asked.runUuid)).loopResult.finalContent, "carried on");
});

test("after three recoveries the run is failed, and what it wrote is told all the same", async (t) => {
  const { db, agent, uuid } = await crashed(t, { point: "effect.done" });
  await sql`update agent_run set recoveries = 3`.execute(db);
  assert.equal(await agent.recover(), 0);
  const result = await agent.result(OWNER, uuid);
  assert.equal(result.outcome, "failed");
  assert.equal(result.error.name, "RecoveryLimit");
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "failed" });
  const events = await agent.events(OWNER, uuid);
  assert.deepEqual(events.at(-1), { kind: "tool_write", round: 1, payload: { writeTargetTable: "pages", writeTargetUid: 12 } });
});

test("a run whose state cannot be read is failed, the others are carried on", async (t) => {
  const { db, agent, uuid } = await crashed(t, { point: "step.saved" });
  await sql`insert into agent_run select 'broken', version, status, owner, '{', result, resumes, recoveries, 0, claim_id, lease_expires, created_at, updated_at, logged, reason, stop_asked from agent_run`.execute(
    db,
  );
  assert.equal(await agent.recover(), 1);
  await settled(agent, uuid);
  assert.equal((await agent.result(OWNER, "broken")).error.name, "StateUnreadable");
});

test("one abandoned run that takes long does not keep the others waiting, and no more than eight are carried on at once", async (t) => {
  const { db } = await site(t);
  const total = 20;
  let asked = 0;
  let allAsked = () => {};
  const begun = new Promise((resolve) => {
    allAsked = () => resolve(undefined);
  });
  const hangs = ({ abortSignal }) =>
    new Promise((_, reject) => {
      abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
      if ((asked += 1) === total) allAsked();
    });
  const first = await runtime(t, { db, model: script(hangs) });
  const running = Array.from({ length: total }, () => first.run(request(), noStep));
  await begun;
  await first.close();
  await Promise.all(running);

  let [started, answered, atWork, most] = [0, 0, 0, 0];
  let release = () => {};
  const othersDone = new Promise((resolve) => {
    release = () => resolve(undefined);
  });
  const oneSlow = async () => {
    most = Math.max(most, (atWork += 1));
    if ((started += 1) === 1) await othersDone;
    else await new Promise((resolve) => setTimeout(resolve, 5));
    atWork -= 1;
    if ((answered += 1) === total - 1) release();
    return answer("done");
  };
  const next = await runtime(t, { db, model: script(oneSlow) });
  assert.equal(await next.recover(), total);
  assert.ok(most > 1 && most <= 8, `${most} at once`);
});
