/** The files that go with the next message: one chip each, with its progress, its trouble and a button to take it away. */

import { html, nothing, repeat } from "../vendor/lit.js";
import { icons } from "./icons.js";
import { Part } from "./part.js";
import { base } from "./styles/base.js";
import { filesStyles } from "./styles/composer.js";

/** @typedef {import("./types.js").Attachment} Attachment */

export class ChatFiles extends Part {
  static styles = [base, filesStyles];

  get items() {
    return this.chat.attachments[String(this.chat.openUid ?? "")] ?? [];
  }

  render() {
    const { items } = this;
    if (items.length === 0) return nothing;
    return html`<ul aria-label=${this.words.t("attach.list")}>
      ${repeat(
        items,
        ({ id }) => id,
        (item) => this.chip(item),
      )}
    </ul>`;
  }

  /** @param {Attachment} item */
  chip(item) {
    const { t } = this.words;
    const { state, name } = item;
    const remove = t(state === "uploading" ? "attach.cancel" : "attach.remove", name);
    return html`<li class="chip ${state}">
      ${item.preview ? html`<img src=${item.preview} alt="" width="40" height="40" />` : html`<span class="type">${icons.page}</span>`}
      <div class="about">
        <bdi class="name" title=${name}>${name}</bdi>
        <span class="line">${this.line(item)}</span>
        ${state === "uploading" ? html`<progress max="1" .value=${item.progress} aria-label=${t("attach.uploading", name)}></progress>` : nothing}
      </div>
      ${
        state === "failed" && this.actions?.attachments.mayRepeat(item.id)
          ? html`<button class="icon-button" type="button" title=${t("attach.again", name)} aria-label=${t("attach.again", name)} @click=${() => void this.actions?.attachments.again(this.chat.openUid, item.id)}>${icons.reload}</button>`
          : nothing
      }
      <button class="icon-button" type="button" title=${remove} aria-label=${remove} @click=${() => this.takeAway(item)}>${icons.close}</button>
    </li>`;
  }

  /** What there is to say about a file under its name. @param {Attachment} item */
  line({ state, problem, progress, size }) {
    const { t, bytes, percent } = this.words;
    const limits = this.chat.session?.limits;
    if (state === "failed")
      return html`<span role="alert">${t(problem, problem === "attach.tooLarge" ? bytes(limits?.maxFileBytes ?? 0) : (limits?.maxFiles ?? ""))}</span>`;
    if (state === "uploading") return percent(progress);
    return size > 0 ? bytes(size) : t("attach.ready");
  }

  /** The focus goes to the next chip's button, or back to the message field. @param {Attachment} item */
  async takeAway({ id }) {
    const index = this.items.findIndex((item) => item.id === id);
    this.actions?.attachments.remove(this.chat.openUid, id);
    await this.updateComplete;
    const buttons = /** @type {NodeListOf<HTMLElement>} */ (this.renderRoot.querySelectorAll(".chip .icon-button:last-child"));
    const next = buttons[Math.min(index, buttons.length - 1)];
    if (next) next.focus();
    else this.tell("files-empty");
  }
}

customElements.define("agent-chat-files", ChatFiles);
