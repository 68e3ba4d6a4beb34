import { css } from "../../vendor/lit.js";

export const appStyles = css`
  :host { display: block; height: 100%; min-height: 0; background: var(--ac-bg); container-type: inline-size; }
  .frame { display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto auto minmax(0, 1fr); height: 100%; min-width: 0; }

  .skip { position: absolute; inset-inline-start: 0.5rem; top: -4rem; z-index: 10; background: var(--ac-surface); }
  .skip:focus { top: 0.5rem; }

  .bar {
    display: flex; align-items: center; gap: 0.5rem; min-height: 3.25rem; padding: 0.4rem 0.9rem; border-bottom: 1px solid var(--ac-line);
    background: var(--ac-surface);
  }
  .brand { display: flex; align-items: center; gap: 0.55rem; min-width: 0; font-size: 1rem; font-weight: 650; letter-spacing: -0.005em; }
  .brand .mark { display: grid; place-items: center; width: 1.8rem; height: 1.8rem; flex: none; border-radius: 8px; background: var(--ac-accent); color: var(--ac-on-accent); }
  .brand .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .space { flex: 1; }
  .choice { display: flex; min-width: 0; align-items: center; gap: 0.45rem; font-size: 0.875rem; color: var(--ac-muted); }
  .choice + .choice { margin-inline-start: 0.5rem; }
  .choice span { flex: none; }
  .choice .field { flex: 0 1 auto; width: auto; min-width: 0; max-width: 15rem; min-height: 2rem; padding-block: 0.15rem; color: var(--ac-text); border-color: var(--ac-line); text-overflow: ellipsis; }
  .choice .field:hover { border-color: var(--ac-line-strong); }

  .rehearsal {
    display: flex; align-items: flex-start; gap: 0.5rem; padding: 0.35rem 0.5rem 0.35rem 0.9rem; border-bottom: 1px solid var(--ac-warn-line); background: var(--ac-warn-soft);
    color: var(--ac-warn); font-size: 0.8125rem;
  }
  .rehearsal p { flex: 1; padding-block: 0.15rem; }
  .rehearsal .icon { width: 1.1rem; height: 1.1rem; margin-top: 0.2rem; }
  .rehearsal .icon-button { width: 1.6rem; height: 1.6rem; color: inherit; }
  .rehearsal .icon-button .icon { margin: 0; }

  .columns { position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr) auto; min-height: 0; }
  agent-chat-list { width: 18rem; min-height: 0; border-inline-end: 1px solid var(--ac-line); background: var(--ac-surface); }
  agent-chat-pages { width: 16.5rem; min-height: 0; border-inline-start: 1px solid var(--ac-line); background: var(--ac-surface); }
  main { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr) auto; min-height: 0; }
  .no-list agent-chat-list, .no-pages agent-chat-pages { display: none; }

  .start-failed { display: grid; gap: 0.75rem; place-content: center; justify-items: center; height: 100%; padding: 2rem; text-align: center; }

  .backdrop { display: none; }
  .drop { position: absolute; inset: 0.6rem; z-index: 2; display: grid; place-content: center; justify-items: center; gap: 0.5rem; padding: 1rem; border: 2px dashed var(--ac-accent); border-radius: 14px; background: color-mix(in srgb, var(--ac-accent-soft) 94%, transparent); color: var(--ac-accent-text); font-weight: 600; text-align: center; pointer-events: none; }
  .drop .icon { width: 2rem; height: 2rem; }

  @container (max-width: 1020px) {
    agent-chat-pages { position: absolute; inset-block: 0; inset-inline-end: 0; z-index: 3; width: min(18rem, 88%); box-shadow: var(--ac-shadow); }
  }
  @container (max-width: 720px) {
    .bar { padding-inline: 0.5rem; gap: 0.25rem; }
    .brand .name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .choice + .choice { margin-inline-start: 0; }
    .choice span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .choice .field { max-width: 9.5rem; padding-inline: 0.4rem; }
    agent-chat-list { position: absolute; inset-block: 0; inset-inline-start: 0; z-index: 4; width: min(19rem, 88%); box-shadow: var(--ac-shadow); }
    .backdrop { display: block; position: absolute; inset: 0; z-index: 2; border: 0; background: rgb(10 15 25 / 40%); }
    .no-list.no-pages .backdrop { display: none; }
  }
`;
