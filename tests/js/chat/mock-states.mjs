/**
 * Canned conversations for the mock host: one per state a reader can meet.
 *
 * @typedef {import("../../../www/chat/types.js").Message} Message
 * @typedef {import("../../../www/chat/types.js").ConversationView} ConversationView
 * @typedef {import("../../../www/chat/types.js").PendingCall} PendingCall
 * @typedef {import("../../../www/chat/types.js").Head & { messages: Message[], view: ConversationView } & Pick<import("../../../www/chat/types.js").Poll, "waiting" | "now">} State a conversation as the mock host keeps it
 * @typedef {Partial<State> & Pick<State, "title" | "status" | "messages" | "view"> & { uid: number }} Canned what differs from one to the next
 */

const NOW = Math.floor(Date.now() / 1000);
const at = (/** @type {number} */ minutesAgo) => new Date((NOW - minutesAgo * 60) * 1000).toISOString();

/** @param {string} content @param {Partial<Message>} [more] @returns {Message} */
const user = (content, more = {}) => ({ role: "user", content, createdAt: at(12), ...more });

/** @param {string} content @param {Partial<Message>} [more] @returns {Message} */
const assistant = (content, more = {}) => ({ role: "assistant", content, createdAt: at(11), ...more });

/** @type {ConversationView} */
const settledView = { busy: false, maySend: true, mayRetry: false, notices: [], card: null, form: null, pointsToRun: false, pollAfter: 0 };
/** @type {ConversationView} */
export const cancelledView = { ...settledView, mayRetry: true, notices: [{ key: "error.cancelled", args: [] }] };

export const busyView = { ...settledView, busy: true, maySend: false, pollAfter: 150 };
export const idleView = settledView;
const waitingView = { ...settledView, pollAfter: 10_000 };

/** @type {PendingCall} */
const rename = {
  name: "page_update",
  label: "Change the title of a page",
  arguments: { uid: 12, title: "About us", slug: "/about-us" },
  previewLines: ["Title: Team → About us", "Slug: /team → /about-us"],
  declaresWrite: true,
  target: { table: "pages", uid: 12, title: "Team" },
};

/** @param {PendingCall[]} calls @param {Partial<NonNullable<ConversationView["card"]>>} [more] @returns {NonNullable<ConversationView["card"]>} */
const card = (calls, more = {}) => ({ turnDigest: "d1", calls, stale: false, expired: false, unreadable: null, ...more });

/** @type {NonNullable<ConversationView["form"]>} */
const choice = {
  kind: "choice",
  question: "Where should the page about the summer party go?",
  options: [
    { value: 1, label: "Home" },
    { value: 30, label: "News" },
    { value: 31, label: "News / Events" },
  ],
  freeText: true,
  fields: [],
  turnDigest: "i1",
};

/** @type {NonNullable<ConversationView["form"]>} */
const form = {
  kind: "form",
  question: "A few details for the event page",
  options: [],
  freeText: false,
  turnDigest: "i2",
  fields: [
    { name: "place", label: "Place", type: "text", required: true, description: "Street and town, as visitors should see it.", options: [] },
    { name: "seats", label: "Seats", type: "integer", required: true, description: "", options: [] },
    { name: "price", label: "Price in euros", type: "number", required: false, description: "", options: [] },
    { name: "public", label: "Open to the public?", type: "boolean", required: true, description: "", options: [] },
    {
      name: "month",
      label: "Month",
      type: "select",
      required: false,
      description: "",
      options: ["May", "June", "July", "August", "September"].map((label) => ({ value: label.toLowerCase(), label })),
    },
  ],
};

/** @type {State["activity"]} */
const steps = [
  { kind: "llm", round: 1, ms: 812 },
  { kind: "tool", round: 1, ms: 7, tool: "page_search" },
  { kind: "llm", round: 2, ms: 1430 },
];

const long = `Three pages are **hidden** at the moment:

| Page | Address | Since |
|---|---|---|
| Summer party | \`/news/summer-party\` | 3 May |
| Internal notes | \`/internal\` | 12 April |
| Old imprint | \`/imprint-2019\` | always |

1. They do not appear in the menu.
2. Whoever knows the address still gets *not found*.

> A hidden page can be shown again at any time.

See [the guide](https://example.org/guide) or <b onclick="x()">raw html</b> [bad](javascript:alert(1)) ![tracker](https://example.org/pixel.png)

\`\`\`sql
select title from pages where hidden = 1
\`\`\``;

/** @returns {State[]} */
export function states() {
  /** @type {Canned[]} */
  const canned = [
    {
      uid: 1,
      title: "Rename the page Team",
      status: "awaiting_approval",
      pinned: true,
      activity: steps,
      view: { ...waitingView, notices: [{ key: "chat.approvalPending", args: [] }], card: card([rename]) },
      messages: [user("Rename the page Team to About us"), assistant("I found one page called “Team” below Home.", { besideToolCall: true })],
    },
    {
      uid: 2,
      title: "Two changes, one out of date",
      status: "awaiting_approval",
      errorCode: "handBack.previewChanged",
      view: {
        ...waitingView,
        notices: [
          { key: "chat.approvalPending", args: [] },
          { key: "error.handBack.previewChanged", args: [] },
        ],
        card: card(
          [
            { ...rename, previewStale: true },
            {
              name: "page_delete",
              label: "Delete a page",
              arguments: { uid: 44 },
              previewLines: ["The page “Old imprint” and its text are removed.", "Hidden: yes → "],
              target: { table: "pages", uid: 44, title: "Old imprint" },
            },
          ],
          { stale: true },
        ),
      },
      messages: [user("Rename Team and delete the old imprint")],
    },
    {
      uid: 3,
      title: "An expired card",
      status: "awaiting_approval",
      view: {
        ...waitingView,
        notices: [{ key: "chat.approvalPending", args: [] }],
        card: card([{ ...rename, previewLines: [], target: null }], { expired: true }),
      },
      messages: [user("Rename it")],
    },
    {
      uid: 4,
      title: "A run that cannot be shown",
      status: "awaiting_approval",
      view: { ...waitingView, notices: [{ key: "chat.approvalPending", args: [] }], card: card([], { turnDigest: "", unreadable: "unreadable" }) },
      messages: [user("Do it")],
    },
    {
      uid: 5,
      title: "Create a page about our summer party",
      status: "awaiting_input",
      activity: steps,
      view: { ...waitingView, notices: [{ key: "chat.inputPending", args: [] }], form: choice },
      messages: [user("Create a page about our summer party"), assistant(choice.question)],
    },
    {
      uid: 6,
      title: "Details of the summer party",
      status: "awaiting_input",
      view: { ...waitingView, notices: [{ key: "chat.inputPending", args: [] }], form },
      messages: [user("Create the event page"), assistant("I need to know more.", { besideToolCall: true })],
    },
    {
      uid: 7,
      title: "A question of another kind",
      status: "awaiting_input",
      view: {
        ...waitingView,
        notices: [
          { key: "chat.inputPending", args: [] },
          { key: "chat.questionUnsupported", args: [] },
        ],
        form: { ...choice, kind: "unsupported", options: [], freeText: false },
      },
      messages: [user("Ask me")],
    },
    {
      uid: 8,
      title: "Translate all news",
      status: "failed",
      errorCode: "",
      errorMessage: "model gave no answer",
      lastRunUuid: "4f6c",
      view: { ...settledView, mayRetry: true, notices: [{ key: "chat.failed", args: ["The model endpoint answered 503 after 3 attempts"] }] },
      messages: [user("Translate all news into Danish")],
    },
    {
      uid: 9,
      title: "Which pages are hidden?",
      status: "idle",
      activity: steps,
      view: settledView,
      messages: [
        user("Which pages are hidden?"),
        assistant(long),
        user("Then show the summer party again"),
        assistant("Done: the page is visible again.", { notice: "nothingSaved" }),
        user("What?"),
        assistant("…", { notice: "noAnswer", noticeArgs: ["budget"] }),
        user("forbidden words", { notice: "guardrail" }),
        assistant("pages:12", { notice: "alreadyWritten", noticeArgs: ["pages:12"] }),
        user("Please propose another variant.", { decisionLine: "d0" }),
      ],
    },
    { uid: 10, title: "Tidy up the news section", status: "locked", activity: steps, view: busyView, messages: [user("Tidy up the news section")] },
    {
      uid: 11,
      title: "Someone else has to approve",
      status: "awaiting_approval",
      view: { ...waitingView, notices: [{ key: "chat.approvalPendingElsewhere", args: [] }] },
      messages: [user("Delete the page Jobs")],
    },
    { uid: 12, title: "A conversation of Ada", status: "idle", owner: 2, view: settledView, messages: [user("Hello"), assistant("Hello Ada.")] },
    {
      uid: 13,
      title: "Finished elsewhere",
      status: "failed",
      errorCode: "finishedOutside",
      lastRunUuid: "0d1c6f1e",
      view: { ...settledView, mayRetry: true, pointsToRun: true, notices: [{ key: "error.finishedOutside", args: [] }] },
      messages: [user("Go on")],
    },
    {
      uid: 14,
      title: "Decided by somebody who may not",
      status: "awaiting_approval",
      errorCode: "handBack.approverNotPermitted",
      view: {
        ...waitingView,
        notices: [
          { key: "chat.approvalPending", args: [] },
          { key: "error.handBack.approverNotPermitted", args: [] },
        ],
        card: card([rename]),
      },
      messages: [user("Rename the page Team to About us")],
    },
  ];
  return canned.map((state) => ({
    owner: 1,
    pinned: false,
    archived: false,
    errorCode: "",
    errorMessage: "",
    runUuid: "",
    lastRunUuid: "",
    activity: [],
    revision: 3,
    systemPrompt: "",
    claimId: "",
    decision: "",
    decidedBy: null,
    turnDigest: "",
    denyReason: "",
    pendingInput: null,
    viewContext: null,
    createdAt: NOW - state.uid * 4000,
    updatedAt: NOW - state.uid * 4000,
    ...state,
  }));
}

/** The canned state of this uid, anew. @param {number} uid @returns {State} */
export function stateOf(uid) {
  const state = states().find((one) => one.uid === uid);
  if (state === undefined) throw new RangeError(`there is no canned conversation ${uid}`);
  return state;
}

/** @returns {import("../../../www/chat/types.js").Page[]} */
export const pages = () => [
  { uid: 1, parent: 0, title: "Home", slug: "/", hidden: false, language: "en", updatedAt: NOW },
  { uid: 12, parent: 1, title: "Team", slug: "/team", hidden: false, language: "en", updatedAt: NOW },
  { uid: 30, parent: 1, title: "News", slug: "/news", hidden: false, language: "en", updatedAt: NOW },
  { uid: 31, parent: 30, title: "Summer party", slug: "/news/summer-party", hidden: true, language: "en", updatedAt: NOW },
  { uid: 44, parent: 1, title: "Old imprint", slug: "/imprint-2019", hidden: true, language: "en", updatedAt: NOW },
];
