import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nextStep } from "../../../www/host/rehearsal/index.js";
import { TOOL_NAMES } from "./support.js";

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000);
console.log(`rehearsal model fuzz: seed ${seed} (set FUZZ_SEED to repeat)`);

const words = fc.constantFrom(
  "Rename",
  "the page",
  "Team",
  "to",
  "About us",
  "Benenne",
  "die Seite",
  "in",
  "Über uns",
  "um",
  "Create a page about",
  "below",
  "News",
  "Lege eine Seite über",
  "an",
  "hidden",
  "pages",
  "Welche Seiten sind versteckt",
  "Set the text of",
  "with the text",
  "“",
  "”",
  "„",
  '"',
  "'",
  "»",
  "\n",
  "\uE0000\uE001",
  "site_page:3",
  "already written",
  "?",
  "",
);
const text = fc.oneof(
  fc.array(words, { maxLength: 9 }).map((parts) => parts.join(" ")),
  fc.string({ unit: "binary", maxLength: 60 }),
);
const toolName = fc.oneof(fc.constantFrom(...TOOL_NAMES), fc.string({ maxLength: 8 }));
const callId = fc.constantFrom("a", "b", "call-1", "call-2", "", 7);
const value = fc.oneof(
  fc.jsonValue(),
  text,
  fc.constantFrom(
    "approval_denied variant",
    "approval_denied (decided_by: run_owner): skip",
    '{"choice":6}',
    '{"text":"News"}',
    '{"pages":[{"uid":3,"title":"Team"},{}, null]}',
  ),
);
const output = fc.oneof(
  fc.record({ type: fc.constantFrom("text", "json", "error-text", "error-json", "execution-denied", "content", "?"), value, reason: text }),
  fc.jsonValue(),
);
const input = fc.oneof(fc.jsonValue(), fc.constantFrom({ query: "Team" }, '{"query":"Team"}', {}, { hidden: true }, { uid: 3 }));
const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text: fc.oneof(text, fc.jsonValue()) }),
  fc.record({ type: fc.constant("tool-call"), toolCallId: callId, toolName, input }),
  fc.record({ type: fc.constant("tool-result"), toolCallId: callId, toolName, output }),
  fc.jsonValue(),
);
const content = fc.oneof({ weight: 4, arbitrary: fc.array(part, { maxLength: 4 }) }, { weight: 1, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue() });
const message = fc.oneof(
  { weight: 6, arbitrary: fc.record({ role: fc.constantFrom("system", "user", "assistant", "tool", "?"), content }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
const prompt = fc.oneof({ weight: 9, arbitrary: fc.array(message, { maxLength: 8 }) }, { weight: 1, arbitrary: fc.jsonValue() });

test("any messages get one sound step, and the same one again", () => {
  fc.assert(
    fc.property(prompt, fc.subarray(TOOL_NAMES), (messages, tools) => {
      const step = nextStep(messages, tools);
      assert.deepEqual(nextStep(messages, tools), step);
      assert.equal(typeof step.text, "string");
      if (step.call === null) assert.notEqual(step.text.trim(), "", "an answer has words");
      else assert.ok(tools.includes(step.call.name), `${step.call.name} is not offered`);
    }),
    { seed, numRuns: 3_000 },
  );
});
