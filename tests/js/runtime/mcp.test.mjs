// @ts-nocheck: these tests hand in what the types forbid, and look at results without narrowing them first
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { McpConfigError, parseMcpConfig, readMcpConfig } from "../../../pkg/runtime/mcp/index.js";
import { effectOf, importTools, toolName } from "../../../pkg/runtime/mcp/tools.js";
import { temporaryFolder } from "../host/real-host.js";
import { everythingEntry, freePort, mcpTools, notes, notesEntry, serveEverything, serveNotes } from "./mcp-servers.mjs";
import { answer, approval, kinds, noStep, OWNER, refusedFor, request, runtime, script, site, toolResults } from "./support.mjs";

/** How a value of the file names an environment variable. */
const variable = (name) => `$\{${name}}`;
const telling = ({ prompt }) => answer(JSON.stringify(toolResults(prompt)));

test("the file: every problem is named at once, and no value of a variable", () => {
  const servers = {
    "Bad name": { command: "x" },
    both: { command: "x", url: "http://127.0.0.1/" },
    typo: { command: "x", aprovel: "never" },
    web: { url: "file:///etc/passwd" },
    keyed: { url: "https://example.org/mcp", headers: { Authorization: `Bearer ${variable("NO_SUCH")}` } },
  };
  assert.throws(
    () => parseMcpConfig({ servers }, { SECRET: "s3cret" }),
    (error) => {
      assert.ok(error instanceof McpConfigError);
      assert.equal(error.code, "invalidMcpConfig");
      const told = error.problems.join("\n");
      for (const part of [/servers\.Bad name/, /servers\.both: exactly one/, /servers\.typo.*aprovel/, /servers\.web\.url/, /keyed.*NO_SUCH is not set/])
        assert.match(told, part);
      assert.equal(error.problems.length, 5);
      return true;
    },
  );
  for (const wrong of [null, [], { server: {} }, { servers: [] }, "x"]) assert.throws(() => parseMcpConfig(wrong), McpConfigError);
});

test("the file: defaults, variables, disabled servers; unreadable and malformed files", async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, "mcp.json");
  const headers = { Authorization: `Bearer ${variable("TOKEN")}` };
  writeFileSync(file, JSON.stringify({ servers: { web: { url: "https://example.org/mcp", headers }, off: { command: "x", disabled: true } } }));
  const [web, ...others] = await readMcpConfig(file, { TOKEN: "abc" });
  assert.deepEqual(others, []);
  assert.deepEqual([web.name, web.headers, web.approval, web.trustHints, web.timeoutSeconds], ["web", { Authorization: "Bearer abc" }, "writes", true, 60]);
  writeFileSync(file, "{");
  await assert.rejects(readMcpConfig(file), /mcp\.json is not valid JSON/);
  await assert.rejects(readMcpConfig(join(folder, "none.json")), { code: "invalidMcpConfig" });
});

test("names of tools: short, of few characters, the same everywhere, never shared", () => {
  assert.equal(toolName("files", "read-page"), "mcp_files_read-page");
  const names = ["a b", "a.b", "a/b", "x".repeat(80), `${"x".repeat(80)}y`, "ä"].map((name) => toolName("files", name));
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^mcp_files_[A-Za-z0-9_-]{1,54}$/);
});

test("hints and policies decide what is asked for", () => {
  const [base] = parseMcpConfig({ servers: { s: { command: "x" } } });
  const listed = (annotations, config = {}) => {
    const server = { ...base, ...config };
    const { tools } = importTools(server, [{ name: "t", inputSchema: { type: "object" }, annotations }], () => {});
    return [effectOf(server, { name: "t", annotations }), tools[0].needsApproval];
  };
  assert.deepEqual(listed(undefined), ["write", true]);
  assert.deepEqual(listed({ readOnlyHint: true }), ["read", false]);
  assert.deepEqual(listed({ readOnlyHint: true, destructiveHint: true }), ["write", true], "a tool that says both is not believed");
  assert.deepEqual(listed({ idempotentHint: true, destructiveHint: false }), ["idempotentWrite", true]);
  assert.deepEqual(listed({ idempotentHint: true }), ["write", true]);
  assert.deepEqual(listed({ readOnlyHint: true }, { trustHints: false }), ["write", true]);
  assert.deepEqual(listed({ readOnlyHint: true }, { approval: "always" }), ["read", true]);
  assert.deepEqual(listed(undefined, { approval: "never" }), ["write", false]);
  assert.deepEqual(listed({ destructiveHint: true }, { approval: "never" }), ["write", true], "what the server calls destructive is asked for all the same");
  assert.deepEqual(listed({ destructiveHint: true }, { overrides: { t: { approval: "never" } } }), ["write", false]);
  assert.deepEqual(listed(undefined, { overrides: { t: { effect: "read" } } }), ["read", false]);
  assert.deepEqual(listed({}, { overrides: JSON.parse('{"__proto__": {"approval": "never"}}') }), ["write", true]);
});

for (const transport of ["stdio", "http"]) {
  test(`the everything server over ${transport}: its tools, results as plain text`, async (t) => {
    const entry = transport === "stdio" ? everythingEntry() : { url: await serveEverything(t) };
    const { mcp, call } = mcpTools(t, { all: entry });
    await mcp.ready();
    const tools = new Map(mcp.tools().map((tool) => [tool.name, tool]));
    assert.ok(tools.size >= 10, [...tools.keys()].join());
    assert.deepEqual([tools.get("mcp_all_echo").effect, tools.get("mcp_all_echo").needsApproval], ["read", false]);
    assert.equal(tools.get("mcp_all_toggle-simulated-logging").needsApproval, true);
    assert.equal(await call("mcp_all_echo", { message: "hello" }), "Echo: hello");
    assert.match(await call("mcp_all_get-sum", { a: 1, b: 2 }), /is 3\./);
    assert.match(await call("mcp_all_get-tiny-image"), /\(image, image\/png, about \d+ KiB: not passed on\)/);
    assert.match(await call("mcp_all_get-structured-content", { location: "New York" }), /temperature/);
    assert.match(await call("mcp_all_get-resource-reference", { resourceType: "Text", resourceId: 1 }), /plaintext resource/);
    await assert.rejects(call("mcp_all_get-sum", { a: "one" }), /expected number|invalid/i);
  });

  test(`the notes server over ${transport}: a write waits for a person and is made once`, async (t) => {
    const { db } = await site(t);
    const file = join(temporaryFolder(t), "notes.jsonl");
    const entry = transport === "stdio" ? notesEntry(file) : { url: (await serveNotes(t, file)).url };
    const { mcp } = mcpTools(t, { notes: entry });
    const model = script(answer("Let me see.", ["mcp_notes_list_notes", {}], ["mcp_notes_add_note", { text: "Call back" }]), telling);
    const agent = await runtime(t, { db, model, sources: [mcp] });
    const asked = request();
    const paused = await agent.run(asked, noStep);
    assert.equal(paused.outcome, "awaiting_approval");
    const { pendingCalls } = await agent.waitingView(OWNER, asked.runUuid);
    assert.deepEqual(
      pendingCalls.map(({ name, label, previewLines, declaresWrite }) => [name, label, previewLines, declaresWrite]),
      [["mcp_notes_add_note", "notes: add_note", ["text: Call back"], true]],
    );
    assert.deepEqual(notes(file), []);
    const end = await agent.approve(OWNER, asked.runUuid, approval(paused), noStep);
    assert.deepEqual(
      JSON.parse(end.loopResult.finalContent).map(({ value }) => value),
      ["no notes", "noted: Call back"],
    );
    const [note, ...more] = notes(file);
    assert.deepEqual([note.text, more.length], ["Call back", 0]);
    assert.match(note.call, new RegExp(`^${asked.runUuid}/`), "a server can recognise a call it has carried out");
    assert.deepEqual(kinds(await agent.events(OWNER, asked.runUuid)).slice(-3), ["approval", "tool", "llm"], "an approved call counts as a write (V7)");
  });
}

test("headers and environment carry the token; the environment of the host is not handed on", async (t) => {
  const file = join(temporaryFolder(t), "notes.jsonl");
  const { url } = await serveNotes(t, file);
  const env = { TOKEN: "t0ken" };
  const web = mcpTools(
    t,
    { web: { url, headers: { Authorization: `Bearer ${variable("TOKEN")}` } }, own: { ...notesEntry(file), env: { NOTES_TOKEN: variable("TOKEN") } } },
    env,
  );
  await web.mcp.ready();
  assert.equal(await web.call("mcp_web_whoami"), "Bearer t0ken");
  assert.equal(await web.call("mcp_own_whoami"), "t0ken");
  process.env.NOTES_TOKEN = "of the host";
  t.after(() => delete process.env.NOTES_TOKEN);
  const bare = mcpTools(t, { own: notesEntry(file) });
  await bare.mcp.ready();
  assert.equal(await bare.call("mcp_own_whoami"), "nobody");
});

test("allow list, groups, odd names, long and refused answers", async (t) => {
  const file = join(temporaryFolder(t), "notes.jsonl");
  const { mcp, call, lines } = mcpTools(t, {
    few: { ...notesEntry(file), allow: ["list_notes", "no_such"], groups: [3] },
    all: { ...notesEntry(file), resultLimit: 100 },
  });
  await mcp.ready();
  assert.deepEqual(mcp.servers().find(({ name }) => name === "few").tools, ["mcp_few_list_notes"]);
  assert.ok(lines.some(({ message, tool, problem }) => message === "mcp.toolRefused" && tool === "no_such" && /no such tool/.test(problem)));
  const [limited] = mcp.tools();
  assert.deepEqual([limited.allowed({ uid: 1, isAdmin: false, groups: ["3"] }), limited.allowed({ uid: 1, isAdmin: true, groups: [] })], [true, false]);
  const odd = mcp.tools().find(({ name }) => name.startsWith("mcp_all_a_tool_with"));
  assert.ok(odd.name.length <= 64);
  assert.match(await call(odd.name), /odd/);
  assert.match(await call("mcp_all_flood"), /^x{100}\n… \(cut: 300000 characters/);
  await assert.rejects(call("mcp_all_refuse"), /not today/);
  assert.equal(mcp.tools().find(({ name }) => name === "mcp_all_wipe_notes").effect, "write");
});

test("a server that is not there costs its tools and one line, and is used once it is", async (t) => {
  const { db } = await site(t);
  const file = join(temporaryFolder(t), "notes.jsonl");
  const port = await freePort();
  const { mcp, lines, logged } = mcpTools(t, { notes: { url: `http://127.0.0.1:${port}/mcp` }, gone: { command: "/no/such/program" } });
  const model = script(answer("hello"));
  const agent = await runtime(t, { db, model, sources: [mcp] });
  assert.equal((await agent.run(request(), noStep)).loopResult.finalContent, "hello");
  assert.ok(!model.doGenerateCalls[0].tools.some(({ name }) => name.startsWith("mcp_")));
  assert.equal(lines.filter(({ level, message, server }) => level === "warn" && message === "mcp.down" && server === "notes").length, 1);
  await serveNotes(t, file, port);
  await logged("mcp.up");
  assert.ok(mcp.tools().some(({ name }) => name === "mcp_notes_add_note"));
  assert.equal(
    lines.filter(({ level, message, server }) => level === "warn" && message === "mcp.down" && server === "notes").length,
    1,
    "one line, however often it was tried",
  );
  await agent.run(request(), noStep);
  assert.ok(model.doGenerateCalls[1].tools.some(({ name }) => name === "mcp_notes_add_note"));
});

test("a server that dies in the middle of a write: the effect is unknown, the turn goes on, the server comes back", async (t) => {
  const { db } = await site(t);
  const file = join(temporaryFolder(t), "notes.jsonl");
  const { mcp, logged } = mcpTools(t, { notes: notesEntry(file) });
  const model = script(answer("", ["mcp_notes_add_and_die", { text: "once" }]), telling);
  const agent = await runtime(t, { db, model, sources: [mcp] });
  const asked = request();
  const paused = await agent.run(asked, noStep);
  const end = await agent.approve(OWNER, asked.runUuid, approval(paused), noStep);
  const [told] = JSON.parse(end.loopResult.finalContent);
  assert.equal(told.type, "error-text");
  assert.match(told.value, /^It is unknown whether this change took effect: no answer came/);
  assert.equal(notes(file).length, 1);
  const events = await agent.events(OWNER, asked.runUuid);
  assert.ok(
    events.some(({ kind }) => kind === "tool_write"),
    "nobody may say that nothing was saved (V7)",
  );
  await logged("mcp.up", 2);
  assert.ok(mcp.servers()[0].connected);
});

test("a read whose server hangs or is refused is an error for the model; a time-out is kept to", async (t) => {
  const file = join(temporaryFolder(t), "notes.jsonl");
  const { mcp, call } = mcpTools(t, { notes: { ...notesEntry(file), timeoutSeconds: 0.2 } });
  await mcp.ready();
  await assert.rejects(call("mcp_notes_hang"), /no answer.*timed out/i);
  assert.ok(mcp.servers()[0].connected, "a server that answers a ping is kept");
  const stop = new AbortController();
  const hanging = call("mcp_notes_hang", {}, stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(hanging, /stopped|abort/i);
});

test("approval while the server is away: refused as configurationInactive, untouched; once it is back it counts", async (t) => {
  const { db } = await site(t);
  const file = join(temporaryFolder(t), "notes.jsonl");
  const port = await freePort();
  const first = await serveNotes(t, file, port);
  const before = mcpTools(t, { notes: { url: first.url } });
  const model = script(answer("", ["mcp_notes_add_note", { text: "late" }]), telling);
  const agent = await runtime(t, { db, model, sources: [before.mcp] });
  const asked = request();
  const paused = await agent.run(asked, noStep);
  await first.stop();
  const after = mcpTools(t, { notes: { url: first.url } });
  const next = await runtime(t, { db, model, sources: [after.mcp] });
  await assert.rejects(next.approve(OWNER, asked.runUuid, approval(paused), noStep), refusedFor("configurationInactive"));
  assert.deepEqual(await next.status(OWNER, asked.runUuid), { status: "waiting_for_approval" });
  await serveNotes(t, file, port);
  await after.logged("mcp.up");
  const end = await next.approve(OWNER, asked.runUuid, approval(paused), noStep);
  assert.match(end.loopResult.finalContent, /noted: late/);
  assert.equal(notes(file).length, 1);
});

test("declining needs no server; a server that is configured no more leaves an error for the model", async (t) => {
  const { db } = await site(t);
  const file = join(temporaryFolder(t), "notes.jsonl");
  const { mcp } = mcpTools(t, { notes: notesEntry(file) });
  const model = script(answer("", ["mcp_notes_add_note", { text: "a" }]), answer("", ["mcp_notes_add_note", { text: "b" }]), telling);
  const agent = await runtime(t, { db, model, sources: [mcp] });
  const asked = request();
  const paused = await agent.run(asked, noStep);
  const away = await runtime(t, { db, model, sources: [{ tools: () => [], missing: () => true }] });
  const again = await away.approve(OWNER, asked.runUuid, approval(paused, { approved: false }), noStep);
  assert.match(again.loopResult.finalContent, /approval_denied.*out of reach/s);
  assert.deepEqual(notes(file), []);
});

test("a call begun before its server went away is told from the ledger, not as never made", async (t) => {
  const { db } = await site(t);
  let present = true;
  const tool = {
    name: "remote_write",
    description: "",
    inputSchema: { type: "object" },
    effect: "write",
    needsApproval: false,
    execute() {
      present = false;
      void agent.close(); // the process ends while the call is on its way
      throw new Error("cut off");
    },
  };
  const sources = [{ tools: () => (present ? [tool] : []), missing: () => !present }];
  const model = script(answer("", ["remote_write", {}]), telling);
  const agent = await runtime(t, { db, model, sources });
  const asked = request();
  assert.equal((await agent.run(asked, noStep)).outcome, "lease_lost");
  const next = await runtime(t, { db, model, sources });
  assert.equal(await next.recover(), 1);
  assert.match((await next.result(OWNER, asked.runUuid)).loopResult.finalContent, /It is unknown whether this change took effect/);
});

test("sources that throw, or hand out nonsense, cost their tools", async (t) => {
  const { db } = await site(t);
  const lines = [];
  const model = script(answer("fine"));
  const tool = (name) => ({ name, description: "", inputSchema: { type: "object" }, effect: "read", execute: () => "" });
  const sources = [
    { tools: () => [tool("read_page"), tool("extra"), null, { name: "bad name" }] },
    {
      tools: () => {
        throw new Error("no list");
      },
      ready: () => Promise.reject(new Error("never")),
    },
  ];
  const agent = await runtime(t, { db, model, sources, log: (_level, message, context) => lines.push([message, context.tool ?? context.error]) });
  assert.equal((await agent.run(request(), noStep)).loopResult.finalContent, "fine");
  const offered = model.doGenerateCalls[0].tools.map(({ name }) => name);
  assert.equal(offered.filter((name) => name === "read_page").length, 1, "the host's own tool stands");
  assert.ok(offered.includes("extra"));
  const told = lines.map((line) => line.join(" "));
  for (const line of ["tools.refused read_page", "tools.refused bad name", "tools.sourceFailed never"]) assert.ok(told.includes(line), `${line}: ${told}`);
});
