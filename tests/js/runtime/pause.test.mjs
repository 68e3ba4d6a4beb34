// @ts-nocheck: these tests hand in what the types forbid, and look at results without narrowing them first
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { ADMIN, answer, approval, kinds, noStep, OWNER, page, refusedFor, request, runtime, STRANGER, script, site, toolResults, tools } from "./support.mjs";

const rename = ["rename_page", { uid: 12, title: "About us" }, "call_1"];
const telling = ({ prompt }) => answer(JSON.stringify(toolResults(prompt)));

/**
 * A run that waits for the approval of one rename.
 * @param {import("node:test").TestContext} t
 * @param {any} [options]
 */
async function paused(t, options = {}) {
  const { db, file } = await site(t);
  const model = script(answer("I propose this.", rename), ...(options.then ?? [telling]));
  const agent = await runtime(t, { db, model, ...options });
  const asked = request();
  const result = await agent.run(asked, noStep);
  assert.equal(result.outcome, "awaiting_approval");
  return { db, file, model, agent, uuid: asked.runUuid, result };
}

test("approve: the card, the execution under the owner, the events", async (t) => {
  const seen = [];
  const { db, agent, uuid, result } = await paused(t, { hooks: { beforeWrite: (_input, context) => seen.push(context) } });
  assert.equal((await page(db, 12)).writes, 0);
  assert.deepEqual(kinds(result.steps), ["llm"]);
  assert.equal(result.steps[1].content, "I propose this.");
  assert.match(result.suspendedState.turnDigest, /^[0-9a-f]{64}$/);
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
  assert.deepEqual(await agent.result(OWNER, uuid), result);
  assert.deepEqual(await agent.waitingView(OWNER, uuid), {
    runUuid: uuid,
    mode: "approval",
    turnDigest: result.suspendedState.turnDigest,
    pendingCalls: [
      {
        name: "rename_page",
        arguments: { uid: 12, title: "About us" },
        label: "Rename page 12",
        previewLines: ["Title: Team → About us"],
        previewFailed: false,
        previewStale: false,
        declaresWrite: true,
        target: { table: "pages", uid: 12, title: "Team" },
      },
    ],
    unreadableReason: null,
  });
  const steps = [];
  const end = await agent.approve(ADMIN, uuid, approval(result, { decidedBy: 1 }), (step) => steps.push(step));
  assert.equal(end.outcome, "completed");
  assert.deepEqual(JSON.parse(end.loopResult.finalContent), [{ type: "text", value: '{"renamed":"About us"}' }]);
  assert.deepEqual(kinds(steps), ["tool", "tool_write", "llm"]);
  assert.deepEqual(end.steps, steps, "the steps of this segment only");
  assert.deepEqual(await page(db, 12), { uid: 12, title: "About us", writes: 1 });
  assert.deepEqual(seen[0].actor, OWNER, "tools run as the owner, not as the approver");
  const events = (await agent.events(OWNER, uuid)).filter(({ kind }) => kind !== "request");
  assert.deepEqual(kinds(events), ["llm", "approval", "tool", "tool_write", "llm"]);
  assert.deepEqual(events[1].payload, { approved: true, decidedBy: 1 });
  assert.ok(!JSON.stringify(events).includes("About us"));
  assert.equal(await agent.waitingView(OWNER, uuid), null);
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("notAwaiting"));
});

for (const [denyReason, by, pattern] of [
  [undefined, 7, /^approval_denied \(decided_by: run_owner\).*declined/],
  ["variant", "7", /run_owner.*another version/],
  ["skip", 1, /other_user.*Leave it/],
]) {
  test(`deny (${denyReason ?? "no reason"}): nothing runs, the model answers`, async (t) => {
    const { db, agent, uuid, result } = await paused(t);
    const end = await agent.approve(OWNER, uuid, approval(result, { approved: false, decidedBy: by, denyReason }), noStep);
    assert.equal(end.outcome, "completed");
    const [told] = JSON.parse(end.loopResult.finalContent);
    assert.equal(told.type, "error-text");
    assert.match(told.value, pattern);
    assert.equal((await page(db, 12)).writes, 0);
    const events = (await agent.events(OWNER, uuid)).filter(({ kind }) => kind !== "request");
    assert.deepEqual(kinds(events), ["llm", "approval", "tool", "llm"]);
    assert.equal(events[1].payload.approved, false);
    assert.equal(events[2].payload.toolIsError, true);
  });
}

test("a variant that repeats id and arguments of the declined call is another card", async (t) => {
  const { agent, uuid, result } = await paused(t, { then: [answer("Again", rename), telling] });
  const again = await agent.approve(OWNER, uuid, approval(result, { approved: false, denyReason: "variant" }), noStep);
  assert.equal(again.outcome, "awaiting_approval");
  assert.notEqual(again.suspendedState.turnDigest, result.suspendedState.turnDigest);
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("staleTurn"));
  assert.equal((await agent.approve(OWNER, uuid, approval(again), noStep)).outcome, "completed");
});

test("one decision covers all calls of a turn; reads of it run before", async (t) => {
  const { db } = await site(t);
  const model = script(
    answer("", ["rename_page", { uid: 12, title: "A" }], ["read_page", { uid: 13 }], ["touch_page", { uid: 13, title: "B" }], ["rename_page", { uid: "x" }]),
    telling,
  );
  const agent = await runtime(t, { db, model });
  const asked = request();
  const waiting = await agent.run(asked, noStep);
  assert.deepEqual(
    waiting.steps.filter(({ kind }) => kind === "tool").map(({ toolName, toolIsError }) => [toolName, toolIsError]),
    [
      ["rename_page", true],
      ["read_page", false],
    ],
  );
  const view = await agent.waitingView(OWNER, asked.runUuid);
  assert.deepEqual(
    view.pendingCalls.map(({ name }) => name),
    ["rename_page", "touch_page"],
  );
  assert.equal((await page(db, 13)).writes, 0, "a write that needs no approval waits with the others");
  const end = await agent.approve(OWNER, asked.runUuid, approval(waiting), noStep);
  assert.deepEqual(
    JSON.parse(end.loopResult.finalContent).map(({ type, value }) => (type === "text" ? value : type)),
    ['{"renamed":"A"}', "Contact", '{"renamed":"B"}', "error-text"],
  );
  assert.deepEqual([(await page(db, 12)).title, (await page(db, 13)).title], ["A", "B"]);
});

test("a wrong or missing digest gives the run back, untouched", async (t) => {
  const { agent, uuid, result, db } = await paused(t);
  const before = await agent.events(OWNER, uuid);
  for (const turnDigest of ["0".repeat(64), "", null, undefined, 5]) {
    await assert.rejects(agent.approve(OWNER, uuid, { approved: true, decidedBy: 7, turnDigest }, noStep), refusedFor("staleTurn"));
    await assert.rejects(agent.approve(OWNER, uuid, { approved: false, decidedBy: 7, turnDigest }, noStep), refusedFor("staleTurn"));
  }
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
  assert.deepEqual(await agent.result(OWNER, uuid), result);
  assert.deepEqual(await agent.events(OWNER, uuid), before, "refused decisions leave no event");
  assert.equal((await page(db, 12)).writes, 0);
  assert.equal((await agent.approve(OWNER, uuid, approval(result), noStep)).outcome, "completed");
});

test("decisions without a clear yes or no are refused as arguments", async (t) => {
  const { agent, uuid, result } = await paused(t);
  for (const decision of [null, {}, approval(result, { approved: "false" }), approval(result, { approved: 1 })]) {
    await assert.rejects(agent.approve(OWNER, uuid, decision, noStep), { code: "invalidArgument" });
  }
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
});

test("two decisions at once from two runtimes: one carries out, the other is told so", async (t) => {
  const { db, agent, model, uuid, result } = await paused(t);
  const other = await runtime(t, { db, model });
  /** @type {(value?: unknown) => void} */
  let toldSo = () => {};
  const told = new Promise((resolve) => {
    toldSo = resolve;
  });
  // The one that carries out is still at it when the other one looks, however slow the database is.
  const generate = model.doGenerate.bind(model);
  model.doGenerate = async (call) => {
    await told;
    return generate(call);
  };
  const decided = [agent, other].map((either) => either.approve(OWNER, uuid, approval(result), noStep));
  for (const decision of decided) decision.catch(toldSo);
  const outcomes = await Promise.allSettled(decided);
  const refused = outcomes.filter(({ status }) => status === "rejected");
  assert.equal(refused.length, 1);
  assert.equal(refused[0].reason.reason, "alreadyResuming");
  assert.equal((await page(db, 12)).writes, 1);
});

test("a store that fails before the claim hands the decision back; after it, the run is left to recover()", async (t) => {
  const { db, agent, uuid, result } = await paused(t);
  await sql`alter table agent_run rename to away`.execute(db);
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("notAwaiting"));
  await sql`alter table away rename to agent_run`.execute(db);
  await sql`create trigger broken before update on agent_run begin select raise(abort, 'disk full'); end`.execute(db);
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("alreadyResuming"));
  await sql`drop trigger broken`.execute(db);
  await sql`create trigger broken before insert on agent_effect begin select raise(abort, 'disk full'); end`.execute(db);
  const lost = await agent.approve(OWNER, uuid, approval(result), noStep);
  assert.equal(lost.outcome, "lease_lost");
  assert.equal(lost.error.name, "StoreFault");
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "running", leaseExpired: true });
  await sql`drop trigger broken`.execute(db);
  assert.equal(await agent.recover(), 1);
  assert.equal((await agent.result(OWNER, uuid)).outcome, "completed");
  assert.equal((await page(db, 12)).writes, 1);
});

test("a decision while another one is carried out is alreadyResuming; on a first segment nothing waits", async (t) => {
  const { agent, uuid, result, model } = await paused(t, {
    then: [
      async () => {
        await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("alreadyResuming"));
        assert.deepEqual(await agent.cancelIfWaiting(OWNER, uuid), { cancelled: false, status: "running" });
        assert.equal(await agent.result(OWNER, uuid), null);
        return answer("checked");
      },
    ],
  });
  assert.equal((await agent.approve(OWNER, uuid, approval(result), noStep)).loopResult.finalContent, "checked");
  assert.equal(model.doGenerateCalls.length, 2);

  const first = await site(t);
  const asked = request();
  const busy = await runtime(t, {
    db: first.db,
    model: script(async () => {
      await assert.rejects(busy.approve(OWNER, asked.runUuid, approval(result), noStep), refusedFor("notAwaiting"));
      return answer("checked");
    }),
  });
  assert.equal((await busy.run(asked, noStep)).loopResult.finalContent, "checked");
});

test("a preview that moved on: nothing runs, same digest, stale card; the next approval counts (O7)", async (t) => {
  const { db, agent, uuid, result } = await paused(t);
  await sql`update page set title = 'Our team' where uid = 12`.execute(db);
  const bounced = await agent.approve(OWNER, uuid, approval(result), noStep);
  assert.equal(bounced.outcome, "awaiting_approval");
  assert.equal(bounced.suspendedState.turnDigest, result.suspendedState.turnDigest);
  assert.equal((await page(db, 12)).title, "Our team");
  const [call] = (await agent.waitingView(OWNER, uuid)).pendingCalls;
  assert.deepEqual([call.previewLines, call.previewStale], [["Title: Our team → About us"], true]);
  assert.ok(!kinds(await agent.events(OWNER, uuid)).includes("approval"), "a bounced approval is no decision");
  assert.equal((await agent.approve(OWNER, uuid, approval(result), noStep)).outcome, "completed");
  assert.equal((await page(db, 12)).title, "About us");
});

test("a preview that moved on beyond what the card shows counts; denying needs no fresh preview", async (t) => {
  let tail = "before";
  const { db } = await site(t);
  const long = tools(db).map((tool) =>
    tool.name === "rename_page" ? { ...tool, preview: () => ({ lines: [...Array(30).keys()].map((line) => `${line} ${"x".repeat(600)} ${tail}`) }) } : tool,
  );
  const agent = await runtime(t, { db, model: script(answer("", rename), telling), tools: long });
  const asked = request();
  const result = await agent.run(asked, noStep);
  const [call] = (await agent.waitingView(OWNER, asked.runUuid)).pendingCalls;
  assert.equal(call.previewLines.length, 21);
  assert.ok(call.previewLines.every((line) => line.length <= 501));
  tail = "after";
  assert.equal((await agent.approve(OWNER, asked.runUuid, approval(result), noStep)).outcome, "awaiting_approval");
  tail = "after again";
  assert.equal((await agent.approve(OWNER, asked.runUuid, approval(result, { approved: false }), noStep)).outcome, "completed");
});

test("a preview that throws is said on the card and binds nothing", async (t) => {
  const { db } = await site(t);
  const broken = tools(db).map((tool) =>
    tool.name === "rename_page"
      ? {
          ...tool,
          preview: () => {
            throw new Error("no access");
          },
          label: () => {
            throw new Error("no label");
          },
        }
      : tool,
  );
  const agent = await runtime(t, { db, model: script(answer("", rename), telling), tools: broken });
  const asked = request();
  const result = await agent.run(asked, noStep);
  const [call] = (await agent.waitingView(OWNER, asked.runUuid)).pendingCalls;
  assert.deepEqual([call.previewFailed, call.previewLines, call.label], [true, [], undefined]);
  assert.equal((await agent.approve(OWNER, asked.runUuid, approval(result), noStep)).outcome, "completed");
  assert.equal((await page(db, 12)).writes, 1);
});

test("an approved call whose tool is gone, or closed to the owner by now, is not carried out", async (t) => {
  let open = true;
  const { db } = await site(t);
  const closing = tools(db).map((tool) => (tool.name === "rename_page" ? { ...tool, allowed: (actor) => open || actor.isAdmin } : tool));
  const agent = await runtime(t, { db, model: script(answer("", rename), telling), tools: closing });
  const asked = request();
  const result = await agent.run(asked, noStep);
  open = false;
  await assert.rejects(agent.approve(OWNER, asked.runUuid, approval(result), noStep), refusedFor("notPermitted"), "nobody approves what is closed to them");
  const bounced = await agent.approve(ADMIN, asked.runUuid, approval(result), noStep);
  assert.equal(bounced.outcome, "awaiting_approval", "its preview is gone");
  const end = await agent.approve(ADMIN, asked.runUuid, approval(result), noStep);
  assert.match(end.loopResult.finalContent, /not available to the user/);
  assert.equal((await page(db, 12)).writes, 0);
});

test("who may decide: owner, administrators, mayRead; a tool's mayApprove has the say over approvals", async (t) => {
  const first = await paused(t);
  await assert.rejects(first.agent.approve(STRANGER, first.uuid, approval(first.result), noStep), refusedFor("notPermitted"));
  assert.deepEqual(await first.agent.status(OWNER, first.uuid), { status: "waiting_for_approval" });
  assert.equal((await first.agent.approve({ ...OWNER, uid: "7" }, first.uuid, approval(first.result), noStep)).outcome, "completed", "uids are text (C8)");

  const { db } = await site(t);
  const guarded = tools(db).map((tool) => (tool.name === "rename_page" ? { ...tool, mayApprove: (actor, { uid }) => actor.uid === 8 && uid === 12 } : tool));
  const agent = await runtime(t, { db, model: script(answer("", rename), answer("", rename), telling), tools: guarded });
  const asked = request();
  const result = await agent.run(asked, noStep);
  await assert.rejects(agent.approve(OWNER, asked.runUuid, approval(result), noStep), refusedFor("notPermitted"));
  await assert.rejects(agent.approve(ADMIN, asked.runUuid, approval(result), noStep), refusedFor("notPermitted"));
  const again = await agent.approve(OWNER, asked.runUuid, approval(result, { approved: false }), noStep);
  assert.equal(again.outcome, "awaiting_approval", "the owner may still decline");
  assert.equal((await agent.approve(STRANGER, asked.runUuid, approval(again, { decidedBy: 8 }), noStep)).outcome, "completed");
});

test("an expired card is stale, for both answers, and stays", async (t) => {
  let now = 1_000_000;
  const { agent, uuid, result } = await paused(t, { now: () => now, approvalTtlSeconds: 60 });
  assert.equal((await agent.waitingView(OWNER, uuid)).expiresAt, 1060);
  now += 60_001;
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("staleTurn"));
  await assert.rejects(agent.approve(OWNER, uuid, approval(result, { approved: false }), noStep), refusedFor("staleTurn"));
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
});

const question = ["ask_choice", { question: "Where?", options: ["Home", "News"] }, "q1"];

test("a question: schema, answer, refusals", async (t) => {
  const { db } = await site(t);
  const agent = await runtime(t, { db, model: script(answer("", question), telling) });
  const asked = request();
  const waiting = await agent.run(asked, noStep);
  const schema = { type: "object", title: "Where?", properties: { choice: { enum: ["Home", "News"] } }, required: ["choice"] };
  assert.equal(waiting.outcome, "awaiting_input");
  assert.deepEqual(waiting.suspendedState.inputSchema, schema);
  const { turnDigest } = waiting.suspendedState;
  const view = await agent.waitingView(OWNER, asked.runUuid);
  assert.deepEqual([view.mode, view.turnDigest, view.inputSchema, view.pendingCalls[0].declaresWrite], ["input", turnDigest, schema, false]);
  assert.deepEqual(await agent.status(OWNER, asked.runUuid), { status: "waiting_for_input" });
  const give = (fields, actor = OWNER) => agent.submitInput(actor, asked.runUuid, { data: { choice: "News" }, submittedBy: 7, turnDigest, ...fields }, noStep);
  for (const data of [{ choice: "Nowhere" }, {}, null, [], "News"]) await assert.rejects(give({ data }), refusedFor("invalidInput"));
  await assert.rejects(give({ turnDigest: "0".repeat(64) }), refusedFor("staleTurn"));
  await assert.rejects(give({}, STRANGER), refusedFor("notPermitted"));
  await assert.rejects(agent.approve(OWNER, asked.runUuid, approval(waiting), noStep), refusedFor("notAwaiting"));
  await assert.rejects(agent.submitInput(OWNER, asked.runUuid, null, noStep), { code: "invalidArgument" });
  assert.deepEqual(await agent.result(OWNER, asked.runUuid), waiting);
  const end = await give({ data: { choice: "News", smuggled: true } });
  assert.deepEqual(JSON.parse(end.loopResult.finalContent), [{ type: "text", value: '{"choice":"News"}' }]);
  const events = (await agent.events(OWNER, asked.runUuid)).filter(({ kind }) => kind !== "request");
  assert.deepEqual(kinds(events), ["llm", "input", "tool", "llm"]);
  assert.deepEqual(events[1].payload, { submittedBy: 7 });
  await assert.rejects(give({}), refusedFor("notAwaiting"));
});

test("approval and question in one turn: the approval first, the question stays open", async (t) => {
  const { db } = await site(t);
  const agent = await runtime(t, { db, model: script(answer("", question, rename, ["ask_choice", { question: "When?", options: ["Now"] }]), telling) });
  const asked = request();
  const first = await agent.run(asked, noStep);
  assert.equal(first.outcome, "awaiting_approval");
  assert.deepEqual(
    (await agent.waitingView(OWNER, asked.runUuid)).pendingCalls.map(({ name }) => name),
    ["rename_page"],
  );
  const second = await agent.approve(OWNER, asked.runUuid, approval(first), noStep);
  assert.equal(second.outcome, "awaiting_input");
  assert.equal((await page(db, 12)).writes, 1);
  const give = (result, choice) =>
    agent.submitInput(OWNER, asked.runUuid, { data: { choice }, submittedBy: 7, turnDigest: result.suspendedState.turnDigest }, noStep);
  const third = await give(second, "Home");
  assert.equal(third.suspendedState.inputSchema.title, "When?");
  const end = await give(third, "Now");
  assert.deepEqual(
    JSON.parse(end.loopResult.finalContent).map(({ value }) => value),
    ['{"choice":"Home"}', '{"renamed":"About us"}', '{"choice":"Now"}'],
  );
  assert.equal((await page(db, 12)).writes, 1);
});

test("a question that cannot be put is an error for the model, not for the run", async (t) => {
  const { db } = await site(t);
  const broken = tools(db).map((tool) => (tool.name === "ask_choice" ? { ...tool, asks: () => ({ type: "nonsense" }) } : tool));
  const agent = await runtime(t, { db, model: script(answer("", question), telling), tools: broken });
  assert.match((await agent.run(request(), noStep)).loopResult.finalContent, /could not be asked/);
});

test("cancelIfWaiting: owner and administrators, from waiting only", async (t) => {
  const { agent, uuid, result } = await paused(t, { mayRead: () => true });
  assert.deepEqual(await agent.cancelIfWaiting(STRANGER, uuid), { cancelled: false, status: null });
  assert.deepEqual(await agent.cancelIfWaiting(OWNER, "unknown"), { cancelled: false, status: null });
  const outcomes = await Promise.all([agent.cancelIfWaiting(OWNER, uuid), agent.cancelIfWaiting(ADMIN, uuid)]);
  assert.deepEqual(outcomes.map(({ cancelled }) => cancelled).sort(), [false, true]);
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "cancelled" });
  assert.equal((await agent.result(OWNER, uuid)).outcome, "cancelled");
  assert.deepEqual(await agent.cancelIfWaiting(OWNER, uuid), { cancelled: false, status: "cancelled" });
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("notAwaiting"));
});

test("who sees a run: unknown and forbidden are one answer", async (t) => {
  const { agent, uuid, result } = await paused(t, { mayRead: (actor, owner) => owner === "7" && actor.uid === 9 });
  for (const actor of [STRANGER, { uid: undefined }, null]) {
    assert.deepEqual(
      [await agent.status(actor, uuid), await agent.result(actor, uuid), await agent.waitingView(actor, uuid), await agent.events(actor, uuid)],
      [null, null, null, []],
    );
  }
  assert.deepEqual([await agent.status(OWNER, "x"), await agent.events(OWNER, "x")], [null, []]);
  const reader = { uid: 9, isAdmin: false, groups: [] };
  assert.deepEqual(await agent.status(reader, uuid), { status: "waiting_for_approval" });
  assert.equal((await agent.waitingView(reader, uuid)).turnDigest, result.suspendedState.turnDigest);
});

test("a state nobody can read is unreadable, and a decision on it changes nothing", async (t) => {
  const { db, agent, uuid, result } = await paused(t);
  for (const state of ["{", "null", '{"messages":[],"steps":[],"turn":{}}']) {
    await sql`update agent_run set state = ${state} where uuid = ${uuid}`.execute(db);
    const view = await agent.waitingView(OWNER, uuid);
    assert.deepEqual([view.mode, view.unreadableReason, view.turnDigest], ["unreadable", "state-unreadable", null]);
    await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("notAwaiting"));
  }
  assert.deepEqual(await agent.status(OWNER, uuid), { status: "waiting_for_approval" });
});

test("arguments changed in the database are not what was approved", async (t) => {
  const { db, agent, uuid, result } = await paused(t, { secret: "s3cret" });
  await sql`update agent_run_log set body = replace(body, 'About us', 'Hacked') where run_uuid = ${uuid}`.execute(db);
  await assert.rejects(agent.approve(OWNER, uuid, approval(result), noStep), refusedFor("staleTurn"));
  assert.equal((await page(db, 12)).writes, 0);
});

test("a second round after the pause: the transcript carries every call with its result", async (t) => {
  const { agent, uuid, result, model } = await paused(t, { then: [answer("Checking", ["read_page", { uid: 12 }]), answer("All done")] });
  const end = await agent.approve(OWNER, uuid, approval(result), noStep);
  assert.equal(end.loopResult.finalContent, "All done");
  const { prompt } = model.doGenerateCalls[2];
  assert.deepEqual(
    prompt.map(({ role }) => role),
    ["system", "user", "assistant", "tool", "assistant", "tool"],
  );
  assert.deepEqual(
    toolResults(prompt).map(({ value }) => value),
    ['{"renamed":"About us"}', "About us"],
  );
  assert.deepEqual(
    end.steps.map(({ round }) => round),
    [1, 1, 2, 2, 2, 3, 3],
    "calls released by a decision keep the round that asked for them",
  );
});
