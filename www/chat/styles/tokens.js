/** Colours, sizes and type of the chat as custom properties. A backend overrides the `--agent-chat-*` ones on the element. */

import { css } from "../../vendor/lit.js";

export const tokens = css`
  :host {
    color-scheme: light dark;
    --ac-font: var(--agent-chat-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif);
    --ac-mono: var(--agent-chat-mono, ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
    --ac-accent: var(--agent-chat-accent, #2b50c8);
    --ac-accent-hover: var(--agent-chat-accent-hover, #2343ab);
    --ac-on-accent: var(--agent-chat-on-accent, #ffffff);
    --ac-accent-soft: var(--agent-chat-accent-soft, #e8edfb);
    --ac-accent-text: var(--agent-chat-accent-text, #2343ab);
    --ac-bg: var(--agent-chat-background, #f4f5f7);
    --ac-surface: var(--agent-chat-surface, #ffffff);
    --ac-sunken: #eceff3;
    --ac-line: #dce1e7;
    --ac-line-strong: #7d8896;
    --ac-text: var(--agent-chat-text, #18212d);
    --ac-muted: #566373;
    --ac-good: #176a41;
    --ac-good-soft: #e3f4ea;
    --ac-warn: #7a4b00;
    --ac-warn-soft: #fdf1d8;
    --ac-warn-line: #e6c887;
    --ac-bad: #a8231b;
    --ac-bad-soft: #fdebe9;
    --ac-bad-line: #efb9b4;
    --ac-shadow: 0 1px 2px rgb(20 30 45 / 6%), 0 6px 20px rgb(20 30 45 / 8%);
    --ac-radius: 10px;
    --ac-radius-small: 6px;
    --ac-measure: 46rem;
  }

  @media (prefers-color-scheme: dark) {
    :host {
      --ac-accent: var(--agent-chat-accent, #93acff);
      --ac-accent-hover: var(--agent-chat-accent-hover, #b1c3ff);
      --ac-on-accent: var(--agent-chat-on-accent, #0d1530);
      --ac-accent-soft: var(--agent-chat-accent-soft, #24304f);
      --ac-accent-text: var(--agent-chat-accent-text, #b1c3ff);
      --ac-bg: var(--agent-chat-background, #11151b);
      --ac-surface: var(--agent-chat-surface, #1a2029);
      --ac-sunken: #232b36;
      --ac-line: #313b48;
      --ac-line-strong: #7c8a9b;
      --ac-text: var(--agent-chat-text, #e6ebf2);
      --ac-muted: #a2afbe;
      --ac-good: #7fd6a6;
      --ac-good-soft: #17362a;
      --ac-warn: #f0c674;
      --ac-warn-soft: #372c14;
      --ac-warn-line: #6a5523;
      --ac-bad: #ff9d95;
      --ac-bad-soft: #3d1f1e;
      --ac-bad-line: #74403c;
      --ac-shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 8px 24px rgb(0 0 0 / 35%);
    }
  }
`;
