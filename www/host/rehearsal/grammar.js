/**
 * What the grammars of both languages have in common.
 *
 * @import { Intent, MaskedText, Reading } from "./types.js"
 */
import { isQuotation } from "./quotes.js";

/** Most readings of one request that are looked up. */
const READINGS = 3;

/**
 * Every way to split the text at the separator, the shortest left side first, at most three.
 *
 * @param {string} text
 * @param {RegExp} separator with the flag g
 * @returns {[string, string][]}
 */
export function splits(text, separator) {
  /** @type {[string, string][]} */
  const found = [];
  for (const match of text.matchAll(separator)) {
    const left = text.slice(0, match.index);
    const right = text.slice(match.index + match[0].length);
    if (left.trim() !== "" && right.trim() !== "") found.push([left, right]);
    if (found.length === READINGS) break;
  }
  return found;
}

/**
 * @param {"rename" | "setText"} kind
 * @param {[string, string][]} pairs
 * @param {MaskedText} text
 * @param {(part: string) => string} pageName
 * @returns {Intent | null}
 */
export function pairIntent(kind, pairs, text, pageName) {
  /** @type {Reading[]} */
  const readings = pairs
    .map(([page, value]) => ({ page: text.plain(pageName(page)), value: text.plain(value) }))
    .filter((reading) => reading.page && reading.value);
  return readings.length > 0 ? { kind, readings } : null;
}

/**
 * The clauses of "a page about X below Y with the text Z": each keyword opens a clause that ends where the next one begins; a text takes all that follows.
 *
 * @param {string} rest
 * @param {RegExp} keywords with the flag g; the names of its groups are the names of the clauses
 * @returns {Record<string, string>}
 */
export function clauses(rest, keywords) {
  /** @type {{ name: string, start: number, from: number }[]} */
  const marks = [];
  for (const match of rest.matchAll(keywords)) {
    const name = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? "";
    if (marks.some((mark) => mark.name === name)) continue;
    marks.push({ name, start: match.index, from: match.index + match[0].length });
    if (name === "text") break;
  }
  const end = (/** @type {number} */ index) => marks[index + 1]?.start ?? rest.length;
  return Object.fromEntries([["head", rest.slice(0, end(-1))], ...marks.map((mark, index) => [mark.name, rest.slice(mark.from, end(index))])]);
}

/**
 * @param {Record<string, string>} parts clauses of a request to create a page: head, topic, title, below, text
 * @param {MaskedText} text
 * @param {(topic: string) => string} titleOf
 * @returns {Intent | null}
 */
export function createIntent(parts, text, titleOf) {
  const plain = (/** @type {string | undefined} */ part) => text.plain((part ?? "").replace(/[\s,;:]+$/u, ""));
  const topic = plain(parts.topic);
  const title = plain(parts.title) || (isQuotation(parts.head ?? "") ? plain(parts.head) : "") || capitalized(titleOf(topic));
  return title === "" ? null : { kind: "create", title, topic, parent: plain(parts.below), text: plain(parts.text) };
}

/** @param {string} text */
function capitalized(text) {
  const [first = "", ...rest] = text;
  return first.toUpperCase() + rest.join("");
}
