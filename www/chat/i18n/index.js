/** Words of the page by language. A further language is one file that calls `addLanguage`, see docs/embedding.md. */

import { de } from "./de.js";
import { en } from "./en.js";

/** @type {Record<string, Record<string, string>>} */
export const LANGUAGES = { en, de };

/** Languages written from right to left. */
const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"]);

/**
 * Adds a language, or replaces sentences of one that is there. A key that is missing is said in English.
 * @param {string} code primary subtag, such as "fr" @param {Record<string, string>} table sentences by the keys of en.js
 */
export function addLanguage(code, table) {
  LANGUAGES[code] = { ...LANGUAGES[code], ...table };
  spoken.delete(code);
}

/** The language of `LANGUAGES` nearest to a wish such as "de-AT"; English when there is none. @param {string | null | undefined} wish */
export function pickLanguage(wish) {
  const primary =
    String(wish ?? "")
      .toLowerCase()
      .split(/[-_]/)[0] ?? "";
  return Object.hasOwn(LANGUAGES, primary) ? primary : "en";
}

/** Puts `args` into the places `{0}`, `{1}` of a sentence; a place without an argument becomes empty. @param {string} sentence @param {readonly unknown[]} args */
export function fill(sentence, args) {
  return sentence.replace(/\{(\d+)\}/g, (_, index) => String(args[Number(index)] ?? ""));
}

/**
 * Milliseconds of a stored time: Unix seconds, Unix milliseconds or RFC 3339; null when it is none of them.
 * @param {unknown} time
 */
export function toMillis(time) {
  const millis = typeof time === "number" ? (time < 1e11 ? time * 1000 : time) : typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isFinite(millis) && millis > 0 ? millis : null;
}

/**
 * Everything the page says in one language.
 * @typedef {object} Words
 * @property {string} lang
 * @property {"ltr" | "rtl"} dir which way it is written
 * @property {(key: string) => boolean} has
 * @property {(key: string, ...args: unknown[]) => string} t the sentence of a key
 * @property {(key: string, count: number) => string} count the sentence of `key.one` or `key.other`
 * @property {(code: string) => string} reason words for a refusal code (N6, V2); an unknown one is named, never swallowed
 * @property {(time: unknown) => string} when a short date or time of day
 * @property {(time: unknown) => string} moment the full date and time
 * @property {(milliseconds: number) => string} duration
 * @property {(size: number) => string} bytes a size of a file
 * @property {(share: number) => string} percent
 */

/** The reader's own form of a language for dates and numbers, such as "en-GB": the first one they prefer. @param {string} lang */
const regional = (lang) => globalThis.navigator?.languages?.find((wish) => pickLanguage(wish) === lang && wish.toLowerCase().startsWith(lang)) ?? lang;

/** What was asked for before: every part of the page does, and formatters are dear. @type {Map<string, Words>} */
const spoken = new Map();

/** @param {string} language @returns {Words} */
export function wordsFor(language) {
  const lang = pickLanguage(language);
  const words = spoken.get(lang) ?? makeWords(lang);
  spoken.set(lang, words);
  return words;
}

/** A value that is made when it is asked for. @template T @param {() => T} make @returns {() => T} */
function lazy(make) {
  /** @type {{ value: T } | null} */
  let made = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** @param {string} lang @returns {Words} */
function makeWords(lang) {
  const table = { ...en, ...LANGUAGES[lang] };
  const plural = lazy(() => new Intl.PluralRules(lang));
  const region = regional(lang);
  const clock = lazy(() => new Intl.DateTimeFormat(region, { hour: "2-digit", minute: "2-digit" }));
  const day = lazy(() => new Intl.DateTimeFormat(region, { day: "numeric", month: "short" }));
  const full = lazy(() => new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" }));
  const share = lazy(() => new Intl.NumberFormat(region, { style: "percent", maximumFractionDigits: 0 }));
  const sizes = ["byte", "kilobyte", "megabyte"].map((unit) =>
    lazy(() => new Intl.NumberFormat(region, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 })),
  );
  const decimal = lazy(() => new Intl.NumberFormat(region, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));

  const has = (/** @type {string} */ key) => Object.hasOwn(table, key);
  const t = (/** @type {string} */ key, /** @type {unknown[]} */ ...args) => fill(table[has(key) ? key : "error.unknown"] ?? key, has(key) ? args : [key]);
  return {
    lang,
    dir: RIGHT_TO_LEFT.has(lang) ? "rtl" : "ltr",
    has,
    t,
    count: (key, count) => t(has(`${key}.${plural().select(count)}`) ? `${key}.${plural().select(count)}` : `${key}.other`, count),
    reason: (code) => (has(`error.${code}`) ? t(`error.${code}`) : t("error.unknown", code)),
    when(time) {
      const millis = toMillis(time);
      if (millis === null) return "";
      return (new Date(millis).toDateString() === new Date().toDateString() ? clock : day)().format(millis);
    },
    moment(time) {
      const millis = toMillis(time);
      return millis === null ? "" : full().format(millis);
    },
    bytes(size) {
      const step = size < 1024 ? 0 : size < 1024 * 1024 ? 1 : 2;
      return sizes[step]?.().format(size / 1024 ** step) ?? "";
    },
    percent: (part) => share().format(part),
    duration: (milliseconds) => (milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${decimal().format(milliseconds / 1000)} s`),
  };
}
