// @ts-nocheck: looks at results without narrowing them first
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../host/real-host.js";
import { answer, noStep, OWNER, request, runtime, site, toolResults } from "./support.mjs";

const run = promisify(execFile);

test("a run of 1000 steps: each costs the store the same, and the process stays below 200 MB", async (t) => {
  const script = new URL("./long-run.mjs", import.meta.url).pathname;
  // With a small heap: what is measured is what the run needs, not what the collector leaves lying about while there is room.
  const heap = ["--max-old-space-size=96", "--max-semi-space-size=4"];
  const { stdout } = await run(process.execPath, [...heap, script, join(temporaryFolder(t), "long.sqlite"), "1000"]);
  const { outcome, text, steps, statements, bytes, megabytes, warnings } = JSON.parse(stdout);
  assert.deepEqual([outcome, text, steps], ["completed", "done", 999]);
  assert.equal(statements[0], statements[1], "as many statements for the thousandth step as for the second");
  assert.ok(bytes[1] < bytes[0] * 1.1, `bytes of a step: ${bytes}`); // numbers of more digits, nothing that grows with the transcript
  assert.ok(megabytes < 200, `${megabytes} MB`);
  assert.deepEqual(warnings, [], "listeners on the signal of a run do not pile up");
});

test("1000 runs in one store, 8 at a time: none gets anything of another", async (t) => {
  const { db } = await site(t);
  const look = {
    name: "look",
    description: "",
    inputSchema: { type: "object" },
    effect: "read",
    execute: ({ at }, { runUuid, actor }) => `${at} ${runUuid} ${actor.uid}`,
  };
  const asked = (prompt) => prompt.find(({ role }) => role === "user").content[0].text;
  const model = {
    specificationVersion: "v3",
    provider: "script",
    modelId: "script",
    supportedUrls: {},
    doGenerate: async ({ prompt }) => {
      const [result] = toolResults(prompt);
      return result ? answer(`${asked(prompt)}: ${result.value}`) : answer("", ["look", { at: asked(prompt) }, "call_1"]);
    },
  };
  const agent = await runtime(t, { db, model, tools: [look] });
  const total = 1000;
  let next = 0;
  const worker = async () => {
    while (next < total) {
      const number = (next += 1);
      const uuid = `run-${number}`;
      const actor = { ...OWNER, uid: number };
      const result = await agent.run(request({ runUuid: uuid, actor, messages: [{ role: "user", content: `question ${number}` }] }), noStep);
      assert.equal(result.loopResult?.finalContent, `question ${number}: question ${number} ${uuid} ${number}`);
      assert.equal((await agent.events(actor, uuid)).length, 5);
      assert.equal(await agent.result({ ...OWNER, uid: number + 1 }, uuid), null);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const [line] = await agent.usage();
  assert.deepEqual([line.runs, line.calls], [total, 2 * total]);
});
