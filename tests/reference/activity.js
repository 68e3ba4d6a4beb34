// C5, V6: heartbeats and the summaries of steps.
import { isObject, textOr } from "./values.js";

/** @typedef {Record<string, any>} Row */
const KEPT = 100;

/** The newest entries with one more. @param {any} activity @param {Row} entry @returns {Row[]} */
export const activityOf = (activity, entry) => [...(Array.isArray(activity) ? activity : []), entry].slice(-KEPT);

/** @param {any} step @returns {Row | null} null: a step that leaves no entry */
function entryOf(step) {
  if (!isObject(step) || (step.kind !== "llm" && step.kind !== "tool")) return null;
  const number = (/** @type {unknown} */ value) => (typeof value === "number" && Number.isFinite(value) ? value : 0);
  const entry = /** @type {Row} */ ({ kind: step.kind, round: number(step.round), ms: number(step.durationMs) });
  if (step.kind === "tool") {
    if (textOr(step.toolName) !== "") entry.tool = step.toolName;
    if (step.toolIsError === true) entry.error = true;
  }
  return entry;
}

/**
 * One touch per call while the run goes on; nothing after `close`.
 * @param {import("./host.js").Port} port @param {Row} row
 */
export function stepReader(port, row) {
  let activity = Array.isArray(row.activity) ? row.activity : [];
  let open = true;
  return {
    /** @param {any} step */
    onStep: (step) => {
      if (!open) return;
      const entry = entryOf(step);
      if (entry) activity = activityOf(activity, entry);
      let now;
      try {
        now = port.host.now ? port.host.now() : Date.now();
      } catch {
        return;
      }
      port.touch(row.uid, row.claimId, Math.floor(now / 1000), activity);
    },
    /** Ends the reading; what was read, so that the settling write has it although a touch failed. */
    close: () => {
      open = false;
      return activity;
    },
  };
}
