import { css } from "../../vendor/lit.js";

export const transcriptStyles = css`
  :host { display: block; min-height: 0; overflow-y: auto; overscroll-behavior: contain; overflow-anchor: none; }
  .more { justify-self: center; }
  .to-newest { position: sticky; inset-block-end: 0.75rem; display: grid; justify-content: center; align-content: end; height: 0; }
  .to-newest .icon-button { border-color: var(--ac-line); border-radius: 50%; background: var(--ac-surface); box-shadow: var(--ac-shadow); }
  agent-chat-clock { font-size: 0.8125rem; }
  .inner { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; max-width: calc(var(--ac-measure) + 2.5rem); margin: 0 auto; padding: 0.75rem 1.25rem 1.5rem; }
  .log { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  .log:empty { display: none; }
  .end { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.9rem; }
  .status { display: grid; gap: 0.5rem; border-radius: var(--ac-radius-small); outline-offset: 3px; }
  .rest { color: var(--ac-muted); font-size: 0.8125rem; }
  .status:not(:focus-visible) .rest { display: none; }
  .actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
  .detail { margin-top: 0.35rem; font-size: 0.8125rem; overflow-wrap: anywhere; }
  .detail code { font-family: var(--ac-mono); }
  /* Narrow, the button goes below. */
  .doing { display: grid; flex: 1 1 min(18rem, 80%); gap: 0.1rem; }
  .working { display: flex; flex-wrap: wrap; gap: 0.65rem; align-items: center; color: var(--ac-muted); }
  .dots { display: inline-flex; gap: 0.25rem; }
  .dots i { width: 0.42rem; height: 0.42rem; border-radius: 50%; background: var(--ac-accent); animation: bounce 1.1s ease-in-out infinite; }
  .dots i:nth-child(2) { animation-delay: 140ms; }
  .dots i:nth-child(3) { animation-delay: 280ms; }
  @keyframes bounce { 0%, 70%, 100% { transform: none; opacity: 0.45; } 35% { transform: translateY(-0.25rem); opacity: 1; } }

  .blank { display: grid; justify-items: center; gap: 0.75rem; padding: clamp(1.5rem, 12vh, 7rem) 1rem 2rem; text-align: center; }
  .blank .mark { display: grid; place-items: center; width: 3rem; height: 3rem; border-radius: 14px; background: var(--ac-accent-soft); color: var(--ac-accent-text); }
  .blank .mark .icon { width: 1.6rem; height: 1.6rem; }
  .blank h3 { font-size: 1.375rem; font-weight: 650; letter-spacing: -0.02em; text-wrap: balance; }
  .blank p { max-width: 32rem; color: var(--ac-muted); text-wrap: pretty; }
  .examples { display: grid; gap: 0.5rem; width: min(26rem, 100%); margin-top: 0.75rem; }
  .examples button { display: flex; align-items: center; justify-content: space-between; gap: 0.6rem; padding: 0.65rem 0.9rem; border: 1px solid var(--ac-line); border-radius: var(--ac-radius); background: var(--ac-surface); text-align: start; cursor: pointer; }
  .examples button:hover { border-color: var(--ac-accent); }
  .examples .icon { color: var(--ac-muted); }
  .skeleton { display: grid; gap: 0.75rem; padding-top: 1rem; }
  .skeleton i { height: 2.6rem; border-radius: var(--ac-radius); background: var(--ac-sunken); animation: pulse 1.6s ease-in-out infinite; }
  .skeleton i:nth-child(odd) { justify-self: end; width: 45%; }
  .skeleton i:nth-child(even) { width: 70%; height: 4.5rem; }
  @keyframes pulse { 50% { opacity: 0.5; } }
  /* In a flat window it would cover what is to be read. */
  @media (max-height: 26rem) { .to-newest { display: none; } }
  @container (max-width: 720px) { .inner { padding-inline: 0.9rem; } }
`;

export const messageStyles = css`
  :host { display: block; }
  .row { display: grid; gap: 0.3rem; justify-items: start; }
  .row.user { justify-items: end; }
  .line { display: flex; gap: 0.5rem; align-items: center; width: 100%; min-width: 0; }
  .line:empty { display: none; }
  .user .line { justify-content: flex-end; }
  .bubble { min-width: 0; max-width: 100%; overflow-wrap: anywhere; }
  .user .bubble { max-width: min(34rem, 88%); padding: 0.55rem 0.9rem; border-radius: 14px; border-end-end-radius: 4px; background: var(--ac-accent-soft); white-space: pre-wrap; }
  .user.decided .bubble { padding-block: 0.3rem; background: transparent; border: 1px solid var(--ac-line); color: var(--ac-muted); font-size: 0.875rem; }
  .assistant .bubble { width: 100%; }
  .beside .bubble { padding-inline-start: 0.8rem; border-inline-start: 2px solid var(--ac-line); color: var(--ac-muted); font-size: 0.875rem; }
  .system .bubble { width: 100%; text-align: center; font-style: italic; color: var(--ac-muted); white-space: pre-wrap; }
  .meta { display: flex; flex: none; gap: 0.35rem; align-items: center; min-height: 1.6rem; color: var(--ac-muted); font-size: 0.75rem; }
  .meta .icon-button { width: 1.6rem; height: 1.6rem; }
  .meta .icon-button .icon { width: 0.95rem; height: 0.95rem; }
  .quiet-until-used { opacity: 0; transition: opacity 120ms; }
  :host(:hover) .quiet-until-used, :host(:focus-within) .quiet-until-used { opacity: 1; }
  @media (hover: none) { .quiet-until-used { opacity: 1; } }
  @container (max-width: 720px) { .meta.quiet-until-used span { display: none; } .user .bubble { max-width: 100%; } }
  .note { display: flex; gap: 0.45rem; align-items: flex-start; max-width: 100%; padding: 0.35rem 0.65rem; border-radius: var(--ac-radius-small); background: var(--ac-warn-soft); color: var(--ac-warn); font-size: 0.875rem; overflow-wrap: anywhere; }
  .note.plain { background: var(--ac-sunken); color: var(--ac-muted); }
  .note .icon { width: 1.05rem; height: 1.05rem; margin-top: 0.14rem; }
  .file { display: inline-flex; gap: 0.35rem; align-items: center; padding: 0.15rem 0.55rem; border: 1px solid var(--ac-line); border-radius: var(--ac-radius-small); font-size: 0.8125rem; white-space: normal; }
  .file .icon { width: 1rem; height: 1rem; }
  .files { display: flex; flex-wrap: wrap; gap: 0.35rem; }
  .failed .bubble { border: 1px dashed var(--ac-bad); }
  .sending .bubble { opacity: 0.65; }
  .unsent { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; justify-content: flex-end; color: var(--ac-bad); font-size: 0.8125rem; }
  .tool { width: 100%; }
  .tool summary { min-height: 1.5rem; cursor: pointer; color: var(--ac-muted); font-size: 0.8125rem; }
  .tool pre { max-height: 16rem; overflow: auto; margin: 0.3rem 0 0; padding: 0.6rem; border-radius: var(--ac-radius-small); background: var(--ac-sunken); font: 0.8125rem/1.5 var(--ac-mono); white-space: pre-wrap; }

  @media (forced-colors: active) { .user .bubble, .note { border: 1px solid CanvasText; } }

  .edit { display: grid; gap: 0.5rem; width: 100%; }
  .edit textarea { min-height: 5rem; resize: vertical; }
  .edit div { display: flex; flex-wrap: wrap; gap: 0.5rem; justify-content: flex-end; }
  .edit p { font-size: 0.8125rem; color: var(--ac-muted); }

  .markdown > * + * { margin-top: 0.65em; }
  .markdown :is(ul, ol) { padding-inline-start: 1.4em; list-style: disc; }
  .markdown ol { list-style: decimal; }
  .markdown li + li { margin-top: 0.2em; }
  .markdown li > :is(ul, ol) { margin-top: 0.2em; }
  .markdown a { color: var(--ac-accent-text); text-decoration-thickness: 1px; text-underline-offset: 2px; }
  .markdown h4 { font-size: 1.0625rem; }
  .markdown h5, .markdown h6 { font-size: 0.9375rem; }
  .markdown code { padding: 0.1em 0.3em; border-radius: 4px; background: var(--ac-sunken); font: 0.875em/1.5 var(--ac-mono); }
  .markdown pre { overflow-x: auto; padding: 0.75rem 0.9rem; border-radius: var(--ac-radius-small); background: var(--ac-sunken); }
  .markdown pre code { padding: 0; background: none; }
  .markdown blockquote { margin-inline: 0; padding-inline-start: 0.9em; border-inline-start: 3px solid var(--ac-line); color: var(--ac-muted); }
  .markdown table { display: block; width: fit-content; max-width: 100%; overflow-x: auto; border-collapse: collapse; font-size: 0.875rem; }
  .markdown :is(th, td) { padding: 0.35rem 0.7rem; border: 1px solid var(--ac-line); text-align: start; vertical-align: top; }
  .markdown th { background: var(--ac-sunken); font-weight: 600; }
  .markdown hr { border: 0; border-top: 1px solid var(--ac-line); }
`;
