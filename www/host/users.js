/**
 * The two people of the demo and what they may do. A real host asks its own user administration here.
 */
import { APPROVER_GROUP } from "./site/index.js";

/**
 * @typedef {import("agent-turn").Actor} Actor
 * @typedef {import("agent-turn").Conversation} Conversation
 * @typedef {import("agent-turn").Runtime} Runtime
 * @typedef {import("agent-turn").Uid} Uid
 *
 * @typedef {object} User
 * @property {number} uid
 * @property {string} name
 * @property {string} role Key of the role: `editor` or `approver`.
 * @property {boolean} isAdmin
 * @property {number[]} groups
 *
 * @typedef {Omit<Conversation, "messages">} ConversationHead What permissions are decided from.
 * @typedef {"read" | "write" | "decide"} Action
 * @typedef {(actor: Actor, conversation: ConversationHead, action: Action) => Promise<boolean>} MayAct
 */

const EDITORS = 1;
export const APPROVERS = APPROVER_GROUP;

/** Tools whose proposals the owner of the conversation may not decide alone (four eyes). */
const SECOND_PERSON_TOOLS = new Set(["delete_page"]);

/**
 * The users of the demo, the first of whom is logged in without a cookie.
 *
 * @param {{ demoAdmin?: boolean }} [options] `demoAdmin` makes the second one an administrator.
 */
export function createUsers({ demoAdmin = false } = {}) {
  /** @type {readonly [User, ...User[]]} */
  const list = [
    { uid: 1, name: "Edda Editor", role: "editor", isAdmin: false, groups: [EDITORS] },
    { uid: 2, name: "Alex Approver", role: "approver", isAdmin: demoAdmin, groups: [EDITORS, APPROVERS] },
  ];
  // C8: uids are compared as text.
  const find = (/** @type {unknown} */ uid) => list.find((user) => String(user.uid) === String(uid)) ?? null;
  return {
    list,
    find,
    /** The actor of a user; one who is gone has no rights. @param {Uid} uid @returns {Actor} */
    actorOf(uid) {
      const user = find(uid);
      return { uid, isAdmin: user?.isAdmin ?? false, groups: user ? [...user.groups] : [] };
    },
  };
}

/** @typedef {ReturnType<typeof createUsers>} Users */

/**
 * Who may do what (D4): the owner everything with the own conversation, except deciding alone about a deletion; approvers read and decide
 * everything. Nobody else anything.
 *
 * @param {Pick<Runtime, "waitingView">} runtime
 * @returns {MayAct}
 */
export function createMayAct(runtime) {
  return async (actor, conversation, action) => {
    const isOwner = String(actor.uid) === String(conversation.owner);
    const isApprover = actor.groups.some((group) => String(group) === String(APPROVERS));
    if (action === "write") return isOwner;
    if (isApprover) return true;
    if (action === "read" || !isOwner) return isOwner;
    return !(await needsSecondPerson(runtime, actor, conversation));
  };
}

/** @param {Pick<Runtime, "waitingView">} runtime @param {Actor} actor @param {ConversationHead} conversation */
async function needsSecondPerson(runtime, actor, conversation) {
  if (conversation.status !== "awaiting_approval" || conversation.runUuid === "") return false;
  const view = await runtime.waitingView?.(actor, conversation.runUuid);
  // Nothing is pending (any more): the runtime refuses by itself, and the reader learns why (D7).
  if (!view) return false;
  // What cannot be read may be a deletion.
  if (view.mode === "unreadable") return true;
  return view.pendingCalls.some((call) => SECOND_PERSON_TOOLS.has(call.name));
}
