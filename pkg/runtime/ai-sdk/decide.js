/** Decisions and answers: the order of the checks, the claim, and what follows. */
import { RunRefused } from "../../refused.js";
import { may, sees } from "./access.js";
import { approvalDigest, inputDigest, sameDigest } from "./digest.js";
import { drive } from "./drive.js";
import { AiSdkRuntimeError, StoreFault, shortMessage } from "./errors.js";
import { passGates } from "./gates.js";
import { advance } from "./loop.js";
import { compileSchema } from "./schema.js";
import { claimColumns, Session } from "./session.js";
import { headOf, isIntact, readOpen, sealed } from "./stored.js";
import { isPlainObject } from "./text.js";
import { failed, pauseForApproval, report, viewsOf } from "./turn.js";

/**
 * @typedef {import("./session.js").Deps} Deps
 * @typedef {import("./types.js").Actor} Actor
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {import("../../index.d.ts").RunStep} RunStep
 */

/**
 * Carries a decision out: approved calls run under the run's owner, each at most once; denied ones tell the model so; the loop goes on.
 * @param {Deps} deps
 * @param {Actor} actor who decided
 * @param {string} uuid
 * @param {import("../../index.d.ts").ApprovalDecision} decision
 * @param {(step: RunStep) => void} [onStep]
 * @throws {RunRefused} notAwaiting, staleTurn, notPermitted, alreadyResuming, notAuditable, and those of gates.js (D7)
 * @throws {AiSdkRuntimeError} `invalidArgument`
 */
export async function approve(deps, actor, uuid, decision, onStep) {
  if (!isPlainObject(decision) || typeof decision.approved !== "boolean")
    throw new AiSdkRuntimeError("invalidArgument", "approve: decision.approved must be true or false");
  await deps.tools.ready();
  const waiting = await openWaiting(deps, uuid, "waiting_for_approval");
  const { turn, pause } = waiting;
  if (pause.kind !== "approval") throw new RunRefused("notAwaiting", `Run ${uuid} does not wait for an approval.`);
  if (pause.expiresAt !== null && deps.config.now() > pause.expiresAt) throw new RunRefused("staleTurn", `The card of run ${uuid} has expired.`);
  const calls = turn.calls.filter(({ id }) => pause.callIds.includes(id));
  if (calls.length === 0) throw new RunRefused("notAwaiting", `Run ${uuid} has no pending calls.`);
  for (const call of calls) {
    if (!may(deps, actor, waiting.row, call, decision.approved)) throw new RunRefused("notPermitted", `This actor may not decide ${call.name}.`);
  }
  await passGates(deps, actor, waiting, decision.approved);
  const away = decision.approved ? calls.find(({ name }) => deps.tools.missing(name)) : undefined;
  if (away) throw new RunRefused("configurationInactive", `What brings the tool ${away.name} is out of reach at the moment.`);
  const session = await claimWaiting(deps, waiting, onStep);
  return drive(session, async () => {
    // After the claim: only what is held now is what will be carried out.
    if (!sameDigest(decision.turnDigest, approvalDigest(calls, deps.config.secret)))
      return session.refuse("staleTurn", `The decision on run ${uuid} was made for other calls.`);
    if (!decision.approved) return denied(session, turn, calls, decision);
    const views = await viewsOf(session, calls);
    const moved = views.map(({ hash }, index) => isBound(pause.views[index]) && hash !== pause.views[index]?.hash);
    const asked = headOf(session.state);
    session.beginSegment();
    if (moved.includes(true)) {
      // Nothing runs: the card comes back with what would change now, under the same digest (O7).
      return pauseForApproval(
        session,
        turn,
        views.map((view, index) => ({ ...view, stale: moved[index] === true })),
      );
    }
    turn.approved = sealed({ callIds: pause.callIds, digest: approvalDigest(calls, deps.config.secret) }, session);
    turn.pause = null;
    session.record("approval", 0, { approved: true, decidedBy: decision.decidedBy ?? null });
    try {
      await session.save("decision.saved");
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      await session.takeBack(asked); // throws where that cannot be stored either: then whoever recovers the run finds out
      throw new RunRefused("notAuditable", `The decision on run ${uuid} could not be recorded.`);
    }
    return advance(session);
  });
}

/**
 * A preview that failed or does not exist binds nothing: the approver decided without one.
 * @param {import("./types.js").CallView | undefined} view
 */
const isBound = (view) => view !== undefined && view.hash !== null;

/**
 * @param {Session} session
 * @param {Turn} turn
 * @param {import("./types.js").Call[]} calls
 * @param {import("../../index.d.ts").ApprovalDecision} decision
 */
async function denied(session, turn, calls, { decidedBy, denyReason }) {
  session.beginSegment();
  turn.pause = null;
  session.record("approval", 0, { approved: false, decidedBy: decidedBy ?? null });
  const by = decidedBy === null || decidedBy === undefined ? "unknown" : String(decidedBy) === session.row.owner ? "run_owner" : "other_user";
  const text = `approval_denied (decided_by: ${by}): ${denyReason === "variant" || denyReason === "skip" ? DENIALS[denyReason] : DENIALS.none}`;
  for (const call of calls) report(session, turn, call, failed(text, "denied"), 0);
  await session.save("decision.saved");
  return advance(session);
}

const DENIALS = {
  none: "The change was declined and was not made. Do not try it again unless the user asks for it.",
  variant: "The change was not made (reason: variant). Propose another version of it.",
  skip: "The change was not made (reason: skip). Leave it as it is and go on with the rest.",
};

/**
 * Hands the user's answer to the asking call; the loop goes on.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {string} uuid
 * @param {import("../../index.d.ts").InputSubmission} submission
 * @param {(step: RunStep) => void} [onStep]
 * @throws {RunRefused} notAwaiting, notPermitted, invalidInput, alreadyResuming, staleTurn, and those of gates.js (D7)
 * @throws {AiSdkRuntimeError} `invalidArgument`
 */
export async function submitInput(deps, actor, uuid, submission, onStep) {
  if (!isPlainObject(submission)) throw new AiSdkRuntimeError("invalidArgument", "submitInput: submission must be an object");
  await deps.tools.ready();
  const waiting = await openWaiting(deps, uuid, "waiting_for_input");
  const { turn, pause } = waiting;
  const call = pause.kind === "input" ? turn.calls.find(({ id }) => id === pause.callId) : undefined;
  if (pause.kind !== "input" || !call) throw new RunRefused("notAwaiting", `Run ${uuid} does not wait for an answer.`);
  if (!sees(deps, actor, waiting.row)) throw new RunRefused("notPermitted", "This actor may not answer.");
  await passGates(deps, actor, waiting, false);
  const { data } = submission;
  const mismatch = isPlainObject(data) ? compileSchema(pause.inputSchema)(data) : "must be an object";
  if (mismatch !== null) throw new RunRefused("invalidInput", `The answer does not fit: ${mismatch}`);
  const session = await claimWaiting(deps, waiting, onStep);
  return drive(session, async () => {
    if (!sameDigest(submission.turnDigest, inputDigest(call, pause.inputSchema, deps.config.secret)))
      return session.refuse("staleTurn", `The answer to run ${uuid} was made for another question.`);
    session.beginSegment();
    turn.pause = null;
    session.record("input", 0, { submittedBy: submission.submittedBy ?? null });
    report(session, turn, call, { text: JSON.stringify(declared(data, pause.inputSchema)), isError: false, writes: [], named: true }, 0);
    await session.save("decision.saved");
    return advance(session);
  });
}

/**
 * Only what the question asked for reaches the model.
 * @param {{ [field: string]: unknown }} data
 * @param {import("./types.js").Json} schema
 */
function declared(data, schema) {
  const properties = isPlainObject(schema) ? schema.properties : undefined;
  if (!isPlainObject(properties)) return data;
  return Object.fromEntries(Object.entries(data).filter(([field]) => Object.hasOwn(properties, field)));
}

/**
 * The waiting run with its open turn.
 * @param {Deps} deps
 * @param {string} uuid
 * @param {"waiting_for_approval" | "waiting_for_input"} status
 */
async function openWaiting(deps, uuid, status) {
  const opened = await deps.store.loadOpen(String(uuid)).catch((error) => unavailable(deps, uuid, "notAwaiting", error));
  const row = opened?.row;
  // Running because of another decision: that one carries it on. A run that never waited has nothing to decide.
  if (row?.status === "running" && row.resumes > 0) throw new RunRefused("alreadyResuming", `Run ${uuid} is carried on already.`);
  const stored = opened && row?.status === status ? readOpen(row, opened.log) : null;
  const turn = stored?.state.turn;
  if (!row || !stored || !turn?.pause) throw new RunRefused("notAwaiting", `Run ${uuid} does not wait.`);
  // What a person saw is not what is stored now: no decision counts for it, not even one with the digest that the changed calls would have.
  if (!isIntact({ row, ...stored }, deps.config.secret)) throw new RunRefused("staleTurn", `The stored calls of run ${uuid} were changed.`);
  return { row, ...stored, turn, pause: turn.pause };
}

/**
 * The atomic claim: of any number of decisions exactly one carries the run on.
 * @param {Deps} deps
 * @param {Awaited<ReturnType<typeof openWaiting>>} waiting
 * @param {((step: RunStep) => void) | undefined} onStep
 */
async function claimWaiting(deps, { row, request, state }, onStep) {
  const patch = { ...claimColumns(deps), status: "running", resumes: row.resumes + 1 };
  const won = await deps.store.claim(row, patch).catch((error) => unavailable(deps, row.uuid, "alreadyResuming", error));
  if (!won) throw new RunRefused("alreadyResuming", `Run ${row.uuid} is carried on already.`);
  deps.config.log("debug", "run.claimed", { runUuid: row.uuid });
  return new Session(deps, { ...row, ...patch, version: row.version + 1 }, request, state, onStep);
}

/**
 * Before the claim nothing has happened: a store that cannot be asked is a refusal, so the decision is handed back and not lost (D8).
 * @param {Deps} deps
 * @param {string} uuid
 * @param {import("../../index.d.ts").RefusalReason} reason
 * @param {unknown} error
 * @returns {never}
 */
function unavailable(deps, uuid, reason, error) {
  deps.config.log("error", "run.storeUnavailable", { runUuid: uuid, error: shortMessage(error) });
  throw new RunRefused(reason, `The state of run ${uuid} could not be read.`);
}
