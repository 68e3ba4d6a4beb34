import { StorageError } from "./errors.js";

/**
 * The JSON text of a value. What JSON would lose or change without a word (functions, NaN, Map, a hole in a list) is refused;
 * an undefined property counts as absent.
 *
 * @param {unknown} value
 * @param {string} what names the value in the error
 * @returns {string}
 * @throws {StorageError} `invalidField`
 */
export function encodeJson(value, what) {
  let text;
  try {
    text = JSON.stringify(value, refuseLoss);
  } catch (error) {
    // Also a cycle, or nesting that exhausts the stack.
    throw new StorageError("invalidField", `${what} cannot be stored as JSON: ${reasonOf(error)}`, error);
  }
  if (text === undefined) throw new StorageError("invalidField", `${what} cannot be stored as JSON: it is undefined`);
  return text;
}

/**
 * @param {string} text
 * @param {string} what
 * @returns {unknown}
 * @throws {StorageError} `storageCorrupt`
 */
export function decodeJson(text, what) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new StorageError("storageCorrupt", `${what} is stored as broken JSON`, error);
  }
}

/**
 * @this {unknown}
 * @param {string} _key
 * @param {unknown} value
 */
function refuseLoss(_key, value) {
  switch (typeof value) {
    case "function":
    case "symbol":
    case "bigint":
      throw new TypeError(`a ${typeof value} is not JSON`);
    case "undefined":
      if (Array.isArray(this)) throw new TypeError("a list with an undefined entry is not JSON");
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
      return value;
    case "object":
      if (value !== null && !Array.isArray(value) && Object.prototype.toString.call(value) !== "[object Object]") {
        throw new TypeError(`${Object.prototype.toString.call(value).slice(8, -1)} is not JSON`);
      }
      return value;
    default:
      return value;
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
}
