/**
 * Reads the prompt of a model call: the last request of the user, what became of the tool calls since, and what is known about earlier runs of it.
 * Whatever is not of the expected shape counts as absent.
 *
 * @import { Intent, Language, Parsed, Step, StepResult, Turn } from "./types.js"
 */
import { parseRequest } from "./parse.js";

/** A record in a note, such as "site_page:3". */
const RECORD = /(?<![\w:/.])[a-z][a-z0-9_]*:[1-9][0-9]*(?![\w:])/g;
/** What a note about an earlier run says (M5), whatever its exact wording. */
const EARLIER = /\b(?:already|earlier|previous|previously|before|again)\b/i;
/** A note without records says that nobody knows what the run wrote. */
const UNCLEAR = /\b(?:unknown|not known|not clear|unclear|uncertain)\b/i;
const WROTE = /\b(?:run|write|wrote|written|save|saved|change|changed|changes|record|records)\b/i;
/** Longest note that is recognised, in UTF-16 units: a few sentences and any number of records. */
const NOTE_LENGTH = 4_000;
/** What a person writes who wants another proposal; the line of a denial that was repeated in a new run (D1). */
const ANOTHER = /^(?:another|something else|different|a different|try again|anders|andere|ein anderer|eine andere|noch ein|bitte anders)/iu;

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
const listOf = (value) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** @param {unknown} value */
const textOf = (value) => (typeof value === "string" ? value : "");

/**
 * The visible text of a message: its content, or its text parts.
 *
 * @param {Record<string, unknown>} message
 */
function messageText(message) {
  if (typeof message.content === "string") return message.content;
  return listOf(message.content)
    .filter((part) => part.type === "text")
    .map((part) => textOf(part.text))
    .join("\n");
}

/**
 * A note about an earlier run, not a word of the user's (M5).
 *
 * @param {string} text
 */
function isNote(text) {
  if (text.length > NOTE_LENGTH || /\?\s*$/u.test(text) || !WROTE.test(text)) return false;
  const says = text.match(RECORD) ? EARLIER.test(text) || UNCLEAR.test(text) : UNCLEAR.test(text);
  return says && parseRequest(text).intent.kind === "unknown";
}

/**
 * The text of a user message without the notes that a provider with alternating roles got joined to it (M8).
 *
 * @param {string} text
 * @returns {{ request: string, notes: string[] }}
 */
function withoutNotes(text) {
  if (isNote(text)) return { request: "", notes: [text] };
  const paragraphs = text.split("\n\n");
  const notes = [];
  while (paragraphs.length > 1 && isNote(paragraphs[paragraphs.length - 1] ?? "")) notes.unshift(paragraphs.pop() ?? "");
  return { request: paragraphs.join("\n\n"), notes };
}

/**
 * The last request with the notes behind it, and where it stands.
 *
 * @param {Record<string, unknown>[]} messages
 * @param {number} before the messages in front of this index count
 */
function lastRequest(messages, before) {
  /** @type {string[]} */
  const notes = [];
  for (let index = before - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.role !== "user") continue;
    const found = withoutNotes(messageText(message));
    notes.unshift(...found.notes);
    if (found.request !== "" || found.notes.length === 0) return { index, request: found.request, notes };
  }
  return { index: -1, request: "", notes };
}

/**
 * @param {unknown} input arguments of a tool call, an object or its JSON text
 * @returns {unknown}
 */
function parsedJson(input) {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/**
 * @param {unknown} output of a tool result part
 * @returns {StepResult}
 */
function resultOf(output) {
  if (!isRecord(output)) return { state: "open" };
  const content = output.type === "content" ? messageText({ content: output.value }) : (output.value ?? output.reason);
  const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
  const denied = output.type === "execution-denied" || /^["'\s]*approval_denied\b/.test(text);
  if (denied) return { state: "denied", reason: /\bvariant\b/.test(text) ? "variant" : /\bskip\b/.test(text) ? "skip" : "" };
  if (output.type === "error-text" || output.type === "error-json") return { state: "error", message: text };
  return { state: "ok", value: parsedJson(content) };
}

/**
 * The tool calls of some messages with their results.
 *
 * @param {Record<string, unknown>[]} messages
 * @returns {Step[]}
 */
function stepsOf(messages) {
  const parts = messages.flatMap((message) => (message.role === "assistant" || message.role === "tool" ? listOf(message.content) : []));
  const results = new Map(parts.filter((part) => part.type === "tool-result").map((part) => [part.toolCallId, part.output]));
  return parts
    .filter((part) => part.type === "tool-call")
    .map((part) => ({ name: textOf(part.toolName), input: parsedJson(part.input), result: resultOf(results.get(part.toolCallId)) }));
}

/**
 * A retry runs the whole turn again, and its last user message may be the answer to a question or the line of a denial (D1, D2) of the run before. Such a
 * message continues the request in front of it.
 *
 * @param {Record<string, unknown>[]} messages
 * @param {number} index of the last user message
 * @param {string} line its text
 * @returns {{ parsed: Parsed, answer: string, skipProposals: number } | null}
 */
function continuation(messages, index, line) {
  const before = messages[index - 1];
  if (before?.role !== "assistant") return null;
  const earlier = parseRequest(lastRequest(messages, index).request);
  if (!("readings" in earlier.intent || "page" in earlier.intent || earlier.intent.kind === "create")) return null;
  if (/\?\s*$/u.test(messageText(before))) return { parsed: earlier, answer: line.trim(), skipProposals: 0 };
  return ANOTHER.test(line.trim()) ? { parsed: earlier, answer: "", skipProposals: 1 } : null;
}

/**
 * @param {unknown} prompt messages of the AI SDK's model interface
 * @returns {{ turn: Turn, steps: Step[], callIds: Set<unknown> }}
 */
export function readPrompt(prompt) {
  const messages = listOf(prompt);
  const { index, request, notes } = lastRequest(messages, messages.length);
  const own = parseRequest(request);
  const continued = own.intent.kind === "unknown" ? continuation(messages, index, request) : null;
  const { language, intent } = continued?.parsed ?? own;
  const records = [...new Set(notes.flatMap((note) => note.match(RECORD) ?? []))];
  return {
    turn: {
      language,
      intent,
      writtenRecords: records,
      writesUnknown: notes.length > 0 && records.length === 0,
      answer: continued?.answer ?? "",
      skipProposals: continued?.skipProposals ?? 0,
    },
    steps: stepsOf(messages.slice(index + 1)),
    callIds: new Set(messages.flatMap((message) => listOf(message.content).map((part) => part.toolCallId))),
  };
}
