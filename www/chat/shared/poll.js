/**
 * What a poll answers beyond the engine's own reply, for the Node host and for the page without a host: the view of the waiting run, so that the page can
 * run the component's `present` over exactly what its reader may see, and what that reader may do.
 */

/**
 * @typedef {import("../../../pkg/index.js").WaitingView} WaitingView
 * @typedef {Extract<Awaited<ReturnType<import("../../../pkg/index.js").ChatEngine["poll"]>>, { ok: true }>} EngineReply
 *
 * @typedef {object} Parts
 * @property {import("../../../pkg/index.js").Actor} actor
 * @property {(action: "write" | "decide") => Promise<boolean> | boolean} mayAct
 * @property {NonNullable<import("../../../pkg/index.js").Runtime["waitingView"]>} waitingView
 * @property {typeof import("../../../pkg/index.js").present} present
 * @property {number} now Unix milliseconds
 */

/**
 * `view` is what `present` makes of the other fields of the reply, at its moment `now`; whoever has the component gets the same again. `waiting` is there
 * only for a reader who is shown a card or a question: to everybody else pending calls are nobody's business (V3).
 *
 * @param {EngineReply} reply
 * @param {Parts} parts
 */
export async function pollReply(reply, { actor, mayAct, waitingView, present, now }) {
  const [mayWrite, mayDecide] = await Promise.all([mayAct("write"), mayAct("decide")]);
  const you = { mayWrite, mayDecide };
  if (reply.view.card === null && reply.view.form === null) return { ...reply, waiting: null, now, you };
  const reader = { uid: actor.uid, isAdmin: actor.isAdmin, mayDecide, mayWrite };
  const seen = (/** @type {WaitingView | null} */ waiting) => ({ view: present({ ...reply.conversation, messages: [] }, reader, waiting, { now }), waiting });
  // A broken inbox never makes a chat unreadable (W4).
  const found = await Promise.resolve(reply.conversation.runUuid)
    .then((runUuid) => waitingView(actor, runUuid))
    .then((view) => seen(view ? fieldsOf(view) : null))
    .catch(() => seen(null));
  return { ...reply, ...found, now, you };
}

/** What `present` reads, and nothing that a runtime keeps beside it. @param {WaitingView} view @returns {WaitingView} */
function fieldsOf({ runUuid, mode, turnDigest, pendingCalls, inputSchema, expiresAt, unreadableReason }) {
  const optional = { inputSchema, expiresAt, unreadableReason };
  return { runUuid, mode, turnDigest, pendingCalls, ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) };
}
