/**
 * What people do with a conversation beside its turns: listing, naming, pinning, archiving, giving it instructions.
 */
import { createChange } from "../chat/shared/change.js";

/**
 * @typedef {import("agent-turn").Actor} Actor
 * @typedef {import("agent-turn").Conversation} Conversation
 * @typedef {import("agent-turn/storage/sql").HostPatch} HostPatch
 *
 * @typedef {Pick<Conversation, "uid" | "title" | "status" | "errorCode" | "pinned" | "archived" | "owner" | "updatedAt">} ConversationSummary
 *
 * @typedef {{ owners?: import("agent-turn").Uid[], search: string, archived: boolean, limit: number }} ListQuery
 *
 * @typedef {object} Conversations
 * @property {(actor: Actor, query: { search: string, archived: boolean }) => Promise<ConversationSummary[]>} list Pinned first, then newest first.
 * @property {import("../chat/shared/change.js").Change} change
 */

const LIST_LENGTH = 200;

/**
 * @param {object} parts
 * @param {{ load: import("agent-turn").Storage["load"], swap(uid: number, revision: number, patch: HostPatch): Promise<boolean> | boolean }} parts.storage
 * @param {import("./users.js").MayAct} parts.mayAct
 * @param {(query: ListQuery) => Promise<ConversationSummary[]>} parts.find
 * @param {(actor: Actor) => boolean} parts.readsAll
 * @returns {Conversations}
 */
export function createConversations({ storage, mayAct, find, readsAll }) {
  return {
    async list(actor, { search, archived }) {
      const owners = readsAll(actor) ? undefined : [actor.uid];
      const rows = await find({ owners, search: search.trim(), archived, limit: LIST_LENGTH });
      return rows.map(summary);
    },

    change: createChange({ storage, mayAct }),
  };
}

/** @param {ConversationSummary} row The technical message and the claim of a row are not for a list (E3). @returns {ConversationSummary} */
function summary({ uid, title, status, errorCode, pinned, archived, owner, updatedAt }) {
  return { uid, title, status, errorCode, pinned, archived, owner, updatedAt };
}
