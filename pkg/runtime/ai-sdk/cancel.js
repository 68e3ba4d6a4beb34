/** Stopping a run because a person wants it. */
import { ownsOrAdmin } from "./access.js";
import { withdraw } from "./views.js";

const ATTEMPTS = 5;

/**
 * Stops a run, for its owner and for administrators. One that waits is cancelled at once. One that runs is told so, in whatever process it
 * runs: an answer of the model or a read under way is given up, a write under way is finished and told by the events, and no other begins.
 * @param {import("./session.js").Deps} deps
 * @param {import("./types.js").Actor} actor
 * @param {string} uuid
 * @returns {Promise<boolean>} false: there is nothing (left) to stop, or it is not this actor's
 */
export async function cancel(deps, actor, uuid) {
  // Between a look and a write the run may have paused, been decided, or ended.
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const row = await deps.store.load(String(uuid));
    if (!row || !ownsOrAdmin(actor, row)) return false;
    if (await withdraw(deps, row)) return true;
    if (await deps.store.askStop(row.uuid)) {
      deps.active.get(row.uuid)?.stop();
      return true;
    }
    if (row.status !== "running" && !row.status.startsWith("waiting")) return false;
  }
  return false;
}
