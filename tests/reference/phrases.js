// V7, V8: phrases that are compared.
import LISTS from "./phrase-lists.js";
import { codePoints, trim } from "./values.js";

const LONGEST = 60;
const COURTESY = "(?:please|bitte|okay|ok|now|jetzt)";
const LEADING = new RegExp(`^${COURTESY}(?: *, *| +|$)`, "u");
const TRAILING = new RegExp(`(?:^| *, *| +)${COURTESY}$`, "u");

/** NFKC, lower case, one kind of apostrophe. @param {string} text */
const folded = (text) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2018\u2019\u201A\u201B\u2032\u02BC]/g, "'");

/** @param {string} text */
function normalized(text) {
  let now = folded(text);
  for (;;) {
    const before = now;
    now = trim(now.replace(/[\p{White_Space}\uFEFF]+/gu, " ")).replace(/[.!… ]+$/u, "");
    now = now.replace(LEADING, "").replace(TRAILING, "");
    if (now === before) return now;
  }
}

const CONTINUE = new Set(LISTS.continueIntent.map(normalized));
const PARTICIPLES = new Set(LISTS.changeParticiples.map(folded));
const NEGATIONS = new Set(LISTS.negations.map(folded));

/** @param {string} text */
export function isContinueIntent(text) {
  return codePoints(trim(text)) <= LONGEST && CONTINUE.has(normalized(text));
}

/** @param {string} word */
const negates = (word) => NEGATIONS.has(word) || word.endsWith("n't");

/** @param {string} sentence */
function claims(sentence) {
  const words = folded(sentence).match(/[\p{L}\p{M}\p{Nd}']+/gu) ?? [];
  return words.some((word, i) => PARTICIPLES.has(word) && !words.slice(Math.max(0, i - 3), i).some(negates));
}

/** @param {string} text */
export function claimsChange(text) {
  return text.split(/[\n\r\u0085\u2028\u2029]|(?<=[.!?:;])(?=\p{White_Space})/u).some(claims);
}
