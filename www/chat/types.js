/**
 * Shapes the page works with. What the engine knows is imported from the package's declarations; what only the host says is written here.
 *
 * @typedef {import("../../pkg/index.js").Uid} Uid
 * @typedef {import("../../pkg/index.js").Message} Message
 * @typedef {import("../../pkg/index.js").Conversation} Conversation
 * @typedef {import("../../pkg/index.js").ConversationView} ConversationView
 * @typedef {import("../../pkg/index.js").PendingCall} PendingCall
 * @typedef {import("../../pkg/index.js").WaitingView} WaitingView
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
 * @property {{ maxMessageLength: number, maxFiles: number, maxFileBytes: number, fileTypes?: string[] }} limits
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
 * @typedef {object} Poll
 * @property {Head} conversation
 * @property {Message[]} messages
 * @property {number} messageCount
 * @property {boolean} truncated
 * @property {ConversationView} view
 * @property {Rights} you
 * @property {WaitingView | null} [waiting] what `view` was made of, beside the conversation; without it and `now` the page shows `view` as it is
 * @property {number} [now] the moment of `view`, Unix milliseconds of the host
 *
 * @typedef {{ uid: Uid, parent: Uid | null, title: string, slug: string, hidden: boolean, language: string, updatedAt: unknown }} Page
 * @typedef {{ approve: boolean, turnDigest: string, denyReason?: "variant" | "skip", display?: string }} Decision
 * @typedef {"approve" | "decline" | "variant" | "skip"} DecisionKind
 * @typedef {{ clientId: string, content: string, files: FileReference[], failed: boolean }} Outgoing
 *
 * @typedef {object} Attachment a file that goes with the next message
 * @property {string} id
 * @property {string} name
 * @property {number} size bytes; 0 where it is not known any more
 * @property {string} type media type
 * @property {"uploading" | "ready" | "failed"} state
 * @property {number} progress how much is uploaded, from 0 to 1
 * @property {string} problem label key, "" for none
 * @property {string} preview address of a picture, "" for none
 * @property {FileReference | null} reference what the host calls it, once it is there
 */

export {};
