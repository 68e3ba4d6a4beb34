// Section 1: the status of a conversation.
import { AgentTurnError } from "../../pkg/errors.js";

export const BUSY = ["processing", "locked", "tool_loop"];
export const WAITING = ["awaiting_approval", "awaiting_input"];
const SETTLED = ["idle", "failed"];
const RESUMABLE = ["processing", "tool_loop", "failed"];
const KNOWN = [...BUSY, ...WAITING, ...SETTLED];

/** S4 @type {Record<string, string[]>} */
const MOVES = {
  idle: ["processing"],
  failed: ["processing", "idle", ...WAITING],
  awaiting_approval: ["processing", "idle", "failed", "awaiting_input"],
  awaiting_input: ["processing", "idle", "failed", "awaiting_approval"],
  processing: ["processing", "locked", "idle", "failed", ...WAITING],
  tool_loop: ["processing", "idle", "failed", ...WAITING],
  locked: ["locked", "idle", "failed", ...WAITING],
};

/** @param {string} status S2, S3 */
export function statusRules(status) {
  return { known: KNOWN.includes(status), busy: BUSY.includes(status), waiting: WAITING.includes(status), resumable: RESUMABLE.includes(status) };
}

/** S4, S7. @param {string} from @param {string} to */
export function mayTransition(from, to, ruleSet = "current") {
  if (!KNOWN.includes(from) || !KNOWN.includes(to)) return false;
  if (ruleSet !== "withoutPauses") return MOVES[from].includes(to);
  if (WAITING.includes(to)) return false;
  return MOVES[from].includes(to) || (from === "locked" && to === "processing");
}

/** S3: never a default. @param {{ status: string }} conversation */
export function requireKnown(conversation) {
  if (!KNOWN.includes(conversation.status)) throw new AgentTurnError("unknownStatus", `the status "${conversation.status}" is not known`);
}
