import assert from "node:assert/strict";
import { test } from "node:test";
import { createRehearsalModel, nextStep } from "../../../www/host/rehearsal/index.js";
import { CONVERSATIONS, RENAME, searched } from "./conversations.js";
import { TOOL_NAMES, user } from "./support.js";

for (const [name, prompt, expected] of CONVERSATIONS) {
  test(name, () => {
    const step = nextStep([{ role: "system", content: "You help." }, ...prompt], TOOL_NAMES);
    if ("answer" in expected) {
      assert.equal(step.call, null, JSON.stringify(step.call));
      assert.match(step.text, expected.answer);
    } else {
      assert.deepEqual(step.call, { name: expected.call, input: expected.input }, step.text);
      if (expected.text) assert.match(step.text, expected.text);
    }
  });
}

/** Words by which a reader takes an answer for a change (V7). */
const CLAIM =
  /(?<!\p{L})(?:updated|changed|saved|created|deleted|removed|added|published|renamed|moved|replaced|edited|modified|written|restored|done|completed|aktualisiert|geändert|gespeichert|erstellt|angelegt|gelöscht|entfernt|hinzugefügt|veröffentlicht|umbenannt|verschoben|ersetzt|bearbeitet|geschrieben|übernommen|ausgeblendet|erledigt|abgeschlossen)(?!\p{L})/iu;
const WRITES = new Set(["update_page", "create_draft_page", "set_page_hidden", "delete_page"]);

test("an answer claims a change exactly when the turn made one", () => {
  let [claims, others] = [0, 0];
  for (const [name, prompt] of CONVERSATIONS) {
    const { call, text } = nextStep(prompt, TOOL_NAMES);
    if (call) continue;
    const parts = prompt.flatMap((message) => /** @type {{ content: { type: string, toolName?: string, output?: { type: string } }[] }} */ (message).content);
    const wrote = parts.some(({ type, toolName = "", output }) => type === "tool-result" && WRITES.has(toolName) && output?.type === "text");
    assert.equal(CLAIM.test(text), wrote, `${name}: ${text}`);
    if (wrote) claims += 1;
    else others += 1;
  }
  assert.ok(claims >= 2 && others >= 20, `${claims} and ${others} cases`);
});

test("a tool that is not offered is not called", () => {
  const { call, text } = nextStep([RENAME], ["list_pages"]);
  assert.equal(call, null);
  assert.match(text, /search_pages/);
});

test("a run that goes round in circles is ended", () => {
  const prompt = [RENAME, ...Array.from({ length: 24 }, (_, index) => searched(`Nobody ${index}`)).flat()];
  assert.match(nextStep(prompt, TOOL_NAMES).text, /too many steps/);
});

test("call ids are new in their prompt", () => {
  const prompt = [RENAME, { role: "assistant", content: [{ type: "tool-call", toolCallId: "call-1", toolName: "x", input: {} }] }];
  const { callId } = nextStep(prompt, TOOL_NAMES);
  assert.notEqual(callId, "call-1");
  assert.match(callId, /^call-\d+$/);
});

/** @param {object[]} prompt */
const options = (prompt) =>
  /** @type {import("@ai-sdk/provider").LanguageModelV3CallOptions} */ ({
    prompt,
    tools: TOOL_NAMES.map((name) => ({ type: "function", name, inputSchema: { type: "object" } })),
  });

test("the model interface: text beside a call, and an answer", async () => {
  const model = createRehearsalModel();
  assert.deepEqual([model.specificationVersion, model.provider, model.modelId], ["v3", "agent-turn", "rehearsal"]);
  const step = await model.doGenerate(options([RENAME]));
  assert.deepEqual(step.content, [
    { type: "text", text: "I will look the page “Team” up." },
    { type: "tool-call", toolCallId: "call-1", toolName: "search_pages", input: '{"query":"Team"}' },
  ]);
  assert.equal(step.finishReason.unified, "tool-calls");
  const answer = await model.doGenerate(options([user("Thanks")]));
  assert.deepEqual([answer.content, answer.finishReason.unified], [[{ type: "text", text: "You are welcome." }], "stop"]);
});

test("no call where the caller wants none", async () => {
  const { content } = await createRehearsalModel().doGenerate({ ...options([RENAME]), toolChoice: { type: "none" } });
  assert.deepEqual(
    content.map(({ type }) => type),
    ["text"],
  );
});

test("the stream carries what the answer carries", async () => {
  for (const prompt of [[RENAME], [user("help")]]) {
    const model = createRehearsalModel();
    const { content, finishReason } = await model.doGenerate(options(prompt));
    const { stream } = await model.doStream(options(prompt));
    let text = "";
    const calls = [];
    let finished;
    for await (const part of stream) {
      if (part.type === "text-delta") text += part.delta;
      if (part.type === "tool-call") calls.push(part);
      if (part.type === "finish") finished = part.finishReason;
    }
    assert.equal(text, content.map((part) => (part.type === "text" ? part.text : "")).join(""));
    assert.deepEqual(
      calls,
      content.filter(({ type }) => type === "tool-call"),
    );
    assert.deepEqual(finished, finishReason);
  }
});

test("the same prompt gives the same step, and is left as it was", () => {
  for (const [name, prompt] of CONVERSATIONS) {
    const before = structuredClone(prompt);
    assert.deepEqual(nextStep(prompt, TOOL_NAMES), nextStep(structuredClone(prompt), TOOL_NAMES), name);
    assert.deepEqual(prompt, before, name);
  }
});
