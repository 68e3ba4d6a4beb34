/** What readers learn of a run. Unknown, forbidden and unreadable are one answer: null, or an empty list. */
import { ownsOrAdmin, sees } from "./access.js";
import { approvalDigest, inputDigest } from "./digest.js";
import { isIntact, parsed, readOpen } from "./stored.js";

/**
 * @typedef {import("./session.js").Deps} Deps
 * @typedef {import("./types.js").Actor} Actor
 * @typedef {import("../../index.d.ts").RunStatus} RunStatus
 * @typedef {import("../../index.d.ts").WaitingView} WaitingView
 * @typedef {import("../../index.d.ts").PendingCall} PendingCall
 */

/**
 * The row, for those who see the run.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {string} uuid
 */
async function seen(deps, actor, uuid) {
  const row = await deps.store.load(String(uuid));
  return row && sees(deps, actor, row) ? row : null;
}

/**
 * `leaseExpired` on a running run: the process that ran it is dead, and nobody has carried it on yet.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {string} uuid
 * @returns {Promise<{ status: RunStatus, leaseExpired?: true } | null>}
 */
export async function status(deps, actor, uuid) {
  const row = await seen(deps, actor, uuid);
  if (!row) return null;
  const dead = row.status === "running" && row.lease_expires < deps.config.now();
  return { status: /** @type {RunStatus} */ (row.status), ...(dead ? { leaseExpired: true } : {}) };
}

/**
 * The result of a settled or paused run, with the steps of its last segment.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {string} uuid
 * @returns {Promise<import("./types.js").RunResult | null>}
 */
export async function result(deps, actor, uuid) {
  const row = await seen(deps, actor, uuid);
  if (!row || row.status === "running" || row.status === "queued") return null;
  return /** @type {import("./types.js").RunResult | null} */ (parsed(row.result));
}

/**
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {string} uuid
 * @returns {Promise<import("../../index.d.ts").RunEvent[]>} in the order of their sequence
 */
export async function events(deps, actor, uuid) {
  if (!(await seen(deps, actor, uuid))) return [];
  const rows = await deps.store.events(String(uuid));
  return rows.map(({ kind, round, payload }) => ({
    kind,
    round,
    payload: /** @type {import("../../index.d.ts").RunEvent["payload"]} */ (parsed(payload) ?? {}),
  }));
}

/**
 * The card or the question of a waiting run.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {string} uuid
 * @returns {Promise<WaitingView | null>}
 */
export async function waitingView(deps, actor, uuid) {
  const opened = await deps.store.loadOpen(String(uuid));
  if (!opened || !sees(deps, actor, opened.row)) return null;
  const { row, log } = opened;
  if (row.status !== "waiting_for_approval" && row.status !== "waiting_for_input") return null;
  const stored = readOpen(row, log);
  const turn = stored?.state.turn;
  if (!stored || !turn?.pause || !isIntact({ row, ...stored }, deps.config.secret)) return unreadable(row.uuid, "state-unreadable");
  const { pause } = turn;
  if (pause.kind === "input") {
    const call = turn.calls.find(({ id }) => id === pause.callId);
    if (!call) return unreadable(row.uuid, "no-pending-calls");
    const turnDigest = inputDigest(call, pause.inputSchema, deps.config.secret);
    return {
      runUuid: row.uuid,
      mode: "input",
      turnDigest,
      pendingCalls: [pendingCall(deps, call, undefined)],
      inputSchema: pause.inputSchema,
      unreadableReason: null,
    };
  }
  const calls = turn.calls.filter(({ id }) => pause.callIds.includes(id));
  if (calls.length === 0) return unreadable(row.uuid, "no-pending-calls");
  /** @type {WaitingView} */
  const view = {
    runUuid: row.uuid,
    mode: "approval",
    turnDigest: approvalDigest(calls, deps.config.secret),
    pendingCalls: calls.map((call, index) => pendingCall(deps, call, viewFor(deps, actor, call, pause.views[index]))),
    unreadableReason: null,
  };
  if (pause.expiresAt !== null) view.expiresAt = Math.floor(pause.expiresAt / 1000);
  return view;
}

/**
 * @param {string} runUuid
 * @param {string} unreadableReason
 * @returns {WaitingView}
 */
const unreadable = (runUuid, unreadableReason) => ({ runUuid, mode: "unreadable", turnDigest: null, pendingCalls: [], unreadableReason });

const WITHHELD = "The preview is not shown to you.";

/**
 * What this reader sees of a call: a preview may tell of a record that not every reader of the run may read.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {import("./types.js").Call} call
 * @param {import("./types.js").CallView | undefined} view
 */
function viewFor({ tools }, actor, call, view) {
  if (!view || tools.shows(call, actor)) return view;
  return { ...view, lines: [WITHHELD], failed: true, target: null };
}

/**
 * @param {Deps} deps
 * @param {import("./types.js").Call} call
 * @param {import("./types.js").CallView | undefined} view
 * @returns {PendingCall}
 */
function pendingCall(deps, call, view) {
  const tool = deps.tools.registered(call.name);
  /** @type {PendingCall} */
  const pending = {
    name: call.name,
    arguments: /** @type {import("./types.js").Json} */ (call.input),
    declaresWrite: tool ? tool.effect !== "read" && !tool.asks : true,
  };
  if (view) Object.assign(pending, { previewLines: view.lines, previewFailed: view.failed, previewStale: view.stale, target: view.target });
  if (view?.label !== undefined) pending.label = view.label;
  return pending;
}

/**
 * Withdraws a run that waits; wins only from the two waiting states, and only for the owner and administrators.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {string} uuid
 * @returns {Promise<{ cancelled: boolean, status: RunStatus | null }>}
 */
export async function cancelIfWaiting(deps, actor, uuid) {
  const row = await deps.store.load(String(uuid));
  if (!row || !ownsOrAdmin(actor, row)) return { cancelled: false, status: null };
  if (await withdraw(deps, row)) return { cancelled: true, status: "cancelled" };
  const now = await deps.store.load(row.uuid);
  return { cancelled: false, status: /** @type {RunStatus | null} */ (now?.status ?? null) };
}

/**
 * Moves a waiting run to `cancelled`; false: it does not wait (any more).
 * @param {Deps} deps
 * @param {import("./types.js").RunRow} row
 */
export async function withdraw({ store, config }, row) {
  if (row.status !== "waiting_for_approval" && row.status !== "waiting_for_input") return false;
  const withdrawn = { outcome: "cancelled", runUuid: row.uuid, steps: [], loopResult: null, suspendedState: null, guardrailClass: null, error: null };
  return store.cancelWaiting(row, JSON.stringify(withdrawn), config.now());
}
