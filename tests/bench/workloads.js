// The same data for everybody: a conversation of N messages of about 400 characters, some with emoji, some marked.

const sentence = "The page about our summer party needs a shorter title and a picture that loads quickly on a phone. ";

/** @param {number} index */
function message(index) {
  const content = `${sentence.repeat(4)}${index % 5 === 0 ? "🎉 " : ""}(${index})`;
  if (index % 2 === 0) return { role: "user", content, createdAt: "2026-01-01T00:00:00Z", clientId: `c-${index}` };
  if (index % 20 === 1) return { role: "assistant", content, notice: "nothingSaved", createdAt: "2026-01-01T00:00:00Z" };
  if (index % 20 === 3) return { role: "assistant", content, besideToolCall: true, createdAt: "2026-01-01T00:00:00Z" };
  return { role: "assistant", content, createdAt: "2026-01-01T00:00:00Z" };
}

/** @param {number} count @param {object} [fields] */
export const conversation = (count, fields) => ({
  uid: 1,
  owner: 7,
  title: "Summer party",
  messages: Array.from({ length: count }, (_, index) => message(index)),
  status: "locked",
  revision: 3,
  claimId: "c",
  errorMessage: "",
  errorCode: "",
  runUuid: "",
  lastRunUuid: "r",
  decision: "",
  decidedBy: null,
  turnDigest: "",
  denyReason: "",
  pendingInput: null,
  systemPrompt: "Answer briefly.",
  viewContext: { pageId: 4 },
  activity: [],
  archived: false,
  pinned: false,
  createdAt: 1_700_000_000,
  updatedAt: 1_700_000_000,
  ...fields,
});

export const task = { uid: 5, promptTemplate: "Help with pages.", configuration: { uid: 9, name: "Default", systemPrompt: sentence.repeat(40) } };

export const completed = {
  outcome: "completed",
  runUuid: "r",
  steps: [],
  loopResult: { finalContent: "The title is shorter now.", terminationReason: "completed" },
};

/** The run stands before a write and waits for a person. */
export const suspended = { outcome: "awaiting_approval", runUuid: "r", steps: [], suspendedState: { turnDigest: "d" } };

/** What that person is shown. */
export const view = {
  runUuid: "r",
  mode: "approval",
  turnDigest: "d",
  pendingCalls: [{ name: "update_page", arguments: { uid: 3, title: "About us" } }],
};

export const reader = { uid: 7, isAdmin: false, mayDecide: true };

export const refusal = { reason: "staleTurn", message: "The page was changed in between." };

export const errorText = `${"request to https://models.example/v1?key=abc failed at /srv/app/index.js:10:3, token=ghp_abcdefghijklmnopqrstuvwxyz0123456789 ".repeat(3200)}`;
