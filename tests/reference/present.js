// Section 11: what the reader sees.
import { inputForm } from "./forms.js";
import { requireKnown, statusRules } from "./status.js";
import { demand, INVISIBLE_CLASS, isBlank, isObject, refuseDepth, sameUid, textOr } from "./values.js";

/** @typedef {Record<string, any>} Row */

const POINTS = ["handBack.alreadyResuming", "handBack.inputAlreadyResuming", "handBack.notAwaitingApproval", "handBack.notAwaitingInput", "finishedOutside"];
const HIDDEN = new RegExp(`\\\\u\\{|(?![\\t\\n])[\\p{Cc}${INVISIBLE_CLASS}]`, "gu");
const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\uFE0F?$/u;
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u;

/** V3a: what cannot be seen is written out. @param {string} text */
export function visible(text) {
  return text.replace(HIDDEN, (found, at) => {
    if (found === "\\u{") return "\\u{5C}u{";
    if (found === "\u200D" && EMOJI_BEFORE.test(text.slice(0, at)) && EMOJI_AFTER.test(text.slice(at + 1))) return found;
    return `\\u{${/** @type {number} */ (found.codePointAt(0)).toString(16).toUpperCase()}}`;
  });
}

/** @param {any} value @returns {any} */
function visibleDeep(value) {
  if (typeof value === "string") return visible(value);
  if (Array.isArray(value)) return value.map(visibleDeep);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [visible(key), visibleDeep(part)]));
}

/** @param {any} call */
function shownCall(call) {
  if (!isObject(call)) return call;
  const shown = /** @type {Row} */ ({ ...call });
  for (const key of ["name", "arguments", "label", "previewLines", "target"]) if (Object.hasOwn(call, key)) shown[key] = visibleDeep(call[key]);
  return shown;
}

/** R1, V1: without asking the runtime. @param {Row} conversation */
export function retryRefusal(conversation) {
  if (conversation.status === "locked") return { httpStatus: 409, code: "busy" };
  if (conversation.runUuid !== "" && conversation.decision !== "") return { httpStatus: 409, code: "decisionInFlight" };
  if (!statusRules(conversation.status).resumable || (conversation.status === "failed" && conversation.errorCode === "guardrail"))
    return { httpStatus: 400, code: "nothingToRetry" };
  return null;
}

/** V2. @param {Row} conversation @param {Row} reader @param {boolean} mayWrite @param {Row | null} form */
function noticesOf(conversation, reader, mayWrite, form) {
  const code = textOr(conversation.errorCode);
  const message = textOr(conversation.errorMessage);
  const plain = (/** @type {string} */ key) => ({ key, args: /** @type {string[]} */ ([]) });
  const error = code === "" ? [] : [plain(`error.${code}`)];
  switch (conversation.status) {
    case "awaiting_approval":
      return [plain(reader.mayDecide ? "chat.approvalPending" : "chat.approvalPendingElsewhere"), ...error];
    case "awaiting_input":
      return [
        plain(mayWrite ? "chat.inputPending" : "chat.inputPendingElsewhere"),
        ...(form?.kind === "unsupported" ? [plain("chat.questionUnsupported")] : []),
        ...error,
      ];
    case "failed":
      return [{ key: code === "" ? "chat.failed" : `error.${code}`, args: reader.isAdmin && message !== "" ? [message] : [] }];
    case "idle":
      return error;
    default:
      return [];
  }
}

/** V3. @param {Row} conversation @param {Row} reader @param {any} waiting @param {number} now */
function cardOf(conversation, reader, waiting, now) {
  if (!reader.mayDecide || conversation.status !== "awaiting_approval" || !isObject(waiting)) return null;
  if (waiting.mode !== "approval" && waiting.mode !== "unreadable") return null;
  const calls = (Array.isArray(waiting.pendingCalls) ? waiting.pendingCalls : []).filter(isObject);
  const reason = textOr(waiting.unreadableReason);
  return {
    turnDigest: textOr(waiting.turnDigest),
    calls: calls.map(shownCall),
    stale: conversation.errorCode === "handBack.previewChanged" || calls.some((call) => call.previewStale === true),
    expired: isExpired(waiting, now),
    unreadable: waiting.mode === "unreadable" ? (isBlank(reason) ? "unreadable" : reason) : null,
  };
}

/** @param {any} waiting @param {number} now Unix milliseconds */
export const isExpired = (waiting, now) => isObject(waiting) && typeof waiting.expiresAt === "number" && now > waiting.expiresAt * 1000;

/** @param {Row} conversation @param {boolean} mayWrite @param {any} waiting */
function formOf(conversation, mayWrite, waiting) {
  if (!mayWrite || conversation.status !== "awaiting_input" || !isObject(waiting) || waiting.mode !== "input" || textOr(waiting.turnDigest) === "") return null;
  return { ...inputForm(waiting.inputSchema), turnDigest: waiting.turnDigest };
}

/**
 * V1: the only place that decides what a reader sees.
 * @param {Row} conversation @param {Row} reader @param {any} [waiting] @param {{ now?: number }} [options] `now`: Unix milliseconds
 */
export function present(conversation, reader, waiting = null, options = {}) {
  demand(isObject(conversation) && typeof conversation.status === "string", "conversation");
  demand(isObject(reader), "reader");
  refuseDepth(conversation, reader, waiting, options);
  requireKnown(/** @type {{ status: string }} */ (conversation));
  const rules = statusRules(conversation.status);
  const mayWrite = typeof reader.mayWrite === "boolean" ? reader.mayWrite : sameUid(reader.uid, conversation.owner);
  const form = formOf(conversation, mayWrite, waiting);
  return {
    busy: rules.busy,
    maySend: !rules.busy,
    mayRetry: retryRefusal(conversation) === null,
    notices: noticesOf(conversation, reader, mayWrite, form),
    card: cardOf(conversation, reader, waiting, options.now ?? Date.now()),
    form,
    pointsToRun: POINTS.includes(conversation.errorCode),
    pollAfter: rules.busy ? 1500 : rules.waiting ? 10000 : 0,
  };
}
