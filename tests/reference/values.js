// Small functions on values: texts (N4, M11), uids (C8), times, depth (W4).
import { AgentTurnError } from "../../pkg/errors.js";

const INVISIBLE = "\\uFEFF\\u00AD\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u061C\\u2060-\\u2069\\u{E0000}-\\u{E007F}";
const BLANK = new RegExp(`^[\\p{White_Space}\\p{Cc}${INVISIBLE}]*$`, "u");
/** Invisible or bidirectional, white space aside (M11, V3a). */
export const INVISIBLE_CLASS = INVISIBLE;
const LEADING = /^[\p{White_Space}\uFEFF]+/u;
const TRAILING = /[\p{White_Space}\uFEFF]+$/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: N4 removes exactly these
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;
/** Levels of nesting that are taken (W4). */
const MAX_DEPTH = 64;

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {unknown} value */
export const isUid = (value) => typeof value === "string" || typeof value === "number" || typeof value === "bigint";
/** C8: 7 and "7" are one. @param {unknown} a @param {unknown} b */
export const sameUid = (a, b) => isUid(a) && isUid(b) && String(a) === String(b);
/** @param {unknown} value */
export const textOr = (value, otherwise = "") => (typeof value === "string" ? value : otherwise);
/** @param {string} text M11 */
export const isBlank = (text) => BLANK.test(text);
/** @param {string} text M11 */
export const trim = (text) => text.replace(LEADING, "").replace(TRAILING, "");
/** @param {string} text N4 */
export const storable = (text) => text.replace(CONTROL, "").replace(/\p{Surrogate}/gu, "\uFFFD");
/** @param {string} text */
export const codePoints = (text) => [...text].length;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** At most `max` code points, cut on a grapheme boundary. @param {string} text @param {number} max */
export function cut(text, max) {
  if (codePoints(text) <= max) return text;
  let kept = "";
  let length = 0;
  for (const { segment } of graphemes.segment(text)) {
    length += codePoints(segment);
    if (length > max) break;
    kept += segment;
  }
  return kept;
}

/** N1. @param {string} text */
export const titleOf = (text) => trim(cut(trim(storable(text).replace(/[\p{White_Space}\uFEFF]+/gu, " ")), 255));

/** RFC 3339, UTC, whole seconds (O11). @param {number} milliseconds */
export const timeText = (milliseconds) => `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, 19)}Z`;

/** Whether an object or array stands at level 65 or deeper; the value itself is level 1. @param {unknown} value @param {number} level @returns {boolean} */
export function isTooDeep(value, level = 1) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  if (level > MAX_DEPTH) return true;
  return Object.values(value).some((part) => isTooDeep(part, level + 1));
}

/** @param {string} what */
export function invalid(what) {
  return new AgentTurnError("invalidArgument", `invalid argument: ${what}`);
}

/** @param {...unknown} values every one an argument of its own */
export function refuseDepth(...values) {
  if (values.some((value) => isTooDeep(value))) throw new AgentTurnError("tooDeep", "a value is nested too deep");
}

/** @param {unknown} condition @param {string} what */
export function demand(condition, what) {
  if (!condition) throw invalid(what);
}
