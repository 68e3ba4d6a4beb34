/**
 * A chain of polls (V1): the next one starts `pollAfter` milliseconds after the previous answer, 0 ends the chain. At most one poll is
 * under way; a new one supersedes it, and the answer of a superseded poll is dropped.
 */

export const FAILURES_UNTIL_LOST = 3;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 10_000;

/** Pause before the next attempt after `failures` failures in a row, milliseconds. @param {number} failures */
export function pauseAfterFailure(failures) {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.max(0, failures - 1));
}

/**
 * @template T
 * @typedef {object} PollerOptions
 * @property {(signal: AbortSignal) => Promise<T>} load asks the host
 * @property {(answer: T) => number} apply takes an answer in; milliseconds until the next poll, 0 for none
 * @property {(error: unknown) => boolean} failed true: worth another attempt
 * @property {(lost: boolean) => void} [connection] told when the connection counts as lost, and when it is back
 * @property {() => boolean} [hidden] true while nobody can see the page: no poll is scheduled then
 * @property {{ setTimeout: (run: () => void, ms: number) => unknown, clearTimeout: (timer: never) => void }} [timers]
 */

/**
 * @template T
 * @param {PollerOptions<T>} options
 */
export function createPoller({ load, apply, failed, connection = () => {}, hidden = () => false, timers = globalThis }) {
  let generation = 0;
  let active = false;
  let failures = 0;
  let lost = false;
  /** @type {unknown} */
  let timer;
  /** @type {AbortController | null} */
  let request = null;

  function cancel() {
    generation += 1;
    if (timer !== undefined) timers.clearTimeout(/** @type {never} */ (timer));
    timer = undefined;
    request?.abort();
    request = null;
  }

  /** @param {number} milliseconds */
  function schedule(milliseconds) {
    if (milliseconds > 0 && !hidden()) timer = timers.setTimeout(() => void run(), milliseconds);
  }

  /** @param {boolean} now */
  function connectionIs(now) {
    if (now === lost) return;
    lost = now;
    connection(now);
  }

  /** @param {unknown} error */
  function onFailure(error) {
    if (!failed(error)) return 0;
    failures += 1;
    if (failures >= FAILURES_UNTIL_LOST) connectionIs(true);
    return pauseAfterFailure(failures);
  }

  async function run() {
    cancel();
    const mine = generation;
    request = new AbortController();
    /** @type {{ answer: T } | { error: unknown }} */
    const outcome = await load(request.signal).then(
      (answer) => ({ answer }),
      (error) => ({ error }),
    );
    if (mine !== generation) return;
    request = null;
    if ("error" in outcome) return schedule(onFailure(outcome.error));
    failures = 0;
    connectionIs(false);
    const pause = apply(outcome.answer);
    // `apply` may have asked for another poll or stopped the chain.
    if (mine === generation) schedule(pause);
  }

  return {
    /** Polls at once and goes on from there. */
    now() {
      active = true;
      return run();
    },
    stop() {
      active = false;
      cancel();
      failures = 0;
      connectionIs(false);
    },
    /** The page was hidden or is seen again. */
    visibilityChanged() {
      if (!active) return;
      if (hidden()) cancel();
      else void run();
    },
  };
}
