// What the kit uses of an assertion library, without one: it runs under any test runner, and in a page.

/** @typedef {{ code?: string } | RegExp} Expected `{}` is any `Error` */

/** @param {unknown} value @returns {string} */
function shown(value) {
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** @param {unknown} a @param {unknown} b @returns {boolean} */
function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const [left, right] = [/** @type {Record<PropertyKey, unknown>} */ (a), /** @type {Record<PropertyKey, unknown>} */ (b)];
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]));
}

/** @param {boolean} right @param {string} found @param {string | undefined} message */
function demand(right, found, message) {
  if (!right) throw new Error(message === undefined ? found : `${message}: ${found}`);
}

/** @param {unknown} error @param {Expected} expected */
function fits(error, expected) {
  if (expected instanceof RegExp) return expected.test(String(error));
  if (expected.code === undefined) return error instanceof Error;
  return error instanceof Error && "code" in error && error.code === expected.code;
}

export default {
  /** @param {unknown} value @param {string} [message] */
  ok: (value, message) => demand(Boolean(value), `${shown(value)} is not true`, message),
  /** @param {unknown} actual @param {unknown} expected @param {string} [message] */
  equal: (actual, expected, message) => demand(Object.is(actual, expected), `${shown(actual)} is not ${shown(expected)}`, message),
  /** @param {unknown} actual @param {unknown} other @param {string} [message] */
  notEqual: (actual, other, message) => demand(!Object.is(actual, other), `both are ${shown(actual)}`, message),
  /** @param {unknown} actual @param {unknown} expected @param {string} [message] */
  deepEqual: (actual, expected, message) => demand(same(actual, expected), `${shown(actual)} is not ${shown(expected)}`, message),
  /** @param {(() => Promise<unknown>) | Promise<unknown>} work @param {Expected} expected @param {string} [message] */
  async rejects(work, expected, message) {
    const outcome = await (typeof work === "function" ? work() : work).then(
      () => null,
      (error) => ({ error }),
    );
    if (outcome === null) throw new Error(`${message ?? ""} did not reject`);
    demand(fits(outcome.error, expected), `rejected with ${String(outcome.error)}`, message);
  },
};
