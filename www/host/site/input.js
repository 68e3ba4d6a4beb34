/** Checks of what comes in: every value is refused with a code of its own, or returned in the form that is stored. */
import { SiteError } from "./errors.js";

/** Longest title, in code points. */
export const TITLE_LENGTH = 255;
/** Longest page text, in code points. */
export const TEXT_LENGTH = 20_000;
/** Longest search query, in code points. */
export const QUERY_LENGTH = 1_000;

/** What no reader sees (M11). */
const INVISIBLE = /^[\p{White_Space}\p{Cc}\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]*$/u;
/** What cannot be stored (N4): control characters except tab and line breaks, lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSTORABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]|\p{Cs}/u;

/**
 * @param {unknown} uid a positive integer, as a number or as text (C8)
 * @returns {number}
 */
export function checkUid(uid) {
  const number = typeof uid === "string" && /^[0-9]{1,16}$/.test(uid) ? Number(uid) : uid;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1) throw new SiteError("uidInvalid", "The uid of a page is a positive integer.");
  return number;
}

/**
 * @param {unknown} parent the uid of a page, or 0 for the top level
 * @returns {number}
 */
export function checkParent(parent) {
  return parent === 0 || parent === "0" ? 0 : checkUid(parent);
}

/**
 * @param {unknown} title
 * @returns {string} trimmed, in one line
 */
export function checkTitle(title) {
  if (typeof title !== "string" || UNSTORABLE.test(title)) throw new SiteError("titleInvalid", "The title has to be text without control characters.");
  if (INVISIBLE.test(title)) throw new SiteError("titleBlank", "The title must not be blank.");
  const line = title.replace(/\s+/g, " ").trim();
  if ([...line].length > TITLE_LENGTH) throw new SiteError("titleTooLong", `The title has more than ${TITLE_LENGTH} characters.`);
  return line;
}

/**
 * @param {unknown} text may be empty
 * @returns {string} with "\n" as line break
 */
export function checkText(text) {
  if (typeof text !== "string" || UNSTORABLE.test(text)) throw new SiteError("textInvalid", "The text has to be text without control characters.");
  const lines = text.replace(/\r\n?/g, "\n");
  if ([...lines].length > TEXT_LENGTH) throw new SiteError("textTooLong", `The text has more than ${TEXT_LENGTH} characters.`);
  return lines;
}

/**
 * @param {unknown} language two letters of ISO 639-1
 * @returns {string}
 */
export function checkLanguage(language) {
  if (typeof language !== "string" || !/^[a-z]{2}$/.test(language))
    throw new SiteError("languageInvalid", "The language has to be two lower-case letters, such as en.");
  return language;
}

/**
 * @param {unknown} hidden
 * @returns {boolean}
 */
export function checkHidden(hidden) {
  if (typeof hidden !== "boolean") throw new SiteError("hiddenInvalid", "Hidden has to be true or false.");
  return hidden;
}

/**
 * @param {unknown} query
 * @returns {string} trimmed
 */
export function checkQuery(query) {
  if (typeof query !== "string" || INVISIBLE.test(query)) throw new SiteError("queryBlank", "The search needs at least one visible character.");
  const trimmed = query.replace(/\s+/g, " ").trim();
  if ([...trimmed].length > QUERY_LENGTH) throw new SiteError("queryTooLong", `The search has more than ${QUERY_LENGTH} characters.`);
  return trimmed;
}
