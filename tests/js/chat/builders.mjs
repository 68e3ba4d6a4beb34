/**
 * Whole values for tests that care about a part of them.
 *
 * @typedef {import("../../../www/chat/types.js").Head} Head
 * @typedef {import("../../../www/chat/types.js").Message} Message
 * @typedef {import("../../../www/chat/types.js").ConversationView} ConversationView
 * @typedef {import("../../../www/chat/types.js").Poll} Poll
 * @typedef {import("../../../www/chat/types.js").Page} Page
 * @typedef {import("../../../www/chat/types.js").Session} Session
 * @typedef {import("../../../www/chat/types.js").Uid} Uid
 */

/** @type {ConversationView} */
export const idleView = { busy: false, maySend: true, mayRetry: false, notices: [], card: null, form: null, pointsToRun: false, pollAfter: 0 };

/** @param {string} turnDigest @returns {NonNullable<ConversationView["card"]>} */
export const cardOf = (turnDigest) => ({ turnDigest, calls: [], stale: false, expired: false, unreadable: null });

/** @param {Uid} uid @returns {Head} */
export const headOf = (uid) => ({
  uid,
  owner: 1,
  title: "T",
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
  createdAt: 1,
  updatedAt: 1,
});

/** @param {string} content @param {Partial<Message>} [more] @returns {Message} */
export const messageOf = (content, more = {}) => ({ role: "user", content, ...more });

/** The answer to a poll of a settled conversation. @param {Message[]} messages @param {Partial<Poll>} [more] @returns {Poll} */
export const pollOf = (messages, more = {}) => ({
  conversation: headOf(7),
  messages,
  messageCount: messages.length,
  truncated: false,
  view: idleView,
  you: { mayWrite: true, mayDecide: true },
  ...more,
});

/** @param {Uid} uid @param {Partial<Page>} [more] @returns {Page} */
export const pageOf = (uid, more = {}) => ({ uid, parent: 0, title: "", slug: "", hidden: false, language: "en", updatedAt: 0, ...more });

/** @param {Uid} uid the user who is signed in @returns {Session} */
export const sessionOf = (uid) => ({
  user: { uid, name: "E", isAdmin: false, groups: [], role: "editor" },
  users: [],
  model: { name: "m", rehearsal: true },
  limits: { maxMessageLength: 10_000, maxFiles: 5, maxFileBytes: 1_000_000 },
});
