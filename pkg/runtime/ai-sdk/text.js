/** Limits on what comes from models and tools. */

/**
 * At most `limit` UTF-16 units, never half a surrogate pair, with a note of what is missing.
 * @param {string} text
 * @param {number} limit
 */
export function capped(text, limit) {
  if (text.length <= limit) return text;
  return `${cut(text, limit)}\n… (cut: ${text.length} characters in all)`;
}

/**
 * @param {string} text
 * @param {number} limit
 */
export function cut(text, limit) {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}

/** What chat templates of models begin and end a speaker's part with, and what the runtime itself begins a refusal with. */
const MARKERS = /<(\|[A-Za-z_]{2,32}\|)>|\[(\/?INST)\]|<<(\/?SYS)>>/g;
const OWN_MARKER = /^\s*approval_denied \(/;

/**
 * The text without the power to pass for another speaker: a page or a server may hold the control words of a model, or say that a person declined.
 * A reader still sees what stood there.
 * @param {string} text
 */
export function defused(text) {
  const plain = text.replace(MARKERS, (_, turn, instruction, system) => `‹${turn ?? instruction ?? system}›`);
  return OWN_MARKER.test(plain) ? `(quoted) ${plain}` : plain;
}

/**
 * How deep objects and arrays nest in a JSON text, without parsing it: a hostile text must not cost a stack.
 * @param {string} json
 */
export function jsonDepth(json) {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, (depth += 1));
    else if (char === "}" || char === "]") depth -= 1;
  }
  return deepest;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isPlainObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
