// Random scenarios: rows, a scripted runtime, and a sequence of calls. Plain data, so that a failing one can be printed and made smaller.

import { closed } from "./open-questions.js";

/** @typedef {import("./random.js").Random} Random */
/** @typedef {Record<string, any>} Data */

export const NOW = 1700000000;
const STATUSES = ["idle", "processing", "locked", "tool_loop", "awaiting_approval", "awaiting_input", "failed"];
const AGES = [0, 0, 0, 10, 44, 45, 46, 100, 299, 300, 301, 400, 3599, 3600, 3601, 9000, 40 * 86400, 100 * 86400];
const RUNS = ["r1", "r2"];
const CODES = [
  "",
  "",
  "timedOut",
  "guardrail",
  "cancelled",
  "finishedOutside",
  "handBack.staleTurn",
  "handBack.previewChanged",
  "stopped.secondApprover",
  "chatNotConfigured",
];
const ANSWERS = [
  "Answer",
  "Done.",
  "I have updated the page.",
  "Nothing was changed.",
  " \u200B",
  "",
  "Half \ud83d and \u0000 NUL",
  "Die Seite wurde nicht geändert.",
];
const WORDS = [
  "Hello",
  "go on",
  "weiter, bitte",
  "ok, approved!",
  "  trimmed  ",
  "",
  " \u00a0 ",
  "Longer text than the limit allows",
  "new\u0000line\nkept",
  "Go ahead.",
];
const RUN_STATUSES = [
  "queued",
  "running",
  "waiting_for_approval",
  "waiting_for_input",
  "completed",
  "failed",
  "cancelled",
  "completed",
  "waiting_for_approval",
];
const REFUSALS = ["staleTurn", "alreadyResuming", "notPermitted", "configurationInactive", "notAwaiting", "invalidInput", "selfApprovalDenied", "notAuditable"];
const MORE_REFUSALS = [...REFUSALS, "processVerdictUnreadable", "onlyInitiatorMayDecide", "secondApproverRequired", "coffeeBreak"];
const SCHEMAS = [
  { title: "Colour?", properties: { colour: { enum: ["teal", "amber"] } } },
  { properties: { colour: { enum: ["teal", "amber"], title: "Colour" }, note: { type: "string" } } },
  { title: "Form", properties: { n: { type: "integer", title: "N" }, b: { type: "boolean" } }, required: ["n"] },
  { properties: { a: { type: "object" } } },
  "nonsense",
];
const OUTCOMES = [
  "completed",
  "completed",
  "completed",
  "awaiting_approval",
  "awaiting_approval",
  "awaiting_input",
  "failed",
  "guardrail_blocked",
  "guardrail_approval_required",
];
const MORE_OUTCOMES = [...OUTCOMES, ...OUTCOMES, "suspend_failed", "cancelled", "requeued", "lease_lost", "lease_lost", "half_done"];

/** @param {Random} r @returns {Data} */
function message(r) {
  const role = r.pick(["user", "user", "assistant"]);
  const m = /** @type {Data} */ ({ role, content: r.pick(["one", "two", "three", " ", "I have saved it."]), createdAt: "2023-01-01T00:00:00Z" });
  if (r.chance(0.15)) m.x_host = { keep: [1, null] };
  if (role === "user") {
    if (r.chance(0.2)) m.decisionLine = r.pick(["d1", "d2"]);
    if (r.chance(0.2)) m.clientId = r.pick(["k1", "k2"]);
    if (r.chance(0.1)) m.notice = "guardrail";
    if (r.chance(0.1)) m.files = [file(r)];
    if (r.chance(0.05)) m.content = [{ type: "text", text: "part" }];
  } else {
    if (r.chance(0.15)) m.besideToolCall = true;
    if (r.chance(0.2))
      Object.assign(m, {
        notice: r.pick(["alreadyWritten", "runFinishedOutside", "noAnswer", "nothingSaved", "later"]),
        noticeArgs: r.pick([[], ["pages:1"]]),
      });
  }
  return m;
}

/** @param {Random} r */
const file = (r) => ({ fileUid: r.pick([1, 2, 3]), fileName: "name.txt", fileMimeType: "text/plain" });

/** @param {Random} r @param {number} uid @returns {Data} */
function row(r, uid) {
  const status = r.pick(STATUSES);
  const busy = ["processing", "locked", "tool_loop"].includes(status);
  const waits = status.startsWith("awaiting");
  const messages = r.list(4, () => message(r));
  if (status !== "idle") messages.unshift({ role: "user", content: "one" }); // a turn answers somebody's request
  const decided = busy && r.chance(0.45);
  const decision = decided ? r.pick(["approve", "deny", "input"]) : "";
  const made = /** @type {Data} */ ({
    uid,
    owner: r.pick([7, 7, 7, "7", 8]),
    title: r.pick(["", "", "Title", "one"]),
    messages,
    status,
    revision: 3,
    claimId: status === "locked" || (status === "failed" && r.chance(0.3)) ? "c1" : "",
    errorMessage: r.chance(0.2) ? "E:old" : "",
    errorCode: r.pick(CODES),
    runUuid: (waits || decided) && r.chance(0.93) ? r.pick(RUNS) : "",
    lastRunUuid: r.chance(0.6) ? r.pick(RUNS) : "",
    decision,
    decidedBy: decided ? r.pick([7, 7, "7", 9, null]) : null,
    turnDigest: decided ? r.pick(["d1", "d2"]) : "",
    denyReason: decision === "deny" ? r.pick(["", "variant", "skip"]) : "",
    pendingInput: decision === "input" ? { colour: "teal" } : null,
    systemPrompt: r.chance(0.1) ? "Be short." : "",
    viewContext: null,
    activity: r.chance(0.2) ? [{ kind: "llm", round: 1, ms: 3 }] : [],
    archived: r.chance(0.2),
    pinned: r.chance(0.1),
    createdAt: 1690000000,
    updatedAt: r.chance(0.03) ? 0 : NOW - r.pick(AGES),
  });
  if (r.chance(0.15)) made.host_field = { kept: true };
  if (r.chance(0.02)) made.status = "sleeping";
  return made;
}

/** @param {Random} r @returns {any} */
function step(r) {
  if (r.chance(0.1)) return r.pick([null, 7, {}, { kind: 3 }, { kind: "later", round: 1 }]);
  const kind = r.pick(["request", "llm", "llm", "tool", "tool_write"]);
  const made = /** @type {Data} */ ({ kind, round: r.below(4), durationMs: r.below(9) });
  if (kind === "llm") {
    made.content = r.pick(["Looking.", "Then this.", " ", ""]);
    if (r.chance(0.6)) made.requestedToolCalls = r.pick([[], [{ id: "t", name: "find" }]]);
  }
  if (kind === "tool") Object.assign(made, { toolName: "find", ...(r.chance(0.3) ? { toolIsError: r.chance(0.5) } : {}) });
  if (kind === "tool_write") Object.assign(made, { writeTargetTable: r.pick(["pages", ""]), writeTargetUid: r.pick([1, 2, 0]) });
  return made;
}

/** Runtimes report steps as they happen. @param {any[]} steps */
const inRounds = (steps) => steps.toSorted((a, b) => (a?.round ?? 0) - (b?.round ?? 0));

/** @param {Random} r @param {string[]} outcomes @returns {any} */
function result(r, outcomes) {
  if (r.chance(0.04)) return r.pick([null, 42, {}, "text", []]);
  const outcome = r.pick(outcomes);
  const made = /** @type {Data} */ ({ outcome, runUuid: r.pick(["$adopt", "$adopt", "r1", "r2", ""]), steps: inRounds(r.list(4, () => step(r))) });
  if (outcome === "completed" ? r.chance(0.92) : r.chance(0.1))
    made.loopResult = { finalContent: r.pick(ANSWERS), terminationReason: r.pick(["completed", "budget_exhausted", ""]) };
  if (outcome.startsWith("awaiting") && r.chance(0.85))
    made.suspendedState = {
      ...(r.chance(0.7) ? { turnDigest: r.pick(["d1", "d2"]) } : {}),
      ...(outcome === "awaiting_input" ? { inputSchema: r.pick(SCHEMAS) } : {}),
    };
  if (r.chance(0.3))
    made.error = {
      message: r.pick(["E:1 broke", " ", "E:2 https://x.invalid/a"]),
      ...(r.chance(0.3) ? { code: r.pick(["providerNotConfigured", "other"]) } : {}),
    };
  if (outcome.startsWith("guardrail")) made.guardrailClass = r.pick([null, "pii", "output_x"]);
  return made;
}

/** @param {Random} r @returns {any} */
function fault(r) {
  const made = /** @type {Data} */ ({ message: r.pick(["E:3 failed", "", "E:4 at https://x.invalid/y"]) });
  if (r.chance(0.3)) made.cause = { message: "inner", code: "providerNotConfigured" };
  return made;
}

/** @param {Random} r @param {number} uids @param {boolean} nested @returns {Data} one call of run, approve or submitInput */
function runPlan(r, uids, nested) {
  const made = /** @type {Data} */ ({ steps: r.list(3, () => step(r)) });
  if (!nested && r.chance(0.35)) made.during = r.list(2, () => stepOf(r, uids, true));
  const kind = r.next();
  if (kind < 0.15) made.throws = fault(r);
  else if (kind < 0.35) made.refuses = { reason: r.pick(MORE_REFUSALS), message: r.pick(["E:5 refused", ""]) };
  else made.returns = result(r, MORE_OUTCOMES);
  if (r.chance(0.03) && typeof made.returns === "object" && made.returns) made.returns.DEEP = DEEP;
  return made;
}

/** @param {Random} r @returns {Data} what the runtime knows of a run */
function known(r) {
  const made = knownOf(r);
  if (r.chance(0.05)) {
    const what = r.pick(["status", "result", "events", "waitingView", "cancelIfWaiting"]);
    if (Array.isArray(made[what])) made[what].push({ kind: "llm", payload: {}, DEEP });
    else if (typeof made[what] === "object" && made[what]) made[what].DEEP = DEEP;
  }
  return made;
}

/** @param {Random} r @returns {Data} */
function knownOf(r) {
  const view = r.pick([
    null,
    { mode: "approval" },
    { mode: "input", inputSchema: r.pick(SCHEMAS) },
    { mode: "unreadable", unreadableReason: r.pick([null, "locked"]) },
  ]);
  return {
    status: r.chance(0.12) ? r.pick([null, { status: 7 }, { status: "later" }, 3, "$throws"]) : { status: r.pick(RUN_STATUSES) },
    result: r.chance(0.25) ? r.pick([null, "$throws", 4]) : result(r, ["completed", "completed", "completed", "awaiting_approval", "awaiting_input", "failed"]),
    events: r.chance(0.3) ? r.pick([null, "$throws", [], 5]) : r.list(4, () => event(r)),
    waitingView: view && {
      runUuid: "r1",
      turnDigest: r.pick(["d1", "d2", null]),
      pendingCalls: [{ name: "w", arguments: { a: 1 }, previewStale: r.chance(0.2) }],
      ...(r.chance(0.3) ? { expiresAt: NOW + r.pick([-5, 0, 5, 900]) } : {}),
      ...view,
    },
    cancelIfWaiting: r.chance(0.2)
      ? r.pick([null, "$throws", 6])
      : { cancelled: r.chance(0.5), status: r.pick(["cancelled", "running", "queued", "completed", null]) },
  };
}

/** @param {Random} r */
function event(r) {
  if (r.chance(0.04)) return r.pick([null, 7, {}, { kind: "tool_write" }]);
  const kind = r.pick(["request", "llm", "tool", "tool_write", "approval"]);
  if (kind === "approval") return { kind, payload: { approved: r.chance(0.7) } };
  if (kind === "tool") return { kind, round: 1, payload: { toolName: "w", toolIsError: r.chance(0.3) } };
  if (kind === "tool_write")
    return { kind, round: 1, payload: { writeTargetTable: r.pick(["pages", "pages", "tt", ""]), writeTargetUid: r.pick([1, 2, 0, "3"]) } };
  return { kind, payload: {} };
}

/** @param {Random} r */
const actor = (r) => ({ uid: r.pick([7, 7, 7, 7, "7", 8]), isAdmin: r.chance(0.2), groups: [] });

/** An object nested deeper than anything may be (W4). */
const DEEP = Array.from({ length: 70 }).reduce((/** @type {any} */ inner) => ({ inner }), 1);

/** Answers that are nonsense for their callback (W4). */
const ODD = [
  { fn: "load", value: "row" },
  { fn: "load", value: { status: "idle", messages: [] } },
  { fn: "load", value: [] },
  { fn: "find", value: "all" },
  { fn: "find", value: null },
  { fn: "actorOf", value: 7 },
  { fn: "actorOf", value: null },
  { fn: "mayAct", value: "yes" },
  { fn: "mayAct", value: undefined },
  { fn: "now", value: "soon" },
  { fn: "now", value: Number.NaN },
  { fn: "uuid", value: 7 },
  { fn: "resolveTask", value: 7 },
  { fn: "resolveTask", value: "task" },
  { fn: "readFile", value: 7 },
  { fn: "promptContext", value: null },
  { fn: "promptContext", value: { openPoints: "OPEN", DEEP } },
  { fn: "load", value: { uid: 1, owner: 7, status: "idle", messages: [], revision: 3, DEEP } },
  { fn: "actorOf", value: { uid: 7, isAdmin: true, groups: [], DEEP } },
  { fn: "resolveTask", value: { uid: 5, promptTemplate: "", configuration: { uid: 9, name: "D", systemPrompt: "", DEEP } } },
  { fn: "readFile", value: { name: "f.txt", identifier: "1:/f.txt", mimeType: "text/plain", base64: "QQ==", extractedText: "EXTRACT", DEEP } },
];

/** Kinds of steps by number. */
const ALL = Array.from({ length: 20 }, (_, i) => i);

/** @param {Random} r @param {number} uids @param {boolean} [nested] @param {number[]} [focus] @returns {Data} */
function stepOf(r, uids, nested = false, focus = ALL) {
  const uid = r.chance(0.02) ? 99 : 1 + r.below(uids);
  const call = (/** @type {string} */ name, /** @type {any[]} */ ...args) => ({ call: name, args });
  const choices = /** @type {(() => Data)[]} */ ([
    () =>
      call("sendMessage", uid, actor(r), {
        content: r.pick(WORDS),
        ...(r.chance(0.3) ? { clientId: r.pick(["k1", "k2", "k3"]) } : {}),
        ...(r.chance(0.15) ? { files: [file(r)] } : {}),
        ...(r.chance(0.1) ? { viewContext: r.pick([null, { module: "list" }]) } : {}),
      }),
    () => call("editMessage", uid, actor(r), r.below(4), { content: r.pick(WORDS), expectedContent: "$stored", messageCount: r.chance(0.9) ? "$count" : 2 }),
    () =>
      call(
        "recordDecision",
        uid,
        actor(r),
        r.chance(0.5)
          ? { approve: true, turnDigest: r.pick(["d1", "d2"]) }
          : {
              approve: false,
              turnDigest: "d1",
              ...(r.chance(0.5) ? { display: r.pick(["No thanks", "  "]) } : {}),
              ...(r.chance(0.4) ? { denyReason: "skip" } : {}),
            },
      ),
    () =>
      call("recordInput", uid, actor(r), {
        ...r.pick([{ choice: "teal" }, { freeText: " typed " }, { fields: { n: "4", b: true } }, { choice: "red" }]),
        turnDigest: "d1",
      }),
    () => call("retry", uid, actor(r)),
    () => call("endProcess", uid, actor(r)),
    () => call("poll", uid, actor(r), r.pick([0, 0, 1, 2, 9])),
    () => call("claim", uid),
    () => call("processConversation", uid, ...r.pick([[], ["c1"], ["$claim"], ["other"]])),
    () => call("resumeConversation", uid, ...r.pick([[], ["c1"], ["$claim"]])),
    () => call("runNext", "w"),
    () => call("runNext", "w"),
    () => call("reconcile", uid),
    () => call("cleanup"),
    () => call("createConversation", actor(r), r.pick([{}, { title: " A \n title " }, { systemPrompt: "x\u0000y" }])),
    () => ({ advance: r.pick([1, 44, 46, 299, 301, 3601, 90000]) }),
    () => ({ store: { uid, set: r.pick([{ pinned: true }, { title: "Renamed" }, { archived: true }]) } }),
    () => ({ know: { run: r.pick([...RUNS, "$last"]), uid, as: known(r) } }),
    () => ({
      fail: r.chance(0.5)
        ? []
        : [r.pick(["actorOf", "mayAct", "now", "uuid", "load", "swap", "find", "touch", "resolveTask", "promptContext", "readFile", "insert", "remove"])],
    }),
  ]);
  choices.push(() => ({ odd: r.chance(0.4) ? null : r.pick(ODD) }));
  const made = choices[r.pick(focus)]();
  return nested && (made.fail || made.odd) ? { advance: 301 } : made;
}

/** @param {Random} r @returns {Data} */
export function scenario(r) {
  return closed(anyScenario(r));
}

/** @param {Random} r @returns {Data} */
function anyScenario(r) {
  const uids = r.pick([1, 1, 1, 2]);
  const focus = r.chance(0.5) ? Array.from({ length: 3 }, () => r.pick(ALL)) : ALL; // a few kinds of steps meet more often than all of them
  const settings = /** @type {Data} */ ({ taskUid: r.chance(0.04) ? 0 : 5, extensionKey: "demo", identityPrompt: "ID", maxMessageLength: 20 });
  if (r.chance(0.12)) settings.ruleSet = "withoutPauses";
  if (r.chance(0.3)) settings.maxActivePerOwner = r.pick([0, 1, 2]);
  if (r.chance(0.3)) Object.assign(settings, { autoArchiveDays: 30, deleteAfterDays: 90 });
  if (r.chance(0.25)) settings.abandonAfterSeconds = r.pick([400, 5000, 20000]);
  if (r.chance(0.25)) settings.queueTimeoutSeconds = r.pick([350, 600, 5000, 20000]);
  if (r.chance(0.15)) settings.stuckAfterSeconds = r.pick([60, 1000]);
  if (r.chance(0.15)) settings.graceSeconds = r.pick([0, 200]);
  if (r.chance(0.1)) settings.locale = "de-CH";
  return {
    settings,
    rows: Array.from({ length: uids }, (_, i) => row(r, i + 1)),
    lacks: ["status", "result", "events", "waitingView", "cancelIfWaiting"].filter((name) => r.chance(name === "status" ? 0.03 : 0.2)),
    loadSince: r.chance(0.3),
    readFile: r.pick([
      null,
      null,
      { name: "f.txt", identifier: "1:/f.txt", mimeType: "text/plain", base64: "QQ==", extractedText: "EXTRACT" },
      "$gone",
      "$throws",
    ]),
    mayAct: r.chance(0.15) ? { read: r.chance(0.9), write: r.chance(0.6), decide: r.chance(0.6) } : null,
    actorOf: r.pick([null, { isAdmin: true, groups: [4] }, { isAdmin: false, groups: [] }, { uid: 66, isAdmin: true, groups: [] }]),
    task: r.pick([
      { uid: 5, promptTemplate: "", configuration: { uid: 9, name: "D", systemPrompt: "CFG" } },
      { uid: 5, promptTemplate: "", configuration: { uid: 9, name: "D", systemPrompt: "CFG" } },
      { uid: 5, promptTemplate: "T", configuration: { uid: 9, name: "D", systemPrompt: "", accepts: { documents: true, repeatedRoles: false } } },
      null,
      { uid: 5, promptTemplate: "", configuration: null },
      { uid: 5, promptTemplate: "", configuration: { uid: 9, name: "D", systemPrompt: "", active: false } },
    ]),
    knows: { r1: known(r), r2: known(r), "*": known(r) },
    plans: Array.from({ length: 6 }, () => runPlan(r, uids, false)),
    loseSwap: r.chance(0.3) ? r.list(3, () => 1 + r.below(5)) : [],
    steps: Array.from({ length: 1 + r.below(r.chance(0.1) ? 16 : 6) }, () => stepOf(r, uids, false, focus)),
  };
}
