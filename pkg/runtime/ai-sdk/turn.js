/** The tool calls of one assistant turn: checked before any of them runs, then worked off in order. */
import { processVerdict } from "./access.js";
import { approvalDigest, inputDigest, sameDigest } from "./digest.js";
import { carryOut, leftBehind } from "./effects.js";
import { shortMessage } from "./errors.js";
import { modelRequest } from "./model-step.js";
import { compileSchema } from "./schema.js";
import { under, unlessAborted } from "./signal.js";
import { sealed } from "./stored.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {import("./types.js").Call} Call
 * @typedef {import("./types.js").Outcome} Outcome
 * @typedef {import("./types.js").Problem} Problem
 */

/**
 * Checks the whole turn. Calls that cannot be carried out have their error result at once.
 * @param {Session} session
 * @param {import("./model-step.js").ModelStep["calls"]} requested
 */
export async function openTurn(session, requested) {
  const calls = [];
  for (const call of requested) calls.push(await judged(session, call));
  await oneAtATime(session, calls);
  const opened = sealed({ round: session.state.round, calls }, session);
  /** @type {Turn} */
  const turn = { ...opened, at: session.append("turn", opened), results: {}, approved: null, pause: null };
  session.state.turn = turn;
  for (const call of turn.calls) {
    if (call.problem) report(session, turn, call, notMade(call, call.problem), 0);
  }
}

/**
 * @param {Session} session
 * @param {import("./model-step.js").ModelStep["calls"][number]} call
 * @returns {Promise<Call>}
 */
async function judged(session, call) {
  const problem = problemOf(session, call);
  if (problem !== null) return { ...call, mode: "run", problem };
  const tool = /** @type {import("./types.js").CheckedTool} */ (session.deps.tools.find(call.name, session.request));
  if (tool.asks) return { ...call, mode: "ask" };
  const asks = await session.deps.tools.needsApproval(tool, structuredClone(call.input), {
    actor: structuredClone(session.request.actor),
    runUuid: session.uuid,
  });
  return { ...call, mode: asks ? "approve" : tool.effect === "read" ? "read" : "run" };
}

/**
 * Why a call cannot be carried out; null: it can. Asked when the turn is checked and again before the call runs, because a tool may be
 * gone, or closed to this user, by the time somebody approved it.
 * @param {Session} session
 * @param {{ name: string, input: unknown, problem?: Problem }} call
 * @returns {Problem | null}
 */
function problemOf(session, call) {
  const { tools } = session.deps;
  const tool = tools.find(call.name, session.request);
  if (!tool) {
    if (tools.registered(call.name)) return { code: "toolNotAvailable", text: "this tool is not available to the user" };
    if (tools.missing(call.name)) return { code: "toolOutOfReach", text: "this tool is out of reach at the moment" };
    return { code: "unknownTool", text: "there is no tool of that name" };
  }
  if (call.problem !== undefined) return call.problem;
  const mismatch = tool.check(call.input);
  return mismatch === null ? null : { code: "argumentsMismatch", text: `the arguments do not fit: ${mismatch}` };
}

/**
 * A guided process proposes one change at a time; the model may propose the next one when it knows what became of this one.
 * @param {Session} session
 * @param {Call[]} calls
 */
async function oneAtATime(session, calls) {
  const changes = calls.filter(({ mode, problem }) => !problem && mode === "approve");
  if (changes.length < 2 || (await processVerdict(session.deps, modelRequest(session))) !== true) return;
  for (const call of changes.slice(1)) {
    call.mode = "run";
    call.problem = { code: "oneChangeAtATime", text: "one change at a time is proposed here" };
  }
}

/**
 * Works the turn off: reads first, then what a person has to decide, then the rest, then what the user is asked. Every finished call is
 * saved, so a process that comes after this one begins where it stopped.
 * @param {Session} session
 * @param {Turn} turn
 * @returns {Promise<import("./types.js").RunResult | null>} the result of a pause; null: all calls have their result
 */
export async function workTurn(session, turn) {
  for (const call of open(turn, "read")) await runCall(session, turn, call);
  const undecided = open(turn, "approve").filter(({ id }) => !turn.approved?.callIds.includes(id));
  if (undecided.length > 0) return pauseForApproval(session, turn);
  checkApproval(session, turn);
  for (const call of open(turn, "run", "approve")) await runCall(session, turn, call);
  for (const call of open(turn, "ask")) {
    const paused = await pauseForInput(session, turn, call);
    if (paused) return paused;
  }
  closeTurn(session, turn);
  return null;
}

/**
 * Calls without a result, in the model's order.
 * @param {Turn} turn
 * @param {...Call["mode"]} modes
 */
export function open(turn, ...modes) {
  return turn.calls.filter(({ id, mode }) => !Object.hasOwn(turn.results, id) && modes.includes(mode));
}

/**
 * What was approved is what runs, also if the row was changed in between.
 * @param {Session} session
 * @param {Turn} turn
 */
function checkApproval(session, turn) {
  if (!turn.approved) return;
  const { callIds, digest } = turn.approved;
  const calls = turn.calls.filter(({ id }) => callIds.includes(id));
  if (!sameDigest(digest, approvalDigest(calls, session.deps.config.secret))) throw new Error("The stored calls are not those that were approved.");
}

/**
 * @param {Session} session
 * @param {Turn} turn
 * @param {Call} call
 */
async function runCall(session, turn, call) {
  const { config, tools } = session.deps;
  await unlessAborted(session.asking, tools.ready());
  session.check();
  const problem = problemOf(session, call);
  const begun = config.now();
  const tool = tools.find(call.name, session.request);
  const outcome = problem === null && tool ? await carryOut(session, tool, call) : await notCarriedOut(session, call, problem);
  report(session, turn, call, outcome, config.now() - begun);
  await session.save("call.saved");
}

/**
 * A call that cannot be made (any more). Where an earlier process had begun it, while it still could, the ledger has the say.
 * @param {Session} session
 * @param {Call} call
 * @param {Problem | null} problem
 * @returns {Promise<Outcome>}
 */
async function notCarriedOut(session, call, problem) {
  const begun = call.mode === "read" ? undefined : await session.deps.store.effect(session.uuid, call.id);
  return begun ? leftBehind(begun) : notMade(call, problem ?? { code: "unknownTool", text: "there is no tool of that name" });
}

/**
 * @param {Call} call
 * @param {Problem} problem
 */
const notMade = ({ name }, { code, text }) => failed(`The call of ${name} was not carried out: ${text}.`, code);

/**
 * Stores a call's result in the turn and reports it: the tool step, and directly behind it what was written (V7).
 * @param {Session} session
 * @param {Turn} turn
 * @param {Call} call
 * @param {Outcome} outcome
 * @param {number} durationMs
 */
export function report(session, turn, call, outcome, durationMs) {
  const { text, isError, writes, named, code } = outcome;
  turn.results[call.id] = { text, isError };
  session.append("result", { callId: call.id, text, isError });
  const round = turn.round;
  const tool = { toolName: call.name, toolIsError: isError, ...(isError && code ? { toolErrorCode: code } : {}) };
  session.emit({ kind: "tool", round, durationMs, ...tool }, { ...tool, toolResultLength: text.length, contentRedacted: true });
  for (const write of writes) {
    const target = writeTarget(write);
    session.emit({ kind: "tool_write", round, durationMs: 0, ...target }, target);
  }
  // An approved call counts as a write by itself; one that ran without asking needs an event that says so.
  if (!named && (isError || call.mode === "run")) session.emit({ kind: "tool_write", round, durationMs: 0 }, {});
}

/**
 * Tells what calls of a turn that is not carried on did: from the ledger, as far as the events do not tell it yet.
 * @param {Session} session
 */
export async function tellLedger(session) {
  const { turn } = session.state;
  if (!turn) return;
  for (const call of open(turn, "run", "approve")) {
    const effect = await session.deps.store.effect(session.uuid, call.id);
    if (effect) report(session, turn, call, leftBehind(effect), 0);
  }
}

/**
 * @param {{ table: string, uid: import("./types.js").Uid }} write
 * @returns {{ writeTargetTable: string, writeTargetUid?: number }}
 */
function writeTarget({ table, uid }) {
  const number = typeof uid === "string" && /^[0-9]{1,16}$/.test(uid) ? Number(uid) : uid;
  return Number.isSafeInteger(number) ? { writeTargetTable: String(table), writeTargetUid: Number(number) } : { writeTargetTable: String(table) };
}

/**
 * @param {string} text
 * @param {import("./index.d.ts").ToolErrorCode} code
 * @returns {Outcome}
 */
export const failed = (text, code) => ({ text, isError: true, writes: [], named: true, code });

/**
 * All calls of the turn that are left (but for questions) are pending together; one decision covers them.
 * @param {Session} session
 * @param {Turn} turn
 * @param {import("./types.js").CallView[]} [views] those of a card that has moved on
 */
export async function pauseForApproval(session, turn, views) {
  const { config } = session.deps;
  const calls = open(turn, "run", "approve");
  const shown = views ?? (await viewsOf(session, calls));
  session.check();
  /** @type {import("./types.js").ApprovalPause} */
  const pause = {
    kind: "approval",
    callIds: calls.map(({ id }) => id),
    views: shown,
    expiresAt: config.approvalTtlMs === null ? null : config.now() + config.approvalTtlMs,
  };
  turn.pause = sealed(pause, session);
  return session.suspend("waiting_for_approval", { turnDigest: approvalDigest(calls, config.secret) });
}

/**
 * What a card shows of calls, as it is now.
 * @param {Session} session
 * @param {Call[]} calls
 * @returns {Promise<import("./types.js").CallView[]>}
 */
export function viewsOf(session, calls) {
  const { tools } = session.deps;
  return Promise.all(calls.map((call) => under(session.asking, (signal) => tools.view(call, session.request, session.toolContext(call.id, signal)))));
}

/**
 * @param {Session} session
 * @param {Turn} turn
 * @param {Call} call
 */
async function pauseForInput(session, turn, call) {
  const { config, tools } = session.deps;
  const tool = tools.find(call.name, session.request);
  let inputSchema;
  try {
    if (!tool?.asks) throw new Error("this tool is not available to the user");
    const schema = tool.asks(/** @type {import("./index.d.ts").ToolInput} */ (structuredClone(call.input)));
    compileSchema(schema);
    inputSchema = JSON.parse(JSON.stringify(schema));
  } catch (error) {
    config.log("warn", "tool.asks failed", { runUuid: session.uuid, tool: call.name, error: shortMessage(error) });
    report(session, turn, call, failed(`The user could not be asked: ${shortMessage(error)}`, "questionFailed"), 0);
    await session.save("call.saved");
    return null;
  }
  turn.pause = sealed(/** @type {import("./types.js").InputPause} */ ({ kind: "input", callId: call.id, inputSchema }), session);
  return session.suspend("waiting_for_input", { turnDigest: inputDigest(call, inputSchema, config.secret), inputSchema });
}

/**
 * Every call of the turn stands beside its result in one tool message, in the model's order.
 * @param {Session} session
 * @param {Turn} turn
 */
function closeTurn(session, turn) {
  const content = turn.calls.map(({ id, name }) => {
    const { text, isError } = turn.results[id] ?? { text: "no result", isError: true };
    const output = { type: /** @type {"error-text" | "text"} */ (isError ? "error-text" : "text"), value: text };
    return { type: /** @type {const} */ ("tool-result"), toolCallId: id, toolName: name, output };
  });
  session.addMessages([{ role: "tool", content }]);
  session.state.turn = null;
}
