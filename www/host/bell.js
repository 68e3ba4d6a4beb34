/** Wakes sleepers, one per ring. Rings are counted, so that one which comes while a sleeper is still on its way to bed is not missed. */

/**
 * @param {AbortSignal} signal Wakes everybody, for good.
 */
export function createBell(signal) {
  let rings = 0;
  /** In the order they went to sleep. @type {(() => void)[]} */
  const sleeping = [];
  signal.addEventListener("abort", () => wake(sleeping.length), { once: true });

  /** @param {number} count */
  function wake(count) {
    rings += 1;
    for (const wakeUp of sleeping.splice(0, count)) wakeUp();
  }

  return {
    /** Wakes as many sleepers as there is work. @param {number} [count] */
    ring(count = 1) {
      if (count > 0) wake(count);
    },
    count: () => rings,
    sleepers: () => sleeping.length,
    /** Sleeps until it is woken; not at all where there was a ring after `seen`. @param {number} seen @returns {Promise<void>} */
    wait(seen) {
      if (rings !== seen || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => void sleeping.push(resolve));
    },
  };
}
