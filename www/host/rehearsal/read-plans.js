/**
 * Plans that only read.
 *
 * @import { Intent, Plan, Turn } from "./types.js"
 */
import { findPage, pageFrom, pagesFrom, value } from "./lookup.js";
import { phrasesOf } from "./phrases.js";
import { isRecord } from "./prompt.js";

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "list" }>} intent
 * @returns {Plan}
 */
export function* listPages(turn, { hidden, count }) {
  const phrases = phrasesOf(turn.language);
  const pages = pagesFrom(yield* value(turn, { name: "list_pages", input: hidden === null ? {} : { hidden }, text: "" }));
  return count ? phrases.count(pages, hidden) : phrases.list(pages, hidden);
}

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "find" }>} intent
 * @returns {Plan}
 */
export function* findPages(turn, { query }) {
  const wanted = query.slice(0, 200);
  const pages = pagesFrom(yield* value(turn, { name: "search_pages", input: { query: wanted }, text: "" }));
  return phrasesOf(turn.language).found(pages, wanted);
}

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "show" }>} intent
 * @returns {Plan}
 */
export function* showPage(turn, { page: name }) {
  const phrases = phrasesOf(turn.language);
  const found = yield* findPage(turn, [{ page: name }]);
  if (!found) return phrases.notFound(name);
  const content = yield* value(turn, { name: "read_page", input: { uid: found.page.uid }, text: "" });
  // A result that was cut on the way is no JSON any more; it is shown as it is.
  const text = isRecord(content) ? String(content.text ?? "") : String(content);
  return phrases.content(pageFrom(content) ?? found.page, text);
}
