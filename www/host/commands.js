/** What the commands do, from configuration to exit code. */
import { createApp } from "./app.js";
import { operationsApp } from "./health.js";
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
export function runServe(config, open = openHost) {
  return untilStopped(config, open, async (parts) => {
    /** @type {import("./worker.js").Worker | null} */
    let worker = null;
    const onWork = () => {
      worker?.wake();
      // Nobody waits for the word to be out: the request is recorded.
      void parts.wakeups.announce();
    };
    const server = await listen(createApp({ ...parts, onWork }), config);
    const operations = await serveOperations(config, parts);
    if (config.worker === "in-process") worker = startHostWorker(parts);
    process.stdout.write(`agent-turn is ready: ${server.address}\n`);
    return async () => {
      await Promise.all([server.close(graceOf(parts)), stopWorker(worker, parts)]);
      await operations?.close(0);
    };
  });
}

/** Carries out turns until a signal ends it. @param {Config} config @param {(config: Config) => Promise<ServedParts>} [open] @returns {Promise<number>} */
export function runWorker(config, open = openHost) {
  return untilStopped(config, open, async (parts) => {
    const operations = await serveOperations(config, parts);
    const worker = startHostWorker(parts);
    process.stdout.write("agent-turn worker is ready\n");
    return async () => {
      await stopWorker(worker, parts);
      await operations?.close(0);
    };
  });
}

/**
 * @param {Config} config
 * @param {(config: Config) => Promise<ServedParts>} open
 * @param {(parts: ServedParts) => Promise<() => Promise<void>>} start Resolves to what stops it again.
 */
async function untilStopped(config, open, start) {
  const parts = await open(config);
  const stopped = nextSignal();
  try {
    const stop = await start(parts);
    await stopped;
    // From now on a load balancer sends nobody here.
    parts.health.stopping();
    await stop();
    return 0;
  } finally {
    await parts.close();
  }
}

/** @param {ServedParts} parts */
function startHostWorker(parts) {
  const { concurrency, upkeepSeconds } = parts.config;
  return startWorker({ ...parts, concurrency, upkeepMs: parts.upkeepMs ?? upkeepSeconds * 1000 });
}

/** Health and metrics on a port of their own, where one is configured. @param {Config} config @param {ServedParts} parts */
async function serveOperations({ metricsPort, hostname }, { health, metrics }) {
  if (metricsPort === null) return null;
  const server = await listen(operationsApp(health, metrics), { port: metricsPort, hostname });
  process.stdout.write(`agent-turn metrics: ${server.address}metrics\n`);
  return server;
}

/** @param {ServedParts} parts Milliseconds that a stopping process waits; what is cut off is settled by the next one. */
const graceOf = ({ stopGraceMs, config }) => stopGraceMs ?? config.stopSeconds * 1000;

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
    const { failed } = await runtime.reap();
    if (counts === null) return 1;
    if (failed > 0) process.stdout.write(`runs that nobody carried on: ${failed}\n`);
    process.stdout.write(`timed out: ${counts.timedOut}, archived: ${counts.archived}, removed: ${counts.removed}\n`);
    return 0;
  });
}

const DAY_SECONDS = 86_400;

/**
 * Removes what is old of the runs; conversations are cleanup's affair.
 *
 * @param {Config} config
 * @param {{ settledDays: string, usageDays?: string }} options
 * @returns {Promise<number>}
 */
export async function runPurge(config, { settledDays, usageDays }) {
  const [settled, usage] = [settledDays, usageDays].map((days) => (days === undefined ? undefined : positiveInteger(days)));
  if (settled === null || settled === undefined || usage === null) {
    process.stderr.write("The number of days must be a whole number of at least 1.\n");
    return 2;
  }
  return withHost(config, async ({ runtime }) => {
    const removed = await runtime.purge({ settledSeconds: settled * DAY_SECONDS, ...(usage === undefined ? {} : { usageSeconds: usage * DAY_SECONDS }) });
    process.stdout.write(`runs removed: ${removed.runs}, usage records removed: ${removed.usage}\n`);
    return 0;
  });
}

/**
 * Lists what models cost, one line for each caller, configuration and model, tab-separated.
 *
 * @param {Config} config
 * @param {{ since?: string }} options `since`: a date such as 2026-01-31
 * @returns {Promise<number>}
 */
export async function runUsage(config, { since }) {
  const from = since === undefined ? 0 : Date.parse(since);
  if (Number.isNaN(from)) {
    process.stderr.write(`"${since}" is not a date.\n`);
    return 2;
  }
  return withHost(config, async ({ runtime }) => {
    const lines = await runtime.usage({ since: from });
    process.stdout.write("caller\tconfiguration\tmodel\truns\tcalls\tprompt tokens\tcompletion tokens\tcost\n");
    for (const { extension, operation, configuration, model, runs, calls, promptTokens, completionTokens, cost } of lines) {
      process.stdout.write(`${[`${extension}/${operation}`, configuration, model, runs, calls, promptTokens, completionTokens, cost].join("\t")}\n`);
    }
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
async function stopWorker(worker, parts) {
  const { runtime, log } = parts;
  if (worker === null || (await worker.stop(graceOf(parts)))) return;
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
