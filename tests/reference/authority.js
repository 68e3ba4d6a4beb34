// K2: the run is the authority. What became of it, and what that makes of the row.
import { failure, mapOutcome, noDecision, wroteNothing } from "./outcome.js";
import { claimsChange } from "./phrases.js";
import { withoutLine } from "./refusal.js";
import { isObject, textOr, timeText } from "./values.js";
import { writesOfEvents } from "./writes.js";

/** @typedef {Record<string, any>} Row */
/** @typedef {import("./host.js").Port} Port */
/** @typedef {{ kind: "waiting" | "active" | "ended" | "unknown", status: string, threw: boolean }} Became */

const WAITS = /** @type {Record<string, string>} */ ({ waiting_for_approval: "awaiting_approval", waiting_for_input: "awaiting_input" });
export const ACTIVE = ["running", "queued"];
const ENDED = ["completed", "failed", "cancelled"];

/** @param {Port} port @param {any} actor the owner @param {string} run @returns {Promise<Became>} `status` of a waiting run: that of the conversation */
export async function becameOf(port, actor, run) {
  const { value, threw } = await port.quiet("status", actor, run);
  const status = isObject(value) ? textOr(value.status) : "";
  if (Object.hasOwn(WAITS, status)) return { kind: "waiting", status: WAITS[status], threw };
  if (ACTIVE.includes(status)) return { kind: "active", status, threw };
  if (ENDED.includes(status)) return { kind: "ended", status, threw };
  return { kind: "unknown", status: "", threw };
}

/** The kept result of a run if it is of the wanted outcome; an earlier pause is not. @param {Port} port @param {any} actor @param {string} run @param {string} outcome */
export async function keptResult(port, actor, run, outcome) {
  const { value } = await port.quiet("result", actor, run);
  if (!isObject(value) || value.outcome !== outcome) return null;
  return textOr(value.runUuid) === "" ? { ...value, runUuid: run } : value;
}

/** Section 4, then V7 with the events of the run. @param {Port} port @param {any} actor @param {Row} row @param {any} result @param {number} now @param {string} run "": it has none, its steps count */
export async function mapWithEvents(port, actor, row, result, now, run = textOr(result.runUuid)) {
  const patch = mapOutcome(row, result, { ruleSet: port.settings.ruleSet, now });
  const answer = patch.status === "idle" ? patch.messages?.append.at(-1) : undefined;
  if (!answer || answer.notice === "noAnswer" || run === "" || !claimsChange(answer.content)) return patch;
  const { value } = await port.quiet("events", actor, run);
  if (wroteNothing(writesOfEvents(value))) answer.notice = "nothingSaved";
  else delete answer.notice;
  return patch;
}

/**
 * A pause that comes back: with the texts of its result where no decision was recorded.
 * @param {Port} port @param {any} actor @param {Row} row @param {string} run @param {string} status @param {string} code of `withoutPauses` @param {number} now
 * @returns {Promise<Row>}
 */
export async function pauseAgain(port, actor, row, run, status, code, now) {
  if (port.settings.ruleSet === "withoutPauses") return failure("The run waits for a person, and this chat has no place for that.", code); // S7
  const recorded = row.decision !== "";
  const plain = { status, runUuid: run, ...noDecision(), errorMessage: "", errorCode: recorded ? "handBack.notCarriedOut" : "" };
  if (recorded) return { ...plain, ...withoutLine(row) };
  const result = await keptResult(port, actor, run, status);
  return result?.runUuid === run ? mapOutcome(row, result, { now }) : plain; // a result of another run is not this pause
}

/**
 * K2 for a run that ended: its answer, or that it finished outside.
 * @param {Port} port @param {any} actor @param {Row} row @param {string} run @param {string} status @param {number} now
 */
export async function endedPatch(port, actor, row, run, status, now) {
  const result = status === "completed" ? await keptResult(port, actor, run, "completed") : null;
  return result ? mapWithEvents(port, actor, row, result, now) : failure("The run was finished outside of this chat.", "finishedOutside");
}

/**
 * R2a: the line about what a run had written; null: there is nothing to say, or it is said already.
 * @param {Port} port @param {any} actor @param {Row} row @param {string} run @param {number} now @returns {Promise<Row | null>}
 */
export async function writtenLine(port, actor, row, run, now) {
  if (row.messages.at(-1)?.notice === "alreadyWritten") return null;
  const { value } = await port.quiet("events", actor, run);
  const writes = writesOfEvents(value);
  if (writes.known && !writes.wrote) return null;
  return noticeLine("alreadyWritten", writes.names, now);
}

/** @param {string} notice @param {string[]} names @param {number} now */
export const noticeLine = (notice, names, now) => ({
  role: "assistant",
  content: names.join(", ") || "…",
  notice,
  noticeArgs: names,
  createdAt: timeText(now),
});

/** @param {Row} row @param {Row | null} line @returns {Row} */
export const appended = (row, line) => (line ? { messages: { keep: row.messages.length, append: [line] } } : {});

/** What the store makes of a patch. @param {Row} row @param {Row} patch @returns {Row} */
export function applied(row, patch) {
  const { messages, ...fields } = patch;
  return { ...row, ...fields, revision: row.revision + 1, messages: messages ? [...row.messages.slice(0, messages.keep), ...messages.append] : row.messages };
}
