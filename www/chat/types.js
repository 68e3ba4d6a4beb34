/**
 * Shapes the page works with. What the engine knows is imported from the package's declarations; what only the host says is written here.
 *
 * @typedef {import("../../pkg/index.js").Uid} Uid
 * @typedef {import("../../pkg/index.js").Message} Message
 * @typedef {import("../../pkg/index.js").Conversation} Conversation
 * @typedef {import("../../pkg/index.js").ConversationView} ConversationView
 * @typedef {import("../../pkg/index.js").PendingCall} PendingCall
 * @typedef {import("../../pkg/index.js").InputForm} InputForm
 * @typedef {import("../../pkg/index.js").Answer} Answer
 * @typedef {import("../../pkg/index.js").ActivityEntry} ActivityEntry
 * @typedef {import("../../pkg/index.js").FileReference} FileReference
 * @typedef {Omit<Conversation, "messages">} Head
 *
 * @typedef {{ uid: Uid, name: string, role: string }} UserName
 * @typedef {object} Session
 * @property {{ uid: Uid, name: string, isAdmin: boolean, groups: Uid[], role: string }} user
 * @property {UserName[]} users
 * @property {{ name: string, rehearsal: boolean }} model
 * @property {{ maxMessageLength: number, maxFiles: number, maxFileBytes: number }} limits
 *
 * @typedef {object} ListItem
 * @property {Uid} uid
 * @property {string} title
 * @property {string} status
 * @property {string} errorCode
 * @property {boolean} pinned
 * @property {boolean} archived
 * @property {Uid} owner
 * @property {string} ownerName
 * @property {number} updatedAt
 * @property {boolean} mine
 *
 * @typedef {{ mayWrite: boolean, mayDecide: boolean }} Rights
 * @typedef {{ conversation: Head, messages: Message[], messageCount: number, truncated: boolean, view: ConversationView, you: Rights }} Poll
 * @typedef {{ uid: Uid, parent: Uid | null, title: string, slug: string, hidden: boolean, language: string, updatedAt: unknown }} Page
 * @typedef {{ approve: boolean, turnDigest: string, denyReason?: "variant" | "skip", display?: string }} Decision
 * @typedef {"approve" | "decline" | "variant" | "skip"} DecisionKind
 * @typedef {{ clientId: string, content: string, failed: boolean }} Outgoing
 */

export {};
