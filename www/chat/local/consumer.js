/**
 * Carries out the turns of all tabs in one of them: the one that holds the lock. When it is closed the browser gives the lock to another, or to the next
 * page that is loaded; whatever is locked then belongs to nobody any more and is looked at before anything else.
 */

/**
 * @typedef {object} ConsumerOptions
 * @property {string} name of the lock
 * @property {Pick<import("./news.js").News, "watch">} news a change in another tab may have left work
 * @property {NonNullable<import("../../../pkg/index.js").Host["log"]>} log
 * @property {import("./engines.js").Engines} engines
 * @property {Pick<import("../../../pkg/index.js").Storage, "find">} storage
 * @property {() => Promise<unknown>} recover the runtime's own
 */

/** Turns carried out at the same time. */
const CONCURRENCY = 2;
/** A wake-up can be lost with the tab that was about to give it, milliseconds. */
const LOOK_AGAIN = 30_000;
/** Heartbeats are whole seconds: after this time the last one of a dead tab is in the past, milliseconds. */
const PAST = 1100;

/** @param {ConsumerOptions} options */
export function startConsumer({ name, news, log, engines, storage, recover }) {
  const stopping = new AbortController();
  const bell = createBell(stopping.signal);
  const unwatch = news.watch(bell.ring);

  /** @returns {Promise<boolean>} whether there may be more */
  async function runOne() {
    try {
      const report = await (await engines.get()).turns.runNext(name);
      return report !== null && report.outcome !== "notClaimed";
    } catch (error) {
      engines.failed(error);
      log("error", "a turn failed", { error: describe(error) });
      return false;
    }
  }

  async function consume() {
    while (!stopping.signal.aborted) {
      const rung = bell.count();
      if (!(await runOne())) await bell.wait(rung, LOOK_AGAIN);
    }
  }

  /** Turns whose tab is gone (G1), once now and once when their last heartbeat is in the past. */
  async function recoverTurns() {
    try {
      await recover();
      const { recovery } = await engines.get();
      await recovery.cleanup();
      if ((await storage.find({ statuses: ["locked", "tool_loop"], limit: 1 })).length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, PAST));
      await recovery.cleanup();
    } catch (error) {
      log("error", "recovery failed", { error: describe(error) });
    }
  }

  async function lead() {
    await recoverTurns();
    await Promise.all(Array.from({ length: CONCURRENCY }, consume));
  }

  const ended = navigator.locks.request(`${name}:consumer`, { signal: stopping.signal }, lead).catch((error) => {
    if (!stopping.signal.aborted) log("error", "this tab carries out no turns", { error: describe(error) });
  });

  return {
    /** This tab has left work. */
    wake: bell.ring,
    /** Claims nothing more and waits for the turns that run. */
    async stop() {
      unwatch();
      stopping.abort();
      await ended;
    },
  };
}

/**
 * Wakes sleepers. Rings are counted, so that one which comes while a sleeper is still on its way to bed is not missed.
 *
 * @param {AbortSignal} signal ends every sleep
 */
function createBell(signal) {
  let rings = 0;
  /** @type {Set<() => void>} */
  const sleepers = new Set();
  const ring = () => {
    rings += 1;
    for (const wakeUp of sleepers) wakeUp();
  };
  signal.addEventListener("abort", ring, { once: true });
  return {
    ring,
    count: () => rings,
    /** Sleeps until the next ring after `seen`, or for so many milliseconds. @param {number} seen @param {number} milliseconds @returns {Promise<void>} */
    wait(seen, milliseconds) {
      if (rings !== seen) return Promise.resolve();
      return new Promise((resolve) => {
        const wakeUp = () => {
          clearTimeout(timer);
          sleepers.delete(wakeUp);
          resolve();
        };
        const timer = setTimeout(wakeUp, milliseconds);
        sleepers.add(wakeUp);
      });
    },
  };
}

/** @param {unknown} error */
function describe(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
