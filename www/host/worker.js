/**
 * The consumer: takes claimed work from the store until there is none and sleeps. It is woken by a request of the same process, by the word of another
 * one, or by its own clock. Any number of workers, in any number of processes, may share one database (C2, C8).
 */
import { setTimeout as delay } from "node:timers/promises";
import { createBell } from "./bell.js";
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
 * @property {(limit: number) => Promise<number>} [waiting] How many conversations wait for a consumer, counted up to `limit`.
 * @property {import("./lease.js").Lease} [lease] Who holds it cleans up; absent: this worker is the only one.
 * @property {Pick<import("./wakeups.js").Wakeups, "listen">} [wakeups]
 * @property {{ turns?: import("./metrics.js").TurnMetrics }} [metrics]
 * @property {{ release(uid?: import("agent-turn").Uid): void }} [heartbeat] Told when a turn is over.
 * @property {number} [pollMs] First pause when there is nothing to do; it doubles up to `maxPollMs`.
 * @property {number} [maxPollMs] Longest pause where nobody tells of work.
 * @property {number} [heardPollMs] Longest pause while other processes are heard.
 * @property {number} [upkeepMs] Time between two looks for what was left behind.
 *
 * @typedef {object} Worker
 * @property {() => void} wake Somebody left work: look at once.
 * @property {(graceMs?: number) => Promise<boolean>} stop Claims nothing more and waits for the turns that run; false: some still do.
 */

/** Lost races for turns in a row, after which a consumer takes a rest: the others are at work on all there is. */
const MAX_LOST = 5;

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
  waiting = async () => 1,
  lease = ALONE,
  wakeups,
  heartbeat,
  metrics: { turns: metrics } = {},
  pollMs = 500,
  maxPollMs = 2000,
  heardPollMs = 15_000,
  upkeepMs = 10_000,
}) {
  const stopping = new AbortController();
  const bell = createBell(stopping.signal);
  let pause = pollMs;
  const others = wakeups?.listen((all) => {
    metrics?.woken("other");
    if (all) bell.ring(concurrency);
    else bell.ring();
  });

  /** One turn at most. @returns {Promise<"done" | "lost" | "nothing">} */
  async function runOne() {
    const start = performance.now();
    try {
      const report = await engine.runNext(workerId);
      if (report === null) return "nothing";
      if (report.outcome !== "notClaimed") heartbeat?.release(report.uid);
      logReport(log, report);
      metrics?.turn(report, (performance.now() - start) / 1000);
      if (report.outcome === "notClaimed") return "lost";
      pause = pollMs;
      return "done";
    } catch (error) {
      heartbeat?.release();
      metrics?.turnThrew();
      log("error", "turn failed", { workerId, error: describeError(error, redact) });
      return "nothing";
    }
  }

  async function consume() {
    let lost = 0;
    while (!stopping.signal.aborted) {
      const rung = bell.count();
      const outcome = await runOne();
      // All that was found was taken by others (C3) while this one tried: there may be more behind it.
      lost = outcome === "lost" ? lost + 1 : 0;
      if (outcome === "nothing" || lost > MAX_LOST) {
        lost = 0;
        await bell.wait(rung);
      }
    }
  }

  /** Looks for work on behalf of those who sleep: one small question per process, however many they are. */
  async function poll() {
    while (!stopping.signal.aborted) {
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted || bell.sleepers() === 0) continue;
      const found = await waiting(bell.sleepers()).catch((error) => {
        log("error", "looking for work failed", { workerId, error: describeError(error, redact) });
        return 0;
      });
      if (found > 0) metrics?.woken("poll");
      bell.ring(found);
      pause = Math.min(pause * 2, others?.connected() ? heardPollMs : maxPollMs);
    }
  }

  /** Repeats one job of the upkeep; the jobs do not wait for each other, since carrying on a run takes as long as the run. @param {() => Promise<unknown>} job */
  async function upkeep(job) {
    while (!stopping.signal.aborted) {
      await job();
      await delay(upkeepMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  let looked = false;
  /**
   * Of all workers on one database one cleans up. A lease that is lost on the way costs a second look, which finds nothing to do (G3). The first look of a
   * worker needs no lease: one that takes the place of a dead worker would wait for the end of its lease first, and where workers die sooner than that,
   * nobody would ever clean up.
   */
  async function cleanUpAlone() {
    try {
      const leads = await lease.acquire();
      metrics?.leads(leads);
      if (!leads && looked) return;
    } catch (error) {
      log("error", "the lease of the upkeep cannot be read", { error: describeError(error, redact) });
      return;
    }
    looked = true;
    const counts = await cleanUp(engine, log, redact);
    if (counts) metrics?.cleaned(counts);
  }

  async function recover() {
    const recovered = await recoverRuns(runtime, log, redact);
    metrics?.recovered(recovered);
  }

  const loops = [upkeep(recover), upkeep(cleanUpAlone), poll(), ...Array.from({ length: concurrency }, consume)];
  return {
    wake() {
      metrics?.woken("own");
      bell.ring();
    },
    async stop(graceMs = 10_000) {
      stopping.abort();
      const done = await within(graceMs, Promise.all(loops));
      await others?.close();
      await lease.release().catch((error) => log("warn", "the lease of the upkeep was not given up", { error: describeError(error, redact) }));
      return done;
    },
  };
}

/** For a worker that shares its database with nobody. @type {import("./lease.js").Lease} */
const ALONE = { acquire: async () => true, release: async () => {} };

/**
 * Carries on the runs whose process is gone, so that their conversations can be settled.
 *
 * @param {WorkerOptions["runtime"]} runtime
 * @param {import("./log.js").Log} log
 * @param {(text: string) => string} [redact]
 * @returns {Promise<number>} How many.
 */
export async function recoverRuns(runtime, log, redact) {
  try {
    const recovered = (await runtime.recover?.()) ?? 0;
    if (recovered) log("info", "runs recovered", { recovered });
    return recovered;
  } catch (error) {
    log("error", "recovery of runs failed", { error: describeError(error, redact) });
    return 0;
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
