import { css } from "../../vendor/lit.js";

/** The frame that the approval card and the question share. */
export const panelStyles = css`
  :host { display: block; }
  .panel { overflow: hidden; border: 1px solid var(--ac-line); border-radius: 14px; background: var(--ac-surface); box-shadow: var(--ac-shadow); animation: rise 180ms ease-out; }
  /* Never from nothing: a frame that comes late must not hide what is to be decided. */
  @keyframes rise { from { transform: translateY(6px); } }
  .panel-head { display: flex; gap: 0.75rem; align-items: center; padding: 0.9rem 1.1rem; border-bottom: 1px solid var(--ac-line); }
  .panel-head .mark { display: grid; place-items: center; width: 2.25rem; height: 2.25rem; flex: none; border-radius: 10px; background: var(--ac-warn-soft); color: var(--ac-warn); }
  .panel-head > div { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  .panel-head .button { flex: none; margin-inline-end: -0.4rem; }
  .panel-head h3 { font-size: 1.0625rem; font-weight: 650; letter-spacing: -0.01em; line-height: 1.35; }
  .panel-body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1rem 1.1rem; }
  .panel-foot { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; padding: 0.8rem 1.1rem; border-top: 1px solid var(--ac-line); background: var(--ac-bg); }
  .panel-foot .space { flex: 1; }
  .only-narrow { display: none; }
  @container (max-width: 720px) {
    .only-wide { display: none; }
    .only-narrow { display: inline-flex; }
    .panel-body .only-narrow { justify-self: start; margin-inline-start: -0.65rem; }
  }
`;

export const cardStyles = css`
  .panel { border-color: var(--ac-warn-line); }
  .call { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; }
  .call + .call { padding-top: 1rem; border-top: 1px solid var(--ac-line); }
  .call h4 { font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
  .target { color: var(--ac-muted); font-size: 0.875rem; overflow-wrap: anywhere; }
  .changes { display: grid; gap: 0.5rem; }
  .change { overflow: hidden; border: 1px solid var(--ac-line); border-radius: var(--ac-radius); }
  .change > dt { padding: 0.35rem 0.8rem; background: var(--ac-sunken); font-size: 0.8125rem; font-weight: 600; overflow-wrap: anywhere; }
  .pair { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); }
  .pair > div { padding: 0.55rem 0.8rem 0.65rem; overflow-wrap: anywhere; white-space: pre-wrap; }
  .pair .caption { display: block; margin-bottom: 0.1rem; font-size: 0.75rem; color: var(--ac-muted); white-space: normal; }
  .pair .arrow { display: grid; place-items: center; padding-inline: 0.4rem; color: var(--ac-muted); }
  .pair .old { color: var(--ac-muted); }
  .pair .old del { text-decoration-color: var(--ac-bad); text-decoration-thickness: 1px; }
  .pair .new { background: var(--ac-good-soft); color: var(--ac-text); font-weight: 600; }
  .pair .new .caption { color: var(--ac-good); font-weight: 400; }
  .pair .new ins { text-decoration: none; }
  .pair .none { font-style: italic; font-weight: 400; color: var(--ac-muted); }
  .lines { display: grid; gap: 0.15rem; padding: 0.6rem 0.8rem; border: 1px solid var(--ac-line); border-radius: var(--ac-radius); overflow-wrap: anywhere; white-space: pre-wrap; }
  details { font-size: 0.875rem; }
  summary { width: fit-content; min-height: 1.5rem; line-height: 1.5rem; color: var(--ac-muted); cursor: pointer; border-radius: 4px; }
  summary:hover { color: var(--ac-text); }
  .technical { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.3rem 0.9rem; margin-top: 0.5rem; padding: 0.7rem 0.8rem; border-radius: var(--ac-radius-small); background: var(--ac-sunken); }
  .technical dt { color: var(--ac-muted); font-size: 0.8125rem; }
  .technical :is(code, pre) { font: 0.8125rem/1.5 var(--ac-mono); overflow-wrap: anywhere; }
  .technical pre { max-height: 18rem; margin: 0; overflow: auto; white-space: pre-wrap; }
  @container (max-width: 720px) {
    .pair { grid-template-columns: minmax(0, 1fr); }
    .pair .arrow { display: none; }
    .pair .old { padding-bottom: 0.3rem; }
    .panel-foot { align-items: stretch; }
    .panel-foot .button { flex: 1 1 40%; padding-inline: 0.4rem; font-size: 0.875rem; }
    .panel-foot .space { display: none; }
  }
`;

export const questionStyles = css`
  .panel { border-color: var(--ac-line); }
  .panel-head .mark { background: var(--ac-accent-soft); color: var(--ac-accent-text); }
  .options { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .options .button { border-color: var(--ac-accent); color: var(--ac-accent-text); border-radius: 99px; text-align: start; overflow-wrap: anywhere; }
  .options .button:hover { background: var(--ac-accent-soft); }
  fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
  form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  .form-field { display: grid; gap: 0.25rem; }
  .form-field label, .form-field legend { padding: 0; font-weight: 600; overflow-wrap: anywhere; }
  .form-field .optional { font-weight: 400; font-size: 0.8125rem; color: var(--ac-muted); }
  .form-field .help { font-size: 0.8125rem; color: var(--ac-muted); }
  .form-field .problem { display: flex; gap: 0.35rem; font-size: 0.8125rem; font-weight: 550; color: var(--ac-bad); }
  .form-field .problem .icon { width: 1rem; height: 1rem; margin-top: 0.1rem; }
  .radios { display: flex; flex-wrap: wrap; gap: 0.35rem 1.1rem; padding-top: 0.15rem; }
  .radios label { display: inline-flex; gap: 0.4rem; align-items: center; min-height: 1.9rem; font-weight: 400; cursor: pointer; }
  .radios input { width: 1.05rem; height: 1.05rem; margin: 0; accent-color: var(--ac-accent); }
  textarea.field { min-height: 2.25rem; resize: vertical; }
`;
