/**
 * What the page knows, as one immutable value, and the pure function that takes it forward. No clock, no network, no DOM in here.
 *
 * @typedef {import("./types.js").Uid} Uid
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Poll} Poll
 *
 * @typedef {object} ChatState
 * @property {import("./types.js").Session | null} session
 * @property {string} sessionError code of the failed start, "" otherwise
 * @property {{ items: import("./types.js").ListItem[], search: string, archived: boolean, loaded: boolean, error: string }} list
 * @property {Uid | null} openUid
 * @property {boolean} loading the open conversation has not arrived yet
 * @property {string} missing code why the open conversation cannot be shown, "" otherwise
 * @property {import("./types.js").Head | null} conversation
 * @property {Message[]} messages
 * @property {import("./types.js").ConversationView | null} view
 * @property {import("./types.js").WaitingView | null} waiting what the open conversation waits for, where the host tells it; shown by way of `view` only
 * @property {boolean} underWay a turn of the open conversation is worked on: a request was accepted, or the host said so, and no poll has shown its end yet
 * @property {import("./types.js").Rights} you
 * @property {Record<string, true>} inFlight requests under way, by `flightKey`
 * @property {Record<string, import("./types.js").Outgoing>} outbox messages on their way, by conversation
 * @property {Record<string, import("./types.js").Attachment[]>} attachments files for the next message, by conversation ("" for a new one)
 * @property {string} confirmation label key of what was just decided, "" otherwise
 * @property {{ code: string } | null} refusal why the last request of this conversation was not carried out
 * @property {number | null} editing index of the message being edited
 * @property {boolean} connectionLost
 * @property {{ items: import("./types.js").Page[], changed: string[], loaded: boolean, error: string }} pages
 *
 * @typedef {{ type: "session", session: import("./types.js").Session }
 *   | { type: "sessionFailed", code: string }
 *   | { type: "userSwitched", session: import("./types.js").Session }
 *   | { type: "list", conversations: import("./types.js").ListItem[], search: string, archived: boolean }
 *   | { type: "listFailed", code: string }
 *   | { type: "listQuery", search?: string, archived?: boolean }
 *   | { type: "opened", uid: Uid | null }
 *   | { type: "polled", uid: Uid, after: number, poll: Poll }
 *   | { type: "viewed", uid: Uid, view: import("./types.js").ConversationView }
 *   | { type: "missing", uid: Uid, code: string }
 *   | { type: "flight", key: string, on: boolean }
 *   | { type: "outgoing", uid: Uid, outgoing: import("./types.js").Outgoing }
 *   | { type: "outgoingGone", uid: Uid, clientId: string }
 *   | { type: "attachments", uid: Uid | null, items: import("./types.js").Attachment[] }
 *   | { type: "accepted", uid: Uid, confirmation: string }
 *   | { type: "refused", uid: Uid | null, code: string }
 *   | { type: "refusalDismissed" }
 *   | { type: "editing", index: number | null }
 *   | { type: "connection", lost: boolean }
 *   | { type: "pages", pages: import("./types.js").Page[] }
 *   | { type: "pagesFailed", code: string }} Action
 */

/** Uids are compared as text (C8). @param {Uid | null | undefined} a @param {Uid | null | undefined} b */
export function sameUid(a, b) {
  return a !== null && a !== undefined && b !== null && b !== undefined && String(a) === String(b);
}

/** A request of one kind is guarded per conversation. @param {string} kind @param {Uid | null} uid */
export function flightKey(kind, uid) {
  return `${kind}:${uid ?? ""}`;
}

const NOTHING_OPEN = {
  loading: false,
  missing: "",
  conversation: null,
  messages: /** @type {Message[]} */ ([]),
  view: null,
  waiting: null,
  underWay: false,
  you: { mayWrite: false, mayDecide: false },
  confirmation: "",
  refusal: null,
  editing: null,
  connectionLost: false,
};

/** @returns {ChatState} */
export function initialState() {
  return {
    session: null,
    sessionError: "",
    list: { items: [], search: "", archived: false, loaded: false, error: "" },
    openUid: null,
    ...NOTHING_OPEN,
    inFlight: {},
    outbox: {},
    attachments: {},
    pages: { items: [], changed: [], loaded: false, error: "" },
  };
}

/**
 * The transcript after a poll that asked for everything from `after` on; null when the two do not fit together and all of it has to be
 * asked for again. Messages that did not change keep their identity, so that nothing is drawn anew.
 * @param {Message[]} known @param {number} after @param {Poll} poll
 * @returns {Message[] | null}
 */
export function mergeMessages(known, after, poll) {
  if (poll.truncated || after === 0) {
    const merged = poll.messages.map((message, index) => (sameMessage(known[index], message) ? /** @type {Message} */ (known[index]) : message));
    return merged.length === known.length && merged.every((message, index) => message === known[index]) ? known : merged;
  }
  if (after !== known.length || after + poll.messages.length !== poll.messageCount) return null;
  return poll.messages.length === 0 ? known : [...known, ...poll.messages];
}

/** @param {Message | undefined} a @param {Message} b */
function sameMessage(a, b) {
  return a !== undefined && a.content === b.content && JSON.stringify(a) === JSON.stringify(b);
}

/** Where a busy turn stands right after the host accepted a request; the next poll replaces it. @param {import("./types.js").ConversationView | null} view */
function busyView(view) {
  return view === null ? null : { ...view, busy: true, maySend: false, mayRetry: false, notices: [], card: null, form: null };
}

/** @param {Record<string, import("./types.js").Outgoing>} outbox @param {Uid} uid @param {(outgoing: import("./types.js").Outgoing) => boolean} gone */
function withoutOutgoing(outbox, uid, gone) {
  const outgoing = outbox[String(uid)];
  if (outgoing === undefined || !gone(outgoing)) return outbox;
  return Object.fromEntries(Object.entries(outbox).filter(([key]) => key !== String(uid)));
}

/** @param {ChatState} state @param {Extract<Action, { type: "polled" }>} action @returns {ChatState} */
function polled(state, { uid, after, poll }) {
  if (!sameUid(uid, state.openUid)) return state;
  const messages = mergeMessages(state.messages, after, poll);
  if (messages === null) return state;
  const arrived = new Set(messages.map((message) => message.clientId).filter((id) => id !== undefined));
  const { conversation, view, waiting = null, you } = poll;
  return {
    ...state,
    loading: false,
    missing: "",
    conversation,
    messages,
    view,
    waiting,
    underWay: view.busy,
    you,
    editing: view.busy || messages.length < state.messages.length ? null : state.editing,
    confirmation: view.busy ? state.confirmation : "",
    refusal: view.busy ? null : state.refusal,
    outbox: withoutOutgoing(state.outbox, uid, (outgoing) => arrived.has(outgoing.clientId)),
    list: { ...state.list, items: state.list.items.map((item) => (sameUid(item.uid, uid) ? withHead(item, conversation) : item)) },
  };
}

/** @param {import("./types.js").ListItem} item @param {import("./types.js").Head} head */
function withHead(item, { title, status, errorCode, pinned, archived, updatedAt }) {
  return { ...item, title, status, errorCode, pinned, archived, updatedAt };
}

/** Pages whose content is not what it was, as uids. @param {import("./types.js").Page[]} before @param {import("./types.js").Page[]} now */
export function changedPages(before, now) {
  const known = new Map(before.map((page) => [String(page.uid), JSON.stringify(page)]));
  return now.filter((page) => known.get(String(page.uid)) !== JSON.stringify(page)).map((page) => String(page.uid));
}

/** @param {ChatState} state @param {Action} action @returns {ChatState} */
export function reduce(state, action) {
  switch (action.type) {
    case "session":
      return { ...state, session: action.session, sessionError: "" };
    case "sessionFailed":
      return { ...state, sessionError: action.code };
    case "userSwitched":
      // Nothing of one user's view may be left over for the next.
      return { ...initialState(), session: action.session, pages: state.pages };
    case "listQuery":
      return { ...state, list: { ...state.list, search: action.search ?? state.list.search, archived: action.archived ?? state.list.archived } };
    case "list":
      if (action.search !== state.list.search || action.archived !== state.list.archived) return state;
      return { ...state, list: { ...state.list, items: action.conversations, loaded: true, error: "" } };
    case "listFailed":
      return { ...state, list: { ...state.list, error: action.code } };
    case "opened":
      return { ...state, ...NOTHING_OPEN, openUid: action.uid, loading: action.uid !== null };
    case "polled":
      return polled(state, action);
    case "viewed":
      return sameUid(action.uid, state.openUid) && state.view !== null ? { ...state, view: action.view } : state;
    case "missing":
      return sameUid(action.uid, state.openUid) ? { ...state, ...NOTHING_OPEN, missing: action.code } : state;
    case "flight": {
      const { [action.key]: _, ...others } = state.inFlight;
      return { ...state, inFlight: action.on ? { ...others, [action.key]: true } : others };
    }
    case "outgoing":
      return { ...state, outbox: { ...state.outbox, [String(action.uid)]: action.outgoing } };
    case "outgoingGone":
      return { ...state, outbox: withoutOutgoing(state.outbox, action.uid, (outgoing) => outgoing.clientId === action.clientId) };
    case "attachments": {
      const { [String(action.uid ?? "")]: _, ...others } = state.attachments;
      return { ...state, attachments: action.items.length > 0 ? { ...others, [String(action.uid ?? "")]: action.items } : others };
    }
    case "accepted":
      if (!sameUid(action.uid, state.openUid)) return state;
      return {
        ...state,
        view: busyView(state.view),
        underWay: true,
        confirmation: action.confirmation,
        refusal: null,
        editing: null,
        list: {
          ...state.list,
          items: state.list.items.map((item) => (sameUid(item.uid, action.uid) ? { ...item, status: "processing", errorCode: "" } : item)),
        },
      };
    case "refused":
      if (action.uid !== null && !sameUid(action.uid, state.openUid)) return state;
      return { ...state, refusal: { code: action.code } };
    case "refusalDismissed":
      return { ...state, refusal: null };
    case "editing":
      return { ...state, editing: action.index };
    case "connection":
      return { ...state, connectionLost: action.lost };
    case "pages":
      return {
        ...state,
        pages: { items: action.pages, changed: state.pages.loaded ? changedPages(state.pages.items, action.pages) : [], loaded: true, error: "" },
      };
    case "pagesFailed":
      return { ...state, pages: { ...state.pages, error: action.code } };
  }
}

/** Holds the state and tells subscribers when it is another one. @param {ChatState} [state] */
export function createStore(state = initialState()) {
  /** @type {Set<(state: ChatState) => void>} */
  const subscribers = new Set();
  return {
    get state() {
      return state;
    },
    /** @param {Action} action */
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const tell of subscribers) tell(state);
    },
    /** @param {(state: ChatState) => void} tell @returns {() => void} ends the subscription */
    subscribe(tell) {
      subscribers.add(tell);
      return () => subscribers.delete(tell);
    },
  };
}

/** @typedef {ReturnType<typeof createStore>} Store */
