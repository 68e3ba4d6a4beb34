/**
 * `<agent-chat api="/api" lang="en">`: the chat of a CMS backend as a web component.
 *
 * `api`: where the host's JSON API is, or (as a property) an object with the same methods as the client in api.js, such as that of local/api.js;
 * `lang`: a language of `i18n/`, by default the reader's choice or the browser's.
 */

import { html, LitElement, nothing } from "../vendor/lit.js";
import { createApi } from "./api.js";
import { loadRules } from "./component.js";
import "./composer.js";
import { createController } from "./controller.js";
import { createDrafts, tabStorage } from "./drafts.js";
import { createDropZone } from "./drop.js";
import "./head.js";
import { LANGUAGES, pickLanguage, wordsFor } from "./i18n/index.js";
import { icons } from "./icons.js";
import "./list.js";
import "./pages.js";
import { hashOfUid, uidOfHash } from "./route.js";
import { createStore, flightKey, sameUid } from "./store.js";
import { appStyles } from "./styles/app.js";
import { base } from "./styles/base.js";
import { tokens } from "./styles/tokens.js";
import "./transcript.js";

/**
 * @typedef {import("./types.js").DecisionKind} DecisionKind
 * @typedef {import("./types.js").Answer} Answer
 */

const NARROW = 720;
const WIDE = 1180;
const LANGUAGE_KEY = "agent-chat:lang";

export class AgentChat extends LitElement {
  static properties = {
    api: {},
    lang: { reflect: true },
    chat: { state: true },
    showList: { state: true },
    showPages: { state: true },
    rehearsalSeen: { state: true },
    dropping: { state: true },
  };
  static styles = [tokens, base, appStyles];

  constructor() {
    super();
    /** Another value starts over with that API. @type {string | import("./api.js").Api} */
    this.api = "/api";
    this.lang = "";
    this.store = createStore();
    this.chat = this.store.state;
    this.words = wordsFor("en");
    this.showList = true;
    this.showPages = false;
    this.rehearsalSeen = false;
    this.dropping = false;
    this.dropZone = createDropZone({
      over: (on) => (this.dropping = on),
      take: (files) => this.composer?.addFiles(files),
      open: () => this.composer?.takesFiles === true,
    });
    /** @type {import("./controller.js").Controller | null} */
    this.actions = null;
    /** The value of `api` that `actions` works with. @type {AgentChat["api"] | null} */
    this.source = null;
    /** Ends the subscriptions to the store and to changes that come from elsewhere. @type {() => void} */
    this.unwatch = () => {};
    /** @type {(() => void)[]} */
    this.undo = [];
  }

  connectedCallback() {
    super.connectedCallback();
    if (!this.lang) this.lang = pickLanguage(rememberedLanguage() ?? navigator.language);
    const width = this.getBoundingClientRect().width || window.innerWidth;
    this.showList = width > NARROW;
    this.showPages = width > WIDE;
    this.listen(window, "hashchange", () => this.actions?.open(uidOfHash(location.hash)));
    this.listen(window, "popstate", () => this.actions?.open(uidOfHash(location.hash)));
    this.listen(document, "visibilitychange", () => this.actions?.visibilityChanged());
    this.connectApi();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.releaseApi();
    for (const undo of this.undo.splice(0)) undo();
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
      navigate: (uid) => history.pushState(null, "", hashOfUid(uid)),
      loadRules,
      hidden: () => document.hidden,
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
    if (!(await actions?.loadSession()) || actions !== this.actions) return;
    actions?.open(uidOfHash(location.hash));
  }

  /** @param {import("./store.js").ChatState} state */
  onState(state) {
    // The rules are small, but nobody needs them before the first form.
    if (state.view?.form && !this.chat.view?.form) void loadRules();
    this.chat = state;
  }

  willUpdate() {
    if (this.source !== null && this.source !== this.api) {
      this.releaseApi();
      this.connectApi();
    }
    if (this.words.lang !== pickLanguage(this.lang)) this.words = wordsFor(this.lang);
  }

  get composer() {
    return /** @type {import("./composer.js").ChatComposer | null} */ (this.renderRoot.querySelector("agent-chat-composer"));
  }

  get transcript() {
    return /** @type {import("./transcript.js").ChatTranscript | null} */ (this.renderRoot.querySelector("agent-chat-transcript"));
  }

  get isNarrow() {
    return this.getBoundingClientRect().width <= NARROW;
  }

  /** @param {string} language */
  chooseLanguage(language) {
    this.lang = language;
    try {
      localStorage.setItem(LANGUAGE_KEY, language);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  newConversation() {
    if (location.hash !== hashOfUid(null)) history.pushState(null, "", hashOfUid(null));
    this.actions?.open(null);
    this.onChosen();
    this.composer?.focusField();
  }

  onChosen() {
    if (this.isNarrow) this.showList = false;
  }

  /**
   * After an accepted request its button is gone; the focus goes to the status, unless the reader opened another conversation meanwhile.
   * @param {Promise<boolean> | undefined} request
   */
  async thenStatus(request) {
    const uid = this.chat.openUid;
    if (!(await request) || !sameUid(uid, this.chat.openUid)) return;
    await this.updateComplete;
    await this.transcript?.updateComplete;
    this.transcript?.focusStatus();
  }

  /** @param {CustomEvent<DecisionKind>} event */
  onDecision(event) {
    void this.thenStatus(this.actions?.decide(event.detail, event.detail === "approve" ? "" : this.words.t(`card.display.${event.detail}`)));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (this.isNarrow && (this.showList || this.showPages)) {
      this.showList = false;
      this.showPages = false;
    }
  }

  render() {
    if (this.chat.sessionError) return this.startFailed();
    const { chat, words, actions } = this;
    const { t } = words;
    const layout = ["columns", this.showList ? "" : "no-list", this.showPages ? "" : "no-pages"].join(" ");
    return html`
      <div class="frame" @keydown=${this.onKey}>
        <button class="button skip" type="button" @click=${() => this.composer?.focusField()}>${t("app.skipToMessage")}</button>
        ${this.bar()} ${this.rehearsal()}
        <div class=${layout} @turn-end=${() => void this.thenStatus(actions?.end())}>
          <agent-chat-list
            id="list"
            .chat=${chat}
            .words=${words}
            .actions=${actions}
            @chat-new=${this.newConversation}
            @chat-chosen=${this.onChosen}
          ></agent-chat-list>
          <main
            @dragenter=${this.dropZone.dragenter}
            @dragover=${this.dropZone.dragover}
            @dragleave=${this.dropZone.dragleave}
            @drop=${this.dropZone.drop}
          >
            <agent-chat-head .chat=${chat} .words=${words} .actions=${actions}></agent-chat-head>
            <agent-chat-transcript
              tabindex="0"
              role="region"
              aria-label=${t("chat.transcript")}
              .chat=${chat}
              .words=${words}
              .actions=${actions}
              @card-decided=${this.onDecision}
              @question-answered=${(/** @type {CustomEvent<Answer>} */ event) => void this.thenStatus(actions?.answer(event.detail))}
              @message-send-again=${() => void actions?.sendAgain()}
              @message-take-back=${() => this.takeBack()}
              @chat-new=${this.newConversation}
              @example-chosen=${(/** @type {CustomEvent<string>} */ event) => this.useExample(event.detail)}
            ></agent-chat-transcript>
            <agent-chat-composer .chat=${chat} .words=${words} .actions=${actions} @composer-sent=${() => void this.transcript?.toEnd()}></agent-chat-composer>
            ${this.dropping ? html`<div class="drop" aria-hidden="true">${icons.file}<span>${t("attach.drop")}</span></div>` : nothing}
          </main>
          <agent-chat-pages id="pages" .chat=${chat} .words=${words} .actions=${actions} @pages-close=${() => (this.showPages = false)}></agent-chat-pages>
          <button
            class="backdrop"
            type="button"
            tabindex="-1"
            aria-hidden="true"
            @click=${() => {
              this.showList = false;
              this.showPages = false;
            }}
          ></button>
        </div>
      </div>
    `;
  }

  takeBack() {
    this.composer?.putBack(this.actions?.takeBack() ?? "");
    this.composer?.focusField();
  }

  /** @param {string} text */
  useExample(text) {
    if (this.composer === null) return;
    this.composer.text = text;
    this.actions?.keepDraft(this.chat.openUid, text);
    this.composer.focusField();
  }

  startFailed() {
    const { t, reason } = this.words;
    return html`<div class="start-failed" role="alert">
      <h1>${t("app.startFailed")}</h1>
      <p>${reason(this.chat.sessionError)}</p>
      <p><button class="button primary" type="button" @click=${() => void this.start()}>${t("app.tryAgain")}</button></p>
    </div>`;
  }

  bar() {
    const { t } = this.words;
    const listLabel = t(this.showList ? "app.hideList" : "app.showList");
    const pagesLabel = t(this.showPages ? "app.hidePages" : "app.showPages");
    return html`<header class="bar">
      <button class="icon-button" type="button" title=${listLabel} aria-label=${listLabel} aria-controls="list" aria-expanded=${String(this.showList)} @click=${() => (this.showList = !this.showList)}>
        ${icons.menu}
      </button>
      <div class="brand"><span class="mark">${icons.spark}</span><h1 class="name brand">${t("app.title")}</h1></div>
      <span class="space"></span>
      ${this.userChoice()}
      <label class="choice">
        <span>${t("app.language")}</span>
        <select class="field" @change=${(/** @type {Event} */ event) => this.chooseLanguage(/** @type {HTMLSelectElement} */ (event.target).value)}>
          ${Object.entries(LANGUAGES).map(([code, table]) => html`<option value=${code} lang=${code} ?selected=${code === this.words.lang}>${table["language.name"]}</option>`)}
        </select>
      </label>
      <button class="icon-button" type="button" title=${pagesLabel} aria-label=${pagesLabel} aria-controls="pages" aria-expanded=${String(this.showPages)} @click=${() => (this.showPages = !this.showPages)}>
        ${icons.pages}
      </button>
    </header>`;
  }

  userChoice() {
    const { t, has } = this.words;
    const { session } = this.chat;
    if (session === null) return nothing;
    const role = (/** @type {string} */ name) => (has(`app.role.${name}`) ? t(`app.role.${name}`) : name);
    return html`<label class="choice">
      <span>${t("app.user")}</span>
      <select
        class="field"
        ?disabled=${this.chat.inFlight[flightKey("session", null)] === true}
        @change=${(/** @type {Event} */ event) => this.switchUser(/** @type {HTMLSelectElement} */ (event.target).value)}
      >
        ${session.users.map(
          (user) =>
            html`<option value=${String(user.uid)} .selected=${sameUid(user.uid, session.user.uid)}>${user.name}${user.role ? ` (${role(user.role)})` : ""}</option>`,
        )}
      </select>
    </label>`;
  }

  /** The uid goes back as the host gave it, number or text. @param {string} value */
  switchUser(value) {
    const user = this.chat.session?.users.find(({ uid }) => sameUid(uid, value));
    if (user !== undefined) void this.actions?.switchUser(user.uid);
  }

  rehearsal() {
    const { t } = this.words;
    if (!this.chat.session?.model.rehearsal || this.rehearsalSeen) return html`<span></span>`;
    return html`<div class="rehearsal" role="note">
      ${icons.info}
      <p>${t("app.rehearsal")}</p>
      <button class="icon-button" type="button" title=${t("app.dismiss")} aria-label=${t("app.dismiss")} @click=${() => (this.rehearsalSeen = true)}>${icons.close}</button>
    </div>`;
  }
}

/** @returns {string | null} */
function rememberedLanguage() {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

customElements.define("agent-chat", AgentChat);
