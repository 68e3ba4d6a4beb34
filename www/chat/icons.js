/** Line icons, drawn for this page. They are decoration: the element beside them carries the name. */

import { svg } from "../vendor/lit.js";

/** @param {import("../vendor/lit.js").SVGTemplateResult} drawing @param {"" | "mirrored"} [kind] mirrored: it points along the line of writing */
const icon = (
  drawing,
  kind = "",
) => svg`<svg class="icon ${kind}" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.6"
  stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${drawing}</svg>`;

export const icons = {
  menu: icon(svg`<path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h8"/>`),
  close: icon(svg`<path d="M5 5l10 10M15 5L5 15"/>`),
  add: icon(svg`<path d="M10 4v12M4 10h12"/>`),
  search: icon(svg`<circle cx="9" cy="9" r="5"/><path d="M13 13l3.5 3.5"/>`),
  pin: icon(svg`<path d="M7.5 3.5h5l-.6 5 2.6 2.5v1.5h-9V11l2.6-2.5zM10 12.5v4"/>`),
  pencil: icon(svg`<path d="M4 16l.8-3.4 8.4-8.4a1.6 1.6 0 0 1 2.3 0l.3.3a1.6 1.6 0 0 1 0 2.3l-8.4 8.4z"/>`),
  archive: icon(svg`<path d="M3 4.5h14v3H3zM4.5 7.5v8h11v-8M8 10.5h4"/>`),
  unarchive: icon(svg`<path d="M3 4.5h14v3H3zM4.5 7.5v8h11v-8M10 14v-4M8.2 11.6L10 9.8l1.8 1.8"/>`),
  send: icon(svg`<path d="M10 16V4.5M5 9.5l5-5 5 5"/>`),
  pages: icon(svg`<path d="M4 3.5h8l4 4v9H4zM12 3.5v4h4"/><path d="M7 11h6M7 13.5h4"/>`),
  page: icon(svg`<path d="M5 3.5h6.5L15 7v9.5H5zM11.5 3.5V7H15"/>`),
  hidden: icon(svg`<path d="M3 10s2.5-4.5 7-4.5S17 10 17 10s-2.5 4.5-7 4.5S3 10 3 10zM4 16L16 4"/>`),
  check: icon(svg`<path d="M4.5 10.5l3.5 3.5 7.5-8"/>`),
  shield: icon(svg`<path d="M10 2.8l5.7 2v4.7c0 3.5-2.4 6.3-5.7 7.7-3.3-1.4-5.7-4.2-5.7-7.7V4.8z"/><path d="M7.4 10l1.9 1.9 3.4-3.7"/>`),
  question: icon(svg`<circle cx="10" cy="10" r="7"/><path d="M8 8a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M10 13.9v.1"/>`),
  alert: icon(svg`<path d="M10 3.2l7.2 12.9H2.8zM10 8v3.6M10 13.7v.1"/>`),
  info: icon(svg`<circle cx="10" cy="10" r="7"/><path d="M10 9.2v4.3M10 6.4v.1"/>`),
  arrow: icon(svg`<path d="M4 10h12M11.5 5.5L16 10l-4.5 4.5"/>`, "mirrored"),
  reload: icon(svg`<path d="M15.8 9.2A6 6 0 1 0 14 14.3M16 4.5v4.7h-4.7"/>`),
  file: icon(svg`<path d="M13.5 9l-4.6 4.6a2.4 2.4 0 0 1-3.4-3.4l5.6-5.6a1.6 1.6 0 0 1 2.3 2.3l-5.4 5.4"/>`),
  download: icon(svg`<path d="M10 3.5v9M6 9l4 4 4-4M4 16.5h12"/>`),
  instructions: icon(
    svg`<path d="M3.5 5h8M15 5h1.5M3.5 10h2M9 10h7.5M3.5 15h6M13 15h3.5"/><circle cx="13.2" cy="5" r="1.7"/><circle cx="7.2" cy="10" r="1.7"/><circle cx="11.2" cy="15" r="1.7"/>`,
  ),
  grow: icon(svg`<path d="M12 4h4v4M16 4l-5 5M8 16H4v-4M4 16l5-5"/>`),
  shrink: icon(svg`<path d="M15 9h-4V5M11 9l5-5M5 11h4v4M9 11l-5 5"/>`),
  down: icon(svg`<path d="M10 4v12M5 11l5 5 5-5"/>`),
  stop: icon(svg`<rect x="5.5" y="5.5" width="9" height="9" rx="1.5"/>`),
  spark: icon(svg`<path d="M10 3l1.6 4.6L16.5 9l-4.9 1.6L10 15.5l-1.6-4.9L3.5 9l4.9-1.4zM15.8 13.8l.5 1.4 1.4.5-1.4.5-.5 1.4-.5-1.4-1.4-.5 1.4-.5z"/>`),
};
