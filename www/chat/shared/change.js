/**
 * Naming, pinning, archiving and instructing a conversation (`PATCH` in docs/http-api.md), for the Node host and for the page without a host. These writes
 * are not the engine's, and go through the same compare-and-swap as its own (C1).
 */

import { codePoints, isBlank, storable } from "./text.js";

/**
 * @typedef {import("../../../pkg/index.js").Actor} Actor
 * @typedef {import("../../../pkg/index.js").Conversation} Conversation
 * @typedef {import("../../../pkg/index.js").Uid} Uid
 * @typedef {import("../../../pkg/storage/memory.js").HostPatch} HostPatch
 * @typedef {{ ok: false, httpStatus: number, code: string }} Refusal
 * @typedef {{ ok: true } | Refusal} ChangeReply
 *
 * @callback Change
 * @param {Uid} uid
 * @param {Actor} actor
 * @param {Record<string, unknown>} body what was asked for, unchecked: any of `title`, `pinned`, `archived`, `systemPrompt`
 * @returns {Promise<ChangeReply>}
 */

const MAX_TITLE_LENGTH = 255;
const MAX_PROMPT_LENGTH = 10_000;
const MAX_SWAPS = 5;
/** At rest nobody reads the timestamp as a heartbeat or an age of a run (G1, N2), so a change may refresh it. */
const AT_REST = new Set(["idle", "awaiting_approval", "awaiting_input"]);

const STATUS = { badRequest: 400, invalidArgument: 400, promptTooLong: 400, forbidden: 403, notFound: 404, conflict: 409 };

/** @param {keyof typeof STATUS} code @returns {Refusal} */
const refused = (code) => ({ ok: false, httpStatus: STATUS[code], code });

/**
 * @param {object} parts
 * @param {{ load: import("../../../pkg/index.js").Storage["load"], swap(uid: any, revision: number, patch: HostPatch): unknown }} parts.storage
 * @param {(actor: Actor, conversation: Conversation, action: "read" | "write") => Promise<boolean> | boolean} parts.mayAct
 * @returns {Change}
 */
export function createChange({ storage, mayAct }) {
  return async (uid, actor, body) => {
    const { fields, refusal } = changedFields(body);
    if (refusal) return refusal;
    for (let attempt = 0; attempt < MAX_SWAPS; attempt += 1) {
      const conversation = await storage.load(uid);
      // Somebody else's conversation looks like one that does not exist (N6).
      if (!conversation || !(await mayAct(actor, conversation, "read"))) return refused("notFound");
      if (!(await mayAct(actor, conversation, "write"))) return refused("forbidden");
      const updatedAt = AT_REST.has(conversation.status) ? Math.floor(Date.now() / 1000) : conversation.updatedAt;
      if (await storage.swap(uid, conversation.revision, { ...fields, updatedAt })) return { ok: true };
    }
    return refused("conflict");
  };
}

/** What each field becomes, or the code why not. @type {{ [K in "title" | "pinned" | "archived" | "systemPrompt"]: (value: unknown) => { value: NonNullable<HostPatch[K]> } | { code: keyof typeof STATUS } }} */
const READERS = {
  title(value) {
    if (typeof value !== "string") return { code: "invalidArgument" };
    const title = storable(value).trim();
    return isBlank(title) || codePoints(title) > MAX_TITLE_LENGTH ? { code: "badRequest" } : { value: title };
  },
  pinned: flag,
  archived: flag,
  systemPrompt(value) {
    if (typeof value !== "string") return { code: "invalidArgument" };
    const prompt = storable(value);
    return codePoints(prompt) > MAX_PROMPT_LENGTH ? { code: "promptTooLong" } : { value: prompt };
  },
};

/** @param {unknown} value @returns {{ value: boolean } | { code: "invalidArgument" }} */
function flag(value) {
  return typeof value === "boolean" ? { value } : { code: "invalidArgument" };
}

/**
 * The fields a body changes; anything of the wrong type, blank or too long refuses the whole of it.
 *
 * @param {Record<string, unknown>} body
 * @returns {{ fields: HostPatch, refusal: Refusal | null }}
 */
function changedFields(body) {
  /** @type {Record<string, unknown>} */
  const fields = {};
  for (const [name, read] of Object.entries(READERS)) {
    if (!Object.hasOwn(body, name)) continue;
    const field = read(body[name]);
    if ("code" in field) return { fields: {}, refusal: refused(field.code) };
    fields[name] = field.value;
  }
  return { fields, refusal: Object.keys(fields).length === 0 ? refused("badRequest") : null };
}
