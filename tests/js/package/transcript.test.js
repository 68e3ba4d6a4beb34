// What buildTranscript reads of its argument, how often, and what it says of one that is none (rules M10, W4).
import assert from "node:assert/strict";
import { test } from "node:test";
import init, { buildTranscript } from "agent-turn";

await init();

const task = { uid: 1, promptTemplate: "", configuration: { uid: 1, name: "Default", systemPrompt: "" } };

test("a text is read three times: measured, looked at, woven", () => {
  let reads = 0;
  const message = {
    role: /** @type {const} */ ("user"),
    get content() {
      reads += 1;
      return "Hello";
    },
  };
  const wire = buildTranscript({ conversation: { messages: [message], systemPrompt: "" }, task });
  assert.deepEqual(wire.at(-1), { role: "user", content: "Hello" });
  assert.equal(reads, 3);
});

test("identity, context and instructions cross as they are, what is of another type does not", () => {
  const conversation = { messages: [], systemPrompt: "Be kind." };
  const context = { openPoints: "One point." };
  const [{ content } = assert.fail("no system message")] = buildTranscript({ conversation, task, identityPrompt: "I am the chat.", context });
  for (const part of ["Be kind.", "I am the chat.", "One point."]) assert.ok(String(content).includes(part), part);
  const wrong = /** @type {any} */ ({ conversation: { messages: [], systemPrompt: 5 }, task, identityPrompt: ["no text"], context: "none" });
  const right = { conversation: { messages: [], systemPrompt: "" }, task };
  assert.deepEqual(buildTranscript(wrong), buildTranscript(right));
});

test("an argument that is none is said to be none", () => {
  const conversation = { messages: [], systemPrompt: "" };
  const shape = "invalid argument: input is an object with conversation and task";
  const messages = "invalid argument: conversation is an object with its messages";
  const broken = {
    task,
    get conversation() {
      throw new Error("getter");
    },
  };
  /** @type {[unknown, string][]} */
  const cases = [
    [null, shape],
    [{ conversation }, shape],
    [{ conversation, task: "task" }, shape],
    [{ task }, shape],
    [{ conversation: {}, task }, messages],
    [{ conversation: [], task }, messages],
    [broken, "invalid argument: an argument cannot be read"],
  ];
  for (const [input, message] of cases) assert.throws(() => buildTranscript(/** @type {any} */ (input)), { code: "invalidArgument", message });
});
