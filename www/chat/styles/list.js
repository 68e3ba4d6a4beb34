import { css } from "../../vendor/lit.js";

export const listStyles = css`
  :host { display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto auto minmax(0, 1fr); }
  .top { display: grid; gap: 0.6rem; padding: 0.9rem 0.9rem 0.6rem; }
  .top h2 { font-size: 0.8125rem; font-weight: 650; color: var(--ac-muted); }
  .search { position: relative; }
  .search .icon { position: absolute; inset-inline-start: 0.6rem; top: 0.55rem; width: 1.1rem; height: 1.1rem; color: var(--ac-muted); pointer-events: none; }
  .search .field { padding-inline-start: 2.1rem; border-color: var(--ac-line); }
  .search .field:hover { border-color: var(--ac-line-strong); }
  .filter { display: flex; gap: 0.25rem; margin: 0 0.9rem 0.5rem; padding: 0.2rem; border: 0; border-radius: 8px; background: var(--ac-sunken); }
  .filter button { flex: 1; min-height: 1.75rem; border: 0; border-radius: 6px; background: transparent; color: var(--ac-muted); font-size: 0.8125rem; font-weight: 550; cursor: pointer; }
  .filter button[aria-pressed="true"] { background: var(--ac-surface); color: var(--ac-text); box-shadow: 0 1px 2px rgb(20 30 45 / 14%); }
  .scroll { overflow-y: auto; padding: 0 0.5rem 0.9rem; }
  .empty { padding: 0.8rem 0.5rem; color: var(--ac-muted); font-size: 0.875rem; }

  li { position: relative; border-radius: 8px; }
  li:hover { background: var(--ac-sunken); }
  li.open { background: var(--ac-accent-soft); }
  a { display: grid; gap: 0.05rem; padding: 0.5rem 0.6rem; border-radius: 8px; color: inherit; text-decoration: none; }
  .title { display: flex; gap: 0.35rem; align-items: center; min-width: 0; font-weight: 500; }
  .open .title { font-weight: 600; }
  .title span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .title .icon { width: 0.95rem; height: 0.95rem; color: var(--ac-muted); }
  .line { display: flex; gap: 0.4rem; align-items: center; min-height: 1.25rem; font-size: 0.8125rem; color: var(--ac-muted); }
  .line .by::before { content: "· "; }
  .line .by { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .dot { width: 0.5rem; height: 0.5rem; flex: none; border-radius: 50%; background: var(--ac-muted); }
  .dot.wait { background: var(--ac-warn); }
  .dot.bad { background: var(--ac-bad); }
  .dot.busy { background: var(--ac-accent); animation: breathe 1.4s ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: 0.3; } }
  .actions { position: absolute; inset-inline-end: 0.3rem; bottom: 0.25rem; display: flex; border-radius: 6px; background: inherit; opacity: 0; }
  li:hover .actions, li:focus-within .actions, li.open .actions { opacity: 1; }
  .actions .icon-button { width: 1.75rem; height: 1.75rem; }
  .actions .icon { width: 1.05rem; height: 1.05rem; }
  .rename { display: grid; gap: 0.4rem; padding: 0.5rem 0.6rem; }
  .rename div { display: flex; gap: 0.4rem; }
  /* Where backgrounds are the system's, a frame says what they say. */
  @media (forced-colors: active) {
    li { border: 1px solid Canvas; }
    li.open { border-color: Highlight; }
    .filter { border: 1px solid CanvasText; background: Canvas; }
    .filter button { border: 1px solid Canvas; background: Canvas; }
    .filter button[aria-pressed="true"] { border-color: Highlight; }
    .dot { forced-color-adjust: none; }
  }
  @media (hover: none) { .actions { opacity: 1; } }
`;
