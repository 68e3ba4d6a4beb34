// Section 7: the messages a run gets.
import { attachments } from "./files.js";
import { systemPrompt } from "./prompt.js";
import { demand, isBlank, isObject, refuseDepth } from "./values.js";

/** @typedef {Record<string, any>} Row */

const CORRECTION = "(Correction by the system: nothing was saved in this turn. No tool wrote anything, so the change this answer speaks of was not made.)";

/** @param {Row} message */
const namesOf = (message) => (Array.isArray(message.noticeArgs) ? message.noticeArgs.filter((/** @type {any} */ a) => typeof a === "string") : []).join(", ");

/** M8a. @param {Row} message */
const isSilent = (message) => message.notice === "guardrail" && message.role === "user";

/** An answer that says nothing needs no correction. @param {Row} message */
function corrected(message) {
  const { content } = message;
  if (Array.isArray(content)) return content.length > 0 ? { ...message, content: [...content, { type: "text", text: CORRECTION }] } : message;
  return isBlank(content) ? message : { ...message, content: `${content}\n\n${CORRECTION}` };
}

/** M5, M8a: what the model reads of a notice; what it does not read keeps its place with no text, so that it still parts what stands around it. @param {Row} message @returns {Row} */
function readNotice(message) {
  const names = namesOf(message);
  switch (message.notice) {
    case "noAnswer":
      return { role: message.role, content: "" };
    case "guardrail":
      return message.role === "user" ? { role: "user", content: "" } : message;
    case "nothingSaved":
      return corrected(message);
    case "alreadyWritten":
      return {
        role: "user",
        content:
          names === ""
            ? "(Note by the system: an earlier attempt at this request stopped before it could answer. It is unknown what it wrote. Check the present state before you write anything.)"
            : `(Note by the system: an earlier attempt at this request stopped before it could answer, but it had already written ${names}. Do not write that again; look at what is there and go on from it.)`,
      };
    case "runFinishedOutside":
      return {
        ...message,
        content:
          names === ""
            ? "(The pending step was decided and finished outside of this chat; no record that it wrote is known.)"
            : `(The pending step was decided and finished outside of this chat; it wrote ${names}.)`,
      };
    default:
      return message;
  }
}

/** M6: text and lines first, then the parts; without parts it stays a string (M7). @param {Row} message @param {{ lines: string[], parts: any[] }} files */
function withFiles(message, files) {
  if (typeof message.content !== "string") return { ...message, content: [...message.content, { type: "text", text: files.lines.join("\n") }, ...files.parts] };
  const text = [...(isBlank(message.content) ? [] : [message.content]), ...files.lines].join("\n");
  return { ...message, content: files.parts.length === 0 ? text : [{ type: "text", text }, ...files.parts] };
}

/** @param {Row} message @returns {any[]} */
const callsOf = (message) => (Array.isArray(message.tool_calls) ? message.tool_calls : []);

/** @param {Row} message */
const isText = (message) => typeof message.content === "string" && callsOf(message).length === 0;

/** M4: one assistant turn is one message. @param {Row[]} messages @returns {Row[]} */
function joinBeside(messages) {
  const joined = /** @type {Row[]} */ ([]);
  let open = false;
  for (const message of messages) {
    const joinable = message.role === "assistant" && isText(message);
    const last = joined.at(-1);
    if (open && joinable && last) joined[joined.length - 1] = { ...last, content: [last.content, message.content].filter((t) => !isBlank(t)).join("\n\n") };
    else joined.push(message);
    open = joinable && message.besideToolCall === true;
  }
  return joined;
}

/** A string goes byte for byte, an object as JSON (M8). @param {any} call */
function wireCall(call) {
  const args = call.function?.arguments;
  return isObject(args) || Array.isArray(args) ? { ...call, function: { ...call.function, arguments: JSON.stringify(args) } } : call;
}

/** Where a result was that is not sent: what stands around it did not follow directly (M4). */
const GAP = Object.freeze({ role: "gap", content: "" });

/** M8: calls and results that belong together. @param {Row[]} messages @returns {Row[]} */
function repair(messages) {
  const repaired = [];
  const used = new Set();
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at];
    if (message.role === "tool") {
      if (messages[at - 1]?.role !== "tool" && callsOf(messages[at - 1] ?? {}).length === 0) repaired.push(GAP); // a row without calls
      continue;
    }
    const calls = message.role === "assistant" ? callsOf(message) : [];
    if (calls.length === 0) {
      repaired.push(message);
      continue;
    }
    const row = /** @type {Row[]} */ ([]);
    for (let next = at + 1; next < messages.length && messages[next].role === "tool"; next++) row.push(messages[next]);
    const wanted = new Set();
    const kept = calls.filter((call) => {
      const id = isObject(call) ? call.id : undefined;
      if (typeof id !== "string" || used.has(id) || !row.some((result) => result.tool_call_id === id)) return false;
      used.add(id);
      wanted.add(id);
      return true;
    });
    repaired.push({ ...message, tool_calls: kept.map(wireCall) });
    for (const result of row) repaired.push(wanted.delete(result.tool_call_id) ? result : GAP);
  }
  return repaired;
}

/** M3: provider fields only. @param {Row} message @returns {Row} */
function wire(message) {
  const sent = /** @type {Row} */ ({ role: message.role, content: message.content });
  if (callsOf(message).length > 0) sent.tool_calls = message.tool_calls;
  for (const key of ["tool_call_id", "name"]) if (typeof message[key] === "string") sent[key] = message[key];
  return sent;
}

/** M8: what says nothing is not sent; a tool result is. @param {Row} message */
function says(message) {
  if (message.role === "tool" || callsOf(message).length > 0) return true;
  return typeof message.content === "string" ? !isBlank(message.content) : Array.isArray(message.content) && message.content.length > 0;
}

/** M8: for providers that take no two messages of one role in a row. @param {Row[]} messages */
function joinRoles(messages) {
  const joined = /** @type {Row[]} */ ([]);
  for (const message of messages) {
    const last = joined.at(-1);
    if (last && last.role === message.role && message.role !== "tool" && isText(last) && isText(message)) {
      joined[joined.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
    } else joined.push(message);
  }
  return joined;
}

/**
 * Section 7.
 * @param {any} input see `contract.d.ts` @returns {Row[]}
 * @throws AgentTurnError `attachmentUnsupported`
 */
export function buildTranscript(input) {
  demand(isObject(input) && isObject(input.conversation) && Array.isArray(input.conversation.messages) && isObject(input.task), "input");
  demand(input.conversation.messages.every(isObject), "messages");
  refuseDepth(input);
  const stored = input.conversation.messages;
  const files = attachments(stored, input, isSilent);
  const read = /** @type {Row[]} */ ([]);
  for (const [at, message] of stored.entries()) {
    const entry = files.get(at);
    read.push(entry ? withFiles(readNotice(message), entry) : readNotice(message));
  }
  const sent = joinBeside(repair(read)).map(wire).filter(says);
  const system = systemPrompt(input);
  const messages = system === "" ? sent : [{ role: "system", content: system }, ...sent];
  return input.task.configuration?.accepts?.repeatedRoles === false ? joinRoles(messages) : messages;
}
