/** Above the transcript: title and status of the open conversation, its instructions, and the conversation as a file. */

import { html, nothing } from "../vendor/lit.js";
import { conversationMarkdown, download, exportName } from "./export.js";
import { icons } from "./icons.js";
import { toneOf } from "./list.js";
import { Part } from "./part.js";
import { flightKey } from "./store.js";
import { base } from "./styles/base.js";
import { headStyles } from "./styles/head.js";

/** What the host takes (code points). */
const LONGEST = 10_000;

export class ChatHead extends Part {
  static properties = { editing: { state: true }, text: { state: true }, failed: { state: true } };
  static styles = [base, headStyles];

  constructor() {
    super();
    this.editing = false;
    this.text = "";
    this.failed = false;
    this.place = "";
  }

  willUpdate() {
    const place = String(this.chat.openUid ?? "");
    if (place === this.place) return;
    this.place = place;
    this.editing = false;
  }

  get stored() {
    return this.chat.conversation?.systemPrompt ?? "";
  }

  get tooLong() {
    return this.text.length > LONGEST && [...this.text].length > LONGEST;
  }

  async toggle() {
    this.editing = !this.editing;
    this.text = this.stored;
    this.failed = false;
    if (!this.editing) return;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("textarea"))?.focus();
  }

  async close() {
    this.editing = false;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("[data-action=instructions]"))?.focus();
  }

  async save() {
    const { openUid } = this.chat;
    if (openUid === null || this.tooLong) return;
    this.failed = false;
    const taken = await this.actions?.change(openUid, { systemPrompt: this.text.trim() });
    if (taken) await this.close();
    else this.failed = true;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      // A panel around the chat must not close with it.
      event.stopPropagation();
      void this.close();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void this.save();
    }
  }

  exportFile() {
    const { conversation, messages } = this.chat;
    if (conversation === null) return;
    const { title, systemPrompt, uid } = conversation;
    download(exportName(title, uid), conversationMarkdown({ title, systemPrompt, messages }, this.words));
  }

  render() {
    const { conversation } = this.chat;
    if (conversation === null) return nothing;
    const { t } = this.words;
    const sending = this.chat.inFlight[flightKey("send", this.chat.openUid)] === true;
    const status = sending || this.chat.view?.busy ? "processing" : conversation.status;
    return html`<div class="head">
        <div class="name">
          <h2 title=${conversation.title} dir="auto">${conversation.title || t("list.untitled")}</h2>
          <span class="badge ${toneOf(status)}">${t(`status.${status}`)}</span>
        </div>
        <span class="space"></span>
        ${this.buttons()}
      </div>
      ${this.editing ? this.editor() : nothing}`;
  }

  buttons() {
    const { t } = this.words;
    const set = this.stored !== "";
    const label = t(set ? "instructions.buttonSet" : "instructions.button");
    return html`${
      this.chat.you.mayWrite
        ? html`<button class="icon-button ${set ? "set" : ""}" type="button" data-action="instructions" title=${label} aria-label=${label} aria-expanded=${String(this.editing)} @click=${() => void this.toggle()}>${icons.instructions}</button>`
        : nothing
    }
      <button class="icon-button" type="button" data-action="export" title=${t("export.button")} aria-label=${t("export.button")} @click=${() => this.exportFile()}>${icons.download}</button>`;
  }

  editor() {
    const { t } = this.words;
    const busy = this.chat.inFlight[flightKey("change", this.chat.openUid)] === true;
    const problem = this.tooLong ? "error.promptTooLong" : this.failed ? "instructions.failed" : "";
    return html`<section class="instructions" aria-labelledby="instructions-title" @keydown=${this.onKey}>
      <h3 id="instructions-title">${t("instructions.title")}</h3>
      <p id="instructions-help">${t("instructions.help")}</p>
      <textarea
        class="field"
        rows="4"
        aria-labelledby="instructions-title"
        aria-describedby="instructions-help"
        aria-invalid=${problem ? "true" : nothing}
        placeholder=${t("instructions.placeholder")}
        .value=${this.text}
        @input=${(/** @type {Event} */ event) => (this.text = /** @type {HTMLTextAreaElement} */ (event.target).value)}
      ></textarea>
      ${problem ? html`<p class="problem" role="alert">${t(problem)}</p>` : nothing}
      <div class="buttons">
        <button class="button" type="button" @click=${() => void this.close()}>${t("list.cancel")}</button>
        <button class="button primary" type="button" ?disabled=${busy || this.tooLong} @click=${() => void this.save()}>${t("list.save")}</button>
      </div>
    </section>`;
  }
}

customElements.define("agent-chat-head", ChatHead);
