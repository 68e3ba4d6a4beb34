/** Carries out what the reader asks for: store, API, poller and kept drafts in one place. It knows no elements. */

import { ApiError, asApiError } from "./api.js";
import { createAttachments } from "./attachments.js";
import { mayAnswer } from "./forms.js";
import { createPoller } from "./poller.js";
import { createRequests } from "./requests.js";
import { createScreen } from "./screen.js";
import { createSending } from "./sending.js";
import { storable } from "./shared/text.js";
import { mergeMessages, sameUid } from "./store.js";
import { createViewer } from "./viewer.js";

/**
 * @typedef {import("./types.js").Uid} Uid
 * @typedef {import("./types.js").DecisionKind} DecisionKind
 * @typedef {import("./types.js").Answer} Answer
 *
 * @typedef {object} ControllerOptions
 * @property {import("./store.js").Store} store
 * @property {import("./api.js").Api} api
 * @property {import("./drafts.js").Drafts} drafts
 * @property {(uid: Uid | null) => void} navigate shows the address of a conversation
 * @property {() => Promise<import("./component.js").Rules>} loadRules
 * @property {() => string} [newId]
 * @property {() => object | null | undefined} [viewContext] what the reader looks at beside the chat; undefined keeps what is stored (N8)
 * @property {() => boolean} [withPages] whether the site has pages to show
 * @property {(file: Blob) => string} [preview] an address for showing a picture
 * @property {(address: string) => void} [dropPreview]
 * @property {() => boolean} [hidden]
 * @property {() => number} [clock] milliseconds
 * @property {() => Promise<void>} [painted] resolves when the reader has seen something: what is not needed for that begins then
 * @property {import("./poller.js").PollerOptions<unknown>["timers"]} [timers]
 */

const CONFIRMATIONS = { approve: "chat.approved", decline: "chat.declined", variant: "chat.variantAsked", skip: "chat.skipped" };

/** @param {ControllerOptions} options */
export function createController({ store, api, drafts, navigate, loadRules, ...options }) {
  const {
    newId = () => crypto.randomUUID(),
    viewContext = () => undefined,
    withPages = () => true,
    hidden = () => false,
    clock = Date.now,
    painted = async () => {},
    timers,
    preview,
    dropPreview,
  } = options;
  const attachments = createAttachments({ store, api, drafts, newId, ...(preview ? { preview } : {}), ...(dropPreview ? { dropPreview } : {}) });
  /** The next poll asks for the whole transcript: it may have been cut and have grown again while nobody polled. */
  let wholeNext = false;
  const viewer = createViewer({ loadRules, clock });
  const screen = createScreen({ store, viewer, ...(timers ? { timers } : {}) });

  const poller = createPoller({
    load: async (signal) => {
      const uid = /** @type {Uid} */ (store.state.openUid);
      const after = wholeNext ? 0 : store.state.messages.length;
      return { uid, after, poll: await api.poll(uid, after, signal) };
    },
    apply: (answer) => {
      if (!sameUid(answer.uid, store.state.openUid)) return 0;
      const fits = mergeMessages(store.state.messages, answer.after, answer.poll) !== null;
      wholeNext = !fits;
      if (!fits) {
        void poller.now();
        return 0;
      }
      const before = store.state.underWay;
      screen.show(answer);
      sending.forgetArrived(answer.uid);
      if (before && !store.state.underWay) {
        void loadPages();
        void loadList();
      }
      return answer.poll.view.pollAfter;
    },
    failed: (error) => {
      const { code, httpStatus } = asApiError(error);
      if (httpStatus === 0 || httpStatus >= 500) return true;
      const uid = store.state.openUid;
      if (uid !== null) store.dispatch({ type: "missing", uid, code });
      return false;
    },
    connection: (lost) => store.dispatch({ type: "connection", lost }),
    hidden,
    ...(timers ? { timers } : {}),
  });

  async function loadViewer() {
    await painted();
    if (await viewer.load()) screen.lookAgain();
  }

  const userUid = () => store.state.session?.user.uid ?? null;

  const requests = createRequests({
    store,
    poll: poller.now,
    pollWhole() {
      wholeNext = true;
    },
    overtaken: screen.overtaken,
  });
  const { isOpen, pollIfOpen, guarded, turnRequest } = requests;
  const sending = createSending({ store, api, drafts, attachments, viewContext, requests, loadList });

  /**
   * @param {() => Uid | null | undefined} [first] the conversation to begin with, asked for once the user is known; undefined opens nothing. It waits
   *   neither for the list nor for the pages.
   */
  async function loadSession(first = () => undefined) {
    void loadViewer();
    try {
      store.dispatch({ type: "session", session: await api.session() });
      const uid = first();
      if (uid !== undefined) open(uid);
      await Promise.all([uid === undefined ? loadList() : undefined, loadPages()]);
      return true;
    } catch (error) {
      store.dispatch({ type: "sessionFailed", code: asApiError(error).code });
      return false;
    }
  }

  async function loadList() {
    const { search, archived } = store.state.list;
    const user = userUid();
    try {
      const { conversations } = await api.list({ search, archived });
      // A list that was asked for another user is not shown to this one.
      if (sameUid(user, userUid())) store.dispatch({ type: "list", conversations, search, archived });
    } catch (error) {
      store.dispatch({ type: "listFailed", code: asApiError(error).code });
    }
  }

  async function loadPages() {
    if (!withPages()) return;
    try {
      store.dispatch({ type: "pages", pages: (await api.pages()).pages });
    } catch (error) {
      store.dispatch({ type: "pagesFailed", code: asApiError(error).code });
    }
  }

  /** @param {Uid | null} uid */
  function open(uid) {
    if (sameUid(uid, store.state.openUid) && !store.state.missing) return;
    poller.stop();
    screen.overtaken();
    wholeNext = true;
    store.dispatch({ type: "opened", uid });
    void loadList();
    attachments.restore(uid);
    if (uid === null) return;
    sending.restore(uid);
    void poller.now();
  }

  /** Everything anew for another user, the open conversation included where that user may see it. @param {import("./types.js").Session} session */
  async function becomeUser(session) {
    const uid = store.state.openUid;
    poller.stop();
    store.dispatch({ type: "userSwitched", session });
    if (uid === null) await loadList();
    else open(uid);
  }

  /** The user may have been switched in another tab: both share one cookie. */
  async function checkUser() {
    const session = await api.session().catch(() => null);
    if (session === null || store.state.session === null) return;
    if (!sameUid(session.user.uid, userUid())) await becomeUser(session);
  }

  return {
    attachments,
    loadSession,
    loadList,
    loadPages,
    open,

    stop() {
      screen.overtaken();
      poller.stop();
    },

    /** What answers are checked with; null where the component cannot be loaded. */
    rules: () => loadRules().catch(() => null),

    /** Somebody changed this conversation in another tab. @param {Uid} uid */
    changedElsewhere(uid) {
      if (hidden() || store.state.session === null) return;
      if (isOpen(uid)) wholeNext = true;
      void pollIfOpen(uid);
      void loadList();
    },

    visibilityChanged() {
      if (!hidden()) {
        wholeNext = true;
        if (store.state.session !== null) {
          void checkUser();
          void loadList();
        }
      }
      poller.visibilityChanged();
    },

    /**
     * Sends a text: as a message, as the own answer where the open question takes one, or as the first message of a new conversation.
     * @param {string} text
     * @returns {Promise<string | null>} the text where it was refused and belongs back into the message field
     */
    async send(text) {
      // What is on screen while it is on its way is what the host will store (N1, N4).
      const content = storable(text).trim();
      if (content === "") return null;
      const { view, openUid } = store.state;
      if (view?.form?.freeText) return (await this.answer({ freeText: content })) ? null : text;
      const message = (/** @type {Uid} */ uid) => ({ content, clientId: newId(), files: attachments.take(uid) });
      if (openUid !== null) return store.state.outbox[String(openUid)] ? text : ((await sending.sendTo(openUid, message(openUid))) ?? null);
      const created = await guarded("create", null, async () => {
        try {
          return (await api.create()).uid;
        } catch (error) {
          store.dispatch({ type: "refused", uid: null, code: asApiError(error).code });
          return null;
        }
      });
      if (created === undefined || created === null) return text;
      attachments.adopt(created);
      const first = message(created);
      if (store.state.openUid === null) {
        navigate(created);
        open(created);
      }
      return (await sending.sendTo(created, first)) ?? null;
    },

    sendAgain: sending.sendAgain,
    takeBack: sending.takeBack,

    /** The digest goes back exactly as the card carried it (D1). @param {DecisionKind} kind @param {string} display the line of a denial, in the reader's words */
    decide(kind, display) {
      const card = store.state.view?.card;
      if (!card) return Promise.resolve(false);
      const { turnDigest } = card;
      const reason = kind === "variant" || kind === "skip" ? { denyReason: kind } : {};
      const decision = kind === "approve" ? { approve: true, turnDigest } : { approve: false, turnDigest, ...reason, display };
      return turnRequest("decide", CONFIRMATIONS[kind], (uid) => api.decide(uid, decision));
    },

    /** @param {Answer} answer */
    answer(answer) {
      const form = store.state.view?.form;
      if (!form) return Promise.resolve(false);
      return turnRequest("answer", "chat.answered", async (uid) => {
        if (!mayAnswer(await this.rules(), form, answer, store.state.waiting?.inputSchema)) throw new ApiError("answerInvalid", 400);
        await api.answer(uid, { turnDigest: form.turnDigest, ...answer });
      });
    },

    retry: () => turnRequest("retry", "", (uid) => api.retry(uid)),
    end: () => turnRequest("end", "", (uid) => api.end(uid)),
    /** Whether a turn that is worked on can be stopped. */
    mayStop: api.stop !== undefined,
    stopTurn: () => turnRequest("stop", "chat.stopping", async (uid) => api.stop?.(uid)),

    /** @param {number} index @param {string} content */
    edit(index, content) {
      const { messages } = store.state;
      const expectedContent = messages[index]?.content;
      const edited = storable(content).trim();
      if (typeof expectedContent !== "string" || edited === "") return Promise.resolve(false);
      wholeNext = true;
      return turnRequest("edit", "", (uid) => api.edit(uid, index, { content: edited, expectedContent, messageCount: messages.length }));
    },

    /** @param {number | null} index */
    startEdit: (index) => store.dispatch({ type: "editing", index }),
    dismissRefusal: () => store.dispatch({ type: "refusalDismissed" }),

    /** Name, place and instructions of a conversation. @param {Uid} uid @param {{ title?: string, pinned?: boolean, archived?: boolean, systemPrompt?: string }} change @returns {Promise<boolean>} whether it was taken */
    async change(uid, change) {
      const done = await guarded("change", uid, async () => {
        let taken = true;
        try {
          await api.change(uid, change);
        } catch (error) {
          store.dispatch({ type: "refused", uid: null, code: asApiError(error).code });
          taken = false;
        }
        await Promise.all([loadList(), pollIfOpen(uid)]);
        return taken;
      });
      return done ?? false;
    },

    /** @param {{ search?: string, archived?: boolean }} query */
    queryList(query) {
      store.dispatch({ type: "listQuery", ...query });
      return loadList();
    },

    /** @param {Uid} uid */
    async switchUser(uid) {
      await guarded("session", null, async () => {
        try {
          await becomeUser(await api.switchUser(uid));
        } catch (error) {
          store.dispatch({ type: "refused", uid: null, code: asApiError(error).code });
        }
      });
    },

    /** @param {Uid | null} uid */
    draft: (uid) => drafts.text(userUid(), uid),
    /** @param {Uid | null} uid @param {string} text */
    keepDraft: (uid, text) => drafts.keepText(userUid(), uid, text),
  };
}

/** @typedef {ReturnType<typeof createController>} Controller */
