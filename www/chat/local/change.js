/** Naming, pinning, archiving and instructing a conversation without a host: the checks of `PATCH` in docs/http-api.md. */

import { codePoints, storable } from "../text.js";

/**
 * @typedef {import("../../../pkg/index.js").Conversation} Conversation
 * @typedef {import("../../../pkg/storage/memory.js").HostPatch} HostPatch
 * @typedef {import("../types.js").Uid} Uid
 * @typedef {{ ok: true } | { ok: false, httpStatus: number, code: string }} ChangeReply
 */

const MAX_TITLE_LENGTH = 255;
const MAX_PROMPT_LENGTH = 10_000;
const MAX_SWAPS = 5;
/** At rest nobody reads the timestamp as a heartbeat or an age of a run (G1, N2), so a change may refresh it. */
const AT_REST = new Set(["idle", "awaiting_approval", "awaiting_input"]);

const refused = (/** @type {number} */ httpStatus, /** @type {string} */ code) => /** @type {const} */ ({ ok: false, httpStatus, code });

/**
 * @param {object} parts
 * @param {Pick<import("../../../pkg/index.js").Storage, "load"> & { swap(uid: Uid, revision: number, patch: HostPatch): unknown }} parts.storage
 * @param {(conversation: Conversation, action: "read" | "write") => Promise<boolean>} parts.mayAct
 */
export function createChanges({ storage, mayAct }) {
  return {
    /** @param {Uid} uid @param {{ title?: string, pinned?: boolean, archived?: boolean, systemPrompt?: string }} body @returns {Promise<ChangeReply>} */
    async change(uid, body) {
      const { fields, refusal } = changedFields(body);
      if (refusal) return refusal;
      for (let attempt = 0; attempt < MAX_SWAPS; attempt += 1) {
        const conversation = await storage.load(uid);
        if (!conversation || !(await mayAct(conversation, "read"))) return refused(404, "notFound");
        if (!(await mayAct(conversation, "write"))) return refused(403, "forbidden");
        const updatedAt = AT_REST.has(conversation.status) ? Math.floor(Date.now() / 1000) : conversation.updatedAt;
        if (await storage.swap(uid, conversation.revision, { ...fields, updatedAt })) return { ok: true };
      }
      return refused(409, "conflict");
    },
  };
}

/** @param {{ title?: string, pinned?: boolean, archived?: boolean, systemPrompt?: string }} body @returns {{ fields: HostPatch, refusal: ChangeReply | null }} */
function changedFields({ title, pinned, archived, systemPrompt }) {
  /** @type {HostPatch} */
  const fields = {};
  if (title !== undefined) {
    fields.title = storable(title).trim();
    if (fields.title === "" || codePoints(fields.title) > MAX_TITLE_LENGTH) return { fields, refusal: refused(400, "badRequest") };
  }
  if (systemPrompt !== undefined) {
    fields.systemPrompt = storable(systemPrompt);
    if (codePoints(fields.systemPrompt) > MAX_PROMPT_LENGTH) return { fields, refusal: refused(400, "promptTooLong") };
  }
  if (pinned !== undefined) fields.pinned = pinned;
  if (archived !== undefined) fields.archived = archived;
  return { fields, refusal: Object.keys(fields).length === 0 ? refused(400, "badRequest") : null };
}
