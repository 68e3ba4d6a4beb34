/** The conversation list: new, choose, search, rename, pin, archive. */

import { html, nothing, repeat } from "../vendor/lit.js";
import { icons } from "./icons.js";
import { Part } from "./part.js";
import { hashOfUid } from "./route.js";
import { flightKey, sameUid } from "./store.js";
import { base } from "./styles/base.js";
import { listStyles } from "./styles/list.js";

/** @typedef {import("./types.js").ListItem} ListItem */

const SEARCH_PAUSE = 250;

/** How a status is coloured everywhere. @param {string} status */
export function toneOf(status) {
  if (status === "processing" || status === "locked" || status === "tool_loop") return "busy";
  if (status === "awaiting_approval" || status === "awaiting_input") return "wait";
  return status === "failed" ? "bad" : "good";
}

export class ChatList extends Part {
  static properties = { renaming: { state: true }, links: { attribute: false } };
  static styles = [base, listStyles];

  constructor() {
    super();
    /** @type {import("./types.js").Uid | null} */
    this.renaming = null;
    /** Whether conversations have addresses; without, an entry opens its conversation by itself. */
    this.links = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.searchTimer = undefined;
  }

  /** @param {Event} event */
  onSearch(event) {
    const search = /** @type {HTMLInputElement} */ (event.target).value.trim();
    clearTimeout(this.searchTimer);
    this.searchTimer = setTimeout(() => void this.actions?.queryList({ search }), SEARCH_PAUSE);
  }

  /** @param {ListItem} item @param {MouseEvent} event */
  choose(item, event) {
    if (!this.links) {
      event.preventDefault();
      this.actions?.open(item.uid);
    }
    this.tell("chat-chosen");
  }

  /** @param {ListItem} item */
  async startRename(item) {
    this.renaming = item.uid;
    await this.updateComplete;
    const field = /** @type {HTMLInputElement | null} */ (this.renderRoot.querySelector(".rename .field"));
    field?.focus();
    field?.select();
  }

  /** @param {ListItem} item @param {SubmitEvent} event */
  async rename(item, event) {
    event.preventDefault();
    const field = /** @type {HTMLInputElement | null} */ (this.renderRoot.querySelector(".rename .field"));
    const title = field?.value.trim() ?? "";
    await this.endRename(item);
    if (title !== "" && title !== item.title) await this.actions?.change(item.uid, { title });
  }

  /** The focus goes back to the entry, since the field it was in is gone. @param {ListItem} item */
  async endRename(item) {
    this.renaming = null;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(`a[data-uid="${CSS.escape(String(item.uid))}"]`))?.focus();
  }

  /**
   * Changes an entry. Its button may have moved with it, or be gone: a focus that was lost goes to the button, else to what stands in its place now.
   * @param {ListItem} item @param {"pin" | "archive"} action @param {{ pinned?: boolean, archived?: boolean }} change
   */
  async change(item, action, change) {
    const place = this.chat.list.items.findIndex(({ uid }) => sameUid(uid, item.uid));
    await this.actions?.change(item.uid, change);
    await this.updateComplete;
    if (/** @type {ShadowRoot} */ (this.getRootNode()).activeElement !== null) return;
    const { items } = this.chat.list;
    const next = items[Math.min(place, items.length - 1)];
    const at = (/** @type {ListItem | undefined} */ entry) => `[data-uid="${CSS.escape(String(entry?.uid ?? ""))}"]`;
    const targets = [`a${at(item)} + .actions [data-action=${action}]`, `a${at(next)}`, ".top .button"];
    for (const target of targets) {
      const element = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(target));
      if (element !== null) return element.focus();
    }
  }

  render() {
    const { t } = this.words;
    const { list } = this.chat;
    return html`
      <div class="top">
        <h2>${t("list.title")}</h2>
        <button class="button primary" type="button" @click=${() => this.tell("chat-new")}>${icons.add}${t("list.new")}</button>
        <div class="search">
          ${icons.search}
          <input class="field" type="search" aria-label=${t("list.search")} placeholder=${t("list.searchHint")} autocomplete="off" @input=${this.onSearch} />
        </div>
      </div>
      <div class="filter" role="group" aria-label=${t("list.filter")}>
        ${[false, true].map(
          (
            archived,
          ) => html`<button type="button" aria-pressed=${String(list.archived === archived)} @click=${() => void this.actions?.queryList({ archived })}>
            ${t(archived ? "list.archived" : "list.active")}
          </button>`,
        )}
      </div>
      <nav class="scroll" aria-label=${t("list.title")}>
        ${list.error ? html`<p class="empty" role="alert">${t("list.failed")}</p>` : nothing}
        ${list.loaded && list.items.length === 0 ? html`<p class="empty">${this.emptyText()}</p>` : nothing}
        <ul>
          ${repeat(
            list.items,
            (item) => String(item.uid),
            (item) => this.entry(item),
          )}
        </ul>
      </nav>
    `;
  }

  emptyText() {
    const { t } = this.words;
    const { list } = this.chat;
    if (list.search !== "") return t("list.noMatch", list.search);
    return t(list.archived ? "list.emptyArchive" : "list.empty");
  }

  /** @param {ListItem} item */
  entry(item) {
    const { t } = this.words;
    const open = sameUid(item.uid, this.chat.openUid);
    if (sameUid(item.uid, this.renaming)) return html`<li>${this.renameForm(item)}</li>`;
    const tone = toneOf(item.status);
    return html`
      <li class=${open ? "open" : ""}>
        <a href=${hashOfUid(item.uid)} data-uid=${String(item.uid)} aria-current=${open ? "page" : nothing} @click=${(/** @type {MouseEvent} */ event) => this.choose(item, event)}>
          <span class="title">
            <span>${item.title || t("list.untitled")}</span>
            ${item.pinned ? html`${icons.pin}<span class="visually-hidden">${t("list.pinned")}</span>` : nothing}
          </span>
          <span class="line">
            ${tone === "good" ? nothing : html`<i class="dot ${tone}"></i><span>${t(`status.${item.status}`)}</span>`}
            ${tone === "good" ? html`<span>${this.words.when(item.updatedAt)}</span>` : nothing}
            ${item.mine ? nothing : html`<span class="by">${t("list.ownedBy", item.ownerName)}</span>`}
          </span>
        </a>
        ${item.mine ? this.entryActions(item) : nothing}
      </li>
    `;
  }

  /** @param {ListItem} item */
  entryActions(item) {
    const { t } = this.words;
    const busy = this.chat.inFlight[flightKey("change", item.uid)] === true;
    const title = item.title || t("list.untitled");
    /** @param {string} name @param {string} label @param {unknown} icon @param {() => void} act @param {string | symbol} [pressed] */
    const action = (name, label, icon, act, pressed = nothing) =>
      html`<button class="icon-button" type="button" data-action=${name} title=${label} aria-label=${`${label}: ${title}`} aria-pressed=${pressed} ?disabled=${busy} @click=${act}>${icon}</button>`;
    const pin = () => void this.change(item, "pin", { pinned: !item.pinned });
    const archive = () => void this.change(item, "archive", { archived: !item.archived });
    return html`<div class="actions">
      ${action("rename", t("list.rename"), icons.pencil, () => void this.startRename(item))}
      ${action("pin", t(item.pinned ? "list.unpin" : "list.pin"), icons.pin, pin, String(item.pinned))}
      ${action("archive", t(item.archived ? "list.unarchive" : "list.archive"), item.archived ? icons.unarchive : icons.archive, archive)}
    </div>`;
  }

  /** @param {ListItem} item */
  renameForm(item) {
    const { t } = this.words;
    return html`<form
      class="rename"
      @submit=${(/** @type {SubmitEvent} */ event) => void this.rename(item, event)}
      @keydown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        void this.endRename(item);
      }}
    >
      <input class="field" aria-label=${t("list.newTitle")} maxlength="255" .value=${item.title} />
      <div>
        <button class="button primary small" type="submit">${t("list.save")}</button>
        <button class="button small" type="button" @click=${() => void this.endRename(item)}>${t("list.cancel")}</button>
      </div>
    </form>`;
  }
}

customElements.define("agent-chat-list", ChatList);
