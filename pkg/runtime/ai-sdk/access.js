/** Who sees a run, and who may decide it. Uids are compared as text (C8). */
import { shortMessage } from "./errors.js";

/**
 * @typedef {import("./session.js").Deps} Deps
 * @typedef {import("./types.js").Actor} Actor
 * @typedef {import("./types.js").RunRow} RunRow
 */

/**
 * @param {Actor} actor
 * @param {RunRow} row
 */
export const ownsOrAdmin = (actor, row) => actor?.isAdmin === true || (actor?.uid !== undefined && String(actor.uid) === row.owner);

/**
 * The owner, administrators, and whom the host's `mayRead` names.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {RunRow} row
 */
export function sees({ config }, actor, row) {
  if (ownsOrAdmin(actor, row)) return true;
  try {
    return actor?.uid !== undefined && config.mayRead(actor, row.owner) === true;
  } catch (error) {
    config.log("error", "mayRead threw; the run is not shown", { runUuid: row.uuid, error: shortMessage(error) });
    return false;
  }
}

/**
 * Whether an actor may decide a call. A tool with a `mayApprove` of its own has the say over approvals of its changes; a denial changes
 * nothing, so whoever sees the run may deny.
 * @param {Deps} deps
 * @param {Actor} actor
 * @param {RunRow} row
 * @param {import("./types.js").Call} call
 * @param {boolean} approved
 */
export function may(deps, actor, row, call, approved) {
  const tool = deps.tools.registered(call.name);
  const seen = sees(deps, actor, row);
  if (!tool || tool.effect === "read" || (!approved && seen)) return seen;
  try {
    // Nobody lets a change through that they could not have asked for themselves.
    if (!tool.mayApprove) return seen && (tool.allowed?.(actor) ?? true);
    return tool.mayApprove(actor, /** @type {import("./index.d.ts").ToolInput} */ (structuredClone(call.input))) === true;
  } catch (error) {
    deps.config.log("error", "tool.mayApprove or tool.allowed threw; not permitted", { runUuid: row.uuid, tool: call.name, error: shortMessage(error) });
    return false;
  }
}

/**
 * Whether a run follows a guided process; null: nobody can tell.
 * @param {Deps} deps
 * @param {import("./index.d.ts").ModelRequest} request
 * @returns {Promise<boolean | null>}
 */
export async function processVerdict({ config }, request) {
  try {
    const verdict = await config.isProcess(request);
    return typeof verdict === "boolean" ? verdict : null;
  } catch (error) {
    config.log("error", "isProcess threw", { runUuid: request.runUuid, error: shortMessage(error) });
    return null;
  }
}
