/** The pages of the site as they are now, so that a change can be seen. */

import { html, nothing } from "../vendor/lit.js";
import { icons } from "./icons.js";
import { Part } from "./part.js";
import { base } from "./styles/base.js";
import { pagesStyles } from "./styles/composer.js";
import { pageTree } from "./tree.js";

export class ChatPages extends Part {
  static styles = [base, pagesStyles];

  render() {
    const { t } = this.words;
    const { pages } = this.chat;
    return html`
      <div class="top">
        <h2 id="pages-title">${t("pages.title")}</h2>
        <button class="icon-button" type="button" title=${t("pages.reload")} aria-label=${t("pages.reload")} @click=${() => void this.actions?.loadPages()}>${icons.reload}</button>
        <button class="icon-button" type="button" title=${t("pages.close")} aria-label=${t("pages.close")} @click=${() => this.tell("pages-close")}>${icons.close}</button>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="pages-title">
        ${pages.error ? html`<p class="empty" role="alert">${t("pages.failed")}</p>` : nothing}
        ${pages.loaded && pages.items.length === 0 ? html`<p class="empty">${t("pages.empty")}</p>` : nothing} ${this.level(pageTree(pages.items))}
      </div>
    `;
  }

  /** @param {import("./tree.js").Node[]} nodes @returns {unknown} */
  level(nodes) {
    if (nodes.length === 0) return nothing;
    return html`<ul>${nodes.map(({ page, children }) => html`<li>${this.page(page)} ${this.level(children)}</li>`)}</ul>`;
  }

  /** @param {import("./types.js").Page} page */
  page(page) {
    const { t } = this.words;
    const changed = this.chat.pages.changed.includes(String(page.uid));
    return html`<div class="page ${page.hidden ? "hidden-page" : ""} ${changed ? "changed" : ""}">
      ${page.hidden ? icons.hidden : icons.page}
      <span class="text">
        <span class="name-line">
          <span class="name">${page.title}</span>
          ${page.hidden ? html`<span class="tag">${t("pages.hidden")}</span>` : nothing} ${changed ? html`<span class="tag good">${t("pages.changed")}</span>` : nothing}
        </span>
        <span class="slug">/${page.slug.replace(/^\/+/, "")}</span>
      </span>
    </div>`;
  }
}

customElements.define("agent-chat-pages", ChatPages);
