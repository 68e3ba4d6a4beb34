import { css } from "../../vendor/lit.js";

export const composerStyles = css`
  :host { display: block; padding: 0.25rem 1.25rem 1rem; }
  .inner { max-width: var(--ac-measure); margin: 0 auto; }
  .box { display: flex; gap: 0.35rem; align-items: flex-end; padding: 0.35rem; border: 1px solid var(--ac-line-strong); border-radius: 14px; background: var(--ac-surface); }
  .box:focus-within { border-color: var(--ac-accent); outline: 1px solid var(--ac-accent); }
  textarea { flex: 1; min-width: 0; max-height: 12rem; padding: 0.4rem 0; border: 0; outline: 0; background: transparent; resize: none; overflow-y: auto; field-sizing: content; }
  /* The box around it shows the focus. */
  textarea:focus-visible { outline: 0; }
  textarea::placeholder { color: var(--ac-muted); opacity: 1; }
  .attach { width: 2.4rem; height: 2.4rem; border-radius: 10px; }
  .send { width: 2.4rem; height: 2.4rem; border-color: transparent; border-radius: 10px; background: var(--ac-accent); color: var(--ac-on-accent); }
  .send:hover { background: var(--ac-accent-hover); color: var(--ac-on-accent); }
  .send:disabled { background: var(--ac-sunken); color: var(--ac-muted); opacity: 1; }
  .hint { display: flex; justify-content: space-between; gap: 1rem; min-height: 1.2rem; margin-top: 0.35rem; padding-inline: 0.25rem; font-size: 0.75rem; color: var(--ac-muted); }
  .hint .over { color: var(--ac-bad); font-weight: 600; }
  .read-only { padding: 0.7rem 0.9rem; border-radius: var(--ac-radius); background: var(--ac-sunken); color: var(--ac-muted); text-align: center; }
  @container (max-width: 720px) { :host { padding: 0.25rem 0.75rem 0.75rem; } }
  @media (max-height: 26rem) {
    :host { padding-block: 0.1rem 0.3rem; }
    .box { padding-block: 0; }
    .hint { min-height: 0; margin: 0; }
    .keys { display: none; }
  }
  @media (hover: none) { .keys { display: none; } }
`;

export const filesStyles = css`
  :host { display: block; }
  ul { display: flex; flex-wrap: wrap; gap: 0.5rem; max-height: 11rem; margin: 0 0 0.5rem; padding: 3px; overflow-y: auto; }
  .chip { display: flex; gap: 0.55rem; align-items: center; min-width: 0; max-width: min(100%, 20rem); padding: 0.3rem; border: 1px solid var(--ac-line); border-radius: var(--ac-radius); background: var(--ac-surface); }
  .chip img, .chip .type { width: 2.5rem; height: 2.5rem; flex: none; border-radius: 6px; object-fit: cover; background: var(--ac-sunken); }
  .chip .type { display: grid; place-items: center; color: var(--ac-muted); }
  .about { display: grid; min-width: 0; flex: 1; line-height: 1.3; }
  .name { overflow: hidden; font-size: 0.875rem; font-weight: 550; text-overflow: ellipsis; white-space: nowrap; }
  .line { font-size: 0.75rem; color: var(--ac-muted); font-variant-numeric: tabular-nums; }
  .chip .icon-button { width: 1.75rem; height: 1.75rem; }
  .chip .icon-button .icon { width: 1rem; height: 1rem; }
  .failed { border-color: var(--ac-bad-line); background: var(--ac-bad-soft); }
  .failed .line { color: var(--ac-bad); }
  progress { width: 100%; height: 0.3rem; margin-top: 0.2rem; border: 0; border-radius: 99px; overflow: hidden; background: var(--ac-sunken); appearance: none; accent-color: var(--ac-accent); }
  progress::-webkit-progress-bar { background: var(--ac-sunken); }
  progress::-webkit-progress-value { background: var(--ac-accent); }
  progress::-moz-progress-bar { background: var(--ac-accent); }
`;

export const activityStyles = css`
  :host { display: block; font-size: 0.8125rem; color: var(--ac-muted); }
  summary { display: inline-flex; gap: 0.4rem; align-items: center; min-height: 1.5rem; cursor: pointer; border-radius: 4px; list-style: none; }
  summary::-webkit-details-marker { display: none; }
  summary::before { content: "›"; display: inline-block; font-size: 1rem; line-height: 1; transition: transform 120ms; }
  details[open] summary::before { transform: rotate(90deg); }
  summary:hover { color: var(--ac-text); }
  ol { display: grid; gap: 0.15rem; margin-block: 0.45rem 0; margin-inline: 0.2rem 0; padding-inline-start: 0.9rem; border-inline-start: 2px solid var(--ac-line); }
  li { display: flex; gap: 0.75rem; justify-content: space-between; max-width: 26rem; }
  li span:first-child { overflow-wrap: anywhere; }
  .time { font-variant-numeric: tabular-nums; white-space: nowrap; }
  .failed { color: var(--ac-bad); }
  .now { color: var(--ac-accent-text); font-weight: 550; }
`;

export const pagesStyles = css`
  :host { display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr); }
  .top { display: flex; align-items: center; gap: 0.25rem; padding-block: 0.7rem 0.4rem; padding-inline: 0.9rem 0.5rem; }
  h2 { flex: 1; font-size: 0.8125rem; font-weight: 650; color: var(--ac-muted); }
  .scroll { overflow-y: auto; padding: 0 0.6rem 1rem; }
  ul ul { margin-inline-start: 0.85rem; padding-inline-start: 0.45rem; border-inline-start: 1px solid var(--ac-line); }
  .page { display: flex; gap: 0.5rem; align-items: flex-start; padding: 0.3rem 0.4rem; border-radius: 6px; }
  .page .icon { width: 1.05rem; height: 1.05rem; margin-top: 0.15rem; color: var(--ac-muted); }
  .page .text { min-width: 0; overflow-wrap: anywhere; font-size: 0.875rem; line-height: 1.35; }
  .page .slug { display: block; font: 0.75rem/1.4 var(--ac-mono); color: var(--ac-muted); }
  .page.hidden-page .name { color: var(--ac-muted); }
  .page.changed { background: var(--ac-good-soft); }
  .name-line { display: flex; flex-wrap: wrap; gap: 0 0.4rem; align-items: center; }
  .tag { padding: 0 0.4rem; border-radius: 99px; background: var(--ac-sunken); color: var(--ac-muted); font-size: 0.6875rem; font-weight: 600; white-space: nowrap; }
  .tag.good { background: transparent; color: var(--ac-good); }
  .empty { padding: 0.5rem; color: var(--ac-muted); font-size: 0.875rem; }
`;
