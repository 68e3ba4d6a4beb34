/**
 * What people do with a conversation beside its turns: listing, naming, pinning, archiving, giving it instructions. These writes are the
 * host's own, and go through the same compare-and-swap as the engine's (C1).
 */
import { codePoints, storable } from "./input.js";
import { RequestRefused } from "./refusal.js";

/**
 * @typedef {import("agent-turn").Actor} Actor
 * @typedef {import("agent-turn").Conversation} Conversation
 * @typedef {import("agent-turn/storage/sql").HostPatch} HostPatch
 * @typedef {{ ok: true } | import("./refusal.js").Refusal} ChangeReply
 *
 * @typedef {Pick<Conversation, "uid" | "title" | "status" | "errorCode" | "pinned" | "archived" | "owner" | "updatedAt">} ConversationSummary
 *
 * @typedef {{ owners?: import("agent-turn").Uid[], search: string, archived: boolean, limit: number }} ListQuery
 *
 * @typedef {object} Conversations
 * @property {(actor: Actor, query: { search: string, archived: boolean }) => Promise<ConversationSummary[]>} list Pinned first, then newest first.
 * @property {(uid: number, actor: Actor, body: Record<string, unknown>) => Promise<ChangeReply>} change
 */

const MAX_TITLE_LENGTH = 255;
const MAX_PROMPT_LENGTH = 10000;
const MAX_SWAPS = 5;
const LIST_LENGTH = 200;
/** Nothing to see in it (rule M11). */
const BLANK = /^[\p{White_Space}\p{Cc}\uFEFF\u00AD\u180E\u200B-\u200F\u202A-\u202E\u061C\u2060-\u2069\u{E0000}-\u{E007F}]*$/u;
/** At rest nobody reads the timestamp as a heartbeat or an age of a run (G1, N2), so a change may refresh it. */
const AT_REST = new Set(["idle", "awaiting_approval", "awaiting_input"]);

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

    async change(uid, actor, body) {
      const fields = changedFields(body);
      for (let attempt = 0; attempt < MAX_SWAPS; attempt += 1) {
        const conversation = await storage.load(uid);
        // Somebody else's conversation looks like one that does not exist (N6).
        if (!conversation || !(await mayAct(actor, conversation, "read"))) throw new RequestRefused("notFound");
        if (!(await mayAct(actor, conversation, "write"))) throw new RequestRefused("forbidden");
        const updatedAt = AT_REST.has(conversation.status) ? Math.floor(Date.now() / 1000) : conversation.updatedAt;
        if (await storage.swap(uid, conversation.revision, { ...fields, updatedAt })) return { ok: true };
      }
      throw new RequestRefused("conflict");
    },
  };
}

/**
 * The fields a body changes; anything of the wrong type, blank or too long refuses the whole of it.
 *
 * @param {Record<string, unknown>} body
 * @returns {HostPatch}
 */
function changedFields(body) {
  /** @type {HostPatch} */
  const fields = {};
  if (Object.hasOwn(body, "title")) fields.title = title(body.title);
  if (Object.hasOwn(body, "pinned")) fields.pinned = flag(body.pinned);
  if (Object.hasOwn(body, "archived")) fields.archived = flag(body.archived);
  if (Object.hasOwn(body, "systemPrompt")) fields.systemPrompt = systemPrompt(body.systemPrompt);
  if (Object.keys(fields).length === 0) throw new RequestRefused("badRequest");
  return fields;
}

/** @param {unknown} value */
function title(value) {
  if (typeof value !== "string") throw new RequestRefused("invalidArgument");
  const text = storable(value).trim();
  if (BLANK.test(text) || codePoints(text) > MAX_TITLE_LENGTH) throw new RequestRefused("badRequest");
  return text;
}

/** @param {unknown} value */
function systemPrompt(value) {
  if (typeof value !== "string") throw new RequestRefused("invalidArgument");
  const text = storable(value);
  if (codePoints(text) > MAX_PROMPT_LENGTH) throw new RequestRefused("promptTooLong");
  return text;
}

/** @param {unknown} value */
function flag(value) {
  if (typeof value !== "boolean") throw new RequestRefused("invalidArgument");
  return value;
}

/** @param {ConversationSummary} row The technical message and the claim of a row are not for a list (E3). @returns {ConversationSummary} */
function summary({ uid, title, status, errorCode, pinned, archived, owner, updatedAt }) {
  return { uid, title, status, errorCode, pinned, archived, owner, updatedAt };
}
