/** The messages of the open conversation, and at their end what goes on: activity, status, card, question. */

import { html, keyed, nothing, repeat } from "../vendor/lit.js";
import "./activity.js";
import { stepName } from "./activity.js";
import "./card.js";
import "./clock.js";
import { toMillis } from "./i18n/index.js";
import { icons } from "./icons.js";
import "./message.js";
import { isSilent } from "./notice.js";
import { Part } from "./part.js";
import "./question.js";
import { base } from "./styles/base.js";
import { transcriptStyles } from "./styles/transcript.js";
import { adjusted, earlier, later, newest } from "./window.js";

/**
 * @typedef {import("./types.js").Message} Message
 * @typedef {{ message: Message, index: number }} Shown
 */

/** So close to an edge of what is drawn, the next messages come by themselves, pixels. */
const EDGE = 600;

/** A message that no worker picked up may be retried (R1); it is offered after this time only, milliseconds. */
const RETRY_OFFERED_AFTER = 15_000;

export class ChatTranscript extends Part {
  static properties = { awaiting: { type: Boolean }, range: { state: true }, away: { state: true }, quiet: { state: true } };
  static styles = [base, transcriptStyles];

  constructor() {
    super();
    /** Whether a conversation will be opened as soon as the user is known: until then this is not the start. */
    this.awaiting = false;
    this.shownUid = "";
    this.follows = true;
    this.scrolls = 0;
    /** While the page itself scrolls, the reader goes nowhere. */
    this.settling = false;
    /** What was on screen at its end: the digest of the card or question, and the refusal. */
    this.shownDigest = "";
    /** @type {import("./store.js").ChatState["refusal"]} */
    this.shownRefusal = null;
    /** The revision on screen and since when. */
    this.seen = { revision: -1, since: 0 };
    /** What of `shown` stands in the document. */
    this.range = { start: 0, end: 0 };
    /** Messages with something to see. @type {Shown[]} */
    this.shown = [];
    /** @type {Message[] | null} */
    this.shownOf = null;
    /** Whether the newest message is out of sight. */
    this.away = false;
    /** While messages come that are not new, nothing is read out. */
    this.quiet = true;
    this.speaking = false;
    /** From the choice of a conversation until its messages have come. */
    this.opening = true;
    /** Since when the turn is working, Unix milliseconds; null while it is not. @type {number | null} */
    this.busySince = null;
    this.addEventListener("scroll", () => this.onScroll(), { passive: true });
  }

  willUpdate() {
    const uid = String(this.chat.openUid ?? "");
    const fresh = uid !== this.shownUid || this.chat.loading;
    // Whoever edits a message looks at that one.
    this.follows = fresh || (this.chat.editing === null && this.isNearEnd && this.range.end === this.shown.length);
    if (fresh) this.quiet = true;
    this.takeMessages(fresh);
    this.opening ||= fresh;
    this.keepTime(this.opening);
    if (!this.chat.loading) this.opening = false;
    this.shownUid = uid;
    const revision = this.chat.conversation?.revision ?? -1;
    if (revision !== this.seen.revision) this.seen = { revision, since: Date.now() };
  }

  updated() {
    this.speakSoon();
    const { view, refusal } = this.chat;
    const digest = view?.card?.turnDigest || view?.form?.turnDigest || "";
    // A card that is higher than the window is being read: only something new below it moves it.
    const isNew = digest === "" || digest !== this.shownDigest || (refusal !== null && refusal !== this.shownRefusal);
    // Where nothing stands yet there is no end to go to, and asking for it would cost a layout per frame.
    if (this.follows && isNew && !this.isExpecting && this.chat.openUid !== null) void this.toEnd(digest !== "" && digest !== this.shownDigest);
    this.shownDigest = digest;
    this.shownRefusal = refusal;
  }

  /** @param {boolean} fresh another conversation than before, or the same from the start */
  takeMessages(fresh) {
    const { messages } = this.chat;
    if (messages === this.shownOf && !fresh) return;
    const before = this.shown.length;
    this.shown = messages.map((message, index) => ({ message, index })).filter(({ message }) => !isSilent(message));
    this.range = fresh || this.shownOf === null ? newest(this.shown.length) : adjusted(this.range, before, this.shown.length);
    this.shownOf = messages;
  }

  /** A turn that was working when the conversation was opened began with its last message. @param {boolean} opening */
  keepTime(opening) {
    if (this.chat.view?.busy !== true) this.busySince = null;
    else if (this.busySince === null || opening) {
      const began = opening ? toMillis(this.chat.messages.at(-1)?.createdAt ?? this.chat.conversation?.updatedAt) : null;
      this.busySince = Math.min(began ?? Date.now(), Date.now());
    }
  }

  onScroll() {
    if (this.settling) return;
    this.away = !this.isNearEnd;
    if (this.scrollTop < EDGE && this.range.start > 0) void this.move(earlier(this.range));
    else if (this.range.end < this.shown.length && this.scrollHeight - this.scrollTop - this.clientHeight < EDGE)
      void this.move(later(this.range, this.shown.length));
  }

  /** What comes after this is new to the reader. */
  speakSoon() {
    if (!this.quiet || this.chat.loading || this.speaking) return;
    this.speaking = true;
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        this.speaking = false;
        this.quiet = this.chat.loading;
      }),
    );
  }

  /** Draws another part; what the reader looks at stays where it is. @param {import("./window.js").Range} range */
  async move(range) {
    const top = this.getBoundingClientRect().top;
    const messages = /** @type {NodeListOf<import("./message.js").ChatMessage>} */ (this.renderRoot.querySelectorAll("agent-chat-message"));
    const anchor = [...messages].find((message) => message.getBoundingClientRect().bottom > top);
    const before = anchor?.getBoundingClientRect().top ?? 0;
    this.quiet = true;
    this.range = range;
    await this.updateComplete;
    await Promise.all([...this.renderRoot.querySelectorAll("agent-chat-message")].map((message) => /** @type {Part} */ (message).updateComplete));
    if (anchor?.isConnected) this.scrollTop += anchor.getBoundingClientRect().top - before;
  }

  /** The newest messages, wherever the reader was. */
  async toNewest() {
    this.range = newest(this.shown.length);
    await this.updateComplete;
    await this.toEnd();
    this.away = false;
  }

  get isNearEnd() {
    return this.scrollHeight - this.scrollTop - this.clientHeight < this.clientHeight / 2;
  }

  get panel() {
    return /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("agent-chat-card, agent-chat-question"));
  }

  /** Shows the newest; of a new card higher than the window, its beginning. @param {boolean} [fresh] the card or question has just come */
  async toEnd(fresh = false) {
    this.scrolls += 1;
    this.settling = true;
    const mine = this.scrolls;
    /** @type {NodeListOf<import("./part.js").Part>} */
    const parts = this.renderRoot.querySelectorAll("agent-chat-message, agent-chat-card, agent-chat-question");
    await Promise.all([...parts].slice(-20).map((part) => part.updateComplete));
    // Messages get their real height only when they come into view, so the end may move a few times.
    for (let frame = 0, height = -1; mine === this.scrolls && frame < 12 && (frame < 2 || height !== this.scrollHeight); frame += 1) {
      height = this.scrollHeight;
      this.scrollTop = height;
      const above = this.panel === null || !fresh ? 0 : this.getBoundingClientRect().top - this.panel.getBoundingClientRect().top;
      if (above > 0) this.scrollTop -= above + 12;
      await new Promise((done) => requestAnimationFrame(done));
    }
    if (mine === this.scrolls) this.settling = false;
  }

  /** The pressed button is gone after a decision: the status takes the focus and is read out. */
  focusStatus() {
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".status"))?.focus();
  }

  render() {
    const { chat } = this;
    return html`<div class="inner">
      ${!this.awaiting && (chat.openUid === null || chat.missing) ? this.blank() : nothing} ${this.isExpecting ? this.skeleton() : nothing} ${this.log()}
      <div class="end">
        ${chat.conversation === null ? nothing : keyed(String(chat.openUid), this.piece("activity"))}
        ${chat.openUid === null ? nothing : this.status()}
        ${chat.view?.card ? keyed(chat.view.card.turnDigest, this.piece("card")) : nothing}
        ${chat.view?.form && chat.view.form.kind !== "unsupported" ? keyed(chat.view.form.turnDigest, this.piece("question")) : nothing}
        ${this.outside()}
      </div>
    </div>
    ${
      this.away
        ? html`<div class="to-newest">
            <button class="icon-button" type="button" data-action="newest" title=${this.words.t("chat.toNewest")} aria-label=${this.words.t("chat.toNewest")} @click=${() => void this.toNewest()}>${icons.down}</button>
          </div>`
        : nothing
    }`;
  }

  /** @param {"activity" | "card" | "question"} name */
  piece(name) {
    const { chat, words, actions } = this;
    if (name === "activity") return html`<agent-chat-activity .chat=${chat} .words=${words} .actions=${actions}></agent-chat-activity>`;
    if (name === "card") return html`<agent-chat-card .chat=${chat} .words=${words} .actions=${actions}></agent-chat-card>`;
    return html`<agent-chat-question .chat=${chat} .words=${words} .actions=${actions}></agent-chat-question>`;
  }

  log() {
    const { chat, words } = this;
    const outgoing = chat.openUid === null ? undefined : chat.outbox[String(chat.openUid)];
    const arrived = outgoing !== undefined && chat.messages.some((message) => message.clientId === outgoing.clientId);
    const mayEdit = chat.you.mayWrite && chat.view?.maySend === true && chat.editing === null && outgoing === undefined;
    const { start, end } = this.range;
    const atEnd = end === this.shown.length;
    return html`${start > 0 ? html`<button class="button small quiet more" type="button" data-action="earlier" @click=${() => void this.move(earlier(this.range))}>${words.t("chat.earlier")}</button>` : nothing}
    <div class="log" role="log" aria-live=${this.quiet ? "off" : "polite"} aria-relevant="additions" aria-label=${words.t("chat.transcript")} aria-busy=${String(chat.loading)}>
      ${repeat(
        this.shown.slice(start, end),
        ({ index }) => `${this.shownUid}/${index}`,
        ({ message, index }) => html`<agent-chat-message
          .message=${message}
          .words=${words}
          .editable=${mayEdit && message.role === "user" && typeof message.content === "string" && !message.decisionLine}
          .editing=${chat.editing === index}
          .saving=${this.isBusyWith("edit")}
          @message-edit=${() => this.actions?.startEdit(index)}
          @message-edit-end=${() => this.actions?.startEdit(null)}
          @message-edit-save=${(/** @type {CustomEvent<string>} */ event) => this.tell("turn-edit", { index, text: event.detail })}
        ></agent-chat-message>`,
      )}
      ${
        outgoing === undefined || arrived || !atEnd
          ? nothing
          : html`<agent-chat-message .message=${{ role: "user", content: outgoing.content, files: outgoing.files }} .words=${words} delivery=${outgoing.failed ? "failed" : "sending"}></agent-chat-message>`
      }
    </div>
    ${atEnd ? nothing : html`<button class="button small quiet more" type="button" data-action="later" @click=${() => void this.move(later(this.range, this.shown.length))}>${words.t("chat.later")}</button>`}`;
  }

  blank() {
    const { t, reason } = this.words;
    if (this.chat.missing) {
      return html`<div class="blank" role="alert">
        <span class="mark">${icons.info}</span>
        <h3>${reason(this.chat.missing)}</h3>
        <button class="button" type="button" @click=${() => this.tell("chat-new")}>${icons.add}${t("list.new")}</button>
      </div>`;
    }
    return html`<div class="blank">
      <span class="mark">${icons.spark}</span>
      <h3>${t("chat.welcome")}</h3>
      <p>${t("chat.welcomeText")}</p>
      <div class="examples" role="group" aria-label=${t("chat.examples")}>
        ${["chat.example1", "chat.example2", "chat.example3"].map(
          (key) => html`<button type="button" @click=${() => this.tell("example-chosen", t(key))}><span>${t(key)}</span>${icons.arrow}</button>`,
        )}
      </div>
    </div>`;
  }

  /** Messages are on their way. Of a conversation that has just been begun, all there is to see is the one that is sent. */
  get isExpecting() {
    const { loading, outbox, openUid } = this.chat;
    return this.awaiting || (loading && outbox[String(openUid)] === undefined);
  }

  skeleton() {
    return html`<div class="skeleton"><i></i><i></i><i></i><span class="visually-hidden" role="status">${this.words.t("chat.loading")}</span></div>`;
  }

  status() {
    const { t } = this.words;
    const { view, confirmation } = this.chat;
    return html`<div class="status" role="status" tabindex="-1">
      ${confirmation ? html`<p class="notice info">${icons.check}<span class="grow">${t(confirmation)}</span></p>` : nothing}
      ${view?.busy ? html`<div class="working"><span class="dots" aria-hidden="true"><i></i><i></i><i></i></span><span class="doing"><span>${this.doing()}</span><agent-chat-clock aria-hidden="true" .since=${this.busySince ?? Date.now()} .words=${this.words}></agent-chat-clock></span>${this.stop()}</div>` : nothing}
      ${view?.notices.map((notice) => this.notice(notice))} ${this.statusActions()} ${this.rest()}
    </div>`;
  }

  /** At rest there is nothing to say; but whoever came here after a decision still has the focus, and a focus is seen on something. */
  rest() {
    const { view, conversation, confirmation } = this.chat;
    if (view === null || conversation === null || view.busy || view.notices.length > 0 || confirmation !== "") return nothing;
    return html`<p class="rest">${this.words.t(`status.${conversation.status}`)}</p>`;
  }

  /** Only what a consumer works on has something to stop; once asked for, it is on its way. */
  stop() {
    const { conversation, confirmation, you } = this.chat;
    if (!this.actions?.mayStop || !you.mayWrite || conversation?.status !== "locked" || confirmation === "chat.stopping") return nothing;
    const { t } = this.words;
    return html`<button class="button small" type="button" data-action="stop" title=${t("chat.stopHint")} ?disabled=${this.isBusyWith("stop")} @click=${() => this.tell("turn-stop")}>${icons.stop}${t("chat.stop")}</button>`;
  }

  /** The newest step of a working turn. */
  doing() {
    const newest = this.chat.conversation?.activity?.at(-1);
    const { t } = this.words;
    return newest === undefined || newest.kind === "approval" || newest.kind === "input"
      ? t("chat.working")
      : t("chat.workingAfter", stepName(newest, this.words));
  }

  /** @param {{ key: string, args: string[] }} notice */
  notice({ key, args }) {
    const { t, has, reason } = this.words;
    const bad = this.chat.conversation?.status === "failed";
    const isError = key.startsWith("error.");
    const tone = bad ? "bad" : isError ? "warn" : "info";
    const run = isError && this.chat.view?.pointsToRun ? this.chat.conversation?.runUuid || this.chat.conversation?.lastRunUuid : "";
    return html`<div class="notice ${tone}">
      ${bad || isError ? icons.alert : icons.info}
      <div class="grow">
        <p>${has(key) ? t(key) : isError ? reason(key.slice("error.".length)) : t(key)}</p>
        ${args.length > 0 ? html`<p class="detail">${t("chat.detail")}: <code>${args.join(" ")}</code></p>` : nothing}
        ${run ? html`<p class="detail"><code>${t("chat.pointsToRun", run)}</code></p>` : nothing}
      </div>
    </div>`;
  }

  /** The card and the question bring their own button to end the request. */
  statusActions() {
    const { t } = this.words;
    const { view, you, conversation } = this.chat;
    if (view === null || !you.mayWrite) return nothing;
    const retry = view.mayRetry && (!view.busy || Date.now() - this.seen.since > RETRY_OFFERED_AFTER);
    const waiting = !view.busy && (conversation?.status === "awaiting_approval" || conversation?.status === "awaiting_input");
    const end = waiting && view.card === null && (view.form === null || view.form.kind === "unsupported");
    if (!retry && !end) return nothing;
    return html`<div class="actions">
      ${retry ? html`<button class="button" type="button" data-action="retry" ?disabled=${this.isBusyWith("retry")} @click=${() => this.tell("turn-retry")}>${icons.reload}${t("chat.retry")}</button>` : nothing}
      ${end ? html`<button class="button" type="button" data-action="end" title=${t("chat.endHint")} ?disabled=${this.isBusyWith("end")} @click=${() => this.tell("turn-end")}>${t("chat.end")}</button>` : nothing}
    </div>`;
  }

  /** What is not the conversation's state but the page's: a refused request, a lost connection. */
  outside() {
    const { t, reason } = this.words;
    const { refusal, connectionLost } = this.chat;
    return html`
      ${
        refusal === null
          ? nothing
          : html`<div class="notice bad" role="alert">
              ${icons.alert}<span class="grow">${reason(refusal.code)}</span>
              <button class="button small quiet" type="button" @click=${() => this.actions?.dismissRefusal()}>${t("app.dismiss")}</button>
            </div>`
      }
      ${connectionLost ? html`<p class="notice warn" role="alert">${icons.alert}<span class="grow">${t("chat.connectionLost")}</span></p>` : nothing}
    `;
  }
}

customElements.define("agent-chat-transcript", ChatTranscript);
