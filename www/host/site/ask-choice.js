/**
 * @import { Tool } from "agent-turn/runtime/ai-sdk"
 *
 * @typedef {{ question: string, options: { value: string | number, title: string }[], allowFreeText?: boolean }} ChoiceInput
 */

/**
 * The schema of the answer: one choice, and a text property only where typed text is an answer (F2).
 *
 * @param {ChoiceInput} input
 */
function answerSchema({ question, options, allowFreeText = false }) {
  const seen = new Set();
  const distinct = options.filter(({ value }) => !seen.has(value) && seen.add(value));
  const choice = { oneOf: distinct.map(({ value, title }) => ({ const: value, title })) };
  return {
    type: "object",
    title: question,
    properties: allowFreeText ? { choice, text: { type: "string" } } : { choice },
    required: allowFreeText ? [] : ["choice"],
  };
}

/**
 * Asks the user to pick one of a few options; the answer, `{choice}` or `{text}`, is the tool's result.
 *
 * @type {Tool}
 */
export const askChoice = {
  name: "ask_choice",
  description: "Asks the user a question with a few options and waits for the answer: `choice` is the value of an option, `text` what the user typed instead.",
  inputSchema: {
    type: "object",
    properties: {
      question: { type: "string", minLength: 1, maxLength: 500, pattern: "\\S" },
      options: {
        type: "array",
        minItems: 1,
        maxItems: 12,
        items: {
          type: "object",
          properties: { value: { anyOf: [{ type: "string", minLength: 1 }, { type: "integer" }] }, title: { type: "string", minLength: 1, pattern: "\\S" } },
          required: ["value", "title"],
          additionalProperties: false,
        },
      },
      allowFreeText: { type: "boolean", description: "whether the user may type an answer of their own" },
    },
    required: ["question", "options"],
    additionalProperties: false,
  },
  effect: "read",
  asks: answerSchema,
};
