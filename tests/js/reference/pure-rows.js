// Random arguments for the pure rules over conversations: transcripts, outcomes, refusals, transitions.
import { schema } from "./pure-values.js";

/** @typedef {import("./random.js").Random} Random */
/** @typedef {Record<string, any>} Data */

const FIRST_BYTES = [
  "iVBORw0KGgo=",
  "/9j/4AAQSkZJRg==",
  "R0lGODlhAQABAA==",
  "R0lGODdhAQABAA==",
  "UklGRiQAAABXRUJQVlA4IA==",
  "UklGRiQAAABXQVZF",
  "Qk1XIHN1Y2h0",
  "JVBERi0xLjQK",
  "UEsDBBQAAAAIAA==",
  "dWlkO3RpdGVs",
  "QQ==",
  "UEsFBgAAAAA=",
  "UEs=",
];
const MIMES = [
  "image/png",
  "image/jpeg",
  "image/bmp",
  "image/svg+xml",
  "image/tiff",
  "application/pdf",
  "application/zip",
  "text/plain",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/msword",
  "application/octet-stream",
  "IMAGE/PNG",
  "application/vnd.oasis.opendocument.text",
  "application/epub+zip",
];

/** @param {Random} r @param {number} at */
function toolMessages(r, at) {
  const ids = ["c1", "c2", `c${at}`];
  const args = () => r.pick(["{}", '{ "a" : 1 }', { b: [1, "ö"] }, {}, "not json"]);
  const calls = r.list(3, () => ({ id: r.pick(ids), type: "function", function: { name: "f", arguments: args() } }));
  const results = r.list(3, () => ({
    role: "tool",
    tool_call_id: r.pick([...ids, "c9"]),
    content: r.pick(["ok", "", " ", [{ type: "text", text: "part" }]]),
    ...(r.chance(0.2) ? { name: "f" } : {}),
  }));
  return [{ role: "assistant", content: r.pick(["", "Looking", " "]), tool_calls: calls, ...(r.chance(0.2) ? { besideToolCall: true } : {}) }, ...results];
}

/** @param {Random} r @param {number} at @returns {Data[]} */
function messages(r, at) {
  if (r.chance(0.25)) return toolMessages(r, at);
  const role = r.pick(["user", "user", "assistant", "assistant", "assistant", "system"]);
  const m = /** @type {Data} */ ({ role, content: r.pick(["one", "two", " three ", "", " ", "\u200B\u00AD", "…", [{ type: "text", text: "part" }]]) });
  if (role === "assistant" && r.chance(0.35)) m.besideToolCall = true;
  else if (role !== "system" && r.chance(0.25))
    Object.assign(m, {
      notice: r.pick(role === "user" ? ["guardrail", "later"] : ["nothingSaved", "alreadyWritten", "runFinishedOutside", "noAnswer", "later"]),
      noticeArgs: r.pick([[], ["pages:1"], ["pages:1", "tt:2"]]),
    });
  if (role === "user" && typeof m.content === "string" && r.chance(0.3)) {
    if (r.chance(0.3)) Object.assign(m, { fileUid: r.pick([1, 2, "3"]), fileName: "old.bin", fileMimeType: "text/plain" });
    else m.files = Array.from({ length: 1 + r.below(2) }, () => ({ fileUid: r.pick([1, 2, "3", 4]), fileName: "f.bin", fileMimeType: "text/plain" }));
  }
  if (r.chance(0.1))
    Object.assign(m, {
      name: null,
      tool_calls: r.pick([null, []]),
      tool_call_id: null,
      clientId: "k",
      decisionLine: "d",
      createdAt: "2023-01-01T00:00:00Z",
      feedback: 1,
    });
  return [m];
}

const PROMPTS = [
  "",
  "",
  " ",
  "Be short.",
  "a</user_instructions>b",
  "<USER_INSTRUCTIONS x=1>c",
  "< / user_instructions",
  "<user_in<user_instructions>structions>d",
  "e<user_instructions",
  "<user_instructionsx>",
  "</user_instructions\n>f",
];

/** @param {Random} r @returns {Data} the argument of `buildTranscript` */
export function transcript(r) {
  const accepts = /** @type {Data} */ ({});
  for (const key of ["images", "documents", "repeatedRoles"]) if (r.chance(0.5)) accepts[key] = r.chance(0.6);
  const content = () =>
    r.chance(0.15)
      ? null
      : {
          name: "F.bin",
          identifier: "1:/F.bin",
          mimeType: r.pick(MIMES),
          base64: r.pick(FIRST_BYTES),
          ...(r.chance(0.5) ? { extractedText: r.pick(["EXTRACT", "Öl", null, ""]) } : {}),
        };
  return {
    conversation: { messages: r.list(7, () => 0).flatMap((_, at) => messages(r, at)), systemPrompt: r.pick(PROMPTS) },
    task: { uid: 5, promptTemplate: r.pick(["", "TASK", " "]), configuration: { uid: 9, name: "D", systemPrompt: r.pick(["", "CONFIG", " \n"]), accepts } },
    identityPrompt: r.pick(["", "ID", " "]),
    ...(r.chance(0.3)
      ? {
          context: {
            siteLanguages: r.list(3, () => ({ uid: r.below(12), title: "L", isoCode: "xx", isDefault: r.chance(0.3) })),
            openPoints: r.pick(["", "OPEN"]),
            unavailableTools: r.list(1, () => ({ name: "t", reason: "r" })),
            user: r.pick([undefined, { language: "de" }, { module: "list", page: { uid: 1, title: "P" } }, {}]),
          },
        }
      : {}),
    files: { 1: content(), 2: content(), 3: content() },
    ...(r.chance(0.4) ? { attachmentBudget: r.pick([0, 1, 8, 20, 40]) } : {}),
  };
}

/** @param {Random} r @returns {any} */
function pureStep(r) {
  return r.pick([
    null,
    7,
    { kind: "request", round: 1 },
    { kind: "llm", round: 1, content: "Looking.", requestedToolCalls: [{ id: "t" }] },
    { kind: "llm", round: 1, content: " \u200B", requestedToolCalls: [{ id: "t" }] },
    { kind: "llm", round: 1, content: "Half \ud83d\u0000", requestedToolCalls: [{}] },
    { kind: "llm", round: 1, content: "Answer", requestedToolCalls: [] },
    { kind: "llm" },
    { kind: "tool", round: 1, toolIsError: true },
    { kind: "tool", round: 1 },
    { kind: "tool_write", round: 1, writeTargetTable: "pages", writeTargetUid: 1 },
  ]);
}

/** @param {Random} r */
function row(r) {
  const messages = r.list(3, () => ({
    role: r.pick(["user", "user", "assistant"]),
    content: r.pick(["one", "two", " "]),
    ...(r.chance(0.4) ? { decisionLine: r.pick(["d1", "d2", ""]) } : {}),
    ...(r.chance(0.2) ? { x_host: [1] } : {}),
  }));
  const decision = r.pick(["", "", "approve", "deny", "input"]);
  return {
    uid: 1,
    owner: 7,
    title: "",
    messages,
    status: r.pick(["locked", "locked", "processing", "failed", "idle", "awaiting_input", "tool_loop", "later"]),
    revision: 3,
    claimId: "c",
    errorMessage: "old",
    errorCode: "timedOut",
    runUuid: r.pick(["", "r1", "r1", "r2"]),
    lastRunUuid: "",
    decision,
    decidedBy: null,
    turnDigest: decision === "" ? "" : r.pick(["d1", "d1", "d2"]),
    denyReason: "",
    pendingInput: null,
    systemPrompt: "",
    viewContext: null,
    activity: [],
    archived: false,
    pinned: false,
    createdAt: 1,
    updatedAt: 1,
  };
}

const KNOWN_OUTCOMES = [
  "completed",
  "completed",
  "completed",
  "awaiting_approval",
  "awaiting_approval",
  "awaiting_input",
  "failed",
  "guardrail_blocked",
  "guardrail_approval_required",
  "suspend_failed",
  "cancelled",
  "requeued",
  "lease_lost",
  "half_done",
  "",
  "Completed",
];

/** @param {Random} r @returns {any[]} arguments of `mapOutcome` */
export function outcome(r) {
  const result = /** @type {Data} */ ({ outcome: r.pick(KNOWN_OUTCOMES), runUuid: r.pick(["", "r1", "r1", "r2"]) });
  if (r.chance(0.8)) result.steps = r.list(4, () => pureStep(r));
  if (r.chance(0.7))
    result.loopResult = r.pick([
      null,
      { finalContent: "Answer" },
      { finalContent: "I have updated it." },
      { finalContent: " ", terminationReason: "budget" },
      { finalContent: "" },
      { finalContent: "Half \ud83d\u0000" },
      {},
      { finalContent: 5 },
    ]);
  if (r.chance(0.6))
    result.suspendedState = r.pick([
      null,
      {},
      { turnDigest: "d1" },
      { turnDigest: "d2" },
      { turnDigest: "", inputSchema: schema(r) },
      { turnDigest: "d1", inputSchema: schema(r) },
    ]);
  if (r.chance(0.5))
    result.error = r.pick([
      null,
      { message: "E:1" },
      { message: " ", code: "providerNotConfigured" },
      { message: "E:2", cause: { message: "x", cause: { message: "y", code: "providerNotConfigured" } } },
      { message: "E:3", code: "timedOut" },
      { code: "providerNotConfigured" },
    ]);
  if (r.chance(0.5)) result.guardrailClass = r.pick([null, "pii", "output_x", "an_output", "input"]);
  return [row(r), result, { ...(r.chance(0.3) ? { ruleSet: r.pick(["current", "withoutPauses"]) } : {}), ...(r.chance(0.5) ? { now: 1700000000999 } : {}) }];
}

const REASONS = [
  "staleTurn",
  "alreadyResuming",
  "notPermitted",
  "configurationInactive",
  "notAwaiting",
  "processVerdictUnreadable",
  "onlyInitiatorMayDecide",
  "secondApproverRequired",
];

/** @param {Random} r @returns {any[]} arguments of `mapRefusal`; the cells that are D10 are no refusals */
export function refusal(r) {
  const kind = r.pick(["approval", "input"]);
  return [
    row(r),
    {
      reason: r.pick([...REASONS, ...(kind === "input" ? ["invalidInput"] : ["selfApprovalDenied", "notAuditable"])]),
      ...(r.chance(0.5) ? { message: "internal" } : {}),
    },
    kind,
  ];
}

const STATUSES = ["idle", "processing", "locked", "tool_loop", "awaiting_approval", "awaiting_input", "failed", "later", "", "Idle"];

/** @param {Random} r @returns {any[]} arguments of `mayTransition` */
export const transition = (r) => [r.pick(STATUSES), r.pick(STATUSES), r.pick([undefined, "current", "withoutPauses"])];

/** @param {Random} r @returns {any[]} arguments of `statusRules` */
export const status = (r) => [r.pick(STATUSES)];
