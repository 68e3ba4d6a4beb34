/** Carrying on the runs of processes that died. */
import { leftBehind } from "./effects.js";
import { advance } from "./loop.js";
import { claimColumns, drive, Session } from "./session.js";
import { readOpen } from "./stored.js";
import { report } from "./turn.js";

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
  const seen = new Set();
  let carriedOn = 0;
  for (;;) {
    const { config, store, active } = deps;
    const rows = await store.abandoned(config.now(), AT_ONCE + seen.size + active.size);
    // A run of this very process is alive, however late its heartbeat is.
    const fresh = rows.filter(({ uuid }) => !seen.has(uuid) && !active.has(uuid)).slice(0, AT_ONCE);
    if (fresh.length === 0 || deps.closed) return carriedOn;
    for (const { uuid } of fresh) seen.add(uuid);
    const outcomes = await Promise.all(fresh.map((row) => recoverRun(deps, row)));
    carriedOn += outcomes.filter(Boolean).length;
  }
}

/**
 * @param {Deps} deps
 * @param {RunRow} row
 * @returns {Promise<boolean>} true: this process carried the run on
 */
async function recoverRun(deps, row) {
  const { config, store } = deps;
  const stored = readOpen(row);
  const paused = Boolean(stored?.state.turn?.pause);
  // A run that was only claimed, not carried on, has not used up one of its recoveries.
  const patch = { ...claimColumns(deps), recoveries: paused ? row.recoveries : row.recoveries + 1 };
  if (!(await store.claim(row, patch))) return false;
  const held = { ...row, ...patch, version: row.version + 1 };
  config.log("info", "run.recovered", { runUuid: row.uuid, recoveries: patch.recoveries });
  const session = new Session(deps, held, stored?.request ?? nothingStored(), stored?.state ?? emptyState());
  const exhausted = patch.recoveries > RECOVERIES;
  await drive(session, async () => {
    if (!stored) return session.fail(named("StateUnreadable", "The stored state of the run cannot be read."));
    if (paused) {
      await session.release(); // the decision that had claimed it was never accepted
      return session.result("lease_lost");
    }
    if (exhausted) return giveUp(session);
    return advance(session);
  });
  return stored !== null && !exhausted;
}

/**
 * Ends a run that dies again and again. What it did is told all the same: from the ledger, as far as the events do not tell it yet.
 * @param {Session} session
 */
async function giveUp(session) {
  const { turn } = session.state;
  for (const call of turn?.calls ?? []) {
    if (!turn || Object.hasOwn(turn.results, call.id)) continue;
    const effect = await session.deps.store.effect(session.uuid, call.id);
    if (effect) report(session, turn, call, leftBehind(effect), 0);
  }
  return session.fail(named("RecoveryLimit", "The run was interrupted too often."));
}

/**
 * @param {string} name
 * @param {string} message
 */
const named = (name, message) => Object.assign(new Error(message), { name });

/** @returns {import("./types.js").RunState} */
export const emptyState = () => ({ messages: [], round: 0, segmentRounds: 0, steps: [], turn: null });

/** @returns {import("./types.js").StoredRequest} */
const nothingStored = () => ({
  configuration: { uid: 0, name: "", systemPrompt: "" },
  actor: { uid: 0, isAdmin: false, groups: [] },
  allowedToolNames: [],
  options: { callerSource: { extension: "", operation: "chatTurn" } },
  messages: [],
});
