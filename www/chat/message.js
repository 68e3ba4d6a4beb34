/** One message of the transcript, drawn anew only when it changed. */

import { html, LitElement, nothing, unsafeHTML } from "../vendor/lit.js";
import { wordsFor } from "./i18n/index.js";
import { icons } from "./icons.js";
import { renderMarkdown } from "./markdown.js";
import { noticeOf, plainText } from "./notice.js";
import { base } from "./styles/base.js";
import { messageStyles } from "./styles/transcript.js";

/**
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").FileReference} FileReference
 */

export class ChatMessage extends LitElement {
  static properties = {
    message: { attribute: false },
    words: { attribute: false },
    editable: { type: Boolean },
    editing: { type: Boolean },
    saving: { type: Boolean },
    /** "", "sending" or "failed": a message that is not stored yet. */
    delivery: {},
  };
  static styles = [base, messageStyles];

  constructor() {
    super();
    /** @type {Message} */
    this.message = { role: "user", content: "" };
    this.words = wordsFor("en");
    this.editable = false;
    this.editing = false;
    this.saving = false;
    this.delivery = "";
  }

  /** @param {string} name @param {unknown} [detail] */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!changed.has("editing")) return;
    if (!this.editing) {
      // The field that had the focus is gone; the button that opened it takes it back.
      if (changed.get("editing") === true) /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".meta .icon-button"))?.focus();
      return;
    }
    const field = /** @type {HTMLTextAreaElement | null} */ (this.renderRoot.querySelector("textarea"));
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }

  /** @param {KeyboardEvent} event */
  onEditKey(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      this.tell("message-edit-end");
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.save();
    }
  }

  save() {
    const field = /** @type {HTMLTextAreaElement | null} */ (this.renderRoot.querySelector("textarea"));
    if (field !== null && field.value.trim() !== "" && !this.saving) this.tell("message-edit-save", field.value);
  }

  render() {
    const { role } = this.message;
    if (role === "tool") return this.toolRow();
    const notice = noticeOf(this.message, this.words);
    const classes = ["row", role, this.message.besideToolCall ? "beside" : "", this.message.decisionLine ? "decided" : "", this.delivery].join(" ");
    return html`
      <article class=${classes} aria-label=${this.words.t(role === "user" ? "message.you" : role === "assistant" ? "message.assistant" : "message.system")}>
        ${this.editing ? this.editor() : html`<div class="line">${this.beside()}${this.body(notice?.instead === true)}</div>`}
        ${notice ? html`<p class="note ${notice.instead ? "plain" : ""}">${notice.instead ? icons.info : icons.alert}<span>${notice.text}</span></p>` : nothing}
        ${this.editing ? nothing : this.foot()}
      </article>
    `;
  }

  /** @param {boolean} replaced the notice says all there is to say */
  body(replaced) {
    const text = plainText(this.message.content);
    const files = filesOf(this.message);
    if ((text === "" || replaced) && files.length === 0) return nothing;
    const shown = this.message.role === "assistant" ? html`<div class="markdown">${unsafeHTML(renderMarkdown(text))}</div>` : text;
    return html`<div class="bubble" dir="auto">${text === "" || replaced ? nothing : shown}${this.files(files)}</div>`;
  }

  /** @param {FileReference[]} files */
  files(files) {
    if (files.length === 0) return nothing;
    return html`<div class="files">
      ${files.map((file) => html`<span class="file" title=${this.words.t("message.file", file.fileName)}>${icons.file}${file.fileName}</span>`)}
    </div>`;
  }

  foot() {
    const { t } = this.words;
    if (this.delivery === "sending") return html`<div class="meta">${t("message.sending")}</div>`;
    if (this.delivery === "failed") {
      return html`<div class="unsent" role="alert">
        <span>${t("message.notSent")}</span>
        <button class="button small" type="button" @click=${() => this.tell("message-send-again")}>${t("message.sendAgain")}</button>
        <button class="button small quiet" type="button" @click=${() => this.tell("message-take-back")}>${t("message.takeBack")}</button>
      </div>`;
    }
    return nothing;
  }

  /** Time and edit button of an own message, beside it. */
  beside() {
    const { t } = this.words;
    if (this.message.role !== "user" || this.delivery !== "") return nothing;
    return html`<div class="meta quiet-until-used">
      <span>${this.words.moment(this.message.createdAt)}</span>
      ${
        this.editable
          ? html`<button class="icon-button" type="button" title=${t("message.edit")} aria-label=${t("message.edit")} @click=${() => this.tell("message-edit")}>${icons.pencil}</button>`
          : nothing
      }
    </div>`;
  }

  editor() {
    const { t } = this.words;
    return html`<div class="edit" @keydown=${this.onEditKey}>
      <textarea class="field" aria-label=${t("message.editLabel")} aria-describedby="edit-hint" .value=${plainText(this.message.content)}></textarea>
      <p id="edit-hint">${t("message.editHint")}</p>
      <div>
        <button class="button" type="button" @click=${() => this.tell("message-edit-end")}>${t("message.editCancel")}</button>
        <button class="button primary" type="button" ?disabled=${this.saving} @click=${this.save}>${t("message.editSave")}</button>
      </div>
    </div>`;
  }

  toolRow() {
    const name = typeof this.message.name === "string" ? this.message.name : "";
    return html`<details class="tool">
      <summary>${this.words.t("message.tool")} ${name ? html`<span class="mono">${name}</span>` : nothing}</summary>
      <pre>${plainText(this.message.content)}</pre>
    </details>`;
  }
}

/** Files of a message, also in the older form of a single one (N8). @param {Message} message @returns {FileReference[]} */
function filesOf(message) {
  if (Array.isArray(message.files)) return message.files;
  const { fileUid, fileName = "", fileMimeType = "" } = message;
  return fileUid === undefined ? [] : [{ fileUid, fileName, fileMimeType }];
}

customElements.define("agent-chat-message", ChatMessage);
