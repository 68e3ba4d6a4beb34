// @ts-nocheck: these tests hand in what the types forbid, and look at results without narrowing them first
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { createAiSdkRuntime } from "../../../pkg/runtime/ai-sdk/index.js";
import { answer, kinds, noStep, OWNER, page, request, runtime, script, site, toolResults, tools } from "./support.mjs";

test("a plain answer: steps, result, stored events and the adopted uuid (T7)", async (t) => {
  const { db } = await site(t);
  const agent = await runtime(t, { db, model: script(answer("Hello there")) });
  const steps = [];
  const asked = request();
  const result = await agent.run(asked, (step) => steps.push(step));
  assert.equal(result.outcome, "completed");
  assert.equal(result.runUuid, asked.runUuid);
  assert.deepEqual(result.loopResult, { finalContent: "Hello there", terminationReason: "completed", truncated: false });
  assert.deepEqual(steps, result.steps);
  assert.deepEqual(
    steps.map(({ kind, round }) => [kind, round]),
    [
      ["request", 1],
      ["llm", 1],
    ],
  );
  assert.deepEqual(steps[1].requestedToolCalls, []);
  assert.deepEqual(await agent.status(OWNER, asked.runUuid), { status: "completed" });
  assert.deepEqual(await agent.result(OWNER, asked.runUuid), result);
  const events = await agent.events(OWNER, asked.runUuid);
  assert.deepEqual(kinds(events), ["llm"]);
  assert.equal(events[1].payload.contentLength, 11);
  assert.ok(!JSON.stringify(events).includes("Hello"), "events hold no contents");
  const { state, reason } = await db.selectFrom("agent_run").selectAll().executeTakeFirst();
  const log = await db.selectFrom("agent_run_log").selectAll().execute();
  assert.deepEqual([state, log, reason], ["", [], "completed"], "a settled run keeps no transcript");
});

test("a read runs at once and its result reaches the model", async (t) => {
  const { db } = await site(t);
  const model = script(answer("Let me look.", ["read_page", { uid: 12 }]), ({ prompt }) => answer(`It is ${toolResults(prompt)[0].value}`));
  const result = await (await runtime(t, { db, model })).run(request(), noStep);
  assert.equal(result.loopResult.finalContent, "It is Team");
  assert.deepEqual(kinds(result.steps), ["llm", "tool", "llm"]);
  const [, first, tool] = result.steps;
  assert.equal(first.content, "Let me look.");
  assert.deepEqual(
    first.requestedToolCalls.map(({ name, arguments: args }) => [name, args]),
    [["read_page", { uid: 12 }]],
  );
  assert.deepEqual([tool.toolName, tool.toolIsError, tool.round], ["read_page", false, 1]);
  assert.equal(model.doGenerateCalls[0].prompt[0].role, "system");
  assert.deepEqual(model.doGenerateCalls[0].tools.map(({ name }) => name).includes("rename_page"), true);
});

test("calls that make no sense get an error result and never leave run()", async (t) => {
  const { db } = await site(t);
  const deep = `{"uid":${"[".repeat(50)}${"]".repeat(50)}}`;
  const model = script(
    answer(
      "",
      ["no_such_tool", {}],
      ["constructor", {}],
      ["rm -rf /", {}],
      ["read_page", '{"uid": '],
      ["read_page", "[12]"],
      ["read_page", { uid: "twelve" }],
      ["read_page", deep],
      ["read_page", JSON.stringify({ uid: "x".repeat(300_000) })],
      ["read_page", '{"__proto__": {"uid": 12}, "uid": 12}'],
      ["break", {}],
    ),
    ({ prompt }) => answer(JSON.stringify(toolResults(prompt))),
  );
  const result = await (await runtime(t, { db, model })).run(request(), noStep);
  assert.equal(result.outcome, "completed");
  const results = JSON.parse(result.loopResult.finalContent);
  const expected = [
    /no tool of that name/,
    /no tool of that name/,
    /no tool of that name/,
    /not valid JSON/,
    /not an object/,
    /do not fit: \/uid must be integer/,
    /nest deeper/,
    /longer than/,
    /not valid JSON/,
    /failed: the disk is full/,
  ];
  assert.equal(results.length, expected.length);
  for (const [index, pattern] of expected.entries()) {
    assert.equal(results[index].type, "error-text");
    assert.match(results[index].value, pattern);
  }
  assert.ok(result.steps.filter(({ kind }) => kind === "tool").every(({ toolIsError }) => toolIsError));
  const replayed = model.doGenerateCalls[1].prompt.find(({ role }) => role === "assistant").content;
  assert.ok(replayed.every(({ toolName, input }) => /^[A-Za-z0-9_-]{1,64}$/.test(toolName) && typeof input === "object" && !Array.isArray(input)));
});

test("call ids are unique in a run, whatever the model says", async (t) => {
  const { db } = await site(t);
  const model = script(
    answer("", ["read_page", { uid: 12 }, "same"], ["read_page", { uid: 13 }, "same"], ["read_page", { uid: 12 }, "__proto__"]),
    answer("", ["touch_page", { uid: 12, title: "A" }, "SAME"]),
    answer("", ["touch_page", { uid: 13, title: "B" }, "same"]),
    ({ prompt }) =>
      answer(
        JSON.stringify([
          toolResults(prompt),
          prompt.filter(({ role }) => role === "assistant").flatMap(({ content }) => content.map(({ toolCallId }) => toolCallId)),
        ]),
      ),
  );
  const result = await (await runtime(t, { db, model })).run(request(), noStep);
  const [results, ids] = JSON.parse(result.loopResult.finalContent);
  assert.deepEqual(
    results.map(({ value }) => value),
    ["Team", "Contact", "Team", '{"renamed":"A"}', '{"renamed":"B"}'],
  );
  assert.equal(new Set(ids.map((id) => id.toLowerCase())).size, 5);
  assert.deepEqual([(await page(db, 12)).title, (await page(db, 13)).title], ["A", "B"]);
});

test("a tool that is closed to the user is neither offered nor run; allowedToolNames narrows the list", async (t) => {
  const { db } = await site(t);
  const closed = tools(db).map((tool) => (tool.name === "touch_page" ? { ...tool, allowed: (actor) => actor.isAdmin } : tool));
  const model = script(answer("", ["touch_page", { uid: 12, title: "X" }], ["set_title", { uid: 12, title: "X" }]), ({ prompt }) =>
    answer(JSON.stringify(toolResults(prompt))),
  );
  const agent = await runtime(t, { db, model, tools: closed });
  const result = await agent.run(request({ allowedToolNames: ["read_page", "touch_page"] }), noStep);
  assert.deepEqual(
    model.doGenerateCalls[0].tools.map(({ name }) => name),
    ["read_page"],
  );
  assert.match(result.loopResult.finalContent, /touch_page.*not available to the user.*set_title.*not available/);
  assert.equal((await page(db, 12)).writes, 0);
});

test("a write without approval runs at once and is named directly behind its tool step (V7)", async (t) => {
  const { db } = await site(t);
  const agent = await runtime(t, { db, model: script(answer("", ["touch_page", { uid: 12, title: "About" }]), answer("Done")) });
  const asked = request();
  const result = await agent.run(asked, noStep);
  assert.deepEqual(kinds(result.steps), ["llm", "tool", "tool_write", "llm"]);
  const events = (await agent.events(OWNER, asked.runUuid)).filter(({ kind }) => kind !== "request");
  assert.deepEqual(events[2], { kind: "tool_write", round: 1, payload: { writeTargetTable: "pages", writeTargetUid: 12 } });
  assert.equal(events[1].payload.toolName, "touch_page");
  assert.equal(events[1].payload.toolIsError, false);
  assert.equal((await page(db, 12)).title, "About");
});

test("a tool result is capped, and one that is no JSON does not undo the call", async (t) => {
  const { db } = await site(t);
  const circular = {};
  circular.self = circular;
  const odd = [
    { name: "long", description: "", inputSchema: { type: "object" }, effect: "read", execute: () => `${"x".repeat(9)}😀${"y".repeat(90)}` },
    { name: "circular", description: "", inputSchema: { type: "object" }, effect: "read", execute: () => circular },
    { name: "nothing", description: "", inputSchema: { type: "object" }, effect: "read", execute: () => undefined },
  ];
  const model = script(answer("", ["long", {}], ["circular", {}], ["nothing", {}]), ({ prompt }) => answer(JSON.stringify(toolResults(prompt))));
  const result = await (await runtime(t, { db, model, tools: odd, resultLimit: 10 })).run(request(), noStep);
  const [long, cycle, nothing] = JSON.parse(result.loopResult.finalContent);
  assert.deepEqual(long, { type: "text", value: `${"x".repeat(9)}\n… (cut: 101 characters in all)` });
  assert.equal(cycle.type, "text");
  assert.equal(nothing.value, "done");
});

test("the round limit ends in a closing answer without tools", async (t) => {
  const { db } = await site(t);
  const model = script(() => answer("Still looking", ["read_page", { uid: 12 }]));
  const agent = await runtime(t, { db, model, maxRounds: 3 });
  const asked = request();
  const result = await agent.run(asked, noStep);
  assert.equal(result.outcome, "completed");
  assert.deepEqual(result.loopResult, { finalContent: "Still looking", terminationReason: "max_iterations", truncated: true });
  assert.equal(model.doGenerateCalls.length, 4);
  assert.deepEqual(model.doGenerateCalls[3].toolChoice, { type: "none" });
  assert.deepEqual(result.steps.at(-1).requestedToolCalls, [], "the closing answer is no text beside a call (O6)");
  assert.deepEqual(await agent.status(OWNER, asked.runUuid), { status: "completed" });
});

test("an answer cut off by the provider is marked, a filtered one named", async (t) => {
  const { db } = await site(t);
  const cutOff = { ...answer("Half an ans"), finishReason: { unified: "length", raw: "length" } };
  const filtered = { ...answer(""), finishReason: { unified: "content-filter", raw: undefined } };
  const agent = await runtime(t, { db, model: script(cutOff, filtered) });
  assert.deepEqual((await agent.run(request(), noStep)).loopResult, { finalContent: "Half an ans", terminationReason: "completed", truncated: true });
  assert.deepEqual((await agent.run(request(), noStep)).loopResult, { finalContent: "", terminationReason: "content_filter", truncated: false });
});

test("a model that fails, answers nonsense, or does not exist fails the run", async (t) => {
  const { db } = await site(t);
  const failing = await runtime(t, {
    db,
    model: script(() => {
      throw Object.assign(new Error("provider is down"), { code: "ECONNREFUSED" });
    }),
  });
  const asked = request();
  const failed = await failing.run(asked, noStep);
  assert.equal(failed.outcome, "failed");
  assert.equal(failed.error.message, "provider is down");
  assert.equal(failed.error.code, "ECONNREFUSED");
  assert.deepEqual(await failing.result(OWNER, asked.runUuid), failed);
  assert.deepEqual(await failing.status(OWNER, asked.runUuid), { status: "failed" });
  assert.deepEqual(kinds(failed.steps), []);
  assert.equal(failed.steps.length, 1, "the request was made");

  const nonsense = await runtime(t, { db, model: script({ content: "what", finishReason: null }) });
  assert.equal((await nonsense.run(request(), noStep)).outcome, "failed");

  for (const model of [
    () => null,
    () => undefined,
    () => "some/model",
    () => ({}),
    () => {
      throw Object.assign(new Error("no key"), { code: "providerNotConfigured" });
    },
  ]) {
    const agent = createAiSdkRuntime({ db, model, tools: [] });
    const result = await agent.run(request(), noStep);
    assert.equal(result.outcome, "failed");
    assert.equal(result.error.code, "providerNotConfigured");
  }
});

test("one uuid, one run: a second one is refused, also at the same moment (T7)", async (t) => {
  const { db } = await site(t);
  const model = script(answer("One"));
  const agent = await runtime(t, { db, model });
  const other = await runtime(t, { db, model });
  const asked = request();
  const outcomes = await Promise.allSettled([agent.run(asked, noStep), other.run(asked, noStep)]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  assert.equal(outcomes.find(({ status }) => status === "rejected").reason.code, "runExists");
  await assert.rejects(agent.run(asked, noStep), { code: "runExists" });
  assert.equal(model.doGenerateCalls.length, 1);
});

test("malformed requests are refused with a code and leave no row", async (t) => {
  const { db } = await site(t);
  const agent = await runtime(t, { db, model: script(answer("x")) });
  for (const bad of [
    null,
    {},
    request({ messages: "hi" }),
    request({ messages: [null] }),
    request({ actor: {} }),
    request({ runUuid: 5 }),
    request({ runUuid: "x".repeat(65) }),
    request({ allowedToolNames: "all" }),
  ]) {
    await assert.rejects(agent.run(bad, noStep), { code: "invalidArgument" });
  }
  assert.equal((await db.selectFrom("agent_run").selectAll().execute()).length, 0);
});

test("an onStep that throws or rejects does not break the run", async (t) => {
  const { db } = await site(t);
  const logged = [];
  const agent = await runtime(t, { db, model: script(answer("", ["read_page", { uid: 12 }]), answer("Fine")), log: (_level, message) => logged.push(message) });
  assert.equal(
    (
      await agent.run(request(), () => {
        throw new Error("observer");
      })
    ).loopResult.finalContent,
    "Fine",
  );
  assert.equal(
    (
      await agent.run(request(), async () => {
        throw new Error("observer");
      })
    ).loopResult.finalContent,
    "Fine",
  );
  assert.ok(logged.includes("run.onStepThrew"));
});

test("transcripts with files and tool calls reach the model in pairs", async (t) => {
  const { db } = await site(t);
  const model = script(answer("ok"));
  const agent = await runtime(t, { db, model });
  const call = (id, args) => ({ id, type: "function", function: { name: "read_page", arguments: args } });
  const result = await agent.run(
    request({
      messages: [
        { role: "system", content: "S" },
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
            { type: "image_url", image_url: { url: "http://127.0.0.1:9/internal.png" } },
            { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } },
          ],
        },
        { role: "assistant", content: "Reading", tool_calls: [call("a", '{"uid":12}'), call("lost", "{}")] },
        { role: "tool", tool_call_id: "a", content: "" },
        { role: "tool", tool_call_id: "orphan", content: "x" },
        { role: "assistant", content: "It is Team" },
        { role: "user", content: "Thanks" },
      ],
    }),
    noStep,
  );
  assert.equal(result.outcome, "completed");
  const { prompt } = model.doGenerateCalls[0];
  assert.deepEqual(
    prompt.map(({ role }) => role),
    ["system", "user", "assistant", "tool", "assistant", "user"],
  );
  assert.deepEqual(
    prompt[1].content.map(({ type, mediaType, text }) => mediaType ?? text ?? type),
    ["Look", "image/png", "(An image could not be passed on: http://127.0.0.1:9/internal.png)", "application/pdf"],
  );
  assert.deepEqual(
    prompt[2].content.map(({ type, toolCallId, input }) => [type, toolCallId, input]),
    [
      ["text", undefined, undefined],
      ["tool-call", "a", { uid: 12 }],
    ],
  );
  assert.deepEqual(
    prompt[3].content.map(({ toolCallId, output }) => [toolCallId, output.value]),
    [["a", ""]],
  );
});

test("options and tools are checked at the start", async (t) => {
  const { db } = await site(t);
  const good = { db, model: () => null, tools: [] };
  const tool = { name: "x", description: "", inputSchema: { type: "object" }, effect: "read", execute: () => 1 };
  const bad = [
    null,
    { ...good, db: {} },
    { ...good, model: "gpt" },
    { ...good, tools: {} },
    { ...good, leaseSeconds: 0 },
    { ...good, maxRounds: 0.5 },
    { ...good, secret: "" },
    ...[
      { name: "a b" },
      { name: "__proto__" },
      { effect: "delete" },
      { execute: undefined },
      { asks: () => ({}) },
      { inputSchema: { type: "nonsense" } },
      { description: null },
    ].map((fields) => ({ ...good, tools: [{ ...tool, ...fields }] })),
    { ...good, tools: [tool, tool] },
  ];
  for (const options of bad) assert.throws(() => createAiSdkRuntime(options), { code: "invalidOption" });
});

test("schemas of newer drafts are understood", async (t) => {
  const { db } = await site(t);
  const zodLike = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { pair: { type: "array", prefixItems: [{ type: "integer" }] } },
  };
  const model = script(answer("", ["x", { pair: ["no"] }], ["x", { pair: [1] }]), ({ prompt }) =>
    answer(JSON.stringify(toolResults(prompt).map(({ type }) => type))),
  );
  const agent = await runtime(t, { db, model, tools: [{ name: "x", description: "", inputSchema: zodLike, effect: "read", execute: () => "ok" }] });
  assert.equal((await agent.run(request({ runUuid: randomUUID() }), noStep)).loopResult.finalContent, '["error-text","text"]');
});
