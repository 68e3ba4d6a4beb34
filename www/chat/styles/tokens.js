/** Colours, sizes and type of the chat as custom properties. A backend overrides the `--agent-chat-*` ones on the element or above it. */

import { css } from "../../vendor/lit.js";

export const tokens = css`
  :host {
    color-scheme: light dark;
    --ac-font: var(--agent-chat-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif);
    --ac-mono: var(--agent-chat-mono, ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
    --ac-accent: var(--agent-chat-accent, light-dark(#2b50c8, #93acff));
    --ac-accent-hover: var(--agent-chat-accent-hover, light-dark(#2343ab, #b1c3ff));
    --ac-on-accent: var(--agent-chat-on-accent, light-dark(#ffffff, #0d1530));
    --ac-accent-soft: var(--agent-chat-accent-soft, light-dark(#e8edfb, #24304f));
    --ac-accent-text: var(--agent-chat-accent-text, light-dark(#2343ab, #b1c3ff));
    --ac-bg: var(--agent-chat-background, light-dark(#f4f5f7, #11151b));
    --ac-surface: var(--agent-chat-surface, light-dark(#ffffff, #1a2029));
    --ac-sunken: var(--agent-chat-sunken, light-dark(#eceff3, #232b36));
    --ac-line: var(--agent-chat-line, light-dark(#dce1e7, #313b48));
    --ac-line-strong: var(--agent-chat-line-strong, light-dark(#7d8896, #7c8a9b));
    --ac-text: var(--agent-chat-text, light-dark(#18212d, #e6ebf2));
    --ac-muted: var(--agent-chat-muted, light-dark(#566373, #a2afbe));
    --ac-good: var(--agent-chat-good, light-dark(#176a41, #7fd6a6));
    --ac-good-soft: var(--agent-chat-good-soft, light-dark(#e3f4ea, #17362a));
    --ac-warn: var(--agent-chat-warn, light-dark(#7a4b00, #f0c674));
    --ac-warn-soft: var(--agent-chat-warn-soft, light-dark(#fdf1d8, #372c14));
    --ac-warn-line: var(--agent-chat-warn-line, light-dark(#e6c887, #6a5523));
    --ac-bad: var(--agent-chat-bad, light-dark(#a8231b, #ff9d95));
    --ac-bad-soft: var(--agent-chat-bad-soft, light-dark(#fdebe9, #3d1f1e));
    --ac-bad-line: var(--agent-chat-bad-line, light-dark(#efb9b4, #74403c));
    --ac-shade: light-dark(rgb(20 30 45 / 9%), rgb(0 0 0 / 38%));
    --ac-shadow: 0 1px 2px var(--ac-shade), 0 6px 20px var(--ac-shade);
    --ac-radius: var(--agent-chat-radius, 10px);
    --ac-radius-small: calc(var(--ac-radius) * 0.6);
    --ac-radius-large: calc(var(--ac-radius) * 1.4);
    --ac-measure: var(--agent-chat-measure, 46rem);
  }
  :host([theme="light"]) { color-scheme: light; }
  :host([theme="dark"]) { color-scheme: dark; }
`;
