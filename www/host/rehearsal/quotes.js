/**
 * @import { MaskedText } from "./types.js"
 */

/** Opening and closing marks; typographic ones mean different things in English and German, so each opening takes every closing that is in use. */
const QUOTED = new RegExp(
  [
    '„([^„“”"]+)[“”"]',
    "“([^“”]+)[“”]",
    "”([^“”]+)”",
    "»([^«»]+)«",
    "«([^«»]+)»",
    "‹([^‹›]+)›",
    "›([^‹›]+)‹",
    '"([^"]+)"',
    // A single mark is an apostrophe unless it stands at the edge of a word on both sides.
    "(?<![\\p{L}\\p{N}])['‘’‚]([^\\n]+?)['‘’](?![\\p{L}\\p{N}])",
  ].join("|"),
  "gu",
);

/** Private-use characters mark the tokens; they are taken out of the text before. */
const TOKEN = /\uE000(\d+)\uE001/gu;
/** A part that is one quotation, with what may follow it in a polite sentence. */
const ONE_TOKEN = /^\uE000(\d+)\uE001[\s,]*(?:please|bitte|thanks|danke)?[\s.!?…]*$/iu;

/**
 * Hides quoted parts from the patterns, so that a title in quotation marks may contain any word.
 *
 * @param {string} text
 * @returns {MaskedText}
 */
export function maskQuotes(text) {
  /** @type {{ whole: string, inner: string }[]} */
  const parts = [];
  const masked = text.replace(/[\uE000\uE001]/g, "").replace(QUOTED, (whole, ...groups) => {
    const inner = groups.slice(0, 9).find((group) => typeof group === "string") ?? "";
    if (inner.trim() === "") return whole;
    parts.push({ whole, inner: inner.trim() });
    return `\uE000${parts.length - 1}\uE001`;
  });
  return {
    masked,
    plain(part) {
      const trimmed = part.trim();
      const single = ONE_TOKEN.exec(trimmed);
      if (single) return parts[Number(single[1])]?.inner ?? "";
      return trimmed.replace(TOKEN, (_, index) => parts[Number(index)]?.whole ?? "");
    },
  };
}

/** @param {string} part a part of a masked text */
export function isQuotation(part) {
  return ONE_TOKEN.test(part.trim());
}
