/** WireMessages of the contract (OpenAI-like) as the SDK's ModelMessages. */
import { cut, isPlainObject } from "./text.js";

/**
 * @typedef {import("ai").ModelMessage} ModelMessage
 * @typedef {import("../../index.d.ts").WireMessage} WireMessage
 */

/**
 * Converts a transcript. What the SDK cannot take is not passed on: a tool call without its result, a result without its call (M8), and
 * an image that is not a data URI, because the SDK would fetch it from wherever it points.
 * @param {WireMessage[]} messages
 * @returns {ModelMessage[]}
 */
export function toModelMessages(messages) {
  /** @type {ModelMessage[]} */
  const converted = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = /** @type {WireMessage} */ (messages[at]);
    if (message.role === "system") converted.push({ role: "system", content: plainText(message.content) });
    else if (message.role === "user") converted.push({ role: "user", content: userContent(message.content) });
    else if (message.role === "assistant") {
      const results = resultsBehind(messages, at);
      converted.push(...assistantTurn(message, results));
    }
    // a tool message is taken along by the assistant message it answers
  }
  return converted.filter((message) => message.content.length > 0);
}

/**
 * The unbroken row of tool messages behind the assistant message at `at`, by call id; the first result of an id counts.
 * @param {WireMessage[]} messages
 * @param {number} at
 */
function resultsBehind(messages, at) {
  /** @type {Map<string, WireMessage>} */
  const results = new Map();
  for (let next = at + 1; next < messages.length && messages[next]?.role === "tool"; next += 1) {
    const message = /** @type {WireMessage} */ (messages[next]);
    if (typeof message.tool_call_id === "string" && !results.has(message.tool_call_id)) results.set(message.tool_call_id, message);
  }
  return results;
}

/**
 * @param {WireMessage} message
 * @param {Map<string, WireMessage>} results
 * @returns {ModelMessage[]}
 */
function assistantTurn(message, results) {
  const text = plainText(message.content);
  const calls = (message.tool_calls ?? []).map(wireCall).filter((call) => call !== null && results.has(call.id));
  const answered = /** @type {{ id: string, name: string, input: unknown }[]} */ (calls);
  if (answered.length === 0) return [{ role: "assistant", content: text }];
  const parts = answered.map(({ id, name, input }) => /** @type {const} */ ({ type: "tool-call", toolCallId: id, toolName: name, input }));
  return [
    { role: "assistant", content: text === "" ? parts : [{ type: "text", text }, ...parts] },
    {
      role: "tool",
      content: answered.map(({ id, name }) => ({
        type: "tool-result",
        toolCallId: id,
        toolName: name,
        output: { type: "text", value: plainText(results.get(id)?.content ?? "") },
      })),
    },
  ];
}

/**
 * @param {unknown} call
 * @returns {{ id: string, name: string, input: unknown } | null}
 */
function wireCall(call) {
  if (!isPlainObject(call)) return null;
  const { name, arguments: args } = isPlainObject(call.function) ? call.function : call;
  if (typeof call.id !== "string" || typeof name !== "string") return null;
  return { id: call.id, name, input: parsedArguments(args) };
}

/** @param {unknown} args */
function parsedArguments(args) {
  if (isPlainObject(args)) return args;
  try {
    const value = JSON.parse(String(args));
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** @param {WireMessage["content"]} content */
function plainText(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part) => (part?.type === "text" && typeof part.text === "string" ? [part.text] : [])).join("\n\n");
}

/**
 * @param {WireMessage["content"]} content
 * @returns {import("ai").UserContent}
 */
function userContent(content) {
  if (!Array.isArray(content)) return plainText(content);
  return content.map(userPart);
}

/** @param {import("../../index.d.ts").WirePart} part */
function userPart(part) {
  if (part?.type === "text") return textPart(String(part.text));
  if (part?.type === "image_url") return imagePart(part.image_url?.url);
  if (part?.type === "document" && typeof part.source?.data === "string") {
    return /** @type {const} */ ({ type: "file", data: part.source.data, mediaType: String(part.source.media_type) });
  }
  return textPart("(A part of this message could not be passed on.)");
}

/** @param {string} text */
const textPart = (text) => /** @type {const} */ ({ type: "text", text });

/** @param {unknown} url */
function imagePart(url) {
  const data = typeof url === "string" ? /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,;]*)*;base64,/i.exec(url.slice(0, 200)) : null;
  if (!data) return textPart(`(An image could not be passed on: ${cut(String(url), 100)})`);
  const [head, mediaType] = data;
  return /** @type {const} */ ({ type: "image", image: String(url).slice(head.length), mediaType });
}
