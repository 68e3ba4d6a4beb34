/** What of a transcript fits into the model's context window. */

/**
 * @typedef {import("ai").ModelMessage} ModelMessage
 */

const CHARS_PER_TOKEN = 3.5; // a cautious mean: English has more, German and JSON have less
const FILE_TOKENS = 1500;
const OVERHEAD_TOKENS = 8;

/** Messages do not change once they are there. @type {WeakMap<ModelMessage, number>} */
const known = new WeakMap();

/**
 * Leaves out the oldest parts of a transcript until the rest fits. Kept in any case: the instructions at the beginning and what the user said last.
 * A tool call and its results are left out together or not at all (M8).
 * @param {ModelMessage[]} messages
 * @param {number} limit tokens, as estimated
 * @returns {{ messages: ModelMessage[], dropped: number, tokens: number } | null} null: not even the last step fits
 */
export function fitting(messages, limit) {
  const total = messages.reduce((sum, message) => sum + tokensOf(message), 0);
  if (total <= limit) return { messages, dropped: 0, tokens: total };
  const groups = grouped(messages);
  const lastUser = groups.findLastIndex(([first]) => first?.role === "user");
  const pinned = new Set(groups.flatMap(([first], index) => (index === lastUser || (index === 0 && first?.role === "system") ? [index] : [])));
  const sizes = groups.map((group) => group.reduce((sum, message) => sum + tokensOf(message), 0));
  let tokens = [...pinned].reduce((sum, index) => sum + (sizes[index] ?? 0), 0);
  const kept = new Set(pinned);
  for (let index = groups.length - 1; index >= 0; index -= 1) {
    if (pinned.has(index)) continue;
    // The newest is what the model is to go on from; without it there is no next step.
    if (tokens + (sizes[index] ?? 0) > limit) break;
    kept.add(index);
    tokens += sizes[index] ?? 0;
  }
  if (tokens > limit || !kept.has(groups.length - 1)) return null;
  const left = groups.filter((_, index) => kept.has(index)).flat();
  return { messages: left, dropped: messages.length - left.length, tokens };
}

/**
 * An assistant message stands with the tool messages behind it.
 * @param {ModelMessage[]} messages
 */
function grouped(messages) {
  /** @type {ModelMessage[][]} */
  const groups = [];
  for (const message of messages) {
    if (message.role === "tool" && groups.length > 0) groups.at(-1)?.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** @param {ModelMessage} message */
function tokensOf(message) {
  const before = known.get(message);
  if (before !== undefined) return before;
  const { content } = message;
  const parts = typeof content === "string" ? [content] : content;
  const tokens = parts.reduce((/** @type {number} */ sum, part) => sum + partTokens(part), OVERHEAD_TOKENS);
  known.set(message, tokens);
  return tokens;
}

/** @param {string | { type: string, text?: string }} part */
function partTokens(part) {
  if (typeof part === "string") return Math.ceil(part.length / CHARS_PER_TOKEN);
  if (part.type === "file" || part.type === "image") return FILE_TOKENS;
  return Math.ceil((part.type === "text" ? (part.text ?? "").length : JSON.stringify(part).length) / CHARS_PER_TOKEN);
}
