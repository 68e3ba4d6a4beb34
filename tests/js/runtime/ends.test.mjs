// @ts-nocheck: looks at results without narrowing them first
// Every end of a run: outcome, status and termination reason, and that nothing of the open run is left.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { ADMIN, answer, approval, noStep, OWNER, request, runtime, script, site, tools } from "./support.mjs";

const look = answer("Looking", ["read_page", { uid: 12 }]);
const change = answer("", ["rename_page", { uid: 12, title: "About us" }]);
const filtered = { ...answer("No."), finishReason: { unified: "content-filter", raw: undefined } };
const fails = () => Promise.reject(new Error("the provider is down"));
const blocks = (approvalRequired) => ({ before: () => ({ name: "rule", reason: "No.", approvalRequired }) });

/** The run is taken from a process that gives no sign of life any more. */
const abandon = (db, fields = sql`recoveries = 0`) => sql`update agent_run set status = 'running', claim_id = 'dead', lease_expires = 0, ${fields}`.execute(db);

const plainly = (agent, asked) => agent.run(asked, noStep);

/** @type {Record<string, { model: unknown, options?: object, asked?: object, end?: Function, expect: [outcome: string, status: string, reason: string] }>} */
const ENDS = {
  "an answer": { model: answer("Done."), expect: ["completed", "completed", "completed"] },
  "the last round": { model: look, options: { maxRounds: 1 }, expect: ["completed", "completed", "max_iterations"] },
  "a spent budget": { model: look, options: { budget: () => ({ tokens: 5 }) }, expect: ["completed", "completed", "budget_exhausted"] },
  "a spent budget without tools": {
    model: answer("never"),
    options: { budget: () => ({ tokens: 0 }) },
    asked: { allowedToolNames: [] },
    expect: ["failed", "failed", "provider_failed"],
  },
  "a transcript that never fits": { model: answer("never"), options: { contextTokens: 5 }, expect: ["completed", "completed", "context_truncated"] },
  "an answer the provider filtered": { model: filtered, expect: ["completed", "completed", "policy_denied"] },
  "a guardrail": { model: answer("never"), options: { guardrails: blocks(false) }, expect: ["guardrail_blocked", "failed", "policy_denied"] },
  "a guardrail that wants an approval": {
    model: answer("never"),
    options: { guardrails: blocks(true) },
    expect: ["guardrail_approval_required", "failed", "approval_denied"],
  },
  "a provider that fails": { model: fails, expect: ["failed", "failed", "provider_failed"] },
  "a denial, which the model answers": {
    model: change,
    end: async (agent, asked) => {
      const paused = await agent.run(asked, noStep);
      return agent.approve(OWNER, asked.runUuid, approval(paused, { approved: false }), noStep);
    },
    expect: ["completed", "completed", "completed"],
  },
  "a process that needs a second person": {
    model: change,
    options: { isProcess: () => true, configurationState: () => ({ secondPerson: true }) },
    end: async (agent, asked) => {
      const paused = await agent.run(asked, noStep);
      await assert.rejects(agent.approve(OWNER, asked.runUuid, approval(paused), noStep), { reason: "secondApproverRequired" });
      return agent.result(OWNER, asked.runUuid);
    },
    expect: ["failed", "failed", "approval_denied"],
  },
  "a withdrawal": {
    model: change,
    end: async (agent, asked) => {
      await agent.run(asked, noStep);
      await agent.cancelIfWaiting(OWNER, asked.runUuid);
      return agent.result(OWNER, asked.runUuid);
    },
    expect: ["cancelled", "cancelled", "cancelled"],
  },
  "too many recoveries": {
    model: change,
    end: async (agent, asked, db) => {
      await openTurn(agent, asked, db);
      await abandon(db, sql`recoveries = 3`);
      await agent.recover();
      return agent.result(OWNER, asked.runUuid);
    },
    expect: ["failed", "failed", "retries_exhausted"],
  },
  "a state that nobody can read": {
    model: change,
    end: async (agent, asked, db) => {
      await agent.run(asked, noStep);
      await abandon(db, sql`state = '{'`);
      await agent.recover();
      return agent.result(OWNER, asked.runUuid);
    },
    expect: ["failed", "failed", "not_retryable"],
  },
  "the reaper": {
    model: change,
    end: async (agent, asked, db) => {
      await openTurn(agent, asked, db);
      await abandon(db, sql`updated_at = 0`);
      assert.deepEqual(await agent.reap(), { failed: 1, withdrawn: 0 });
      return agent.result(OWNER, asked.runUuid);
    },
    expect: ["failed", "failed", "not_retryable"],
  },
};

/** A run whose process went while the model was asked: open, and not paused. */
async function openTurn(agent, asked, db) {
  await agent.run(asked, noStep);
  const { state } = await db.selectFrom("agent_run").select("state").executeTakeFirst();
  await sql`update agent_run set state = ${JSON.stringify({ ...JSON.parse(state), turn: null })}`.execute(db);
}

for (const [what, { model, options, asked: fields, end = plainly, expect }] of Object.entries(ENDS)) {
  test(`an end by ${what}: ${expect.join(", ")}`, async (t) => {
    const { db } = await site(t);
    const agent = await runtime(t, { db, model: script(model, answer("So be it.")), ...options });
    const asked = request(fields);
    const result = await end(agent, asked, db);
    const row = await db.selectFrom("agent_run").selectAll().executeTakeFirst();
    assert.deepEqual([result.outcome, row.status, row.reason], expect);
    assert.deepEqual(await agent.status(OWNER, asked.runUuid), { status: row.status });
    assert.deepEqual([row.state, row.claim_id, Number(row.lease_expires)], ["", "", 0], "no state, no claim, no lease");
    assert.deepEqual(await db.selectFrom("agent_run_log").selectAll().execute(), []);
    assert.equal(await agent.recover(), 0);
    assert.equal(await agent.cancel(ADMIN, asked.runUuid), false, "what has ended stays as it is");
  });
}

test("unavailable tools: closed ones with their reason, those that are left out, remote ones for administrators only", async (t) => {
  const { db } = await site(t);
  const [read, rename] = tools(db);
  const admins = { ...rename, name: "wipe_cache", allowed: ({ isAdmin }) => isAdmin, closedReason: "requiresAdmin" };
  const broken = {
    ...rename,
    name: "broken",
    allowed: () => {
      throw new Error("no answer");
    },
  };
  const remote = { ...read, name: "mcp_files_search", allowed: () => false, closedReason: "configurationGroup" };
  const agent = await runtime(t, { db, model: script(answer("")), tools: [read, rename, admins, broken], sources: [{ tools: () => [remote] }] });
  assert.deepEqual(await agent.unavailableTools(OWNER), [
    { name: "wipe_cache", reason: "requiresAdmin" },
    { name: "broken", reason: "notPermitted" },
  ]);
  assert.deepEqual(await agent.unavailableTools(ADMIN), [
    { name: "mcp_files_search", reason: "configurationGroup" },
    { name: "broken", reason: "notPermitted" },
  ]);
  assert.deepEqual(await agent.unavailableTools(OWNER, ["read_page"]), [
    { name: "rename_page", reason: "toolDisabled" },
    { name: "wipe_cache", reason: "toolDisabled" },
    { name: "broken", reason: "toolDisabled" },
  ]);
});

test("a preview is withheld from a reader who may not see it, and from everybody where nobody can tell", async (t) => {
  const { db } = await site(t);
  const [, rename] = tools(db);
  const mayPreview = ({ uid }) => {
    if (uid === ADMIN.uid) throw new Error("no answer");
    return uid === OWNER.uid;
  };
  const agent = await runtime(t, { db, model: script(change), tools: [{ ...rename, mayPreview }], mayRead: () => true });
  const asked = request();
  await agent.run(asked, noStep);
  const seen = async (actor) => {
    const [{ previewLines, previewFailed, target }] = (await agent.waitingView(actor, asked.runUuid)).pendingCalls;
    return [previewLines, previewFailed, target];
  };
  assert.deepEqual(await seen(OWNER), [["Title: Team → About us"], false, { table: "pages", uid: 12, title: "Team" }]);
  for (const other of [ADMIN, { ...OWNER, uid: 8 }]) assert.deepEqual(await seen(other), [["The preview is not shown to you."], true, null]);
});
