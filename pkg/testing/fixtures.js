/** @typedef {import("../index.js").Conversation} Conversation */

export const NOW = 1_700_000_000;

/**
 * A whole conversation as the engine inserts it.
 *
 * @param {Partial<Conversation>} [fields]
 * @returns {Omit<Conversation, "uid">}
 */
export function conversation(fields = {}) {
  return {
    owner: 7,
    title: "",
    messages: [],
    status: "idle",
    revision: 0,
    claimId: "",
    errorMessage: "",
    errorCode: "",
    runUuid: "",
    lastRunUuid: "",
    decision: "",
    decidedBy: null,
    turnDigest: "",
    denyReason: "",
    pendingInput: null,
    systemPrompt: "",
    viewContext: null,
    activity: [],
    archived: false,
    pinned: false,
    createdAt: NOW,
    updatedAt: NOW,
    ...fields,
  };
}

/** No field has its default: a column that is mixed up or forgotten shows. */
export const FULL = conversation({
  owner: "u-9",
  title: "Über uns 🏝️",
  status: "awaiting_approval",
  claimId: "claim-1",
  errorMessage: "The run waits",
  errorCode: "handBack.staleTurn",
  runUuid: "run-1",
  lastRunUuid: "run-2",
  decision: "deny",
  decidedBy: 12,
  turnDigest: "digest-1",
  denyReason: "variant",
  pendingInput: { page: 3, tags: ["a", null, true], nested: { deep: 1.5 } },
  systemPrompt: "Answer briefly.\nÄ",
  viewContext: { pageId: "p-4", module: "web", languageId: 2 },
  activity: [
    { kind: "llm", round: 1, ms: 120 },
    { kind: "tool", round: 1, ms: 7, tool: "page_tree", error: true },
  ],
  archived: true,
  pinned: true,
  createdAt: NOW - 500,
  updatedAt: NOW - 20,
  messages: [
    { role: "user", content: "Rename the page" },
    { role: "assistant", content: [{ type: "text", text: "Shall I?" }], besideToolCall: true },
  ],
});

/**
 * @param {number} count
 * @returns {import("../index.js").Message[]}
 */
export function transcript(count) {
  return Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content: `message ${index}` }));
}

/**
 * What is not of the declared type, for what callers in JavaScript pass anyway.
 *
 * @template T
 * @param {unknown} value
 * @returns {T}
 */
export function untyped(value) {
  return /** @type {T} */ (value);
}

/**
 * @template T
 * @param {T | null} value
 * @returns {T}
 */
export function present(value) {
  if (value === null) throw new Error("the conversation is gone");
  return value;
}

/**
 * `loadSince` is optional; an adapter without it is read as the engine reads it, with `load` (N9).
 *
 * @param {import("../index.js").Storage} storage
 * @param {import("../index.js").Uid} uid
 * @param {number} after
 */
export async function loadSince(storage, uid, after) {
  if (storage.loadSince) return storage.loadSince(uid, after);
  const whole = await storage.load(uid);
  return whole && { ...whole, messages: whole.messages.slice(after), messageCount: whole.messages.length };
}
