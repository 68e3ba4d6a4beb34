/**
 * What becomes of a text on its way into a conversation, said once for the page and for whoever answers it, in Node or in the browser: sent, counted and
 * stored it is the same.
 */

/** Nothing to see in it (rule M11). */
const BLANK = /^[\p{White_Space}\p{Cc}\uFEFF\u00AD\u180E\u200B-\u200F\u202A-\u202E\u061C\u2060-\u2069\u{E0000}-\u{E007F}]*$/u;

/** Text without control characters (tab and newline stay) and lone surrogates, as the engine stores it (N4). @param {string} text */
export function storable(text) {
  return text.replace(/\p{Cs}/gu, "\uFFFD").replace(/(?![\t\n])\p{Cc}/gu, "");
}

/** Whether nobody would see anything of it. @param {string} text */
export const isBlank = (text) => BLANK.test(text);

/** Length as limits mean it (N6). @param {string} text */
export function codePoints(text) {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
