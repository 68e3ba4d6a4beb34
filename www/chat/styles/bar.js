import { css } from "../../vendor/lit.js";

export const barStyles = css`
  :host { display: block; }
  .bar {
    display: flex; align-items: center; gap: 0.5rem; min-height: 3.25rem; padding: 0.4rem 0.9rem; border-bottom: 1px solid var(--ac-line);
    background: var(--ac-surface);
  }
  .brand { display: flex; align-items: center; gap: 0.55rem; min-width: 0; }
  .mark { display: grid; place-items: center; width: 1.8rem; height: 1.8rem; flex: none; border-radius: 8px; background: var(--ac-accent); color: var(--ac-on-accent); }
  .name { overflow: hidden; font-size: 1rem; font-weight: 650; letter-spacing: -0.005em; text-overflow: ellipsis; white-space: nowrap; }
  .space { flex: 1; }
  .choice { display: flex; min-width: 0; align-items: center; gap: 0.45rem; font-size: 0.875rem; color: var(--ac-muted); }
  .choice + .choice { margin-inline-start: 0.5rem; }
  .choice span { flex: none; }
  .choice .field { flex: 0 1 auto; width: auto; min-width: 0; max-width: 15rem; min-height: 2rem; padding-block: 0.15rem; color: var(--ac-text); border-color: var(--ac-line); text-overflow: ellipsis; }
  .choice .field:hover { border-color: var(--ac-line-strong); }
  :host([panel]) .bar { padding-inline: 0.6rem; }

  /* There the panel fills the window anyway. */
  @media (max-width: 30rem), (max-height: 30rem) { [data-action="panel-wide"] { display: none; } }
  @media (max-height: 26rem) { .bar { min-height: 0; padding-block: 0.1rem; } }
  @container (max-width: 720px) {
    .bar { padding-inline: 0.5rem; gap: 0.25rem; }
    :host(:not([panel])) .name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .choice + .choice { margin-inline-start: 0; }
    .choice span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .choice .field { max-width: 9.5rem; min-height: 2.25rem; padding-inline: 0.4rem; }
  }
`;
