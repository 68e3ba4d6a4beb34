/**
 * The plan of "Create a page about our summer party".
 *
 * @import { Call, Intent, PageSummary, Plan, Turn } from "./types.js"
 */
import { ask, Conclusion, findPage, pageFrom, pagesFrom, propose, value } from "./lookup.js";
import { phrasesOf } from "./phrases.js";

/** Most pages offered as a place for a new one; the top level comes on top of that. */
const PLACES = 4;
const TOP_LEVEL = /^(?:the )?top[ -]?level$|^(?:der )?obersten ebene$/iu;

/**
 * Good places for a new page: visible, in the language of the request, pages that already have others below them first, then those nearer to the root.
 *
 * @param {PageSummary[]} pages
 * @param {string} language
 * @returns {PageSummary[]}
 */
function places(pages, language) {
  const parents = new Set(pages.map((page) => page.parent));
  const byUid = new Map(pages.map((page) => [page.uid, page]));
  const depth = (/** @type {PageSummary} */ page) => (page.parent === 0 ? 0 : byUid.get(page.parent)?.parent === 0 ? 1 : 2);
  const rank = (/** @type {PageSummary} */ page) => (parents.has(page.uid) ? 0 : 1 + depth(page));
  const visible = pages.filter((page) => !page.hidden);
  const same = visible.filter((page) => page.language === language);
  return (same.length > 0 ? same : visible)
    .filter((page) => depth(page) < 2)
    .sort((a, b) => rank(a) - rank(b) || a.uid - b.uid)
    .slice(0, PLACES);
}

/**
 * @param {Turn} turn
 * @param {string} name
 * @returns {Plan<PageSummary>}
 */
function* namedPlace(turn, name) {
  const found = yield* findPage(turn, [{ page: name }]);
  if (found) return found.page;
  throw new Conclusion(phrasesOf(turn.language).notFound(name));
}

/**
 * The page above the new one; null: the top level.
 *
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "create" }>} intent
 * @returns {Plan<PageSummary | null>}
 */
function* place(turn, { parent, title }) {
  const phrases = phrasesOf(turn.language);
  if (TOP_LEVEL.test(parent)) return null;
  if (parent !== "") return yield* namedPlace(turn, parent);
  const pages = places(pagesFrom(yield* value(turn, { name: "list_pages", input: {}, text: "" })), turn.language);
  const options = [...pages.map((page) => ({ value: page.uid, title: page.title })), { value: 0, title: phrases.topLevel }];
  const answer = yield* ask(turn, phrases.where(title), options, true);
  if ("text" in answer) return TOP_LEVEL.test(answer.text) ? null : yield* namedPlace(turn, answer.text);
  return pages.find((page) => page.uid === answer.choice) ?? null;
}

/**
 * Where nobody knows what an earlier run did, a page with that title is taken for its work, so that there are never two.
 *
 * @param {Turn} turn
 * @param {string} title
 * @returns {Plan<void>}
 */
function* notTwice(turn, title) {
  if (!turn.writesUnknown) return;
  const phrases = phrasesOf(turn.language);
  const pages = pagesFrom(yield* value(turn, { name: "search_pages", input: { query: title }, text: phrases.unknownWrites }));
  const same = pages.find((page) => page.title === title);
  if (same) throw new Conclusion(phrases.pageExists(same));
}

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "create" }>} intent
 * @returns {Plan}
 */
export function* createPage(turn, intent) {
  const phrases = phrasesOf(turn.language);
  const { title, topic } = intent;
  yield* notTwice(turn, title);
  const above = yield* place(turn, intent);
  const text = intent.text || phrases.draftText(topic);
  /** @type {Call["input"]} */
  const rest = { ...(text ? { text } : {}), ...(above ? {} : { language: turn.language }) };
  const proposals = [title, ...phrases.variants(title)].map((wording, index) => ({
    input: { parent: above?.uid ?? 0, title: wording, ...rest },
    text: index === 0 ? phrases.proposeDraft(wording, above?.title ?? "") : phrases.anotherTitle(wording),
  }));
  return yield* propose(turn, "create_draft_page", proposals, (input, result) => {
    const page = pageFrom(result);
    return phrases.draftCreated(page?.title ?? String(input.title), page?.slug ?? "");
  });
}
