// Matching of vectors: does a value have the shape the vector asks for? Format: tests/vectors/README.md. Runs in Node and in browsers.

/** @typedef {Record<string, unknown>} Pattern */
/** @typedef {(wanted: any, actual: any, path: string, pattern: Pattern) => string | null} Operator the first argument is the operator's own value */

/** @param {unknown} _ @param {unknown} value */
const withNumbers = (_, value) => (typeof value === "bigint" ? String(value) : value);

/** @param {unknown} value */
const whole = (value) => JSON.stringify(value, withNumbers) ?? "";

/**
 * A value as one short line of text for messages.
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  const text = JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part));
  if (text === undefined) return String(value);
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

/** @param {unknown} value @returns {value is Pattern} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The operators, in the order in which an object is taken for one. @type {Record<string, Operator>} */
const operators = {
  $any: () => null,
  $anyOf: anyOf,
  $lacks: lacks,
  $absent: (_, actual, path) => (actual === undefined || actual === null ? null : `${path}: expected absent, got ${show(actual)}`),
  $match: (re, actual, path) => (fits(re, actual) ? null : `${path}: ${show(actual)} does not match /${re}/`),
  $not: (re, actual, path) => (typeof actual === "string" && !fits(re, actual) ? null : `${path}: ${show(actual)} must not match /${re}/`),
  $len: (n, actual, path) => (actual?.length === n ? null : `${path}: length ${actual?.length}, expected ${n}`),
  $min: (n, actual, path) => (typeof actual === "number" && actual >= n ? null : `${path}: ${show(actual)} is below ${n}`),
  $max: (n, actual, path) => (typeof actual === "string" && [...actual].length <= n ? null : `${path}: longer than ${n}`),
  $nonEmpty: nonEmpty,
  $contains: contains,
  $anyOrder: anyOrder,
};

/** Operators whose value may be 0 or "": being named is enough. */
const byName = new Set(["$lacks", "$match", "$not", "$len", "$min", "$max"]);

/**
 * null when `actual` matches `expected`, else where and why not.
 * @param {unknown} expected @param {unknown} actual @param {string} [path]
 * @returns {string | null}
 */
export function mismatch(expected, actual, path = "$") {
  if (Array.isArray(expected)) return elements(expected, actual, path);
  if (!isObject(expected)) return Object.is(expected, actual) ? null : `${path}: expected ${show(expected)}, got ${show(actual)}`;
  for (const [name, operator] of Object.entries(operators)) {
    if (byName.has(name) ? name in expected : expected[name]) return operator(expected[name], actual, path, expected);
  }
  return members(expected, actual, path);
}

/** @param {string} re @param {unknown} actual */
const fits = (re, actual) => typeof actual === "string" && new RegExp(re, "su").test(actual);

/** @type {Operator} */
function anyOf(wanted, actual, path) {
  return wanted.some((/** @type {unknown} */ one) => mismatch(one, actual, path) === null) ? null : `${path}: none of ${show(wanted)} matches ${show(actual)}`;
}

/** The text occurs nowhere in the value; other keys beside it are matched as usual. @type {Operator} */
function lacks(text, actual, path, { $lacks: _, ...rest }) {
  if (whole(actual).includes(whole(text).slice(1, -1))) return `${path}: ${show(text)} must not occur in ${show(actual)}`;
  return Object.keys(rest).length ? mismatch(rest, actual, path) : null;
}

/** @type {Operator} */
function nonEmpty(_, actual, path) {
  return (typeof actual === "string" || Array.isArray(actual)) && actual.length > 0 ? null : `${path}: expected non-empty, got ${show(actual)}`;
}

/** @type {Operator} */
function contains(wanted, actual, path) {
  if (!Array.isArray(actual)) return `${path}: expected an array`;
  const missing = wanted.find((/** @type {unknown} */ one) => !actual.some((element) => mismatch(one, element) === null));
  return missing === undefined ? null : `${path}: no element matches ${show(missing)} in ${show(actual)}`;
}

/** @type {Operator} */
function anyOrder(wanted, actual, path) {
  if (!Array.isArray(actual) || actual.length !== wanted.length) return `${path}: expected ${wanted.length} elements, got ${show(actual)}`;
  const left = [...actual];
  for (const one of wanted) {
    const at = left.findIndex((element) => mismatch(one, element) === null);
    if (at < 0) return `${path}: nothing matches ${show(one)} in ${show(actual)}`;
    left.splice(at, 1);
  }
  return null;
}

/** @param {unknown[]} expected @param {unknown} actual @param {string} path */
function elements(expected, actual, path) {
  if (!Array.isArray(actual) || actual.length !== expected.length) return `${path}: expected ${expected.length} elements, got ${show(actual)}`;
  for (const [i, one] of expected.entries()) {
    const found = mismatch(one, actual[i], `${path}[${i}]`);
    if (found) return found;
  }
  return null;
}

/** @param {Pattern} expected @param {unknown} actual @param {string} path */
function members(expected, actual, path) {
  if (!isObject(actual)) return `${path}: expected an object, got ${show(actual)}`;
  for (const [key, value] of Object.entries(expected)) {
    if (key === "$exact") continue;
    const found = mismatch(value, Object.hasOwn(actual, key) ? actual[key] : undefined, `${path}.${key}`);
    if (found) return found;
  }
  const extra = expected.$exact ? Object.keys(actual).find((key) => actual[key] !== undefined && !Object.hasOwn(expected, key)) : undefined;
  return extra ? `${path}: unexpected key ${extra}` : null;
}
