import { css } from "../../vendor/lit.js";

export const headStyles = css`
  :host { display: block; }
  .head { display: flex; align-items: center; gap: 0.6rem; width: 100%; max-width: calc(var(--ac-measure) + 2.5rem); min-height: 3rem; margin: 0 auto; padding: 0.45rem 1.25rem; }
  .head h2 { flex: 0 1 auto; min-width: 0; overflow: hidden; font-size: 1.0625rem; font-weight: 650; text-overflow: ellipsis; white-space: nowrap; letter-spacing: -0.01em; }
  .badge { display: inline-flex; align-items: center; gap: 0.4rem; flex: none; padding: 0.1rem 0.6rem; border-radius: 99px; background: var(--ac-sunken); color: var(--ac-muted); font-size: 0.75rem; font-weight: 600; }
  .badge::before { content: ""; width: 0.45rem; height: 0.45rem; border-radius: 50%; background: currentColor; }
  .badge.good { background: var(--ac-good-soft); color: var(--ac-good); }
  .badge.busy { background: var(--ac-accent-soft); color: var(--ac-accent-text); }
  .badge.wait { background: var(--ac-warn-soft); color: var(--ac-warn); }
  .badge.bad { background: var(--ac-bad-soft); color: var(--ac-bad); }
  .name { display: flex; gap: 0.6rem; align-items: center; min-width: 0; }
  .space { flex: 1; }
  .icon-button { margin-inline: -0.15rem; }
  .icon-button.set { position: relative; color: var(--ac-accent-text); }
  .icon-button.set::after { content: ""; position: absolute; inset-block-start: 0.4rem; inset-inline-end: 0.4rem; width: 0.45rem; height: 0.45rem; border-radius: 50%; background: var(--ac-accent); }

  .instructions { display: grid; gap: 0.5rem; width: calc(100% - 2.5rem); max-width: var(--ac-measure); margin: 0 auto 0.75rem; padding: 0.9rem 1.1rem; border: 1px solid var(--ac-line); border-radius: 14px; background: var(--ac-surface); box-shadow: var(--ac-shadow); }
  .instructions h3 { font-size: 0.9375rem; font-weight: 650; }
  .instructions p { font-size: 0.8125rem; color: var(--ac-muted); }
  .instructions textarea { max-height: 40vh; resize: vertical; }
  .instructions .problem { color: var(--ac-bad); font-weight: 550; }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: flex-end; }
  @container (max-width: 720px) {
    .head { padding-inline: 0.9rem; }
    .name { display: grid; gap: 0; justify-items: start; }
    .head .name h2 { width: 100%; font-size: 1rem; line-height: 1.3; }
    .head .badge { padding: 0; background: none; }
    .instructions { width: calc(100% - 1.5rem); }
  }
  @media (max-height: 26rem) { .head { min-height: 0; padding-block: 0; } .instructions { max-height: 5.5rem; margin-bottom: 0.25rem; overflow-y: auto; } .instructions textarea { min-height: 3.5rem; } }
`;
