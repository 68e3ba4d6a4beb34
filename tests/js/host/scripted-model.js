/** A model that answers from a script: what it does depends on the last user message and on whether a tool has answered it. */
import { MockLanguageModelV3 } from "ai/test";

/** @typedef {import("@ai-sdk/provider").LanguageModelV3GenerateResult} GenerateResult */

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** @param {string} text @returns {GenerateResult} */
export const say = (text) => ({ content: [{ type: "text", text }], finishReason: { unified: "stop", raw: undefined }, usage: USAGE, warnings: [] });

let calls = 0;
/** @param {string} toolName @param {unknown} input @returns {GenerateResult} */
export const call = (toolName, input) => ({
  content: [{ type: "tool-call", toolCallId: `call-${process.pid}-${(calls += 1)}`, toolName, input: JSON.stringify(input) }],
  finishReason: { unified: "tool-calls", raw: undefined },
  usage: USAGE,
  warnings: [],
});

/**
 * Rename requests read `rename 3 to New title`, deletions `delete 3`, questions `ask`, failures `fail`; anything else is repeated.
 *
 * @param {object} [options]
 * @param {(what: "before" | "after", abortSignal: AbortSignal | undefined) => Promise<void>} [options.gate] Waited for at each call, before a tool is
 *   proposed or after it has answered.
 */
export function scriptedModel({ gate = async () => {} } = {}) {
  return new MockLanguageModelV3({
    modelId: "scripted",
    doGenerate: async ({ prompt, abortSignal }) => {
      const request = lastUserText(prompt);
      const answered = prompt.at(-1)?.role === "tool";
      await gate(answered ? "after" : "before", abortSignal);
      return answered ? say(`Done with: ${request}`) : reply(request);
    },
  });
}

/** @param {string} request */
function reply(request) {
  const rename = /^rename (\d+) to (.+)$/.exec(request);
  if (rename) return call("update_page", { uid: Number(rename[1]), title: rename[2] });
  const remove = /^delete (\d+)$/.exec(request);
  if (remove) return call("delete_page", { uid: Number(remove[1]) });
  if (request === "ask")
    return call("ask_choice", {
      question: "Which one?",
      options: [
        { value: "a", title: "First" },
        { value: "b", title: "Second" },
      ],
    });
  if (request === "fail") throw new Error("the endpoint said something secret about /srv/models");
  return say(`You said: ${request}`);
}

/** @param {import("@ai-sdk/provider").LanguageModelV3Prompt} prompt */
function lastUserText(prompt) {
  const content = prompt.findLast(({ role }) => role === "user")?.content;
  if (typeof content === "string" || content === undefined) return content ?? "";
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
