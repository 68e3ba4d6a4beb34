// Section 5: refusals of the runtime (table D7).
import { failureOfError, hasDecisionLine, noDecision } from "./outcome.js";
import { requireKnown } from "./status.js";
import { demand, isObject, refuseDepth } from "./values.js";

/** @typedef {Record<string, any>} Row */

/** Reason -> [code of an approval, code of an input]; "" is D10. @type {Record<string, [string, string]>} */
const CODES = {
  staleTurn: ["handBack.staleTurn", "handBack.inputStale"],
  alreadyResuming: ["handBack.alreadyResuming", "handBack.inputAlreadyResuming"],
  notPermitted: ["handBack.approverNotPermitted", "handBack.inputNotPermitted"],
  configurationInactive: ["handBack.configurationInactive", "handBack.inputConfigOff"],
  notAwaiting: ["handBack.notAwaitingApproval", "handBack.notAwaitingInput"],
  invalidInput: ["", "handBack.inputInvalid"],
  selfApprovalDenied: ["handBack.selfApproval", ""],
  notAuditable: ["handBack.notAuditable", ""],
  processVerdictUnreadable: ["handBack.processUnreadable", "handBack.processUnreadable"],
  onlyInitiatorMayDecide: ["handBack.processOnlyStarter", "handBack.processOnlyStarter"],
  secondApproverRequired: ["stopped.secondApprover", "stopped.secondApprover"],
};
const STOPPED = "stopped.secondApprover";

/** The code of a refusal; "" where D10 applies. @param {unknown} reason @param {"approval" | "input"} kind */
export function refusalCode(reason, kind) {
  return typeof reason === "string" && Object.hasOwn(CODES, reason) ? CODES[reason][kind === "input" ? 1 : 0] : "";
}

/** D11: all but the last hand the run back. @param {string} code */
export const handsBack = (code) => code !== "" && code !== STOPPED;

/** Takes out the line that was not delivered (D3). @param {Row} conversation @returns {Row} */
export function withoutLine(conversation) {
  return hasDecisionLine(conversation) ? { messages: { keep: conversation.messages.length - 1, append: [] } } : {};
}

/**
 * Table D7 as a patch.
 * @param {Row} conversation @param {{ reason: string, message?: string }} refusal @param {"approval" | "input"} kind what was being carried out
 * @returns {Row}
 */
export function mapRefusal(conversation, refusal, kind) {
  demand(isObject(conversation) && Array.isArray(conversation.messages) && typeof conversation.status === "string", "conversation");
  demand(isObject(refusal) && Object.hasOwn(CODES, String(refusal.reason)), "refusal");
  demand(kind === "approval" || kind === "input", "kind");
  refuseDepth(conversation, refusal);
  requireKnown(/** @type {{ status: string }} */ (conversation));
  const code = refusalCode(refusal.reason, kind);
  if (code === "") return failureOfError({ message: refusal.message }, "The runtime refused to carry this out."); // D10
  const stopped = code === STOPPED; // D9
  return {
    status: stopped ? "idle" : kind === "input" ? "awaiting_input" : "awaiting_approval",
    runUuid: stopped ? "" : conversation.runUuid,
    ...noDecision(),
    errorMessage: "",
    errorCode: code,
    ...withoutLine(conversation),
  };
}
