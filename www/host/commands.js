/** What the commands do, from configuration to exit code. */
import { createApp } from "./app.js";
import { positiveInteger } from "./input.js";
import { describeError } from "./log.js";
import { listen } from "./server.js";
import { within } from "./time.js";
import { openHost } from "./wiring.js";
import { cleanUp, logReport, recoverRuns, startWorker } from "./worker.js";

/**
 * @typedef {import("./config.js").Config} Config
 * @typedef {import("./wiring.js").HostParts} HostParts
 * @typedef {HostParts & { upkeepMs?: number, stopGraceMs?: number }} ServedParts With the times that a test shortens.
 */

/** How long a stopping process waits for the turns that run, in milliseconds; what is cut off is settled by the next one. */
const STOP_GRACE_MS = 10_000;
/** How long a turn may take to put itself down after its run was stopped. */
const HAND_OVER_MS = 1000;
export const EXIT_NOTHING_TO_DO = 3;

/**
 * Serves until a signal ends it.
 *
 * @param {Config} config
 * @param {(config: Config) => Promise<ServedParts>} [open] Replaces what is served, in a test.
 * @returns {Promise<number>}
 */
export async function runServe(config, open = openHost) {
  const parts = await open(config);
  const stopped = nextSignal();
  /** @type {import("./worker.js").Worker | null} */
  let worker = null;
  try {
    const app = createApp({ ...parts, onWork: () => worker?.wake() });
    const server = await listen(app, config);
    if (config.worker === "in-process") worker = startWorker(parts);
    process.stdout.write(`agent-turn is ready: ${server.address}\n`);
    await stopped;
    await Promise.all([server.close(STOP_GRACE_MS), stopWorker(worker, parts)]);
    return 0;
  } finally {
    await parts.close();
  }
}

/** Carries out turns until a signal ends it. @param {Config} config @returns {Promise<number>} */
export async function runWorker(config) {
  const parts = await openHost(config);
  const stopped = nextSignal();
  try {
    const worker = startWorker(parts);
    process.stdout.write("agent-turn worker is ready\n");
    await stopped;
    await stopWorker(worker, parts);
    return 0;
  } finally {
    await parts.close();
  }
}

/** Carries out what one conversation waits for. @param {Config} config @param {string} argument @returns {Promise<number>} */
export async function runProcess(config, argument) {
  const uid = positiveInteger(argument);
  if (uid === null) {
    process.stderr.write(`"${argument}" is not the uid of a conversation.\n`);
    return 2;
  }
  return withHost(config, async ({ engine, log }) => {
    const report = await engine.processConversation(uid);
    logReport(log, report);
    process.stdout.write(`${report.outcome}: conversation ${uid} is ${report.status ?? "unknown"}${report.errorCode ? ` (${report.errorCode})` : ""}\n`);
    return report.outcome === "notClaimed" ? EXIT_NOTHING_TO_DO : 0;
  });
}

/** Settles what was left behind, once. @param {Config} config @returns {Promise<number>} */
export async function runCleanup(config) {
  return withHost(config, async ({ engine, runtime, log, redact }) => {
    await recoverRuns(runtime, log, redact);
    const counts = await cleanUp(engine, log, redact);
    if (counts === null) return 1;
    process.stdout.write(`timed out: ${counts.timedOut}, archived: ${counts.archived}, removed: ${counts.removed}\n`);
    return 0;
  });
}

/** @param {Config} config @param {(parts: HostParts) => Promise<number>} work */
async function withHost(config, work) {
  const parts = await openHost(config);
  try {
    return await work(parts);
  } catch (error) {
    parts.log("error", "command failed", { error: describeError(error, parts.redact) });
    return 1;
  } finally {
    await parts.close();
  }
}

/**
 * Waits for the turns that run; those that take longer are stopped where they were saved last and carried on by the next process.
 *
 * @param {import("./worker.js").Worker | null} worker
 * @param {ServedParts} parts
 */
async function stopWorker(worker, { runtime, log, stopGraceMs = STOP_GRACE_MS }) {
  if (worker === null || (await worker.stop(stopGraceMs))) return;
  log("warn", "stopped while turns were running; the next process carries them on");
  // A tool or a model that does not listen to its signal must not keep the process.
  await within(HAND_OVER_MS, runtime.close());
  await worker.stop(HAND_OVER_MS);
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function nextSignal() {
  return new Promise((resolve) => {
    for (const [signal, number] of /** @type {const} */ ([
      ["SIGINT", 2],
      ["SIGTERM", 15],
    ])) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(128 + number));
        resolve(signal);
      });
    }
  });
}
