/** The approval card: what would change, and the reader's decision. */

import { html, nothing } from "../vendor/lit.js";
import { parsePreview } from "./diff.js";
import { icons } from "./icons.js";
import { Part } from "./part.js";
import { base } from "./styles/base.js";
import { cardStyles, panelStyles } from "./styles/card.js";

/**
 * @typedef {import("./types.js").PendingCall} PendingCall
 * @typedef {import("./types.js").DecisionKind} DecisionKind
 * @typedef {import("./diff.js").PreviewLine} PreviewLine
 */

export class ChatCard extends Part {
  static styles = [base, panelStyles, cardStyles];

  /** @param {DecisionKind} kind */
  decide(kind) {
    this.tell("card-decided", kind);
  }

  render() {
    const card = this.chat.view?.card;
    if (!card) return nothing;
    const { t } = this.words;
    const unreadable = card.unreadable !== null;
    const undecidable = unreadable || card.expired || card.turnDigest === "";
    return html`
      <section class="panel" aria-labelledby="card-title">
        <header class="panel-head">
          <span class="mark">${icons.shield}</span>
          <div>
            <p class="eyebrow">${t("card.eyebrow")}</p>
            <h3 id="card-title">${this.words.count("card.title", Math.max(1, card.calls.length))}</h3>
          </div>
          ${undecidable ? nothing : this.end("small only-wide")}
        </header>
        <div class="panel-body">
          ${card.stale ? html`<p class="notice warn">${icons.alert}<span class="grow">${t("card.stale")}</span></p>` : nothing}
          ${card.expired ? html`<p class="notice warn">${icons.alert}<span class="grow">${t("card.expired")}</span></p>` : nothing}
          ${unreadable ? html`<p class="notice warn">${icons.alert}<span class="grow">${t("card.unreadable", card.unreadable)}</span></p>` : nothing}
          ${card.calls.map((call) => this.call(call, card.stale))}
        </div>
        ${undecidable ? html`<footer class="panel-foot">${this.end("")}</footer>` : this.buttons(card.calls.length)}
      </section>
    `;
  }

  /** @param {PendingCall} call @param {boolean} cardIsStale */
  call(call, cardIsStale) {
    const { t } = this.words;
    const lines = parsePreview(call.previewLines);
    return html`<div class="call">
      <h4>${call.label || call.name}</h4>
      ${call.target ? html`<p class="target">${t("card.target")}: ${call.target.title ? html`${call.target.title} ` : nothing}<span class="mono">${call.target.table}:${call.target.uid}</span></p>` : nothing}
      ${call.previewStale && !cardIsStale ? html`<p class="notice warn">${icons.alert}<span class="grow">${t("card.callStale")}</span></p>` : nothing}
      ${call.previewFailed || lines.length === 0 ? html`<p class="notice warn">${icons.alert}<span class="grow">${t(call.previewFailed ? "card.previewFailed" : "card.noPreview")}</span></p>` : nothing}
      ${this.preview(lines)}
      <details>
        <summary>${t("card.details")}</summary>
        <dl class="technical">
          <dt>${t("card.tool")}</dt>
          <dd><code>${call.name}</code></dd>
          <dt>${t("card.arguments")}</dt>
          <dd><pre tabindex="0" role="group" aria-label=${t("card.arguments")}>${JSON.stringify(call.arguments, null, 2)}</pre></dd>
        </dl>
      </details>
    </div>`;
  }

  /** Lines keep their order: changes that follow each other share one list, and so do other lines. @param {PreviewLine[]} lines */
  preview(lines) {
    /** @type {PreviewLine[][]} */
    const groups = [];
    for (const line of lines) {
      const last = groups.at(-1);
      if (last !== undefined && last[0]?.kind === line.kind) last.push(line);
      else groups.push([line]);
    }
    return groups.map((group) =>
      group[0]?.kind === "change"
        ? html`<dl class="changes">${group.map((line) => this.change(line))}</dl>`
        : html`<div class="lines">${group.map((line) => html`<p>${line.kind === "text" ? line.text : nothing}</p>`)}</div>`,
    );
  }

  /** Values are text, never HTML. @param {PreviewLine} line */
  change(line) {
    if (line.kind !== "change") return nothing;
    const { t } = this.words;
    const empty = html`<span class="none">${t("card.empty")}</span>`;
    return html`<div class="change">
      ${line.label ? html`<dt>${line.label}</dt>` : nothing}
      <dd class="pair">
        <div class="old"><span class="caption">${t("card.current")}</span>${line.current ? html`<del>${line.current}</del>` : empty}</div>
        <span class="arrow">${icons.arrow}</span>
        <div class="new"><span class="caption">${t("card.proposed")}</span>${line.proposed ? html`<ins>${line.proposed}</ins>` : empty}</div>
      </dd>
    </div>`;
  }

  get off() {
    return this.isBusyWith("decide") || this.isBusyWith("end");
  }

  /** Who decides may be someone who cannot write here; only a writer may end the request (N6). @param {"" | "small only-wide" | "only-narrow"} place */
  end(place) {
    const { t } = this.words;
    if (!this.chat.you.mayWrite) return nothing;
    return html`<button class="button ${place === "" ? "" : "quiet"} ${place}" type="button" data-action="end" title=${t("chat.endHint")} ?disabled=${this.off} @click=${() => this.tell("turn-end")}>${t("chat.end")}</button>`;
  }

  /** @param {number} calls */
  buttons(calls) {
    const { t } = this.words;
    const { off } = this;
    /** @param {DecisionKind} kind @param {string} style @param {string} label */
    const answer = (kind, style, label) =>
      html`<button class="button ${style}" type="button" data-decision=${kind} ?disabled=${off} @click=${() => this.decide(kind)}>${label}</button>`;
    return html`<footer class="panel-foot" role="group" aria-label=${t("card.answers")}>
      <button class="button primary" type="button" data-decision="approve" ?disabled=${off} @click=${() => this.decide("approve")}>
        ${icons.check}${calls > 1 ? t("card.approveAll", calls) : t("card.approve")}
      </button>
      ${answer("variant", "", t("card.variant"))} ${answer("skip", "", t("card.skip"))}
      <span class="space"></span>
      ${answer("decline", "danger", t("card.decline"))} ${this.end("only-narrow")}
    </footer>`;
  }
}

customElements.define("agent-chat-card", ChatCard);
