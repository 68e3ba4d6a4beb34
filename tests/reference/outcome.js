// Section 4: what a result makes of a conversation.
import { sanitizeError } from "../../pkg/node.js";
import { questionOf } from "./forms.js";
import { claimsChange } from "./phrases.js";
import { requireKnown } from "./status.js";
import { demand, isBlank, isObject, refuseDepth, storable, textOr, timeText } from "./values.js";
import { writesOfSteps } from "./writes.js";

/** @typedef {Record<string, any>} Row */

const CAUSES = 16;

/** S5 @returns {Row} */
export const noDecision = () => ({ decision: "", decidedBy: null, turnDigest: "", denyReason: "", pendingInput: null });

/** A failure: error fields together (S6), run and decision gone (S5). @param {string} message @param {string} code @returns {Row} */
export const failure = (message, code) => ({ status: "failed", runUuid: "", ...noDecision(), errorMessage: sanitizeError(message), errorCode: code });

/** E2: the kind of an error, looked for along its causes. @param {any} error */
export function codeOfError(error) {
  let at = error;
  for (let i = 0; i < CAUSES && typeof at === "object" && at !== null; i++) {
    if (at.code === "providerNotConfigured") return "providerNotConfigured";
    at = at.cause;
  }
  return "";
}

/** The sentence of an error, or another where it has none. @param {any} error @param {string} otherwise */
export function messageOfError(error, otherwise) {
  const message = typeof error === "string" ? error : isObject(error) || error instanceof Error ? textOr(/** @type {any} */ (error).message) : "";
  const clean = sanitizeError(message);
  return isBlank(clean) ? otherwise : clean;
}

/** T6, D10. @param {unknown} error @param {string} otherwise */
export const failureOfError = (error, otherwise) => failure(messageOfError(error, otherwise), codeOfError(error));

/** O6: the texts beside tool calls, in the order of the rounds. @param {any} result @param {Row} stamp */
function besideTexts(result, stamp) {
  const steps = (Array.isArray(result.steps) ? result.steps : [])
    .filter((/** @type {any} */ s) => isObject(s) && s.kind === "llm" && Array.isArray(s.requestedToolCalls) && s.requestedToolCalls.length > 0)
    .filter((/** @type {any} */ s) => typeof s.content === "string" && !isBlank(storable(s.content)));
  const round = (/** @type {any} */ s) => (typeof s.round === "number" ? s.round : 0);
  return steps
    .sort((/** @type {any} */ a, /** @type {any} */ b) => round(a) - round(b))
    .map((/** @type {any} */ s) => ({ role: "assistant", content: storable(s.content), besideToolCall: true, ...stamp }));
}

/** D3: whether the last message is the line of the recorded decision or answer. @param {Row} conversation */
export function hasDecisionLine(conversation) {
  const last = conversation.messages.at(-1);
  if (!isObject(last) || last.role !== "user") return false;
  if (textOr(last.decisionLine) !== "") return last.decisionLine === conversation.turnDigest;
  return conversation.decision === "input";
}

/** O1, O2, V7. @param {any} result @param {Row} stamp */
function answerOf(result, stamp) {
  const text = storable(textOr(result.loopResult.finalContent));
  if (isBlank(text)) {
    const reason = textOr(result.loopResult.terminationReason);
    return { role: "assistant", content: "…", notice: "noAnswer", noticeArgs: [isBlank(reason) ? "completed" : storable(reason)], ...stamp };
  }
  const answer = { role: "assistant", content: text, ...stamp };
  // V7: without a run only the steps can tell; with one the engine asks for its events
  const nothing = textOr(result.runUuid) === "" && claimsChange(text) && wroteNothing(writesOfSteps(result.steps));
  return nothing ? { ...answer, notice: "nothingSaved" } : answer;
}

/** @param {{ known: boolean, wrote: boolean }} writes */
export const wroteNothing = (writes) => writes.known && !writes.wrote;

/** O8, M8a: the request the guardrail stopped is marked. @param {Row} conversation @param {any} result */
function guardrailMark(conversation, result) {
  const last = conversation.messages.at(-1);
  if (!isObject(last) || last.role !== "user" || hasDecisionLine(conversation)) return {};
  if (textOr(result.guardrailClass).includes("output")) return {};
  return { messages: { keep: conversation.messages.length - 1, append: [{ ...last, notice: "guardrail" }] } };
}

/** O4, O5, O7. @param {Row} conversation @param {any} result @param {string} run @param {Row} stamp */
function pause(conversation, result, run, stamp) {
  if (run === "") return failure("The run waits for a person but has no identifier.", "pauseWithoutRun");
  const append = besideTexts(result, stamp);
  const state = isObject(result.suspendedState) ? result.suspendedState : {};
  if (result.outcome === "awaiting_input") {
    const question = storable(questionOf(state.inputSchema));
    if (!isBlank(question)) append.push({ role: "assistant", content: question, ...stamp });
  }
  const digest = textOr(state.turnDigest);
  const again =
    result.outcome === "awaiting_approval" &&
    conversation.decision === "approve" &&
    conversation.runUuid === run &&
    digest !== "" &&
    digest === conversation.turnDigest;
  return {
    status: result.outcome,
    runUuid: run,
    ...noDecision(),
    errorMessage: "",
    errorCode: again ? "handBack.previewChanged" : "",
    ...(append.length > 0 ? { messages: { keep: conversation.messages.length, append } } : {}),
  };
}

/** @param {Row} conversation @param {any} result @param {string} run @param {string} ruleSet @param {Row} stamp @returns {Row} */
function mapped(conversation, result, run, ruleSet, stamp) {
  const outcome = textOr(result.outcome);
  const sentence = isBlank(outcome) ? "The agent runtime gave no result." : `The run ended without an answer (${outcome}).`;
  const failed = (/** @type {string} */ code) => failure(messageOfError(result.error, sentence), code);
  switch (outcome) {
    case "completed": {
      if (!isObject(result.loopResult)) return failed(codeOfError(result.error)); // O3
      const append = [...besideTexts(result, stamp), answerOf(result, stamp)];
      return { status: "idle", runUuid: "", ...noDecision(), errorMessage: "", errorCode: "", messages: { keep: conversation.messages.length, append } };
    }
    case "awaiting_approval":
    case "awaiting_input":
      return ruleSet === "withoutPauses" ? failed(codeOfError(result.error)) : pause(conversation, result, run, stamp); // S7
    case "guardrail_blocked":
    case "guardrail_approval_required":
      return { ...failure("A guardrail stopped this turn.", "guardrail"), ...guardrailMark(conversation, result) };
    case "cancelled":
      return failed("cancelled"); // O10
    case "lease_lost":
      return failed("finishedOutside"); // O10
    default:
      return failed(codeOfError(result.error)); // O9
  }
}

/**
 * Section 4. The patch to swap in; the conversation is not changed.
 * @param {Row} conversation @param {any} result @param {{ ruleSet?: string, now?: number }} [options] `now`: Unix milliseconds
 * @returns {Row}
 */
export function mapOutcome(conversation, result, options = {}) {
  demand(isObject(conversation) && Array.isArray(conversation.messages) && typeof conversation.status === "string", "conversation");
  demand(isObject(result), "result");
  refuseDepth(conversation, result, options);
  requireKnown(/** @type {{ status: string }} */ (conversation));
  const stamp = options.now === undefined ? {} : { createdAt: timeText(options.now) };
  const run = textOr(result.runUuid);
  const patch = mapped(conversation, result, run, options.ruleSet ?? "current", stamp);
  return run === "" ? patch : { ...patch, lastRunUuid: run };
}
