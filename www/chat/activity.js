/** What the agent did in this turn, step by step (V6): names and times, no arguments and no results. */

import { html, nothing } from "../vendor/lit.js";
import { Part } from "./part.js";
import { base } from "./styles/base.js";
import { activityStyles } from "./styles/composer.js";

/**
 * @typedef {import("./types.js").ActivityEntry} ActivityEntry
 * @typedef {import("./i18n/index.js").Words} Words
 */

/** The name of a step. @param {ActivityEntry} entry @param {Words} words */
export function stepName(entry, { t }) {
  switch (entry.kind) {
    case "llm":
      return t("activity.llm", entry.round);
    case "approval":
      return t(entry.approved ? "activity.approved" : "activity.denied");
    case "input":
      return t("activity.input");
    default:
      return entry.tool ? t("activity.tool", entry.tool) : t("activity.toolUnnamed");
  }
}

export class ChatActivity extends Part {
  static styles = [base, activityStyles];

  render() {
    const entries = this.chat.conversation?.activity ?? [];
    if (entries.length === 0) return nothing;
    const now = this.now();
    return html`<details>
      <summary>${this.words.t("activity.title")} · ${this.words.count("activity.steps", entries.length)}</summary>
      <ol>
        ${entries.map((entry) => this.step(entry))} ${now === "" ? nothing : html`<li class="now"><span>${now}</span></li>`}
      </ol>
    </details>`;
  }

  /** @param {ActivityEntry} entry */
  step(entry) {
    const { t, duration } = this.words;
    const decided = entry.kind === "approval" || entry.kind === "input";
    return html`<li class=${entry.error ? "failed" : ""}>
      <span>${stepName(entry, this.words)}${entry.error ? html` – ${t("activity.error")}` : nothing}</span>
      ${decided ? nothing : html`<span class="time">${duration(entry.ms)}</span>`}
    </li>`;
  }

  /** What goes on at this moment; "" when nothing does. */
  now() {
    const { t } = this.words;
    if (this.chat.view?.busy) return t("activity.working");
    if (this.chat.conversation?.status === "awaiting_approval") return t("activity.waitingApproval");
    return this.chat.conversation?.status === "awaiting_input" ? t("activity.waitingInput") : "";
  }
}

customElements.define("agent-chat-activity", ChatActivity);
