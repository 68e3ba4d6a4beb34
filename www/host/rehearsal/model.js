/**
 * The built-in rehearsal model: a deterministic interpreter of requests about pages behind the model interface of the AI SDK, so that the chat can be tried
 * and tested without a provider. It is no AI and says so.
 *
 * @import { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Content, LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from "@ai-sdk/provider"
 * @import { Decision } from "./types.js"
 */
import { decide } from "./planner.js";
import { readPrompt } from "./prompt.js";

/** Characters of one streamed piece of text. */
const CHUNK = 24;

/**
 * The next step for a prompt; a pure function. Never throws, whatever the messages are.
 *
 * @param {unknown} prompt messages of the model interface
 * @param {Iterable<string>} toolNames the tools that may be called
 * @returns {Decision & { callId: string }} `callId` is unique in the prompt
 */
export function nextStep(prompt, toolNames) {
  const { turn, steps, callIds } = readPrompt(prompt);
  const offered = new Set(toolNames);
  let number = callIds.size;
  while (callIds.has(`call-${number}`)) number += 1;
  return { ...decide(turn, steps, (name) => offered.has(name)), callId: `call-${number}` };
}

/**
 * @param {LanguageModelV3CallOptions} options
 * @returns {LanguageModelV3GenerateResult}
 */
function generate({ prompt, tools, toolChoice, abortSignal }) {
  abortSignal?.throwIfAborted();
  const names = toolChoice?.type === "none" ? [] : (tools ?? []).filter((tool) => tool.type === "function").map((tool) => tool.name);
  const { text, call, callId } = nextStep(prompt, names);
  /** @type {LanguageModelV3Content[]} */
  const content = [];
  if (text !== "") content.push({ type: "text", text });
  if (call) content.push({ type: "tool-call", toolCallId: callId, toolName: call.name, input: JSON.stringify(call.input) });
  const unified = call ? "tool-calls" : "stop";
  return {
    content,
    finishReason: { unified, raw: unified },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    warnings: [],
  };
}

/**
 * The same result in pieces.
 *
 * @param {LanguageModelV3GenerateResult} result
 * @returns {Generator<LanguageModelV3StreamPart>}
 */
function* pieces({ content, finishReason, usage, warnings }) {
  yield { type: "stream-start", warnings };
  for (const part of content) {
    if (part.type === "text") {
      yield { type: "text-start", id: "text" };
      const letters = [...part.text];
      for (let at = 0; at < letters.length; at += CHUNK) yield { type: "text-delta", id: "text", delta: letters.slice(at, at + CHUNK).join("") };
      yield { type: "text-end", id: "text" };
    } else if (part.type === "tool-call") {
      yield { type: "tool-input-start", id: part.toolCallId, toolName: part.toolName };
      yield { type: "tool-input-delta", id: part.toolCallId, delta: part.input };
      yield { type: "tool-input-end", id: part.toolCallId };
      yield part;
    }
  }
  yield { type: "finish", finishReason, usage };
}

/**
 * @returns {LanguageModelV3} provider `agent-turn`, model `rehearsal`; keeps no state, one object serves any number of runs
 */
export function createRehearsalModel() {
  return {
    specificationVersion: "v3",
    provider: "agent-turn",
    modelId: "rehearsal",
    supportedUrls: {},
    doGenerate: async (options) => generate(options),
    doStream: async (options) => {
      const parts = pieces(generate(options));
      const stream = new ReadableStream({
        pull(controller) {
          const { done, value } = parts.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
      return { stream };
    },
  };
}
