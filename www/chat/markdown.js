/**
 * Markdown of the assistant as safe HTML. Three fences: raw HTML in the text is shown as text, links are http(s) or mailto, and DOMPurify lets
 * only the elements through that Markdown makes. Images become links: nothing is loaded because a model names it.
 */

import DOMPurify from "../vendor/dompurify.js";
import { Marked } from "../vendor/marked.js";

/** @param {string} text */
export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The address of a link that may be followed, or null. @param {string} href */
export function safeUrl(href) {
  // Browsers drop tabs and line breaks inside an address, so a scheme may hide behind them.
  const trimmed = href.replace(/[\s\p{Cc}]+/gu, "");
  return /^(?:https?:\/\/|mailto:)/i.test(trimmed) ? trimmed : null;
}

/** @param {string} href @param {string} label HTML */
function link(href, label) {
  const url = safeUrl(href);
  return url === null ? label : `<a href="${escapeHtml(url)}" rel="noopener noreferrer nofollow" target="_blank">${label}</a>`;
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html({ text }) {
      return escapeHtml(text);
    },
    link({ href, tokens }) {
      return link(href, this.parser.parseInline(tokens));
    },
    image({ href, text }) {
      return link(href, escapeHtml(text || href));
    },
    heading({ tokens, depth }) {
      // The page has headings of its own; those of an answer stand below them.
      const level = Math.min(6, depth + 3);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    checkbox({ checked }) {
      return checked ? "☑ " : "☐ ";
    },
  },
});

/** HTML of a Markdown text, before the sanitiser. @param {string} text */
export function toHtml(text) {
  return /** @type {string} */ (marked.parse(text, { async: false }));
}

const ALLOWED = {
  ALLOWED_TAGS: [
    "p",
    "br",
    "strong",
    "em",
    "del",
    "code",
    "pre",
    "blockquote",
    "ul",
    "ol",
    "li",
    "a",
    "hr",
    "h4",
    "h5",
    "h6",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
  ],
  ALLOWED_ATTR: ["href", "rel", "target", "start", "align"],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  // Without this the pattern above would be asked of these values too.
  ADD_URI_SAFE_ATTR: ["rel", "target", "start", "align"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
};

/** Safe HTML of a Markdown text; needs a browser. @param {string} text */
export function renderMarkdown(text) {
  return DOMPurify.sanitize(toHtml(text), ALLOWED);
}
