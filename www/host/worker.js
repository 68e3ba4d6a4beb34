/**
 * The consumer: takes claimed work from the store until there is none, sleeps, and is woken by a request of the same process or by its own
 * clock. Any number of workers, in any number of processes, may share one database (C2, C8).
 */
import { setTimeout as delay } from "node:timers/promises";
import { describeError } from "./log.js";
import { within } from "./time.js";

/**
 * @typedef {object} WorkerOptions
 * @property {Pick<import("agent-turn").ChatEngine, "runNext" | "cleanup">} engine
 * @property {{ recover?(): Promise<number> }} runtime
 * @property {import("./log.js").Log} log
 * @property {(text: string) => string} [redact] For texts of errors in the log (E1).
 * @property {string} [workerId]
 * @property {number} [concurrency] Turns carried out at the same time.
 * @property {number} [pollMs] First pause when there is nothing to do; it doubles up to `maxPollMs`.
 * @property {number} [maxPollMs]
 * @property {number} [upkeepMs] Time between two looks for what was left behind.
 *
 * @typedef {object} Worker
 * @property {() => void} wake Somebody left work: look at once.
 * @property {(graceMs?: number) => Promise<boolean>} stop Claims nothing more and waits for the turns that run; false: some still do.
 */

/**
 * Starts a worker.
 *
 * @param {WorkerOptions} options
 * @returns {Worker}
 */
export function startWorker({
  engine,
  runtime,
  log,
  redact,
  workerId = `worker-${process.pid}`,
  concurrency = 2,
  pollMs = 500,
  maxPollMs = 2000,
  upkeepMs = 10_000,
}) {
  const stopping = new AbortController();
  const bell = createBell(stopping.signal);

  /** One turn at most; true: there may be more to do. */
  async function runOne() {
    try {
      const report = await engine.runNext(workerId);
      if (report === null) return false;
      logReport(log, report);
      // All candidates were taken by others (C3): they are at work on them.
      return report.outcome !== "notClaimed";
    } catch (error) {
      log("error", "turn failed", { workerId, error: describeError(error, redact) });
      return false;
    }
  }

  async function consume() {
    let pause = pollMs;
    while (!stopping.signal.aborted) {
      const rung = bell.count();
      if (await runOne()) pause = pollMs;
      else {
        const woken = await bell.wait(rung, pause);
        pause = woken ? pollMs : Math.min(pause * 2, maxPollMs);
      }
    }
  }

  /** Repeats one job of the upkeep; the jobs do not wait for each other, since carrying on a run takes as long as the run. @param {() => Promise<unknown>} job */
  async function upkeep(job) {
    while (!stopping.signal.aborted) {
      await job();
      await delay(upkeepMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const loops = [upkeep(() => recoverRuns(runtime, log, redact)), upkeep(() => cleanUp(engine, log, redact)), ...Array.from({ length: concurrency }, consume)];
  return {
    wake: bell.ring,
    stop(graceMs = 10_000) {
      stopping.abort();
      return within(graceMs, Promise.all(loops));
    },
  };
}

/**
 * Carries on the runs whose process is gone, so that their conversations can be settled.
 *
 * @param {WorkerOptions["runtime"]} runtime
 * @param {import("./log.js").Log} log
 * @param {(text: string) => string} [redact]
 */
export async function recoverRuns(runtime, log, redact) {
  try {
    const recovered = await runtime.recover?.();
    if (recovered) log("info", "runs recovered", { recovered });
  } catch (error) {
    log("error", "recovery of runs failed", { error: describeError(error, redact) });
  }
}

/**
 * Settles conversations whose turn nobody carries out any more, and archives and removes old ones (G1, G2).
 *
 * @param {WorkerOptions["engine"]} engine
 * @param {import("./log.js").Log} log
 * @param {(text: string) => string} [redact]
 * @returns {Promise<{ timedOut: number, archived: number, removed: number } | null>} null: it failed.
 */
export async function cleanUp(engine, log, redact) {
  try {
    const counts = await engine.cleanup();
    if (counts.timedOut + counts.archived + counts.removed > 0) log("info", "cleanup", counts);
    return counts;
  } catch (error) {
    log("error", "cleanup failed", { error: describeError(error, redact) });
    return null;
  }
}

/** @param {import("./log.js").Log} log @param {import("agent-turn").TurnReport} report */
export function logReport(log, { outcome, uid, status, errorCode, runUuid }) {
  // Two consumers that wake at once try for the same turn; the one that loses did nothing (C2).
  log(outcome === "notClaimed" ? "debug" : "info", "turn", { outcome, conversation: uid, status, code: errorCode, run: runUuid });
}

/**
 * Wakes sleepers. Rings are counted, so that one which comes while a sleeper is still on its way to bed is not missed.
 *
 * @param {AbortSignal} signal Ends every sleep.
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
    /** Sleeps until the next ring after `seen`, or for `ms`. @param {number} seen @param {number} ms @returns {Promise<boolean>} Whether it was a ring. */
    wait(seen, ms) {
      if (rings !== seen) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (/** @type {boolean} */ woken) => {
          clearTimeout(timer);
          sleepers.delete(wakeUp);
          resolve(woken);
        };
        const wakeUp = () => end(true);
        const timer = setTimeout(() => end(false), ms);
        sleepers.add(wakeUp);
      });
    },
  };
}
