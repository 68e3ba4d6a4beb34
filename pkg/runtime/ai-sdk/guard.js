/** What a model sends is not trusted: its output is brought into a sane form before the SDK and the loop read it. */
import { randomUUID } from "node:crypto";
import { cut, defused, jsonDepth } from "./text.js";

const TEXT_LIMIT = 400_000;
const ARGUMENTS_LIMIT = 200_000;
const ARGUMENTS_DEPTH = 32; // leaves room below the 64 levels of W4 for the shapes around them
const CALLS_LIMIT = 64;

/**
 * @typedef {import("@ai-sdk/provider").LanguageModelV3Content} Content
 * @typedef {import("@ai-sdk/provider").LanguageModelV3ToolCall} ToolCall
 */

/**
 * Middleware around one model call.
 * @param {{ usedIds: Set<string>, problems: Map<string, import("./types.js").Problem>, isTool: (name: string) => boolean, closing: boolean, log: import("./types.js").Log }} context
 *   `usedIds`: lower-case call ids that are taken in this run; `problems`: filled with what is wrong with a call, by id;
 *   `closing`: no calls are wanted, those that come are dropped
 * @returns {import("ai").LanguageModelMiddleware}
 */
export function guard(context) {
  return {
    specificationVersion: "v3",
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate();
      // The SDK prints warnings on the console; a component does not.
      if (result.warnings?.length) context.log("debug", "model.warnings", { warnings: result.warnings });
      return { ...result, warnings: [], content: tamed(result.content, context) };
    },
  };
}

/**
 * @param {Content[]} content
 * @param {Parameters<typeof guard>[0]} context
 * @returns {Content[]}
 */
function tamed(content, context) {
  const byProvider = new Set(content.flatMap((part) => (part.type === "tool-call" && part.providerExecuted ? [part.toolCallId] : [])));
  /** @type {Content[]} */
  const kept = [];
  let calls = 0;
  let room = TEXT_LIMIT;
  for (const part of content) {
    if (part.type === "text") {
      const text = defused(cut(String(part.text ?? ""), room));
      room -= text.length;
      kept.push({ ...part, text });
    } else if (part.type === "tool-call" && !part.providerExecuted) {
      if (!context.closing && (calls += 1) <= CALLS_LIMIT) kept.push(tamedCall(part, context));
    } else if (part.type === "tool-result") {
      if (byProvider.has(part.toolCallId)) kept.push(part);
    } else if (part.type !== "tool-approval-request") {
      kept.push(part);
    }
  }
  if (calls > CALLS_LIMIT || (calls > 0 && context.closing)) context.log("warn", "model.callsDropped", { calls });
  return kept;
}

/**
 * @param {ToolCall} call
 * @param {Parameters<typeof guard>[0]} context
 * @returns {ToolCall}
 */
function tamedCall(call, { usedIds, problems, isTool }) {
  const toolCallId = freshId(call.toolCallId, usedIds);
  const name = String(call.toolName ?? "");
  // A name that no tool has goes back to the provider with the next request; several refuse names of other characters.
  const toolName = isTool(name) ? name : cut(name.replace(/[^A-Za-z0-9_-]/g, "_"), 64) || "_";
  const { input, problem } = tamedInput(call.input);
  if (problem) problems.set(toolCallId, problem);
  return { ...call, toolCallId, toolName, input };
}

/**
 * The model's id where it is usable and new in this run, otherwise one of our own: the ledger of effects and the digests stand on ids
 * that name one call only. Compared without case, as some databases compare keys.
 * @param {unknown} id
 * @param {Set<string>} usedIds
 */
function freshId(id, usedIds) {
  const usable = typeof id === "string" && /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}$/.test(id) && !usedIds.has(id.toLowerCase());
  const fresh = usable ? id : `call_${randomUUID().replaceAll("-", "")}`;
  usedIds.add(fresh.toLowerCase());
  return fresh;
}

/**
 * @param {unknown} input
 * @returns {{ input: string, problem?: import("./types.js").Problem }}
 */
function tamedInput(input) {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  if (text.length > ARGUMENTS_LIMIT) return refusedInput("argumentsTooLarge", `the arguments are longer than ${ARGUMENTS_LIMIT} characters`);
  if (jsonDepth(text) > ARGUMENTS_DEPTH) return refusedInput("argumentsTooDeep", `the arguments nest deeper than ${ARGUMENTS_DEPTH} levels`);
  return { input: text };
}

/**
 * @param {import("./index.d.ts").ToolErrorCode} code
 * @param {string} text
 */
const refusedInput = (code, text) => ({ input: "{}", problem: { code, text } });
