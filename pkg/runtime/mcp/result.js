/** What a server answers, as plain text for a model: no binary, no markup of the protocol, no more than the limit. */

import { capped } from "../ai-sdk/text.js";

/**
 * @typedef {import("@modelcontextprotocol/sdk/types.js").CallToolResult} CallToolResult
 * @typedef {CallToolResult["content"][number]} Item
 */

const ITEMS = 200;

/**
 * @param {CallToolResult} result
 * @param {number} limit UTF-16 units
 * @returns {string}
 */
export function plainResult({ content, structuredContent }, limit) {
  const items = content ?? [];
  const lines = items.slice(0, ITEMS).map(plainItem);
  if (items.length > ITEMS) lines.push(`(${items.length - ITEMS} more parts are left out)`);
  // A server that answers with structure repeats it as text, if it keeps to the protocol.
  if (lines.length === 0 && structuredContent !== undefined) lines.push(json(structuredContent));
  const text = lines.filter((line) => line !== "").join("\n\n");
  return text === "" ? "done" : capped(text, limit);
}

/** @param {Item} item */
function plainItem(item) {
  switch (item.type) {
    case "text":
      return item.text;
    case "image":
    case "audio":
      return `(${item.type}, ${short(item.mimeType)}, about ${Math.round((item.data.length * 3) / 4096)} KiB: not passed on)`;
    case "resource_link":
      return `(link: ${short(item.title ?? item.name)}, ${short(item.uri)})`;
    case "resource":
      return "text" in item.resource
        ? `${short(item.resource.uri)}:\n${item.resource.text}`
        : `(file ${short(item.resource.uri)}, ${short(item.resource.mimeType ?? "unknown type")}: not passed on)`;
    default:
      return "(a part of a kind that is not known: not passed on)";
  }
}

/** @param {string} text */
const short = (text) => text.slice(0, 200);

/** @param {unknown} value */
function json(value) {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "(a structure that cannot be shown)"; // deeper than the stack
  }
}
