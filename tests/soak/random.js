/** Chance that can be repeated: the same seed gives the same choices. */

/** @param {number} seed A whole number; mulberry32. */
export function createRandom(seed) {
  let state = seed >>> 0;
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    next,
    /** Whether something with that probability happens. @param {number} probability */
    chance: (probability) => next() < probability,
    /** A whole number below `limit`. @param {number} limit */
    below: (limit) => Math.floor(next() * limit),
    /** @template T @param {readonly T[]} list not empty @returns {T} */
    pick: (list) => /** @type {T} */ (list[Math.floor(next() * list.length)]),
    /** One of the keys, as often as its weight says. @template {string} K @param {Record<K, number>} weights @returns {K} */
    weighted(weights) {
      const entries = /** @type {[K, number][]} */ (Object.entries(weights));
      let at = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [key, weight] of entries) {
        at -= weight;
        if (at < 0) return key;
      }
      return /** @type {[K, number]} */ (entries.at(-1))[0];
    },
  };
}

/** @typedef {ReturnType<typeof createRandom>} Random */
