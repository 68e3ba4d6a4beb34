/** A question of the agent: reply buttons for a choice, real controls for a form. */

import { html, nothing } from "../vendor/lit.js";
import { fieldProblems } from "./forms.js";
import { icons } from "./icons.js";
import { plainText } from "./notice.js";
import { Part } from "./part.js";
import { base } from "./styles/base.js";
import { panelStyles, questionStyles } from "./styles/card.js";

/**
 * @typedef {import("./forms.js").Field} Field
 * @typedef {import("./forms.js").Values} Values
 * @typedef {import("./types.js").InputForm} InputForm
 */

/** Up to this many options stand open; more become a list to unfold. */
const OPEN_OPTIONS = 4;

export class ChatQuestion extends Part {
  static properties = { problems: { state: true } };
  static styles = [base, panelStyles, questionStyles];

  constructor() {
    super();
    /** @type {Map<string, import("./forms.js").Problem>} */
    this.problems = new Map();
    this.nothingGiven = false;
    this.digest = "";
  }

  get form() {
    const form = this.chat.view?.form;
    return form && form.kind !== "unsupported" ? form : null;
  }

  willUpdate() {
    const digest = this.form?.turnDigest ?? "";
    if (digest === this.digest) return;
    this.digest = digest;
    this.problems = new Map();
    this.nothingGiven = false;
  }

  get off() {
    return this.isBusyWith("answer") || this.isBusyWith("end");
  }

  render() {
    const { form } = this;
    if (form === null) return nothing;
    const { t } = this.words;
    const title = this.asked(form) ? t(form.kind === "choice" ? "question.choose" : "question.form") : form.question;
    return html`
      <section class="panel" aria-labelledby="question-title">
        <header class="panel-head">
          <span class="mark">${icons.question}</span>
          <div>
            <p class="eyebrow">${t("question.eyebrow")}</p>
            <h3 id="question-title">${title || t("question.choose")}</h3>
          </div>
          ${this.end("only-wide")}
        </header>
        ${form.kind === "choice" ? this.choice(form) : this.fields(form)}
      </section>
    `;
  }

  /** The question already stands in the transcript (O5). @param {InputForm} form */
  asked(form) {
    const last = this.chat.messages.findLast((message) => message.role === "assistant");
    return form.question === "" || (last !== undefined && plainText(last.content).trim() === form.question.trim());
  }

  /** @param {"only-wide" | "only-narrow"} place */
  end(place) {
    const { t } = this.words;
    return html`<button class="button small quiet ${place}" type="button" data-action="end" title=${t("chat.endHint")} ?disabled=${this.off} @click=${() => this.tell("turn-end")}>${t("chat.end")}</button>`;
  }

  /** @param {InputForm} form */
  choice(form) {
    const { t } = this.words;
    return html`
      <div class="panel-body">
        <div class="options" role="group" aria-labelledby="question-title">
          ${form.options.map(
            ({ value, label }) =>
              html`<button class="button" type="button" ?disabled=${this.off} @click=${() => this.tell("question-answered", { choice: value })}>${this.optionLabel(value, label)}</button>`,
          )}
        </div>
        ${form.freeText ? html`<p class="muted">${t("question.orWrite")}</p>` : nothing} ${this.end("only-narrow")}
      </div>
    `;
  }

  /** A boolean without a title of its own is said in the reader's words. @param {unknown} value @param {string} label */
  optionLabel(value, label) {
    return typeof value === "boolean" && label === String(value) ? this.words.t(value ? "question.yes" : "question.no") : label;
  }

  /** @param {InputForm} form */
  fields(form) {
    const { t } = this.words;
    return html`
      <form novalidate @submit=${(/** @type {SubmitEvent} */ event) => void this.submit(event, form)}>
        <div class="panel-body">
          ${this.nothingGiven ? html`<p class="notice bad" role="alert">${icons.alert}<span class="grow">${t("question.nothing")}</span></p>` : nothing}
          ${form.fields.map((field, index) => this.field(field, index))}
        </div>
        <footer class="panel-foot">
          <button class="button primary" type="submit" ?disabled=${this.off}>${t("question.submit")}</button>
          ${this.end("only-narrow")}
        </footer>
      </form>
    `;
  }

  /** @param {Field} field @param {number} index */
  field(field, index) {
    const { t } = this.words;
    const problem = this.problems.get(field.name);
    const optional = field.required ? nothing : html` <span class="optional">(${t("question.optional")})</span>`;
    const described = [field.description ? `help-${index}` : "", problem ? `problem-${index}` : ""].filter(Boolean).join(" ") || nothing;
    const grouped = field.type === "boolean" || (field.type === "select" && field.options.length <= OPEN_OPTIONS);
    const after = html`
      ${field.description ? html`<p class="help" id="help-${index}">${field.description}</p>` : nothing}
      ${problem ? html`<p class="problem" id="problem-${index}">${icons.alert}<span>${t(problem === "required" ? "question.required" : `question.invalid.${field.type}`)}</span></p>` : nothing}
    `;
    if (grouped) {
      return html`<fieldset class="form-field" aria-describedby=${described}>
        <legend>${field.label}${optional}</legend>
        ${this.radios(field, index)} ${after}
      </fieldset>`;
    }
    return html`<div class="form-field">
      <label for="field-${index}">${field.label}${optional}</label>
      ${field.type === "select" ? this.select(field, index, described) : this.input(field, index, described)} ${after}
    </div>`;
  }

  /** @param {Field} field */
  choicesOf(field) {
    if (field.type !== "boolean") return field.options;
    return [true, false].map((value) => ({ value, label: this.words.t(value ? "question.yes" : "question.no") }));
  }

  /** @param {Field} field @param {number} index */
  radios(field, index) {
    return html`<div class="radios">
      ${this.choicesOf(field).map(
        ({ label }, option) =>
          html`<label><input type="radio" name="field-${index}" value=${option} ?required=${field.required} ?disabled=${this.off} />${label}</label>`,
      )}
      ${field.required ? nothing : html`<label><input type="radio" name="field-${index}" value="" checked ?disabled=${this.off} />${this.words.t("question.noValue")}</label>`}
    </div>`;
  }

  /** @param {Field} field @param {number} index @param {unknown} described */
  select(field, index, described) {
    const invalid = this.problems.has(field.name) ? "true" : nothing;
    return html`<select class="field" id="field-${index}" name="field-${index}" aria-describedby=${described} aria-invalid=${invalid} ?required=${field.required} ?disabled=${this.off}>
      <option value="">${this.words.t(field.required ? "question.pleaseChoose" : "question.noValue")}</option>
      ${field.options.map(({ label }, option) => html`<option value=${option}>${label}</option>`)}
    </select>`;
  }

  /**
   * Numbers are typed as text: the component reads them (F6), a number field would hide what it cannot read.
   * @param {Field} field @param {number} index @param {unknown} described
   */
  input(field, index, described) {
    const invalid = this.problems.has(field.name) ? "true" : nothing;
    const mode = field.type === "integer" ? "numeric" : field.type === "number" ? "decimal" : "text";
    return html`<input class="field" id="field-${index}" name="field-${index}" type="text" inputmode=${mode} autocomplete="off"
      aria-describedby=${described} aria-invalid=${invalid} ?required=${field.required} ?disabled=${this.off} />`;
  }

  /** @param {HTMLFormElement} element @param {InputForm} form @returns {Values} */
  valuesOf(element, form) {
    const data = new FormData(element);
    return Object.fromEntries(
      form.fields.flatMap((field, index) => {
        const raw = String(data.get(`field-${index}`) ?? "");
        if (field.type !== "boolean" && field.type !== "select") return raw === "" ? [] : [[field.name, raw]];
        const chosen = raw === "" ? undefined : this.choicesOf(field)[Number(raw)];
        return chosen === undefined ? [] : [[field.name, chosen.value]];
      }),
    );
  }

  /** @param {SubmitEvent} event @param {InputForm} form */
  async submit(event, form) {
    event.preventDefault();
    const fields = this.valuesOf(/** @type {HTMLFormElement} */ (event.target), form);
    this.problems = fieldProblems((await this.actions?.rules()) ?? null, form, fields);
    this.nothingGiven = this.problems.size === 0 && Object.keys(fields).length === 0;
    this.requestUpdate();
    if (this.problems.size > 0) {
      await this.updateComplete;
      const first = form.fields.findIndex((field) => this.problems.has(field.name));
      /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(`[name="field-${first}"]`))?.focus();
    } else if (!this.nothingGiven) {
      this.tell("question-answered", { fields });
    }
  }
}

customElements.define("agent-chat-question", ChatQuestion);
