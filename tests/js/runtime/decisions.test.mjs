// @ts-nocheck: these tests hand in what the types forbid, and look at results without narrowing them first
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { temporaryFolder } from "../host/real-host.js";
import { planner } from "./child.mjs";
import { ADMIN, answer, approval, kinds, noStep, OWNER, page, refusedFor, request, runtime, script, site, toolResults } from "./support.mjs";

const rename = ["rename_page", { uid: 12, title: "About us" }, "call_1"];
const telling = ({ prompt }) => answer(JSON.stringify(toolResults(prompt)));
const SECOND = { uid: 9, isAdmin: false, groups: [] };

async function paused(t, options = {}) {
  const { db, file } = await site(t);
  const agent = await runtime(t, { db, model: script(options.first ?? answer("", rename), telling, telling), mayRead: () => true, ...options });
  const asked = request();
  const result = await agent.run(asked, noStep);
  return { db, file, agent, uuid: asked.runUuid, result };
}

test("four eyes: who started the run may decline but not approve, administrators included; a second person may", async (t) => {
  const { agent, uuid, result, db } = await paused(t, { configurationState: () => ({ secondPerson: true }) });
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("selfApprovalDenied"));
  await assert.rejects(agent.approve({ ...OWNER, uid: "7", isAdmin: true }, uuid, approval(result), noStep), refusedFor("selfApprovalDenied"));
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
  const events = await agent.events(OWNER, uuid);
  assert.ok(!events.some(({ kind }) => kind === "approval"), "refused decisions leave no event");
  assert.equal((await agent.approve(SECOND, uuid, approval(result, { decidedBy: 9 }), noStep)).outcome, "completed");
  assert.equal((await page(db, 12)).writes, 1);
  const own = await paused(t, { configurationState: async () => ({ secondPerson: true }) });
  assert.equal((await own.agent.approve(OWNER, own.uuid, approval(own.result, { approved: false }), noStep)).outcome, "completed");
});

test("a configuration that is off, gone, or cannot be asked about: every decision waits", async (t) => {
  let state = { active: false };
  const asking = answer("", ["ask_choice", { question: "Where?", options: ["Home"] }]);
  for (const first of [answer("", rename), asking]) {
    const { agent, uuid, result } = await paused(t, {
      first,
      configurationState: () => {
        if (state instanceof Error) throw state;
        return state;
      },
    });
    const input = { data: { choice: "Home" }, submittedBy: 7, turnDigest: result.suspendedState.turnDigest };
    const decide = (approved) =>
      first === asking ? agent.submitInput(OWNER, uuid, input, noStep) : agent.approve(OWNER, uuid, approval(result, { approved }), noStep);
    for (state of [{ active: false }, null, new Error("down")]) {
      await assert.rejects(decide(true), refusedFor("configurationInactive"));
      await assert.rejects(decide(false), refusedFor("configurationInactive"));
    }
    state = {};
    assert.equal((await decide(true)).outcome, "completed");
  }
});

test("a guided process is decided by who started it, one change at a time", async (t) => {
  const two = answer("", rename, ["rename_page", { uid: 13, title: "Write to us" }], ["read_page", { uid: 12 }]);
  const { agent, uuid, result, db } = await paused(t, { first: two, isProcess: () => true });
  const view = await agent.waitingView(OWNER, uuid);
  assert.equal(view.pendingCalls.length, 1);
  for (const actor of [ADMIN, SECOND]) {
    for (const approved of [true, false])
      await assert.rejects(agent.approve(actor, uuid, approval(result, { approved }), noStep), refusedFor("onlyInitiatorMayDecide"));
  }
  const end = await agent.approve(OWNER, uuid, approval(result), noStep);
  assert.match(JSON.parse(end.loopResult.finalContent)[1].value, /one change at a time/);
  assert.deepEqual([(await page(db, 12)).writes, (await page(db, 13)).writes], [1, 0]);
});

test("a process whose configuration wants a second person is stopped, for approval, denial and answer", async (t) => {
  const asking = answer("", ["ask_choice", { question: "Where?", options: ["Home"] }]);
  for (const [first, approved] of [
    [answer("", rename), true],
    [answer("", rename), false],
    [asking, undefined],
  ]) {
    const { agent, uuid, result, db } = await paused(t, { first, isProcess: () => true, configurationState: () => ({ secondPerson: true }) });
    const input = { data: { choice: "Home" }, submittedBy: 7, turnDigest: result.suspendedState.turnDigest };
    const decision =
      approved === undefined ? agent.submitInput(OWNER, uuid, input, noStep) : agent.approve(OWNER, uuid, approval(result, { approved }), noStep);
    await assert.rejects(decision, refusedFor("secondApproverRequired"));
    assert.deepEqual(await agent.status(OWNER, uuid), { status: "failed" });
    const { rows } = await sql`select reason from agent_run`.execute(db);
    assert.equal(rows[0].reason, "approval_denied");
    assert.equal((await page(db, 12)).writes, 0);
  }
});

test("nobody can tell whether it is a process: others wait, the one who started it goes on, nothing is stopped", async (t) => {
  const broken = () => {
    throw new Error("no answer");
  };
  const { agent, uuid, result } = await paused(t, { isProcess: broken });
  await assert.rejects(agent.approve(SECOND, uuid, approval(result), noStep), refusedFor("processVerdictUnreadable"));
  assert.equal((await agent.approve(OWNER, uuid, approval(result), noStep)).outcome, "completed");
  const strict = await paused(t, { isProcess: () => null, configurationState: () => ({ secondPerson: true }) });
  await assert.rejects(strict.agent.approve(OWNER, strict.uuid, approval(strict.result), noStep), refusedFor("processVerdictUnreadable"));
  assert.deepEqual(await strict.agent.status(OWNER, strict.uuid), { status: "waiting_for_approval" });
});

const forgeries = {
  "the arguments": (uuid) => sql`update agent_run_log set body = replace(body, 'About us', 'Hacked') where run_uuid = ${uuid} and kind = 'turn'`,
  "what the card says": (uuid) => sql`update agent_run set state = replace(state, 'About us', 'Hacked') where uuid = ${uuid}`,
  "who it belongs to": (uuid) => sql`update agent_run set owner = '9' where uuid = ${uuid}`,
  "whose rights it has": (uuid) =>
    sql`update agent_run_log set body = replace(body, '"isAdmin":false', '"isAdmin":true') where run_uuid = ${uuid} and kind = 'request'`,
  "that it needs approval": (uuid) =>
    sql`update agent_run_log set body = replace(body, '"mode":"approve"', '"mode":"run"') where run_uuid = ${uuid} and kind = 'turn'`,
};
for (const [what, forge] of Object.entries(forgeries)) {
  test(`changed in the database: ${what}; the card is unreadable, decisions are stale, nothing runs`, async (t) => {
    const { db, agent, uuid, result } = await paused(t, { secret: "s3cret" });
    await forge(uuid).execute(db);
    const view = await agent.waitingView(ADMIN, uuid);
    assert.deepEqual([view.mode, view.turnDigest], ["unreadable", null]);
    for (const approved of [true, false]) await assert.rejects(agent.approve(ADMIN, uuid, approval(result, { approved }), noStep), refusedFor("staleTurn"));
    assert.deepEqual(await agent.status(ADMIN, uuid), { status: "waiting_for_approval" });
    assert.equal((await page(db, 12)).writes, 0);
  });
}

test("an approval that nobody gave, written into the database, is not carried out", async (t) => {
  const { db, agent, uuid, result } = await paused(t, { secret: "s3cret" });
  const head = JSON.parse((await sql`select state from agent_run`.execute(db)).rows[0].state);
  // Whoever sees the card knows the digest.
  head.turn = { ...head.turn, approved: { callIds: head.turn.pause.callIds, digest: result.suspendedState.turnDigest }, pause: null };
  await sql`update agent_run set state = ${JSON.stringify(head)}, status = 'running', lease_expires = 0`.execute(db);
  await agent.recover();
  assert.equal((await agent.result(OWNER, uuid)).error.name, "StateForged");
  assert.equal((await page(db, 12)).writes, 0);
});

test("a decision is used once: its digest and its approval are worth nothing afterwards", async (t) => {
  const { db, agent, uuid, result } = await paused(t, { first: answer("", rename), secret: "s3cret" });
  await agent.approve(OWNER, uuid, approval(result), noStep);
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("notAwaiting"));
  const other = request();
  const again = await runtime(t, { db, model: script(answer("", rename), telling), secret: "s3cret" });
  await again.run(other, noStep);
  const elsewhere = await sql`select state from agent_run where uuid = ${other.runUuid}`.execute(db);
  assert.ok(!elsewhere.rows[0].state.includes(result.suspendedState.turnDigest), "a digest is stored nowhere before somebody approves");
});

test("a decision that cannot be recorded is refused as notAuditable and can be taken again", async (t) => {
  const { db, file, agent, uuid, result } = await paused(t);
  await sql
    .raw("create trigger no_audit before insert on agent_run_event when new.kind = 'approval' begin select raise(abort, 'audit is full'); end")
    .execute(db);
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("notAuditable"));
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
  assert.equal((await page(db, 12)).writes, 0);
  await sql.raw("drop trigger no_audit").execute(db);
  const end = await agent.approve(OWNER, uuid, approval(result), noStep);
  assert.equal(end.outcome, "completed");
  assert.deepEqual(kinds(await agent.events(OWNER, uuid)), ["llm", "approval", "tool", "tool_write", "llm"], file);
});

test("two processes approve while the write is under way: one executes, the other is alreadyResuming", async (t) => {
  const { db, file } = await site(t);
  const folder = temporaryFolder(t);
  const call = ["rename_page", { uid: 12, title: "About us" }];
  const agent = await runtime(t, { db, model: planner(call) });
  const asked = request();
  const result = await agent.run(asked, noStep);
  const gate = join(folder, "gate");
  const order = { file, action: "approve", uuid: asked.runUuid, call, turnDigest: result.suspendedState.turnDigest, gate };
  const script = new URL("./child.mjs", import.meta.url).pathname;
  const start = () => spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ["ignore", "pipe", "inherit"] });
  const [first, second] = [start(), start()];
  t.after(() => [first, second].map((child) => child.kill("SIGKILL")));
  const told = (child) => once(child.stdout.setEncoding("utf8"), "data").then(([text]) => ({ child, ...JSON.parse(text) }));
  const outcomes = [told(first), told(second)];
  // Whoever won stands in its write until the other has been told.
  const refused = await Promise.race(outcomes);
  assert.equal(refused.refused, "alreadyResuming");
  assert.equal(existsSync(gate), false);
  writeFileSync(gate, "");
  const both = await Promise.all(outcomes);
  assert.deepEqual(both.map(({ outcome, refused }) => outcome ?? refused).sort(), ["alreadyResuming", "completed"]);
  assert.equal((await page(db, 12)).writes, 1);
});

test("progress of a tool is an event beside its result; nonsense is none", async (t) => {
  const { db } = await site(t);
  const slow = {
    name: "slow",
    description: "",
    inputSchema: { type: "object" },
    effect: "read",
    execute: (_input, { progress }) => {
      for (const args of [
        [1, 3],
        [2, 3],
        [-1, 3],
        [5, 3],
        ["x", 3],
        [1.5, 2],
      ])
        progress(...args);
      return "done";
    },
  };
  const agent = await runtime(t, { db, model: script(answer("", ["slow", {}]), telling), tools: [slow] });
  const asked = request();
  await agent.run(asked, noStep);
  const events = (await agent.events(OWNER, asked.runUuid)).filter(({ kind }) => kind === "progress");
  assert.deepEqual(events, [{ kind: "progress", round: 1, payload: { done: 2, total: 3 } }]);
});

test("open runs of a database of the first version are moved over, with their card", async (t) => {
  const { db, agent, uuid, result } = await paused(t);
  const [{ state }] = (await sql`select state from agent_run`.execute(db)).rows;
  const log = (await sql`select kind, body from agent_run_log order by sequence`.execute(db)).rows.map(({ kind, body }) => ({ kind, body: JSON.parse(body) }));
  const of = (kind) => log.filter((line) => line.kind === kind).map(({ body }) => body);
  const { turn, round, segmentRounds } = JSON.parse(state);
  const old = {
    messages: of("message"),
    round,
    segmentRounds,
    steps: of("step"),
    turn: { ...of("turn")[0], results: {}, approved: turn.approved, pause: turn.pause },
  };
  await sql`alter table agent_run add column request text not null default ''`.execute(db);
  await sql`update agent_run set request = ${JSON.stringify(of("request")[0])}, state = ${JSON.stringify(old)}`.execute(db);
  for (const statement of [
    "alter table agent_run drop column logged",
    "drop index agent_run_age",
    "alter table agent_run drop column reason",
    "drop table agent_run_log",
    "drop table agent_usage",
    "alter table agent_run drop column stop_asked",
    "delete from agent_runtime_migration where name <> '001_runs'",
  ])
    await sql.raw(statement).execute(db);
  await agent.migrate();
  await agent.migrate();
  assert.equal((await agent.waitingView(OWNER, uuid)).turnDigest, result.suspendedState.turnDigest);
  assert.equal((await agent.approve(OWNER, uuid, approval(result), noStep)).outcome, "completed");
  assert.equal((await page(db, 12)).writes, 1);
});

test("reap: what nobody carries on is failed with what it wrote, what nobody decides is withdrawn; the living are left alone", async (t) => {
  let now = Date.now();
  const { db, agent, uuid } = await paused(t, { now: () => now });
  await sql`insert into agent_run select 'gone', version, 'running', owner, state, null, 1, 0, 0, 'dead', 0, created_at, updated_at, logged, reason, stop_asked from agent_run`.execute(
    db,
  );
  await sql`insert into agent_run_log select 'gone', sequence, kind, body from agent_run_log`.execute(db);
  const head = JSON.parse((await sql`select state from agent_run where uuid = 'gone'`.execute(db)).rows[0].state);
  head.turn = { ...head.turn, approved: { callIds: head.turn.pause.callIds, digest: "" }, pause: null };
  await sql`update agent_run set state = ${JSON.stringify(head)} where uuid = 'gone'`.execute(db);
  const done = JSON.stringify({ text: "done", isError: false, writes: [{ table: "pages", uid: 12 }], named: true });
  await sql`insert into agent_effect values ('gone', 'call_1', 'rename_page', 'done', ${done}, 0, 0)`.execute(db);
  assert.deepEqual(await agent.reap({ abandonedSeconds: 60, waitingSeconds: 60 }), { failed: 0, withdrawn: 0 }, "all is fresh");
  now += 61_000;
  assert.deepEqual(await agent.reap({ abandonedSeconds: 60, waitingSeconds: 60 }), { failed: 1, withdrawn: 1 });
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "cancelled" });
  assert.equal((await agent.result(OWNER, "gone")).error.name, "Abandoned");
  assert.deepEqual(kinds(await agent.events(OWNER, "gone")), ["tool", "tool_write"]);
  assert.deepEqual((await sql`select count(*) as lines from agent_run_log`.execute(db)).rows, [{ lines: 0 }]);
  await assert.rejects(agent.reap({ abandonedSeconds: -1 }), { code: "invalidArgument" });
});

test("purge: settled runs go with all that belongs to them, open ones and what was spent stay", async (t) => {
  let now = Date.now();
  const { db, agent, uuid } = await paused(t, { now: () => now });
  const settled = request();
  await (await runtime(t, { db, model: script(answer("", ["touch_page", { uid: 12, title: "A" }]), answer("ok")), now: () => now })).run(settled, noStep);
  assert.deepEqual(await agent.purge({ settledSeconds: 60 }), { runs: 0, usage: 0 });
  now += 61_000;
  assert.deepEqual(await agent.purge({ settledSeconds: 60 }), { runs: 1, usage: 0 });
  assert.equal(await agent.status(OWNER, settled.runUuid), null);
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
  for (const table of ["agent_run_event", "agent_effect", "agent_run_log"]) {
    const { rows } = await sql`select count(*) as rest from ${sql.table(table)} where run_uuid = ${settled.runUuid}`.execute(db);
    assert.deepEqual(rows, [{ rest: 0 }], table);
  }
  assert.equal((await agent.usage())[0].calls, 3);
  assert.deepEqual(await agent.purge({ settledSeconds: 60, usageSeconds: 60 }), { runs: 0, usage: 3 });
  await assert.rejects(agent.purge({}), { code: "invalidArgument" });
});

test("usage is booked on whoever started the run, continuations too", async (t) => {
  const { db } = await site(t);
  const price = (configuration, { promptTokens, completionTokens }) =>
    configuration.name === "default" ? promptTokens * 0.01 + completionTokens * 0.1 : Number.NaN;
  const agent = await runtime(t, { db, model: script(answer("", rename), telling), price });
  const asked = request();
  const result = await agent.run(asked, noStep);
  await agent.approve(ADMIN, asked.runUuid, approval(result), noStep);
  const long = { callerSource: { extension: "e".repeat(100), operation: "chatTurn" } };
  await agent.run(request({ options: long, configuration: { uid: 2, name: "other", systemPrompt: "" } }), noStep);
  const [dear, free] = await agent.usage();
  assert.deepEqual([dear.extension, dear.operation, dear.runs, dear.calls, dear.promptTokens, dear.completionTokens], ["test", "chatTurn", 1, 2, 6, 4]);
  assert.equal(dear.cost, 0.46);
  assert.deepEqual([free.extension.length, free.configuration, free.cost], [64, "other", 0]);
  assert.deepEqual(await agent.usage({ until: 1 }), []);
});
