/**
 * Decides the next step of a turn. Each intent has a plan, written as if its tool calls returned at once; the planner replays the calls the prompt already
 * has results for and stops at the first one it has none for. The prompt is the whole state: the same prompt gives the same step.
 *
 * @import { Call, Decision, Plan, Step, Turn } from "./types.js"
 */
import { createPage } from "./create-plan.js";
import { Conclusion, respectEarlierWrites } from "./lookup.js";
import { phrasesOf } from "./phrases.js";
import { findPages, listPages, showPage } from "./read-plans.js";
import { deletePage, renamePage, setHidden, setText } from "./write-plans.js";

/** Most steps of one turn; no plan needs half of them. */
const STEPS = 24;

/**
 * @param {Turn} turn
 * @param {(name: string) => boolean} isOffered
 * @returns {Plan}
 */
function* planOf(turn, isOffered) {
  const { intent } = turn;
  const phrases = phrasesOf(turn.language);
  switch (intent.kind) {
    case "list":
      return yield* listPages(turn, intent);
    case "find":
      return yield* findPages(turn, intent);
    case "show":
      return yield* showPage(turn, intent);
    case "left":
      return phrases.leave;
    case "unknown":
      return `${phrases.unknown} ${phrases.help}`;
    case "help":
    case "greeting":
    case "thanks":
    case "nothing":
    case "tooLong":
      return phrases[intent.kind];
    default:
      yield* respectEarlierWrites(turn, isOffered);
  }
  switch (intent.kind) {
    case "rename":
      return yield* renamePage(turn, intent);
    case "setText":
      return yield* setText(turn, intent);
    case "setHidden":
      return yield* setHidden(turn, intent);
    case "delete":
      return yield* deletePage(turn, intent);
    case "create":
      return yield* createPage(turn, intent);
  }
}

/**
 * JSON with sorted keys, so that equal arguments have equal texts.
 *
 * @param {unknown} value
 * @returns {string}
 */
function canonical(value) {
  return JSON.stringify(value, (_, part) =>
    typeof part === "object" && part !== null && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/**
 * @param {Turn} turn
 * @param {Step[]} steps the tool calls of this turn, in order
 * @param {(name: string) => boolean} isOffered whether a tool may be called now
 * @returns {Decision} a call, with the text beside it, or the answer
 */
export function decide(turn, steps, isOffered) {
  const phrases = phrasesOf(turn.language);
  const plan = planOf(turn, isOffered);
  const left = steps.map((step) => ({ ...step, key: `${step.name} ${canonical(step.input)}` }));
  try {
    let next = plan.next();
    while (!next.done) {
      const { name, input, text } = next.value;
      const key = `${name} ${canonical(input)}`;
      const at = left.findIndex((step) => step.key === key);
      const [step] = at < 0 ? [] : left.splice(at, 1);
      if (step) next = plan.next(step.result);
      else if (steps.length >= STEPS) return { text: phrases.lost, call: null };
      else return isOffered(name) ? { text, call: { name, input } } : { text: phrases.toolMissing(name), call: null };
    }
    return { text: next.value, call: null };
  } catch (error) {
    if (error instanceof Conclusion) return { text: error.answer, call: null };
    throw error;
  }
}
