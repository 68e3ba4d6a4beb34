/** The chat without its looks: the connection to an API, the open conversation and the address that names it, and what the page around may ask. */

import { LitElement } from "../vendor/lit.js";
import { createApi } from "./api.js";
import { loadRules } from "./component.js";
import { createController } from "./controller.js";
import { createDrafts, tabStorage } from "./drafts.js";
import { pickLanguage, wordsFor } from "./i18n/index.js";
import { lastingStorage } from "./panel.js";
import { hashOfUid, uidOfHash } from "./route.js";
import { createStore, sameUid } from "./store.js";

/** @typedef {import("./types.js").Uid} Uid */

const LANGUAGE_KEY = "agent-chat:lang";

export class ConnectedChat extends LitElement {
  /** @type {import("../vendor/lit.js").PropertyDeclarations} */
  static properties = {
    api: {},
    lang: { reflect: true },
    conversation: {},
    sitePages: { type: Boolean, attribute: "site-pages" },
    noLinks: { type: Boolean, attribute: "no-links" },
    viewContext: { attribute: false },
    chat: { state: true },
  };

  constructor() {
    super();
    /** Another value starts over with that API. @type {string | import("./api.js").Api} */
    this.api = "/api";
    this.lang = "";
    /** The conversation to begin with; the address of the page goes first. @type {Uid | null} */
    this.conversation = null;
    /** Whether the site's pages are shown; the API has to know them. */
    this.sitePages = false;
    /** Whether the address of the page is left alone. */
    this.noLinks = false;
    /** What the reader looks at beside the chat; goes with every message (N8). @type {object | null | undefined} */
    this.viewContext = undefined;
    this.store = createStore();
    this.chat = this.store.state;
    this.words = wordsFor("en");
    /** Whether the reader chooses the language: only where the page did not. */
    this.choosesLanguage = false;
    /** @type {import("./controller.js").Controller | null} */
    this.actions = null;
    /** The value of `api` that `actions` works with. @type {ConnectedChat["api"] | null} */
    this.source = null;
    /** Ends the subscriptions to the store and to changes that come from elsewhere. @type {() => void} */
    this.unwatch = () => {};
    /** @type {(() => void)[]} */
    this.undo = [];
  }

  connectedCallback() {
    super.connectedCallback();
    if (!this.lang) {
      this.choosesLanguage = true;
      this.lang = pickLanguage(rememberedLanguage() ?? navigator.language);
    }
    const follow = () => {
      if (this.hasLinks) this.actions?.open(uidOfHash(location.hash));
    };
    this.listen(window, "hashchange", follow);
    this.listen(window, "popstate", follow);
    this.listen(document, "visibilitychange", () => this.actions?.visibilityChanged());
    // The pause after failures may be long; a network that is back is tried at once.
    this.listen(window, "online", () => this.actions?.visibilityChanged());
    if (this.isShown) this.connectApi();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.releaseApi();
    for (const undo of this.undo.splice(0)) undo();
  }

  /** False for a panel that nobody has opened yet: it asks the host nothing. */
  get isShown() {
    return true;
  }

  /** Whether conversations have an address of their own. */
  get hasLinks() {
    return !this.noLinks;
  }

  /** True while nobody sees what a poll would bring. */
  get isUnseen() {
    return document.hidden;
  }

  connectApi() {
    this.source = this.api;
    const api = typeof this.api === "string" ? createApi(this.api.replace(/\/+$/, "")) : this.api;
    // A store of its own: a late answer of the API before reaches nobody.
    this.store = createStore();
    this.chat = this.store.state;
    const actions = createController({
      store: this.store,
      api,
      drafts: createDrafts(tabStorage()),
      navigate: (uid) => this.navigate(uid),
      loadRules: api.loadRules ?? loadRules,
      painted,
      hidden: () => this.isUnseen,
      withPages: () => this.sitePages,
      viewContext: () => this.viewContext,
      preview: (file) => URL.createObjectURL(file),
      dropPreview: (address) => URL.revokeObjectURL(address),
    });
    this.actions = actions;
    const watches = [this.store.subscribe((state) => this.onState(state)), api.watch?.((uid) => actions.changedElsewhere(uid))];
    this.unwatch = () => {
      for (const unwatch of watches) unwatch?.();
    };
    void this.start();
  }

  releaseApi() {
    this.unwatch();
    this.actions?.stop();
    this.actions = null;
    this.source = null;
  }

  /** @param {EventTarget} target @param {string} name @param {() => void} act */
  listen(target, name, act) {
    target.addEventListener(name, act);
    this.undo.push(() => target.removeEventListener(name, act));
  }

  async start() {
    const { actions } = this;
    await actions?.loadSession(() => (actions === this.actions ? this.awaited : undefined));
  }

  /** The conversation that is opened once the session is there. @returns {Uid | null} */
  get awaited() {
    return (this.hasLinks ? uidOfHash(location.hash) : null) ?? this.firstConversation;
  }

  /** @returns {Uid | null} */
  get firstConversation() {
    return this.conversation === "" ? null : this.conversation;
  }

  /** Shows the address of a conversation. @param {Uid | null} uid */
  navigate(uid) {
    if (this.hasLinks && location.hash !== hashOfUid(uid)) history.pushState(null, "", hashOfUid(uid));
  }

  /** @param {import("./store.js").ChatState} state */
  onState(state) {
    const before = this.chat;
    this.chat = state;
    if (before.session === null && state.session !== null) this.announce("ready", { user: state.session.user.uid });
    if (!sameUid(before.openUid, state.openUid) && before.openUid !== state.openUid) this.announce("open", { uid: state.openUid });
    else if (before.underWay && !state.underWay && state.view !== null) this.announce("settled", { uid: state.openUid, status: state.conversation?.status });
  }

  /** Tells the page around. @param {string} name @param {object} detail */
  announce(name, detail) {
    this.dispatchEvent(new CustomEvent(`agent-chat-${name}`, { detail, bubbles: true, composed: true }));
  }

  willUpdate() {
    if (this.source !== null && this.source !== this.api) {
      this.releaseApi();
      this.connectApi();
    }
    if (this.words.lang !== pickLanguage(this.lang)) this.words = wordsFor(this.lang);
  }

  /** @param {string} language */
  chooseLanguage(language) {
    this.lang = language;
    try {
      lastingStorage()?.setItem(LANGUAGE_KEY, language);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  /** Opens a conversation, null the start. @param {Uid | null} uid */
  openConversation(uid) {
    this.navigate(uid);
    this.actions?.open(uid);
  }
}

/** How long a frame is waited for, milliseconds: a page in the background has none. */
const LONGEST_FRAME = 500;

/** Resolves after the next frame. @returns {Promise<void>} */
function painted() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, LONGEST_FRAME);
  });
}

/** @returns {string | null} */
function rememberedLanguage() {
  try {
    return lastingStorage()?.getItem(LANGUAGE_KEY) ?? null;
  } catch {
    return null;
  }
}
