/** What becomes of a text on its way into a conversation, said once for the page: sent, counted and stored it is the same. */

/** Text without control characters (tab and newline stay) and lone surrogates, as the engine stores it (N4). @param {string} text */
export function storable(text) {
  return text.replace(/\p{Cs}/gu, "\uFFFD").replace(/(?![\t\n])\p{Cc}/gu, "");
}

/** Length as limits mean it (N6). @param {string} text */
export function codePoints(text) {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
