import { css } from "../../vendor/lit.js";

export const appStyles = css`
  :host { display: block; height: 100%; min-height: 0; background: var(--ac-bg); container-type: inline-size; }
  .frame { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto auto minmax(0, 1fr); height: 100%; min-width: 0; overflow: hidden; }

  .skip { position: absolute; inset-inline-start: 0.5rem; inset-block-start: 0.5rem; z-index: 10; transform: translateY(-5rem); background: var(--ac-surface); }
  .skip:focus { transform: none; }

  .rehearsal {
    display: flex; align-items: flex-start; gap: 0.5rem; padding-block: 0.35rem; padding-inline: 0.9rem 0.5rem; border-bottom: 1px solid var(--ac-warn-line); background: var(--ac-warn-soft);
    color: var(--ac-warn); font-size: 0.8125rem;
  }
  .rehearsal p { flex: 1; padding-block: 0.15rem; }
  .rehearsal .icon { width: 1.1rem; height: 1.1rem; margin-top: 0.2rem; }
  .rehearsal .icon-button { width: 1.6rem; height: 1.6rem; color: inherit; }
  .rehearsal .icon-button .icon { margin: 0; }

  .columns { position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr) auto; min-height: 0; }
  agent-chat-list { width: 18rem; min-height: 0; border-inline-end: 1px solid var(--ac-line); background: var(--ac-surface); }
  agent-chat-pages { width: 16.5rem; min-height: 0; border-inline-start: 1px solid var(--ac-line); background: var(--ac-surface); }
  main, .main { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); grid-template-rows: auto minmax(0, 1fr) auto; min-height: 0; }
  .no-list agent-chat-list, .no-pages agent-chat-pages { display: none; }

  .start-failed { display: grid; gap: 0.75rem; place-content: center; justify-items: center; height: 100%; padding: 2rem; text-align: center; }
  .start-failed h2 { font-size: 1.25rem; }

  .backdrop { display: none; }
  .drop { position: absolute; inset: 0.6rem; z-index: 2; display: grid; place-content: center; justify-items: center; gap: 0.5rem; padding: 1rem; border: 2px dashed var(--ac-accent); border-radius: var(--ac-radius-large); background: color-mix(in srgb, var(--ac-accent-soft) 94%, transparent); color: var(--ac-accent-text); font-weight: 600; text-align: center; pointer-events: none; }
  .drop .icon { width: 2rem; height: 2rem; }

  @container (max-width: 1020px) {
    agent-chat-pages { position: absolute; inset-block: 0; inset-inline-end: 0; z-index: 3; width: min(18rem, 88%); box-shadow: var(--ac-shadow); }
  }
  @container (max-width: 720px) {
    agent-chat-list { position: absolute; inset-block: 0; inset-inline-start: 0; z-index: 4; width: min(19rem, 88%); box-shadow: var(--ac-shadow); }
    .backdrop { display: block; position: absolute; inset: 0; z-index: 2; border: 0; background: rgb(10 15 25 / 40%); }
    .no-list.no-pages .backdrop { display: none; }
  }
  /* Zoomed in far, or a flat window: every part gives up what it can, for the conversation. */
  @media (max-height: 26rem) {
    .rehearsal { display: none; }
  }
`;

export const panelModeStyles = css`
  :host([mode="panel"]) {
    position: fixed; inset-block-end: var(--agent-chat-panel-inset, 1.25rem); inset-inline-end: var(--agent-chat-panel-inset, 1.25rem);
    z-index: var(--agent-chat-z-index, 1000); width: auto; height: auto; background: none; container-type: normal;
  }
  .panel {
    width: min(var(--agent-chat-panel-width, 26rem), 100vw - 2 * var(--agent-chat-panel-inset, 1.25rem));
    height: min(var(--agent-chat-panel-height, 44rem), 100dvh - 2 * var(--agent-chat-panel-inset, 1.25rem));
    overflow: hidden; border: 1px solid var(--ac-line); border-radius: var(--ac-radius-large); background: var(--ac-bg);
    box-shadow: 0 2px 6px var(--ac-shade), 0 16px 48px var(--ac-shade); container-type: inline-size; animation: open 160ms ease-out;
  }
  .panel.wide {
    width: min(76rem, 100vw - 2 * var(--agent-chat-panel-inset, 1.25rem));
    height: calc(100dvh - 2 * var(--agent-chat-panel-inset, 1.25rem));
  }
  @keyframes open { from { transform: translateY(10px) scale(0.99); } }
  .launcher {
    position: relative; display: inline-flex; align-items: center; gap: 0.55rem; min-height: 3rem; padding-block: 0.5rem; padding-inline: 0.9rem 1.15rem; border: 1px solid transparent;
    border-radius: 99px; background: var(--ac-accent); color: var(--ac-on-accent); font-weight: 600; box-shadow: var(--ac-shadow); cursor: pointer;
  }
  .launcher:hover { background: var(--ac-accent-hover); }
  .launcher:focus-visible { outline-offset: 3px; }
  .launcher .waiting { position: absolute; inset-block-start: -0.15rem; inset-inline-end: -0.15rem; width: 1rem; height: 1rem; border: 2px solid var(--ac-surface); border-radius: 50%; background: light-dark(#b3261e, #ff9d95); }
  @media (max-width: 30rem), (max-height: 30rem) {
    .panel, .panel.wide { position: fixed; inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; }
  }
  @media (forced-colors: active) { .launcher { border-color: ButtonText; } }
`;
