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
