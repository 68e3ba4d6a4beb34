// Sections 5, 9 and 10: requests about a run that waits or has failed, and the poll.
import { appended, becameOf, pauseAgain, writtenLine } from "./authority.js";
import { answerForm } from "./forms.js";
import { needsReconcile, reconcileAs } from "./housekeeping.js";
import { noDecision } from "./outcome.js";
import { isExpired, present, retryRefusal } from "./present.js";
import { demandActor, leaveRun, lost, open, queued, refusal, seconds } from "./requests.js";
import { statusRules } from "./status.js";
import { demand, isBlank, isObject, isUid, refuseDepth, storable, textOr, timeText, trim } from "./values.js";

/** @typedef {Record<string, any>} Row */
/** @typedef {import("./host.js").Port} Port */

/** @param {Row} row @param {string} status */
function notWaiting(row, status) {
  if (statusRules(row.status).busy) return refusal(409, "busy");
  return row.status !== status || row.runUuid === "" ? refusal(409, "notAwaiting") : null;
}

/** @param {Row} row @param {string} text @param {string} digest @param {number} now */
function line(row, text, digest, now) {
  const content = trim(storable(text));
  return isBlank(content) ? {} : appended(row, { role: "user", content, createdAt: timeText(now), decisionLine: digest });
}

/** D1. @param {Port} port @param {any} uid @param {any} actor @param {any} decision */
export async function recordDecision(port, uid, actor, decision) {
  demand(isUid(uid), "uid");
  demandActor(actor);
  demand(isObject(decision) && typeof decision.approve === "boolean" && typeof decision.turnDigest === "string" && decision.turnDigest !== "", "decision");
  const { denyReason, display } = decision;
  demand(denyReason === undefined || (!decision.approve && (denyReason === "variant" || denyReason === "skip")), "denyReason");
  demand(display === undefined || typeof display === "string", "display");
  refuseDepth(actor, decision);
  const opened = await open(port, uid, actor, "decide");
  if (opened.refused) return opened.refused;
  const { row } = opened;
  const stopped = notWaiting(row, "awaiting_approval");
  if (stopped) return stopped;
  const now = await port.now();
  const { value: view } = await port.quiet("waitingView", actor, row.runUuid);
  if (isExpired(view, now)) return refusal(409, "approvalExpired"); // D4
  const patch = {
    ...queued(now),
    decision: decision.approve ? "approve" : "deny",
    decidedBy: actor.uid,
    turnDigest: decision.turnDigest,
    denyReason: denyReason ?? "",
    pendingInput: null,
    ...(decision.approve ? {} : line(row, display ?? "", decision.turnDigest, now)),
  };
  return (await port.swap(row, patch)) ? { ok: true, status: "processing" } : lost(port, uid);
}

/** D2. @param {Port} port @param {any} uid @param {any} actor @param {any} answer */
export async function recordInput(port, uid, actor, answer) {
  demand(isUid(uid), "uid");
  demandActor(actor);
  demand(isObject(answer) && typeof answer.turnDigest === "string" && answer.turnDigest !== "", "answer");
  refuseDepth(actor, answer);
  const opened = await open(port, uid, actor, "write");
  if (opened.refused) return opened.refused;
  const { row } = opened;
  const stopped = notWaiting(row, "awaiting_input");
  if (stopped) return stopped;
  const { value: view } = await port.quiet("waitingView", actor, row.runUuid);
  if (!isObject(view) || view.mode !== "input") return refusal(409, "questionUnavailable");
  const words = textOr(port.settings.locale).startsWith("de") ? { yes: "ja", no: "nein" } : { yes: "yes", no: "no" };
  const filled = answerForm(view.inputSchema, answer, words);
  if (!filled) return refusal(400, "answerInvalid");
  const now = await port.now();
  const patch = {
    ...queued(now),
    decision: "input",
    decidedBy: actor.uid,
    turnDigest: answer.turnDigest,
    denyReason: "",
    pendingInput: filled.data,
    ...line(row, filled.display, answer.turnDigest, now),
  };
  return (await port.swap(row, patch)) ? { ok: true, status: "processing" } : lost(port, uid);
}

/** R1, R2, R2a, R2b. @param {Port} port @param {any} uid @param {any} actor */
export async function retry(port, uid, actor) {
  demand(isUid(uid), "uid");
  demandActor(actor);
  refuseDepth(actor);
  const opened = await open(port, uid, actor, "write");
  if (opened.refused) return opened.refused;
  const { row } = opened;
  const stopped = retryRefusal(row);
  if (stopped) return refusal(stopped.httpStatus, stopped.code);
  const now = await port.now();
  const run = row.lastRunUuid;
  let given = {};
  if (run !== "") {
    const owner = await port.actorOf(row.owner);
    const became = await becameOf(port, owner, run);
    if (became.kind === "waiting") {
      // the card or question comes back; what came in between keeps its word
      const patch = await pauseAgain(port, owner, row, run, became.status, "", now);
      if (patch.status !== row.status) await port.swap(row, { ...patch, updatedAt: seconds(now) });
      return refusal(409, "runStillActive");
    }
    if (became.kind === "active") {
      if (seconds(now) - row.updatedAt < port.settings.abandonAfterSeconds) return refusal(409, "runStillActive");
      given = { lastRunUuid: "", ...appended(row, await writtenLine(port, owner, row, run, now)) }; // R2b
    }
  }
  const patch = { ...queued(now), ...noDecision(), runUuid: "", activity: [], ...given };
  return (await port.swap(row, patch)) ? { ok: true, status: "processing" } : lost(port, uid);
}

/** N7. @param {Port} port @param {any} uid @param {any} actor */
export async function endProcess(port, uid, actor) {
  demand(isUid(uid), "uid");
  demandActor(actor);
  refuseDepth(actor);
  const opened = await open(port, uid, actor, "write");
  if (opened.refused) return opened.refused;
  const { row } = opened;
  const rules = statusRules(row.status);
  if (rules.busy) return refusal(409, "busy");
  if (!rules.waiting) return refusal(409, "notAwaiting");
  const now = await port.now();
  const stopped = await leaveRun(port, row);
  if (stopped) return stopped;
  const patch = { status: "idle", runUuid: "", ...noDecision(), errorMessage: "", errorCode: "", updatedAt: seconds(now) };
  return (await port.swap(row, patch)) ? { ok: true, status: "idle" } : lost(port, uid);
}

/** N9: what the client has not got. @param {Port} port @param {any} uid @param {number} after @returns {Promise<{ row: Row, messages: any[], count: number, truncated: boolean } | null>} */
async function read(port, uid, after) {
  if (typeof port.host.storage.loadSince === "function") {
    const row = await port.loadSince(uid, after);
    if (!row) return null;
    if (after <= row.messageCount) return { row, messages: row.messages, count: row.messageCount, truncated: false };
    const whole = await port.loadSince(uid, 0);
    return whole && { row: whole, messages: whole.messages, count: whole.messageCount, truncated: true };
  }
  const row = await port.load(uid);
  if (!row) return null;
  const truncated = after > row.messages.length;
  return { row, messages: truncated ? row.messages : row.messages.slice(after), count: row.messages.length, truncated };
}

/** N9, V1, E3. @param {Port} port @param {any} uid @param {any} actor @param {number} [after] */
export async function poll(port, uid, actor, after = 0) {
  demand(isUid(uid), "uid");
  demandActor(actor);
  demand(Number.isSafeInteger(after) && after >= 0, "after");
  refuseDepth(actor);
  let found = await read(port, uid, after);
  if (!found || !(await port.mayAct(actor, found.row, "read"))) return refusal(404, "notFound");
  const now = await port.now();
  if (needsReconcile(port, found.row, now)) {
    await reconcileAs(port, uid, port.actorOf.bind(port));
    found = await read(port, uid, after); // written, or lost to a newer write
  }
  if (!found) return refusal(404, "notFound");
  const { row } = found;
  const reader = {
    uid: actor.uid,
    isAdmin: actor.isAdmin === true,
    mayDecide: await port.mayAct(actor, row, "decide"),
    mayWrite: await port.mayAct(actor, row, "write"),
  };
  const { value: view } = statusRules(row.status).waiting && row.runUuid !== "" ? await port.quiet("waitingView", actor, row.runUuid) : { value: null };
  const { messages, messageCount, ...conversation } = row;
  return {
    ok: true,
    conversation: { ...conversation, claimId: "", errorMessage: reader.isAdmin ? conversation.errorMessage : "" },
    messages: found.messages,
    messageCount: found.count,
    truncated: found.truncated,
    view: present(row, reader, view, { now }),
  };
}
