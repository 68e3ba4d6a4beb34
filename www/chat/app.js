/**
 * `<agent-chat api="/api">`: the chat of a CMS backend as a web component, as a page or (`mode="panel"`) as a floating panel.
 * Attributes, properties, methods, events and custom properties are listed in docs/embedding.md.
 */

import { html, nothing } from "../vendor/lit.js";
import "./bar.js";
import "./composer.js";
import { ConnectedChat } from "./connected.js";
import { createDropZone } from "./drop.js";
import "./head.js";
import { icons } from "./icons.js";
import "./list.js";
import "./pages.js";
import { createPanelMemory, lastingStorage } from "./panel.js";
import { sameUid } from "./store.js";
import { appStyles, panelModeStyles } from "./styles/app.js";
import { base } from "./styles/base.js";
import { tokens } from "./styles/tokens.js";
import "./transcript.js";

/**
 * @typedef {import("./types.js").Uid} Uid
 * @typedef {import("./types.js").DecisionKind} DecisionKind
 * @typedef {import("./types.js").Answer} Answer
 */

const NARROW = 720;
const WIDE = 1180;

export class AgentChat extends ConnectedChat {
  static properties = {
    mode: { reflect: true },
    theme: { reflect: true },
    open: { type: Boolean, reflect: true },
    wide: { state: true },
    showList: { state: true },
    showPages: { state: true },
    rehearsalSeen: { state: true },
    dropping: { state: true },
  };
  static styles = [tokens, base, appStyles, panelModeStyles];

  constructor() {
    super();
    /** @type {"page" | "panel"} */
    this.mode = "page";
    /** By default the reader's choice. @type {"" | "light" | "dark"} */
    this.theme = "";
    /** Whether a panel is open. */
    this.open = false;
    this.wide = false;
    this.showList = true;
    this.showPages = false;
    this.rehearsalSeen = false;
    this.dropping = false;
    this.wasNarrow = false;
    this.dropZone = createDropZone({
      over: (on) => (this.dropping = on),
      take: (files) => this.composer?.addFiles(files),
      open: () => this.composer?.takesFiles === true,
    });
    this.memory = createPanelMemory(null, "");
  }

  connectedCallback() {
    if (this.isPanel) this.rememberPanel();
    super.connectedCallback();
    this.listen(window, "resize", () => this.onResize());
    const width = this.isPanel ? 0 : this.getBoundingClientRect().width || window.innerWidth;
    this.showList = width > NARROW;
    this.showPages = width > WIDE;
    this.wasNarrow = width <= NARROW;
  }

  get isPanel() {
    return this.mode === "panel";
  }

  get isShown() {
    return !this.isPanel || this.open;
  }

  get hasLinks() {
    return super.hasLinks && !this.isPanel;
  }

  /** A closed panel watches a turn to its end, so that its button can say that something waits; then it is as good as hidden. */
  get isUnseen() {
    return super.isUnseen || (!this.isShown && this.chat.view?.busy !== true);
  }

  get firstConversation() {
    return super.firstConversation ?? (this.isPanel ? this.memory.read().uid : null);
  }

  rememberPanel() {
    this.memory = createPanelMemory(lastingStorage(), this.id || (typeof this.api === "string" ? this.api : "own"));
    const { open, wide } = this.memory.read();
    this.open ||= open;
    this.wide = wide;
  }

  /** @param {Uid | null} [uid] */
  keepPanel(uid = this.memory.read().uid) {
    if (this.isPanel) this.memory.write({ open: this.open, wide: this.wide, uid: uid === null ? null : String(uid) });
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (this.isPanel && changed.has("open") && changed.get("open") !== undefined) this.opened();
    if (changed.has("wide")) this.showList = this.isPanel ? this.wide && window.innerWidth > NARROW : this.showList;
    if (changed.has("open") || changed.has("wide")) this.keepPanel();
  }

  opened() {
    if (this.isShown && this.actions === null) this.connectApi();
    else this.actions?.visibilityChanged();
    this.announce("toggle", { open: this.open });
  }

  /** @param {import("./store.js").ChatState} state */
  onState(state) {
    const before = this.chat.openUid;
    super.onState(state);
    if (before !== state.openUid) this.keepPanel(state.openUid);
  }

  /** Opens a panel; the focus goes to the message field. */
  async show() {
    this.open = true;
    await this.updateComplete;
    await this.composer?.updateComplete;
    this.composer?.focusField();
  }

  /** Closes a panel; the focus goes back to its button. */
  async hide() {
    const inside = this.matches(":focus-within");
    this.open = false;
    await this.updateComplete;
    if (inside) /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".launcher"))?.focus();
  }

  toggle() {
    return this.open ? this.hide() : this.show();
  }

  /** Begins a conversation; `text` is put into the message field and not sent. @param {string} [text] */
  newConversation(text = "") {
    this.openConversation(null);
    this.onChosen();
    if (text !== "") this.prefill(text);
    this.composer?.focusField();
  }

  /** Puts a text into the message field, in front of what stands there. @param {string} text */
  prefill(text) {
    this.composer?.putBack(text);
  }

  get composer() {
    return /** @type {import("./composer.js").ChatComposer | null} */ (this.renderRoot.querySelector("agent-chat-composer"));
  }

  get transcript() {
    return /** @type {import("./transcript.js").ChatTranscript | null} */ (this.renderRoot.querySelector("agent-chat-transcript"));
  }

  /** @returns {boolean} */
  get isNarrow() {
    return (this.renderRoot.querySelector(".frame") ?? this).getBoundingClientRect().width <= NARROW;
  }

  closeDrawers() {
    this.showList = false;
    this.showPages = false;
  }

  /** Side by side becomes one above the other: nothing may lie over the conversation unasked. */
  onResize() {
    if (this.isNarrow && !this.wasNarrow) this.closeDrawers();
    this.wasNarrow = this.isNarrow;
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

  /** What is on top closes first. @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    if (this.isNarrow && (this.showList || this.showPages)) {
      this.closeDrawers();
      /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("agent-chat-bar")?.shadowRoot?.querySelector("button") ?? null)?.focus();
    } else if (this.isPanel) {
      void this.hide();
    } else return;
    event.stopPropagation();
  }

  render() {
    if (!this.isPanel) return this.frame();
    const { t } = this.words;
    if (!this.open) return this.launcher();
    return html`<div class="panel ${this.wide ? "wide" : ""}" role="dialog" aria-label=${t("app.title")}>${this.frame()}</div>`;
  }

  launcher() {
    const { t, dir } = this.words;
    const status = this.chat.conversation?.status ?? "";
    const waits = status.startsWith("awaiting_") && this.chat.view?.busy === false;
    return html`<button class="launcher" type="button" dir=${dir} aria-expanded="false" @click=${() => void this.show()}>
      ${icons.spark}<span>${t("panel.open")}</span>${waits ? html`<span class="waiting"></span><span class="visually-hidden">${t(`status.${status}`)}</span>` : nothing}
    </button>`;
  }

  frame() {
    const { chat, words, actions } = this;
    const layout = ["columns", this.showList ? "" : "no-list", this.showPages && this.sitePages ? "" : "no-pages"].join(" ");
    return html`
      <div
        class="frame"
        dir=${words.dir}
        lang=${words.lang}
        @keydown=${this.onKey}
        @bar-list=${() => (this.showList = !this.showList)}
        @bar-pages=${() => (this.showPages = !this.showPages)}
        @bar-language=${(/** @type {CustomEvent<string>} */ event) => this.chooseLanguage(event.detail)}
        @panel-wide=${() => (this.wide = !this.wide)}
        @panel-close=${() => void this.hide()}
      >
        <button class="button skip" type="button" @click=${() => this.composer?.focusField()}>${words.t("app.skipToMessage")}</button>
        <agent-chat-bar
          .chat=${chat}
          .words=${words}
          .actions=${actions}
          ?listShown=${this.showList}
          ?pagesShown=${this.showPages}
          ?withPages=${this.sitePages}
          ?withLanguages=${this.choosesLanguage}
          ?panel=${this.isPanel}
          ?wide=${this.wide}
        ></agent-chat-bar>
        ${this.rehearsal()} ${chat.sessionError ? this.startFailed() : this.columns(layout)}
      </div>
    `;
  }

  /** @param {string} layout */
  columns(layout) {
    const { chat, words, actions } = this;
    return html`<div
      class=${layout}
      @turn-end=${() => void this.thenStatus(actions?.end())}
      @turn-stop=${() => void this.thenStatus(actions?.stopTurn())}
      @turn-retry=${() => void this.thenStatus(actions?.retry())}
      @turn-edit=${(/** @type {CustomEvent<{ index: number, text: string }>} */ { detail }) => void this.thenStatus(actions?.edit(detail.index, detail.text))}
    >
      <agent-chat-list
        .chat=${chat}
        .words=${words}
        .actions=${actions}
        .links=${this.hasLinks}
        @chat-new=${() => this.newConversation()}
        @chat-chosen=${this.onChosen}
      ></agent-chat-list>
      ${this.conversationArea()}
      ${
        this.sitePages
          ? html`<agent-chat-pages .chat=${chat} .words=${words} .actions=${actions} @pages-close=${() => (this.showPages = false)}></agent-chat-pages>`
          : nothing
      }
      <button class="backdrop" type="button" tabindex="-1" aria-hidden="true" @click=${this.closeDrawers}></button>
    </div>`;
  }

  conversationArea() {
    const { chat, words, actions } = this;
    const { t } = words;
    return html`<section
      class="main"
      aria-label=${t("chat.area")}
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
        ?awaiting=${chat.session === null && this.awaited !== null}
        @card-decided=${this.onDecision}
        @question-answered=${(/** @type {CustomEvent<Answer>} */ event) => void this.thenStatus(actions?.answer(event.detail))}
        @message-send-again=${() => void actions?.sendAgain()}
        @message-take-back=${() => this.takeBack()}
        @chat-new=${() => this.newConversation()}
        @example-chosen=${(/** @type {CustomEvent<string>} */ event) => this.useExample(event.detail)}
      ></agent-chat-transcript>
      <agent-chat-composer .chat=${chat} .words=${words} .actions=${actions} @composer-sent=${() => void this.transcript?.toNewest()}></agent-chat-composer>
      ${this.dropping ? html`<div class="drop" aria-hidden="true">${icons.file}<span>${t("attach.drop")}</span></div>` : nothing}
    </section>`;
  }

  takeBack() {
    this.prefill(this.actions?.takeBack() ?? "");
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
      <h2>${t("app.startFailed")}</h2>
      <p>${reason(this.chat.sessionError)}</p>
      <p><button class="button primary" type="button" @click=${() => void this.start()}>${t("app.tryAgain")}</button></p>
    </div>`;
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

customElements.define("agent-chat", AgentChat);
