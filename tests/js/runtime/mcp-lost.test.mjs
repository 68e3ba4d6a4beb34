// @ts-nocheck: looks at results without narrowing them first
// Connections that break and servers that are started anew: what is asked again, what is not, and what a run notices of it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../host/real-host.js";
import { breakable, freePort, mcpTools, notes, notesEntry, serveNotes, startEverything } from "./mcp-servers.mjs";
import { answer, noStep, OWNER, request, runtime, script, site } from "./support.mjs";

const down = (lines) => lines.filter(({ message }) => message === "mcp.down");

/** The notes server behind a way that breaks. */
async function behindBreaks(t) {
  const file = join(temporaryFolder(t), "notes.jsonl");
  const way = await breakable(t, (await serveNotes(t, file)).url);
  const tools = mcpTools(t, { notes: { url: way.url } });
  await tools.mcp.ready();
  return { ...tools, way, file };
}

for (const where of ["before", "after"]) {
  test(`a read whose connection breaks ${where} it arrives is asked again, and no tool is lost`, async (t) => {
    const { call, lines, way } = await behindBreaks(t);
    way.breakNext(where);
    assert.equal(await call("mcp_notes_list_notes"), "no notes");
    assert.ok(way.broken());
    assert.deepEqual(down(lines), []);
  });

  test(`a write whose connection breaks ${where} it arrives is not repeated: nobody can tell, and no tool is lost`, async (t) => {
    const { call, lines, way, file, mcp } = await behindBreaks(t);
    way.breakNext(where);
    await assert.rejects(call("mcp_notes_add_note", { text: "once" }), { name: "EffectUnknown" });
    assert.equal(notes(file).length, where === "after" ? 1 : 0);
    assert.deepEqual([down(lines), mcp.servers()[0].connected], [[], true]);
  });
}

test("a write after a quiet time meets no connection that was closed meanwhile", async (t) => {
  const { call, way, file, lines } = await behindBreaks(t);
  const now = performance.now.bind(performance);
  t.mock.method(performance, "now", () => now() + 60_000);
  way.breakNext("before");
  assert.match(await call("mcp_notes_add_note", { text: "kept" }), /noted: kept/);
  assert.ok(way.broken());
  assert.deepEqual([notes(file).length, down(lines)], [1, []]);
});

test("a server that was started anew has forgotten the session, which no call notices", async (t) => {
  const port = await freePort();
  const first = await startEverything(t, port);
  const overrides = { "get-sum": { effect: "write", approval: "never" } };
  const { call, lines, mcp } = mcpTools(t, { all: { url: first.url, overrides } });
  await mcp.ready();
  await first.stop();
  const second = await startEverything(t, port);
  assert.match(await call("mcp_all_get-sum", { a: 2, b: 3 }), /5/, "a write that was refused was not made, and is made now");
  assert.equal(down(lines).length, 1);
  await second.stop();
  await startEverything(t, port);
  assert.match(await call("mcp_all_echo", { message: "two" }), /two/);
  assert.equal(down(lines).length, 2);
});

test("a server that is gone: a write was not made, and nobody says it is unknown", async (t) => {
  const file = join(temporaryFolder(t), "notes.jsonl");
  const { url, stop } = await serveNotes(t, file);
  const { call, mcp, lines } = mcpTools(t, { notes: { url } });
  await mcp.ready();
  await stop();
  await assert.rejects(call("mcp_notes_add_note", { text: "lost" }), (error) => error.name !== "EffectUnknown");
  assert.deepEqual([mcp.servers()[0].connected, mcp.missing("mcp_notes_add_note"), notes(file)], [false, true, []]);
  assert.equal(down(lines).filter(({ level }) => level === "warn").length, 1);
});

test("a server that dies in the middle of a turn is there again for the calls behind it and the next step of the model", async (t) => {
  const { db } = await site(t);
  const file = join(temporaryFolder(t), "notes.jsonl");
  const { mcp } = mcpTools(t, { notes: { ...notesEntry(file), overrides: { add_and_die: { approval: "never" }, add_note: { approval: "never" } } } });
  const model = script(answer("", ["mcp_notes_add_and_die", { text: "a" }], ["mcp_notes_add_note", { text: "b" }]), answer("Done."));
  const agent = await runtime(t, { db, model, sources: [mcp] });
  assert.equal((await agent.run(request(), noStep)).loopResult.finalContent, "Done.");
  assert.deepEqual(
    notes(file).map(({ text }) => text),
    ["a", "b"],
  );
  assert.ok(model.doGenerateCalls[1].tools.some(({ name }) => name === "mcp_notes_add_note"));
});

test("a server that goes as soon as it is connected to is looked for with growing pauses", async (t) => {
  const { lines, logged } = mcpTools(t, { notes: { ...notesEntry("unused"), env: { NOTES_LEAVES: "1" } } });
  await logged("mcp.down", 4);
  assert.deepEqual(
    down(lines).map(({ retryMs }) => retryMs),
    [0, 20, 40, 80],
  );
});

test("a run that is stopped does not wait for a server", async (t) => {
  const { db } = await site(t);
  let looked = () => {};
  const looking = new Promise((resolve) => {
    looked = () => resolve(undefined);
  });
  const never = {
    tools: () => [],
    ready() {
      looked();
      return new Promise(() => {});
    },
  };
  const agent = await runtime(t, { db, model: script(answer("not asked")), sources: [never] });
  const asked = request();
  const running = agent.run(asked, noStep);
  await looking;
  assert.equal(await agent.cancel(OWNER, asked.runUuid), true);
  assert.equal((await running).outcome, "cancelled");
});
