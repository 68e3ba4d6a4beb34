/** How long a turn has been working, second by second. Decoration for the eye: it is not read out. */

import { css, html, LitElement, nothing } from "../vendor/lit.js";
import { clockText } from "./clock-text.js";
import { wordsFor } from "./i18n/index.js";

/** A short turn needs no clock, milliseconds. */
const SHOWN_AFTER = 5000;
/** From then on the reader is told that the page may be left, milliseconds. */
const LONG = 30_000;

export class ChatClock extends LitElement {
  static styles = css`.time { font-variant-numeric: tabular-nums; }`;
  static properties = { since: { attribute: false }, words: { attribute: false } };

  constructor() {
    super();
    /** When the work began, Unix milliseconds. */
    this.since = Date.now();
    this.words = wordsFor("en");
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  connectedCallback() {
    super.connectedCallback();
    this.timer = setInterval(() => {
      if (!document.hidden) this.requestUpdate();
    }, 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  render() {
    const gone = Date.now() - this.since;
    if (gone < SHOWN_AFTER) return nothing;
    const { t } = this.words;
    return html`<span class="time">${t("chat.elapsed", clockText(gone))}</span>${gone < LONG ? nothing : html` · ${t("chat.longRun")}`}`;
  }
}

customElements.define("agent-chat-clock", ChatClock);
