/**
 * Stopping a turn that is worked on. The rules have no such request: the host stops the run, and its turn settles as `failed` with the code
 * `cancelled` (O10).
 */
import { RequestRefused } from "./refusal.js";

/**
 * @typedef {import("agent-turn").Actor} Actor
 * @typedef {(uid: number, actor: Actor) => Promise<{ ok: true, status: import("agent-turn").ConversationStatus }>} Stop the status it has still
 */

/**
 * @param {object} parts
 * @param {Pick<import("agent-turn/storage/sql").SqlStorage, "loadSince">} parts.storage
 * @param {import("./users.js").MayAct} parts.mayAct
 * @param {Pick<import("agent-turn/runtime/ai-sdk").AiSdkRuntime, "cancel">} parts.runtime
 * @returns {Stop}
 */
export function createStop({ storage, mayAct, runtime }) {
  return async (uid, actor) => {
    const conversation = await storage.loadSince(uid, Number.MAX_SAFE_INTEGER); // no message is of interest
    // Somebody else's conversation looks like one that does not exist (N6).
    if (!conversation || !(await mayAct(actor, conversation, "read"))) throw new RequestRefused("notFound");
    if (!(await mayAct(actor, conversation, "write"))) throw new RequestRefused("forbidden");
    const { status, lastRunUuid } = conversation;
    if (status !== "locked" || lastRunUuid === "" || !(await runtime.cancel(actor, lastRunUuid))) throw new RequestRefused("nothingToStop");
    return { ok: true, status };
  };
}
