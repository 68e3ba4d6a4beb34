/** Waiting that ends. */

/**
 * @param {number} ms
 * @param {Promise<unknown>} work Its rejection is that of the result, unless it comes too late.
 * @returns {Promise<boolean>} Whether the work was done in time.
 */
export function within(ms, work) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), ms);
    work.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}
