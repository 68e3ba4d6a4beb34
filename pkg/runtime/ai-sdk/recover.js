/** Carrying on the runs of processes that died. */
import { drive } from "./drive.js";
import { Cancelled } from "./errors.js";
import { advance } from "./loop.js";
import { claimColumns, Session } from "./session.js";
import { emptyState, isIntact, readOpen } from "./stored.js";
import { tellLedger } from "./turn.js";

const RECOVERIES = 3;
const AT_ONCE = 8;

/**
 * @typedef {import("./session.js").Deps} Deps
 * @typedef {import("./types.js").RunRow} RunRow
 */

/**
 * Claims running rows whose lease has expired and carries each on from its last saved state. A model call whose answer was not saved is
 * made again; calls that change something go through the ledger.
 * @param {Deps} deps
 * @returns {Promise<number>} how many were carried on
 */
export async function recover(deps) {
  await deps.tools.ready();
  const next = abandonedRuns(deps);
  let carriedOn = 0;
  const hand = async () => {
    for (let row = await next(); row; row = await next()) if (await recoverRun(deps, row)) carriedOn += 1;
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, hand));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return carriedOn;
}

/**
 * Gives one abandoned run after the other, to any number of hands; each run once.
 * @param {Deps} deps
 * @returns {() => Promise<RunRow | undefined>}
 */
function abandonedRuns(deps) {
  const { config, store, active } = deps;
  const seen = new Set();
  /** @type {RunRow[]} */
  let found = [];
  /** @type {Promise<void> | null} */
  let looking = null;
  const look = async () => {
    const rows = await store.abandoned(config.now(), AT_ONCE + seen.size + active.size);
    // A run of this very process is alive, however late its heartbeat is.
    found = rows.filter(({ uuid }) => !seen.has(uuid) && !active.has(uuid));
    for (const { uuid } of found) seen.add(uuid);
  };
  const looked = () =>
    look().finally(() => {
      looking = null;
    });
  return async () => {
    if (found.length === 0 && !deps.closed) await (looking ??= looked());
    return deps.closed ? undefined : found.shift();
  };
}

/**
 * @param {Deps} deps
 * @param {RunRow} row
 * @param {{ giveUpOn?: Error }} [options] settle it instead of carrying it on
 * @returns {Promise<boolean>} true: this process carried the run on
 */
export async function recoverRun(deps, row, { giveUpOn } = {}) {
  const { config, store } = deps;
  const opened = await store.loadOpen(row.uuid);
  const stored = opened?.row.version === row.version ? readOpen(row, opened.log) : null;
  const paused = Boolean(stored?.state.turn?.pause);
  // A run that was only claimed, not carried on, has not used up one of its recoveries.
  const patch = { ...claimColumns(deps), recoveries: paused ? row.recoveries : row.recoveries + 1 };
  if (!(await store.claim(row, patch))) return false;
  const held = { ...row, ...patch, version: row.version + 1 };
  config.log("info", "run.recovered", { runUuid: row.uuid, recoveries: patch.recoveries });
  const session = new Session(deps, held, stored?.request ?? nothingStored(), stored?.state ?? emptyState());
  const exhausted = patch.recoveries > RECOVERIES;
  await drive(session, async () => {
    if (!stored) return session.fail(named("StateUnreadable", "The stored state of the run cannot be read."), "not_retryable");
    if (!isIntact({ row, ...stored }, config.secret)) return session.fail(named("StateForged", "The stored state of the run was changed."), "not_retryable");
    if (row.stop_asked) throw new Cancelled();
    if (paused) {
      await session.release(); // the decision that had claimed it was never accepted
      return session.result("lease_lost");
    }
    if (giveUpOn) return giveUp(session, giveUpOn, "not_retryable");
    if (exhausted) return giveUp(session, named("RecoveryLimit", "The run was interrupted too often."), "retries_exhausted");
    return advance(session);
  });
  return stored !== null && !exhausted && !giveUpOn && !row.stop_asked;
}

/**
 * Ends a run that is not carried on any more. What it did is told all the same.
 * @param {Session} session
 * @param {Error} error
 * @param {string} reason
 */
async function giveUp(session, error, reason) {
  await tellLedger(session);
  return session.fail(error, reason);
}

/**
 * @param {string} name
 * @param {string} message
 */
export const named = (name, message) => Object.assign(new Error(message), { name });

/** @returns {import("./types.js").StoredRequest} */
const nothingStored = () => ({
  configuration: { uid: 0, name: "", systemPrompt: "" },
  actor: { uid: 0, isAdmin: false, groups: [] },
  allowedToolNames: [],
  options: { callerSource: { extension: "", operation: "chatTurn" } },
  messages: [],
});
