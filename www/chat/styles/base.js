/** What every part uses: text, buttons, fields, notices. */

import { css } from "../../vendor/lit.js";

export const base = css`
  *, *::before, *::after { box-sizing: border-box; }
  :host { font: 400 0.9375rem/1.5 var(--ac-font); color: var(--ac-text); }
  [hidden] { display: none !important; }
  h1, h2, h3, h4, h5, h6, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
  ul, ol { list-style: none; }
  button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
  .icon { display: block; width: 1.25rem; height: 1.25rem; flex: none; }

  .icon.mirrored:dir(rtl) { transform: scaleX(-1); }

  :focus-visible { outline: 2px solid var(--ac-accent); outline-offset: 2px; }

  .visually-hidden {
    position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; border: 0;
  }

  .button {
    display: inline-flex; align-items: center; justify-content: center; gap: 0.4rem; min-height: 2.25rem; padding: 0.35rem 0.9rem;
    border: 1px solid var(--ac-line-strong); border-radius: var(--ac-radius-small); background: var(--ac-surface); font-weight: 550; cursor: pointer;
    transition: background-color 120ms, border-color 120ms;
  }
  .button:hover { background: var(--ac-sunken); }
  .button.primary { border-color: var(--ac-accent); background: var(--ac-accent); color: var(--ac-on-accent); }
  .button.primary:hover { border-color: var(--ac-accent-hover); background: var(--ac-accent-hover); }
  .button.quiet { border-color: transparent; background: transparent; color: var(--ac-muted); }
  .button.quiet:hover { background: var(--ac-sunken); color: var(--ac-text); }
  .button.danger { color: var(--ac-bad); }
  .button.small { min-height: 1.9rem; padding: 0.15rem 0.65rem; font-size: 0.875rem; }
  .button:disabled { opacity: 0.55; cursor: default; }
  .button .icon { width: 1.1rem; height: 1.1rem; }

  .icon-button {
    display: inline-grid; place-items: center; width: 2.25rem; height: 2.25rem; flex: none; padding: 0; border: 1px solid transparent;
    border-radius: var(--ac-radius-small); background: transparent; color: var(--ac-muted); cursor: pointer;
  }
  .icon-button:hover { background: var(--ac-sunken); color: var(--ac-text); }
  .icon-button[aria-pressed="true"], .icon-button[aria-expanded="true"] { color: var(--ac-accent-text); }
  .icon-button:disabled { opacity: 0.5; cursor: default; }

  .field {
    width: 100%; min-height: 2.25rem; padding: 0.35rem 0.65rem; border: 1px solid var(--ac-line-strong); border-radius: var(--ac-radius-small);
    background: var(--ac-surface);
  }
  .field:focus-visible { outline-offset: 0; border-color: var(--ac-accent); }
  .field::placeholder { color: var(--ac-muted); opacity: 1; }
  .field[aria-invalid="true"] { border-color: var(--ac-bad); }

  .notice {
    display: flex; gap: 0.6rem; align-items: flex-start; padding: 0.6rem 0.8rem; border: 1px solid var(--ac-line); border-radius: var(--ac-radius-small);
    background: var(--ac-surface);
  }
  .notice > .icon { margin-top: 0.08rem; color: var(--ac-muted); }
  .notice .grow { flex: 1; min-width: 0; overflow-wrap: anywhere; }
  .notice > .button { margin-block: -0.2rem; color: inherit; }
  .notice.warn { border-color: var(--ac-warn-line); background: var(--ac-warn-soft); color: var(--ac-warn); }
  .notice.bad { border-color: var(--ac-bad-line); background: var(--ac-bad-soft); color: var(--ac-bad); }
  .notice.info { border-color: transparent; background: var(--ac-accent-soft); color: var(--ac-accent-text); }
  .notice.warn > .icon, .notice.bad > .icon, .notice.info > .icon { color: inherit; }

  .eyebrow { font-size: 0.75rem; font-weight: 650; letter-spacing: 0.04em; text-transform: uppercase; color: var(--ac-muted); }
  .muted { color: var(--ac-muted); }
  .mono { font-family: var(--ac-mono); font-size: 0.8125rem; }

  @media (prefers-reduced-motion: reduce) {
    *, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
  }
  @media (forced-colors: active) {
    .button, .icon-button { border-color: ButtonText; }
    .notice { border-color: CanvasText; }
  }
`;
