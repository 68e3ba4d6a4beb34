/**
 * What the plans have in common: reading through tools, finding the page a request names, proposing a write.
 *
 * @import { Call, PageSummary, Plan, Reading, StepResult, Turn } from "./types.js"
 */
import { phrasesOf } from "./phrases.js";
import { isRecord } from "./prompt.js";

/** Longest page name that is looked up, in UTF-16 units; no title is longer. */
const NAME_LENGTH = 255;
/** Most pages offered as an answer to "Which one?". */
const OPTIONS = 8;
/** Most pages named because their text has a hit. */
const SIMILAR = 5;

/** Ends a plan early with its answer. */
export class Conclusion extends Error {
  /** @param {string} answer */
  constructor(answer) {
    super("The plan is concluded.");
    this.answer = answer;
  }
}

/** @param {string} text */
const folded = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

/**
 * @param {unknown} value
 * @returns {PageSummary | null} null: not a page
 */
export function pageFrom(value) {
  if (!isRecord(value) || typeof value.uid !== "number" || typeof value.title !== "string") return null;
  return {
    uid: value.uid,
    title: value.title,
    slug: typeof value.slug === "string" ? value.slug : "",
    parent: typeof value.parent === "number" ? value.parent : 0,
    hidden: value.hidden === true,
    language: typeof value.language === "string" ? value.language : "",
  };
}

/**
 * @param {unknown} value result of list_pages or search_pages
 * @returns {PageSummary[]}
 */
export function pagesFrom(value) {
  const pages = isRecord(value) && Array.isArray(value.pages) ? value.pages : [];
  return pages.map(pageFrom).filter((page) => page !== null);
}

/**
 * What a call gave; a call that did not work ends the plan with a sentence about it.
 *
 * @param {Turn} turn
 * @param {Call} call
 * @returns {Plan<unknown>}
 */
export function* value(turn, call) {
  const result = yield call;
  if (result.state === "ok") return result.value;
  throw new Conclusion(failure(turn, result));
}

/**
 * @param {Turn} turn
 * @param {Exclude<StepResult, { state: "ok" }>} result
 */
function failure({ language }, result) {
  const phrases = phrasesOf(language);
  if (result.state === "open") return phrases.waiting;
  if (result.state === "error") return phrases.failed(result.message.slice(0, 500));
  return result.reason === "skip" ? phrases.skipped : phrases.leave;
}

/**
 * Asks the user; an answer an earlier run of the request already got is used without asking again.
 *
 * @param {Turn} turn
 * @param {string} question
 * @param {{ value: number, title: string }[]} options
 * @param {boolean} allowFreeText
 * @returns {Plan<{ choice: number } | { text: string }>}
 */
export function* ask(turn, question, options, allowFreeText) {
  const known = options.find(({ title }) => folded(title) === folded(turn.answer));
  if (known) return { choice: known.value };
  if (turn.answer !== "" && allowFreeText) return { text: turn.answer };
  const answer = yield* value(turn, { name: "ask_choice", input: { question, options, allowFreeText }, text: "" });
  const given = isRecord(answer) ? answer : {};
  const picked = options.find((option) => option.value === given.choice);
  if (picked) return { choice: picked.value };
  if (typeof given.text === "string" && given.text.trim() !== "") return { text: given.text.trim() };
  throw new Conclusion(phrasesOf(turn.language).leave);
}

/**
 * @param {Turn} turn
 * @param {PageSummary[]} pages at least one
 * @param {string} name
 * @returns {Plan<PageSummary>}
 */
function* oneOf(turn, pages, name) {
  const [only] = pages;
  if (only && pages.length === 1) return only;
  const phrases = phrasesOf(turn.language);
  const options = pages.slice(0, OPTIONS).map((page) => ({ value: page.uid, title: phrases.option(page) }));
  const answer = yield* ask(turn, phrases.which(name), options, false);
  const page = pages.find(({ uid }) => "choice" in answer && uid === answer.choice);
  if (page) return page;
  throw new Conclusion(phrases.leave);
}

/**
 * The page a request names. With several readings, one whose page has exactly that title wins over one whose name is only part of a title.
 *
 * @template {{ page: string }} R
 * @param {Turn} turn
 * @param {R[]} readings
 * @returns {Plan<{ page: PageSummary, reading: R } | null>} null: there is no such page
 */
export function* findPage(turn, readings) {
  const phrases = phrasesOf(turn.language);
  /** @type {{ pages: PageSummary[], reading: R } | null} */
  let partial = null;
  /** @type {PageSummary[]} */
  const inText = [];
  let first = true;
  for (const reading of readings) {
    const name = folded(reading.page);
    if (name === "" || name.length > NAME_LENGTH) continue;
    const intro = turn.writesUnknown ? phrases.unknownWrites : phrases.lookUp(reading.page);
    const hits = pagesFrom(yield* value(turn, { name: "search_pages", input: { query: reading.page }, text: first ? intro : "" }));
    first = false;
    const exact = hits.filter((page) => folded(page.title) === name || page.slug === name);
    if (exact.length > 0) return { page: yield* oneOf(turn, exact, reading.page), reading };
    const named = hits.filter((page) => folded(page.title).includes(name));
    if (named.length > 0) partial ??= { pages: named, reading };
    inText.push(...hits);
  }
  if (partial) return { page: yield* oneOf(turn, partial.pages, partial.reading.page), reading: partial.reading };
  if (inText.length > 0) throw new Conclusion(`${phrases.notFound(readings[0]?.page ?? "")} ${phrases.similar(inText.slice(0, SIMILAR))}`);
  return null;
}

/**
 * A request that an earlier run has already carried out is not carried out again; the answer says what was written (M5, R2a).
 *
 * @param {Turn} turn
 * @param {(name: string) => boolean} isOffered
 * @returns {Plan<void>}
 */
export function* respectEarlierWrites(turn, isOffered) {
  if (turn.writtenRecords.length === 0) return;
  const phrases = phrasesOf(turn.language);
  const [record = ""] = turn.writtenRecords;
  const uid = Number(record.split(":")[1]);
  let state = "";
  if (turn.writtenRecords.length === 1 && Number.isSafeInteger(uid) && isOffered("read_page")) {
    const result = yield { name: "read_page", input: { uid }, text: "" };
    const page = result.state === "ok" ? pageFrom(result.value) : null;
    if (page) state = phrases.stateNow(page);
  }
  throw new Conclusion(phrases.alreadyWritten(turn.writtenRecords, state));
}

/**
 * Proposes a write, and another one as long as the person asks for a variant.
 *
 * @param {Turn} turn
 * @param {string} name of the tool
 * @param {{ input: Call["input"], text: string }[]} proposals
 * @param {(input: Call["input"], result: unknown) => string} done the answer when it was carried out
 * @returns {Plan}
 */
export function* propose(turn, name, proposals, done) {
  for (const { input, text } of proposals.slice(turn.skipProposals)) {
    const result = yield { name, input, text };
    if (result.state === "ok") return done(input, result.value);
    if (result.state !== "denied" || result.reason !== "variant") return failure(turn, result);
  }
  return phrasesOf(turn.language).noVariant;
}
