/** The message field. Text that is not sent yet is kept per conversation. */

import { html, nothing } from "../vendor/lit.js";
import "./files.js";
import { icons } from "./icons.js";
import { Part } from "./part.js";
import { codePoints, storable } from "./shared/text.js";
import { base } from "./styles/base.js";
import { composerStyles } from "./styles/composer.js";

const DEFAULT_LIMIT = 10_000;

export class ChatComposer extends Part {
  static properties = { text: { state: true } };
  static styles = [base, composerStyles];

  constructor() {
    super();
    this.text = "";
    this.place = "";
  }

  /** A change of conversation or user brings its own unsent text. What was typed before the user was known is theirs. */
  willUpdate() {
    const place = `${this.chat.session?.user.uid ?? ""}/${this.chat.openUid ?? ""}`;
    if (this.chat.session === null || place === this.place) return;
    const typed = this.place === "" ? this.text : "";
    this.place = place;
    this.text = typed || (this.actions?.draft(this.chat.openUid) ?? "");
    if (typed !== "") this.actions?.keepDraft(this.chat.openUid, typed);
  }

  updated() {
    const field = this.field;
    // Where `field-sizing` is missing, the field is as high as its text by script.
    if (field === null || CSS.supports("field-sizing", "content")) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  }

  get field() {
    return /** @type {HTMLTextAreaElement | null} */ (this.renderRoot.querySelector("textarea"));
  }

  focusField() {
    this.field?.focus();
  }

  /** Puts a text into the field, in front of what was typed meanwhile. @param {string} text @param {import("./types.js").Uid | null} [uid] the conversation it belongs to */
  putBack(text, uid = this.chat.openUid) {
    if (text === "") return;
    const here = String(uid ?? "") === String(this.chat.openUid ?? "");
    const typed = here ? this.text : (this.actions?.draft(uid) ?? "");
    const joined = typed.trim() === "" ? text : `${text}\n\n${typed}`;
    this.actions?.keepDraft(uid, joined);
    if (here) this.text = joined;
  }

  get limit() {
    return this.chat.session?.limits.maxMessageLength ?? DEFAULT_LIMIT;
  }

  /** Length in code points as it will be stored (N6), counted only when it could matter. */
  get length() {
    return this.text.length > this.limit * 0.8 ? codePoints(storable(this.text).trim()) : 0;
  }

  get freeText() {
    return this.chat.view?.form?.freeText === true;
  }

  /** True while nothing may be sent: the turn is busy, something is on its way, or the conversation has not arrived. */
  get closed() {
    const { chat } = this;
    if (chat.session === null || chat.missing) return true;
    if (chat.openUid === null) return this.isBusyWith("create");
    const underWay = ["send", "answer", "decide", "edit", "retry", "end"].some((kind) => this.isBusyWith(kind));
    return chat.view === null || !chat.view.maySend || underWay || chat.outbox[String(chat.openUid)] !== undefined;
  }

  get attached() {
    return this.chat.attachments[String(this.chat.openUid ?? "")] ?? [];
  }

  /** False while a file is on its way or could not be taken: nothing is left out silently. An answer takes no files (F6), they wait for the next message. */
  get filesReady() {
    return this.freeText || this.attached.every(({ state }) => state === "ready");
  }

  /** An API may take no files at all. */
  get offersFiles() {
    return this.chat.session?.limits.maxFiles !== 0;
  }

  /** Whether files may be attached now. */
  get takesFiles() {
    const { chat } = this;
    return chat.session !== null && this.offersFiles && !chat.missing && (chat.openUid === null || (chat.view !== null && chat.you.mayWrite)) && !this.freeText;
  }

  get maySend() {
    return !this.closed && storable(this.text).trim() !== "" && this.length <= this.limit && this.filesReady;
  }

  /** @param {File[]} files */
  addFiles(files) {
    if (files.length > 0 && this.takesFiles) void this.actions?.attachments.add(this.chat.openUid, files);
  }

  chooseFiles() {
    /** @type {HTMLInputElement | null} */ (this.renderRoot.querySelector("input[type=file]"))?.click();
  }

  /** @param {Event} event */
  onFiles(event) {
    const input = /** @type {HTMLInputElement} */ (event.target);
    this.addFiles([...(input.files ?? [])]);
    // The same file may be chosen again after it was taken away.
    input.value = "";
    this.focusField();
  }

  /** A picture from the clipboard is attached; where text comes along, as from an office program, the text is meant. @param {ClipboardEvent} event */
  onPaste(event) {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || event.clipboardData?.types.includes("text/plain") || !this.takesFiles) return;
    event.preventDefault();
    this.addFiles(files);
  }

  /** @param {Event} event */
  onInput(event) {
    this.text = /** @type {HTMLTextAreaElement} */ (event.target).value;
    this.actions?.keepDraft(this.chat.openUid, this.text);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void this.send();
  }

  async send() {
    if (!this.maySend || this.actions === null) return;
    const { text } = this;
    const uid = this.chat.openUid;
    this.text = "";
    this.actions.keepDraft(uid, "");
    this.tell("composer-sent");
    // The button that was pressed cannot be pressed again at once, and would take the focus with it.
    this.focusField();
    const refused = await this.actions.send(text);
    if (refused !== null) this.putBack(refused, uid);
  }

  render() {
    const { t } = this.words;
    const { chat } = this;
    if (chat.missing) return nothing;
    if (chat.openUid !== null && chat.view !== null && !chat.you.mayWrite) return html`<div class="inner"><p class="read-only">${this.readOnly()}</p></div>`;
    const sendLabel = t(this.freeText ? "composer.sendAnswer" : "composer.send");
    return html`
      <div class="inner">
        <agent-chat-files .chat=${chat} .words=${this.words} .actions=${this.actions} @files-empty=${() => this.focusField()}></agent-chat-files>
        <div class="box">
          ${this.offersFiles ? html`<button class="icon-button attach" type="button" title=${t("attach.button")} aria-label=${t("attach.button")} ?disabled=${!this.takesFiles} @click=${() => this.chooseFiles()}>${icons.file}</button>` : nothing}
          <input type="file" multiple hidden accept=${(chat.session?.limits.fileTypes ?? []).join(",")} @change=${this.onFiles} />
          <textarea
            rows="1"
            aria-label=${t("composer.label")}
            aria-describedby="hint"
            placeholder=${t(this.freeText ? "composer.placeholderAnswer" : "composer.placeholder")}
            .value=${this.text}
            @input=${this.onInput}
            @keydown=${this.onKey}
            @paste=${this.onPaste}
          ></textarea>
          <button class="icon-button send" type="button" title=${sendLabel} aria-label=${sendLabel} ?disabled=${!this.maySend} @click=${() => void this.send()}>${icons.send}</button>
        </div>
        <div class="hint" id="hint">${this.hint()} ${this.counter()}</div>
      </div>
    `;
  }

  readOnly() {
    const owner = this.chat.list.items.find((item) => String(item.uid) === String(this.chat.openUid))?.ownerName;
    return owner ? this.words.t("chat.readOnly", owner) : this.words.t("chat.readOnlyNobody");
  }

  hint() {
    const { t } = this.words;
    if (this.attached.length > 0 && this.freeText) return html`<span>${t("attach.later")}</span>`;
    if (this.attached.some(({ state }) => state === "failed")) return html`<span>${t("attach.blocked")}</span>`;
    if (this.attached.some(({ state }) => state === "uploading")) return html`<span>${t("attach.wait")}</span>`;
    if (this.attached.length > 0 && this.text.trim() === "") return html`<span>${t("attach.needsText")}</span>`;
    if (this.chat.view?.busy && this.text.trim() !== "") return html`<span>${t("composer.busy")}</span>`;
    if (this.chat.conversation?.status === "awaiting_approval" && !this.chat.view?.busy) return html`<span>${t("composer.endsApproval")}</span>`;
    if (this.chat.conversation?.status === "awaiting_input" && !this.chat.view?.busy && !this.freeText) return html`<span>${t("composer.endsQuestion")}</span>`;
    return html`<span class="keys">${t("composer.keys")}</span>`;
  }

  counter() {
    const { length, limit } = this;
    if (length <= limit * 0.9) return nothing;
    const number = new Intl.NumberFormat(this.words.lang);
    return html`<span class=${length > limit ? "over" : ""}>${this.words.t("composer.length", number.format(length), number.format(limit))}</span>`;
  }
}

customElements.define("agent-chat-composer", ChatComposer);
