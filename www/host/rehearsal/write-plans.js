/**
 * Plans that change a page that exists.
 *
 * @import { Intent, Plan, Turn } from "./types.js"
 */
import { findPage, pageFrom, propose, value } from "./lookup.js";
import { phrasesOf } from "./phrases.js";
import { isRecord } from "./prompt.js";

/** Longest title the site takes, in code points. */
const TITLE_LENGTH = 255;

/**
 * @param {Turn} turn
 * @param {string} name
 */
function missing({ language, writesUnknown }, name) {
  const phrases = phrasesOf(language);
  return writesUnknown ? phrases.notFoundNow(name) : phrases.notFound(name);
}

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "rename" }>} intent
 * @returns {Plan}
 */
export function* renamePage(turn, { readings }) {
  const phrases = phrasesOf(turn.language);
  const found = yield* findPage(turn, readings);
  if (!found) return missing(turn, readings[0]?.page ?? "");
  const { page, reading } = found;
  const title = reading.value;
  if (page.title === title) return phrases.sameTitle(page);
  const variants = phrases.variants(title).filter((variant) => [...variant].length <= TITLE_LENGTH && variant !== page.title);
  const proposals = [
    { input: { uid: page.uid, title }, text: phrases.proposeTitle(page, title) },
    ...variants.map((variant) => ({ input: { uid: page.uid, title: variant }, text: phrases.anotherTitle(variant) })),
  ];
  return yield* propose(turn, "update_page", proposals, (input, result) => {
    const now = pageFrom(result);
    return phrases.renamed(page.title, now?.title ?? String(input.title), now?.slug ?? page.slug);
  });
}

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "setText" }>} intent
 * @returns {Plan}
 */
export function* setText(turn, { readings }) {
  const phrases = phrasesOf(turn.language);
  const found = yield* findPage(turn, readings);
  if (!found) return missing(turn, readings[0]?.page ?? "");
  const { page, reading } = found;
  const content = yield* value(turn, { name: "read_page", input: { uid: page.uid }, text: "" });
  if (isRecord(content) && content.text === reading.value) return phrases.sameText(page);
  const proposals = [{ input: { uid: page.uid, text: reading.value }, text: phrases.proposeText(page) }];
  return yield* propose(turn, "update_page", proposals, () => phrases.textReplaced(page.title));
}

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "setHidden" }>} intent
 * @returns {Plan}
 */
export function* setHidden(turn, { page: name, hidden }) {
  const phrases = phrasesOf(turn.language);
  const found = yield* findPage(turn, [{ page: name }]);
  if (!found) return missing(turn, name);
  const { page } = found;
  if (page.hidden === hidden) return phrases.sameHidden(page);
  const proposals = [{ input: { uid: page.uid, hidden }, text: phrases.proposeHidden(page, hidden) }];
  return yield* propose(turn, "set_page_hidden", proposals, () => phrases.hiddenSet(page.title, hidden));
}

/**
 * @param {Turn} turn
 * @param {Extract<Intent, { kind: "delete" }>} intent
 * @returns {Plan}
 */
export function* deletePage(turn, { page: name }) {
  const phrases = phrasesOf(turn.language);
  const found = yield* findPage(turn, [{ page: name }]);
  if (!found) return missing(turn, name);
  const { page } = found;
  const content = yield* value(turn, { name: "read_page", input: { uid: page.uid }, text: phrases.readFirst });
  const children = isRecord(content) && typeof content.children === "number" ? content.children : 0;
  if (children > 0) return phrases.hasChildren(page, children);
  const proposals = [{ input: { uid: page.uid }, text: phrases.proposeDelete(page) }];
  return yield* propose(turn, "delete_page", proposals, () => phrases.deleted(page.title));
}
