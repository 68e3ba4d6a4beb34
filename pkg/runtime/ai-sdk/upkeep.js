/** What keeps the store small and true: settling what nobody carries on, removing what is old, listing what was spent. */
import { AiSdkRuntimeError } from "./errors.js";
import { named, recoverRun } from "./recover.js";
import { withdraw } from "./views.js";

const BATCH = 100;
const ABANDONED_SECONDS = 3600;

/** @typedef {import("./session.js").Deps} Deps */

/**
 * Settles running rows whose process is long gone and that nobody recovered, and withdraws waiting ones that nobody decides.
 * @param {Deps} deps
 * @param {{ abandonedSeconds?: number, waitingSeconds?: number }} [options]
 */
export async function reap(deps, { abandonedSeconds = ABANDONED_SECONDS, waitingSeconds } = {}) {
  const { store, config, active } = deps;
  const before = config.now() - checked("abandonedSeconds", abandonedSeconds) * 1000;
  const counts = { failed: 0, withdrawn: 0 };
  const seen = new Set();
  for (;;) {
    const rows = (await store.silentSince(before, BATCH + seen.size)).filter(({ uuid }) => !seen.has(uuid) && !active.has(uuid));
    if (rows.length === 0) break;
    for (const row of rows) {
      seen.add(row.uuid);
      await recoverRun(deps, row, { giveUpOn: named("Abandoned", "The run was interrupted, and nobody carried it on.") });
      if ((await store.load(row.uuid))?.status === "failed") counts.failed += 1;
    }
  }
  if (waitingSeconds !== undefined) counts.withdrawn = await withdrawOld(deps, config.now() - checked("waitingSeconds", waitingSeconds) * 1000);
  return counts;
}

/**
 * @param {Deps} deps
 * @param {number} before
 */
async function withdrawOld(deps, before) {
  let withdrawn = 0;
  for (;;) {
    const rows = await deps.store.waitingSince(before, BATCH);
    const done = await Promise.all(rows.map((row) => withdraw(deps, row)));
    withdrawn += done.filter(Boolean).length;
    // Those that were decided at this very moment are not found again.
    if (rows.length < BATCH) return withdrawn;
  }
}

/**
 * @param {Deps} deps
 * @param {{ settledSeconds: number, usageSeconds?: number }} options
 */
export async function purge({ store, config }, options) {
  const settled = config.now() - checked("settledSeconds", options?.settledSeconds) * 1000;
  const counts = { runs: 0, usage: 0 };
  for (;;) {
    const removed = await store.removeSettled(settled, BATCH);
    counts.runs += removed;
    if (removed < BATCH) break;
  }
  if (options.usageSeconds !== undefined) counts.usage = await store.removeUsage(config.now() - checked("usageSeconds", options.usageSeconds) * 1000);
  return counts;
}

/**
 * @param {Deps} deps
 * @param {{ since?: number, until?: number }} [options] Unix milliseconds
 * @returns {Promise<import("./index.d.ts").UsageLine[]>}
 */
export async function usage({ store }, { since = 0, until = Number.MAX_SAFE_INTEGER } = {}) {
  const lines = await store.usage(since, until);
  const plain = lines.map(({ extension, operation, configuration, model, ...sums }) => ({
    extension,
    operation,
    configuration,
    model,
    runs: Number(sums.runs),
    calls: Number(sums.calls),
    promptTokens: Number(sums.prompt_tokens),
    completionTokens: Number(sums.completion_tokens),
    cost: Number(sums.cost_micros) / 1e6,
  }));
  return plain.sort((a, b) => b.cost - a.cost || b.promptTokens + b.completionTokens - (a.promptTokens + a.completionTokens));
}

/**
 * @param {string} name
 * @param {unknown} seconds
 */
function checked(name, seconds) {
  if (typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0) return seconds;
  throw new AiSdkRuntimeError("invalidArgument", `${name} must be a number of seconds`);
}
