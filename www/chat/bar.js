/** The bar at the top: what is shown, who is signed in, which language; in a panel also its size and its end. */

import { html, nothing } from "../vendor/lit.js";
import { LANGUAGES } from "./i18n/index.js";
import { icons } from "./icons.js";
import { Part } from "./part.js";
import { flightKey, sameUid } from "./store.js";
import { barStyles } from "./styles/bar.js";
import { base } from "./styles/base.js";

export class ChatBar extends Part {
  static properties = {
    listShown: { type: Boolean },
    pagesShown: { type: Boolean },
    /** Whether the host's site has pages to show. */
    withPages: { type: Boolean },
    /** Whether the reader chooses the language; the page may have done so. */
    withLanguages: { type: Boolean },
    panel: { type: Boolean },
    wide: { type: Boolean },
  };
  static styles = [base, barStyles];

  constructor() {
    super();
    this.listShown = false;
    this.pagesShown = false;
    this.withPages = false;
    this.withLanguages = false;
    this.panel = false;
    this.wide = false;
  }

  /**
   * @param {string} name of the event @param {string} label @param {unknown} icon
   * @param {{ expanded?: boolean, pressed?: boolean }} [state]
   */
  button(name, label, icon, { expanded, pressed } = {}) {
    return html`<button
      class="icon-button"
      type="button"
      data-action=${name}
      title=${label}
      aria-label=${label}
      aria-expanded=${expanded === undefined ? nothing : String(expanded)}
      aria-pressed=${pressed === undefined ? nothing : String(pressed)}
      @click=${() => this.tell(name)}
    >
      ${icon}
    </button>`;
  }

  render() {
    const { t } = this.words;
    return html`<header class="bar">
      ${this.button("bar-list", t(this.listShown ? "app.hideList" : "app.showList"), icons.menu, { expanded: this.listShown })}
      <div class="brand"><span class="mark">${icons.spark}</span>${this.panel ? html`<h2 class="name">${t("app.title")}</h2>` : html`<h1 class="name">${t("app.title")}</h1>`}</div>
      <span class="space"></span>
      ${this.panel ? nothing : html`${this.userChoice()} ${this.languageChoice()}`}
      ${this.withPages ? this.button("bar-pages", t(this.pagesShown ? "app.hidePages" : "app.showPages"), icons.pages, { expanded: this.pagesShown }) : nothing}
      ${
        this.panel
          ? html`${this.button("panel-wide", t(this.wide ? "panel.narrow" : "panel.wide"), this.wide ? icons.shrink : icons.grow)}
            ${this.button("panel-close", t("panel.close"), icons.close)}`
          : nothing
      }
    </header>`;
  }

  languageChoice() {
    if (!this.withLanguages) return nothing;
    return html`<label class="choice">
      <span>${this.words.t("app.language")}</span>
      <select class="field" @change=${(/** @type {Event} */ event) => this.tell("bar-language", /** @type {HTMLSelectElement} */ (event.target).value)}>
        ${Object.entries(LANGUAGES).map(([code, table]) => html`<option value=${code} lang=${code} ?selected=${code === this.words.lang}>${table["language.name"] ?? code}</option>`)}
      </select>
    </label>`;
  }

  /** Where there is only one user there is nothing to choose. */
  userChoice() {
    const { t, has } = this.words;
    const { session } = this.chat;
    if (session === null || session.users.length < 2) return nothing;
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
}

customElements.define("agent-chat-bar", ChatBar);
