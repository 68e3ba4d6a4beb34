// Section 9: reconcile and cleanup.
import { appended, becameOf, endedPatch, keptResult, mapWithEvents, pauseAgain, writtenLine } from "./authority.js";
import { failure } from "./outcome.js";
import { BUSY, statusRules } from "./status.js";
import { demand, isUid } from "./values.js";

/** @typedef {Record<string, any>} Row */
/** @typedef {import("./host.js").Port} Port */

const MANY = 1000;
const DAY = 86400;

/** @param {number} ms */
const seconds = (ms) => Math.floor(ms / 1000);

/** K1: whether a row is looked at. @param {Port} port @param {Row} row @param {number} now Unix milliseconds */
export function needsReconcile(port, row, now) {
  if (row.runUuid === "" || row.updatedAt === 0) return false;
  if (statusRules(row.status).waiting) return true;
  return row.status === "processing" && seconds(now) - row.updatedAt > port.settings.graceSeconds;
}

/** W4: where nobody can say whose run it is, nothing is done. @param {Port} port @param {any} owner */
async function actorOrNull(port, owner) {
  try {
    return await port.actorOf(owner);
  } catch {
    return null;
  }
}

/** K1, K2 as a patch; null: nothing. @param {Port} port @param {Row} row @param {any} actor @param {number} now */
async function reconcilePatch(port, row, actor, now) {
  const run = row.runUuid;
  const became = await becameOf(port, actor, run);
  if (became.kind === "ended") return endedPatch(port, actor, row, run, became.status, now);
  if (became.kind !== "waiting" || became.status === row.status) return null;
  return pauseAgain(port, actor, row, run, became.status, "finishedOutside", now);
}

/** @param {Port} port @param {any} uid @returns {Promise<boolean>} whether something was written */
export function reconcile(port, uid) {
  return reconcileAs(port, uid, (owner) => actorOrNull(port, owner));
}

/** A poll asks strictly, so that a failing `actorOf` rejects. @param {Port} port @param {any} uid @param {(owner: any) => Promise<any>} actorOf @returns {Promise<boolean>} */
export async function reconcileAs(port, uid, actorOf) {
  demand(isUid(uid), "uid");
  const row = await port.load(uid);
  if (!row) return false;
  const now = await port.now();
  if (!needsReconcile(port, row, now)) return false;
  const actor = await actorOf(row.owner);
  const patch = actor && (await reconcilePatch(port, row, actor, now));
  return patch ? port.swap(row, { ...patch, updatedAt: seconds(now) }) : false; // K3
}

/** G1 as a patch; null: left alone. @param {Port} port @param {Row} row @param {number} now */
async function stuckPatch(port, row, now) {
  const { abandonAfterSeconds, queueTimeoutSeconds } = port.settings;
  const age = seconds(now) - row.updatedAt;
  const waitsInQueue = row.status === "processing" && row.claimId === "" && age <= queueTimeoutSeconds;
  const timedOut = () => failure("The turn was given up because nothing was heard of it any more.", "timedOut");
  const run = row.runUuid || row.lastRunUuid;
  if (run !== "") {
    const actor = await actorOrNull(port, row.owner);
    if (!actor) return null;
    const became = await becameOf(port, actor, run);
    if (became.kind === "active") {
      if (age <= abandonAfterSeconds || waitsInQueue) return null;
      return { ...timedOut(), lastRunUuid: "", ...appended(row, await writtenLine(port, actor, row, run, now)) }; // R2b
    }
    if (became.kind === "waiting") return pauseAgain(port, actor, row, run, became.status, "timedOut", now);
    const result = became.status === "completed" ? await keptResult(port, actor, run, "completed") : null;
    if (result) return mapWithEvents(port, actor, row, result, now);
  }
  return waitsInQueue ? null : timedOut();
}

/** Every found row that can be loaded (S3). @param {Port} port @param {Row} query @param {(row: Row) => Promise<boolean>} act @returns {Promise<number>} */
async function forEach(port, query, act) {
  let count = 0;
  for (const uid of await port.find({ ...query, limit: MANY })) {
    let row;
    try {
      row = await port.load(uid);
    } catch (error) {
      port.log("error", "a conversation could not be loaded", { uid, error });
      continue;
    }
    if (row && (await act(row))) count += 1;
  }
  return count;
}

/** G1, G2, G3. @param {Port} port */
export async function cleanup(port) {
  const now = await port.now();
  const at = seconds(now);
  const { stuckAfterSeconds, autoArchiveDays, deleteAfterDays } = port.settings;
  const timedOut = await forEach(port, { statuses: BUSY, updatedBefore: at - stuckAfterSeconds }, async (row) => {
    if (!BUSY.includes(row.status) || at - row.updatedAt <= stuckAfterSeconds) return false;
    const patch = await stuckPatch(port, row, now);
    if (!patch) return false;
    const gaveUp = patch.errorCode === "timedOut";
    return (await port.swap(row, { ...patch, updatedAt: at })) && gaveUp; // C6: the claim stays
  });
  const old = (/** @type {Row} */ row, /** @type {number} */ days) => !row.pinned && at - row.updatedAt > days * DAY;
  let archived = 0;
  if (autoArchiveDays > 0) {
    const query = { statuses: ["idle"], archived: false, pinned: false, updatedBefore: at - autoArchiveDays * DAY };
    archived = await forEach(port, query, async (row) => {
      return row.status === "idle" && !row.archived && old(row, autoArchiveDays) && (await port.swap(row, { archived: true, updatedAt: at }));
    });
  }
  let removed = 0;
  if (deleteAfterDays > 0) {
    const query = { statuses: ["idle", "failed"], archived: true, pinned: false, updatedBefore: at - deleteAfterDays * DAY };
    removed = await forEach(port, query, async (row) => {
      const { busy, waiting } = statusRules(row.status);
      return !busy && !waiting && row.archived === true && old(row, deleteAfterDays) && (await port.remove(row));
    });
  }
  return { timedOut, archived, removed };
}
