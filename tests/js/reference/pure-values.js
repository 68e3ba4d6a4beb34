// Random arguments for the pure rules.

/** @typedef {import("./random.js").Random} Random */
/** @typedef {Record<string, any>} Data */

const TITLES = ["Colour", " Size ", "", "  ", "\u200B", "Wahl", undefined, 7, null];
const VALUES = ["red", "blue", "", " ", 1, 2, 0, 1.5, true, false, null, { a: 1 }, ["x"], "7", 7, -0.5, 1e21];
const TYPES = [
  "string",
  "integer",
  "number",
  "boolean",
  "object",
  "array",
  "later",
  ["string", "null"],
  ["null", "integer"],
  ["null"],
  ["number", "string"],
  [],
  7,
];

/** @param {Random} r @param {Data} schema */
function worded(r, schema) {
  if (r.chance(0.5)) schema.title = r.pick(TITLES);
  if (r.chance(0.3)) schema.description = r.pick(TITLES);
  return schema;
}

/** @param {Random} r @param {boolean} tame only readable options */
const options = (r, tame) => r.list(3, () => (tame ? r.pick(["red", "blue", 1, 2, true, "7", null]) : r.pick(VALUES)));

/** @param {Random} r @param {number} depth @returns {any} */
function property(r, depth = 0) {
  if (r.chance(0.03)) return r.pick([true, null, "text", []]);
  const schema = worded(r, {});
  const kind = r.next();
  if (kind < 0.25) schema.enum = r.chance(0.03) ? "red" : options(r, r.chance(0.8));
  else if (kind < 0.45 && depth < 2) {
    schema[r.pick(["oneOf", "anyOf"])] = r.chance(0.6)
      ? options(r, r.chance(0.8))
          .map((value) => worded(r, { const: value }))
          .concat(r.chance(0.3) ? [{ type: "null" }] : [])
      : r.list(2, () => property(r, depth + 1)).concat(r.chance(0.6) ? [{ type: "null" }] : []);
  } else if (kind < 0.48) schema.$ref = "#/x";
  else if (r.chance(0.85)) schema.type = r.chance(0.75) ? r.pick(["string", "string", "integer", "number", "boolean"]) : r.pick(TYPES);
  return schema;
}

/** @param {Random} r @returns {any} */
export function schema(r) {
  if (r.chance(0.03)) return r.pick([null, 7, "text", [], true]);
  const made = worded(r, {});
  if (r.chance(0.5)) made.type = r.pick(["object", "object", ["object", "null"], ["null", "object"], "array", ["string"]]);
  if (r.chance(0.02)) made.$ref = "#/x";
  const names = r.pick([["a"], ["a"], ["a", "b"], ["a", "b"], ["a", "b", "c"], [], ["z", "a"], ["toString"]]);
  if (r.chance(0.97)) made.properties = r.chance(0.02) ? [] : Object.fromEntries(names.map((name) => [name, property(r)]));
  if (r.chance(0.4)) made.required = r.pick([["a"], ["b"], ["a", "b"], [], ["other"]]);
  return made;
}

const TEXTS = [
  "red",
  " text ",
  "",
  " ",
  "\u200B",
  "12",
  " -3 ",
  "+3",
  "1.5",
  "1e2",
  "01",
  "9007199254740993",
  "x\u0000y",
  "half \ud83d",
  "true",
  "-",
  "1e999",
  ".5",
  "0x1",
  "\ufeff7\ufeff",
  "-0",
];
const ANSWERED = [...VALUES, ...TEXTS, 5.0, 2 ** 53 + 2, Number.MAX_VALUE];

/** @param {Random} r @returns {any} */
export function answer(r) {
  const made = /** @type {Data} */ ({});
  const kind = r.next();
  if (kind < 0.3) made.choice = r.pick(ANSWERED);
  else if (kind < 0.5) made.freeText = r.pick(r.chance(0.9) ? TEXTS : ANSWERED);
  else
    made.fields = r.chance(0.03)
      ? r.pick([null, "x", []])
      : Object.fromEntries(["a", "b", "c", "z", "other", "toString"].filter(() => r.chance(0.6)).map((name) => [name, r.pick(ANSWERED)]));
  if (r.chance(0.06)) made[r.pick(["choice", "freeText", "fields"])] = r.pick([undefined, "red", {}, null]);
  return made;
}

const PIECES = [
  "Hello",
  "go on",
  "please",
  "ok",
  ",",
  " ",
  "  ",
  ".",
  "!",
  "…",
  "weiter",
  "approved",
  "now",
  "bitte",
  "I",
  "’ve",
  "'ve",
  "i've",
  "approved it",
  "jetzt",
  "\n",
  "done, approved",
  "GO ON",
  "ｇｏ ｏｎ",
  "habe ich",
  "geht’s",
  "okay",
  "?",
  "\u00a0",
  "\ufeff",
  "continue",
];

/** @param {Random} r */
export const intent = (r) => r.list(6, () => r.pick(PIECES)).join(r.pick(["", " ", " "]));

const CLAIMS = [
  "I",
  "have",
  "updated",
  "the page",
  "not",
  "never",
  "didn't",
  "shouldn't",
  "n’t",
  ".",
  ". ",
  ": ",
  ";",
  "? ",
  "\n",
  "\u2028",
  "\r",
  "geändert",
  "gea\u0308ndert",
  "nicht",
  "UPDATED",
  "saved",
  "wurde",
  "kein",
  "up-dated",
  "x.saved",
  "saved_",
  "saved2",
  "…",
  "ﬁxed",
  "done",
  ",",
  "\u0085",
  "ohne",
  "can’t",
  "'saved'",
  "‘saved’",
  "not—saved",
  "İsaved",
  "without",
  "'",
];

/** @param {Random} r */
export const claim = (r) => r.list(10, () => r.pick(CLAIMS)).join(r.pick(["", " ", " ", " "]));

const SHOWN = [
  "plain",
  "\u202Etxt",
  "a\u200Db",
  "👩\u200D👩\u200D👧",
  "👍🏽\u200D♂️",
  "\\u{202E}",
  "\\u{",
  "\u0000\t\n",
  "\u{E0041}",
  "\uFEFF",
  "\u00AD",
  "\u180E",
  "\u0085",
  "\u200F",
  "❤️\u200D🔥",
  "x\u200D👩",
  "👩\u200D",
  "1\u200D👩",
  "\u2028",
  "\u061C",
  "\u2066",
  "🇩🇪\u200D👩",
  "#️⃣\u200D👩",
  "©\u200D👩",
];

/** @param {Random} r @returns {any} */
function shown(r, depth = 0) {
  if (depth < 3 && r.chance(0.3)) return r.list(3, () => shown(r, depth + 1));
  if (depth < 3 && r.chance(0.3)) return Object.fromEntries(r.list(3, () => [r.pick(SHOWN), shown(r, depth + 1)]));
  return r.chance(0.7) ? r.list(3, () => r.pick(SHOWN)).join("") : r.pick([1, null, true, 1.5]);
}

/** @param {Random} r @returns {any[]} arguments of `present` */
export function view(r) {
  const status = r.pick([
    "idle",
    "processing",
    "locked",
    "tool_loop",
    "awaiting_approval",
    "awaiting_approval",
    "awaiting_input",
    "awaiting_input",
    "failed",
    "failed",
    "later",
  ]);
  const conversation = {
    uid: 1,
    owner: r.pick([7, "7", 8]),
    title: "",
    messages: [],
    status,
    revision: 3,
    claimId: "",
    errorMessage: r.pick(["", "E:1"]),
    errorCode: r.pick([
      "",
      "",
      "timedOut",
      "guardrail",
      "handBack.previewChanged",
      "handBack.alreadyResuming",
      "handBack.inputAlreadyResuming",
      "handBack.notAwaitingInput",
      "handBack.notAwaitingApproval",
      "finishedOutside",
      "stopped.secondApprover",
    ]),
    runUuid: r.pick(["", "r1"]),
    lastRunUuid: "",
    decision: r.pick(["", "", "approve", "input"]),
    decidedBy: null,
    turnDigest: "",
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
  const reader = { uid: r.pick([7, "7", 9]), isAdmin: r.chance(0.4), mayDecide: r.chance(0.7), ...(r.chance(0.5) ? { mayWrite: r.chance(0.5) } : {}) };
  const call = () => ({
    name: shown(r, 3),
    arguments: shown(r),
    ...(r.chance(0.4) ? { label: shown(r, 3) } : {}),
    ...(r.chance(0.4) ? { previewLines: r.list(2, () => String(shown(r, 3))) } : {}),
    ...(r.chance(0.2) ? { previewStale: r.chance(0.5) } : {}),
    ...(r.chance(0.2) ? { previewFailed: true } : {}),
    ...(r.chance(0.3) ? { target: r.pick([null, { table: r.pick(SHOWN), uid: r.pick([1, "\u202Ex"]), title: r.pick(SHOWN) }]) } : {}),
  });
  const waiting = r.chance(0.1)
    ? null
    : {
        runUuid: "r1",
        mode: r.pick(["approval", "approval", "input", "input", "unreadable"]),
        turnDigest: r.pick(["d1", "d1", null, ""]),
        pendingCalls: r.list(2, call),
        inputSchema: schema(r),
        ...(r.chance(0.5) ? { expiresAt: r.pick([1000, 999, 1001, 0]) } : {}),
        ...(r.chance(0.5) ? { unreadableReason: r.pick([null, "locked", ""]) } : {}),
      };
  return [conversation, reader, waiting, { now: r.pick([1000000, 1000001, 999999, 1000500]) }];
}

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
  if (role !== "system" && r.chance(0.25))
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
