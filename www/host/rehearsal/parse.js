/**
 * From the text of a request to what it asks for. A pure function: nothing but the text decides.
 *
 * @import { Grammar, Intent, Language, MaskedText, Parsed } from "./types.js"
 */
import { english } from "./english.js";
import { german } from "./german.js";
import { maskQuotes } from "./quotes.js";

/** Longest request that is read, in UTF-16 units; the engine's own limit for a message is below it. */
export const REQUEST_LENGTH = 20_000;

/** How often polite words are taken off; people are not more polite than that. */
const COURTESIES = 8;

const GRAMMARS = [english, german];

/**
 * @param {string} request
 * @returns {Parsed}
 */
export function parseRequest(request) {
  if (request.length > REQUEST_LENGTH) return { language: languageOf(request.slice(0, REQUEST_LENGTH)), intent: { kind: "tooLong" } };
  const text = maskQuotes(request.normalize("NFC"));
  for (const wording of wordings(text.masked)) {
    for (const grammar of GRAMMARS) {
      const intent = match(grammar, wording, text);
      if (intent) return { language: grammar.language, intent };
    }
  }
  return { language: languageOf(request), intent: { kind: request.trim() === "" ? "nothing" : "unknown" } };
}

/**
 * The request as a whole, then its first line alone: what follows may be lines about attached files (M6).
 *
 * @param {string} masked
 */
function wordings(masked) {
  const whole = masked.trim();
  const [first = ""] = whole.split("\n", 1);
  return first === whole ? [whole] : [whole, first.trim()];
}

/**
 * @param {Grammar} grammar
 * @param {string} wording
 * @param {MaskedText} text
 * @returns {Intent | null}
 */
function match(grammar, wording, text) {
  const core = withoutCourtesy(wording, grammar);
  for (const rule of grammar.rules) {
    const lines = core.includes("\n");
    // Only a page text may have several lines; a title in one of them is found by the first line alone.
    if (lines && !rule.keepsLines) continue;
    const found = rule.pattern.exec(lines ? core : core.replace(/\s+/g, " "));
    const intent = found && rule.intent({ ...found.groups }, text);
    if (intent && isComplete(intent)) return withEnding(intent, core, wording);
  }
  return null;
}

/**
 * Takes polite words and the final punctuation off, one after the other until nothing changes.
 *
 * @param {string} wording
 * @param {Grammar} grammar
 */
function withoutCourtesy(wording, { opening, closing }) {
  let core = wording;
  for (let round = 0; round < COURTESIES; round += 1) {
    const shorter = core
      .replace(/(?<=\S)[.!?…]+$/u, "")
      .replace(opening, "")
      .replace(closing, "")
      .trim();
    if (shorter === core || shorter === "") return core;
    core = shorter;
  }
  return core;
}

/**
 * The punctuation behind a request belongs to the page text it ends with.
 *
 * @param {Intent} intent
 * @param {string} core the request as it was matched
 * @param {string} wording the same with courtesy and punctuation
 * @returns {Intent}
 */
function withEnding(intent, core, wording) {
  const ending = wording.slice(wording.lastIndexOf(core) + core.length);
  if (!/^[.!?…]+$/u.test(ending)) return intent;
  const ended = (/** @type {string} */ value) => (value !== "" && core.endsWith(value) ? value + ending : value);
  if (intent.kind === "setText") return { ...intent, readings: intent.readings.map(({ page, value }) => ({ page, value: ended(value) })) };
  return intent.kind === "create" ? { ...intent, text: ended(intent.text) } : intent;
}

/** @param {Intent} intent */
function isComplete(intent) {
  if (intent.kind === "setHidden" || intent.kind === "delete" || intent.kind === "show") return intent.page !== "";
  return intent.kind !== "find" || intent.query !== "";
}

/**
 * The language a text seems to be in, by words only one of them has; English where both or none fit.
 *
 * @param {string} text
 * @returns {Language}
 */
export function languageOf(text) {
  const [englishWords, germanWords] = GRAMMARS.map(({ typical }) => text.slice(0, 2_000).match(typical)?.length ?? 0);
  return (germanWords ?? 0) > (englishWords ?? 0) ? "de" : "en";
}
