/** One host and two workers as processes on each of the databases: who carries a turn out, who is woken, who cleans up, who answers for it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { DATABASE_KINDS, freshDatabase } from "../../../scripts/databases.mjs";
import { startHost, startProcess } from "./processes.js";
import { created, polled } from "./real-host.js";

const CLI = fileURLToPath(new URL("../../../www/host/cli.mjs", import.meta.url));
const QUESTION = { content: "Which pages are hidden?" };

/** A worker whose figures can be read. @param {import("node:test").TestContext} t @param {string} url */
async function startWorker(t, url) {
  const worker = startProcess(t, [CLI, "worker", "--database", url, "--concurrency", "2", "--metrics-port", "0"], { UPKEEP_SECONDS: "1" });
  const address = /(http:\S+)\/metrics$/.exec(await worker.line(/^agent-turn metrics: /))?.[1] ?? "";
  await worker.line(/^agent-turn worker is ready$/);
  const get = async (/** @type {string} */ path) => {
    const response = await fetch(address + path);
    return { status: response.status, text: await response.text() };
  };
  return {
    ...worker,
    get,
    /** The sum of a figure over its labels. @param {string} name @param {string} [label] */
    async figure(name, label = "") {
      const { text } = await get("/metrics");
      const lines = text.split("\n").filter((line) => line.startsWith(name) && line.includes(label) && /^[{ ]/.test(line.slice(name.length)));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
    },
  };
}

/** @param {() => Promise<boolean>} condition @param {string} what */
async function eventually(condition, what) {
  const deadline = Date.now() + 30_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const kind of DATABASE_KINDS) {
  describe(`host and workers on ${kind}`, () => {
    it("share the turns, tell how they are, and hand the upkeep on", async (t) => {
      const { url, drop } = await freshDatabase(kind);
      t.after(drop);
      const host = await startHost(t, [CLI, "serve", "--database", url], { PORT: "0", WORKER: "none", MAX_ACTIVE: "0" });
      const workers = [await startWorker(t, url), await startWorker(t, url)];
      const sum = async (/** @type {string} */ name, label = "") =>
        (await Promise.all(workers.map((worker) => worker.figure(name, label)))).reduce((one, other) => one + other);

      const uids = await Promise.all(Array.from({ length: 8 }, () => created(host.client)));
      await Promise.all(uids.map((uid) => host.client.post(`/api/conversations/${uid}/messages`, QUESTION)));
      for (const uid of uids) {
        const { messages, conversation } = await polled(host.client, uid);
        assert.equal(conversation.status, "idle");
        assert.deepEqual(
          messages.map((/** @type {{ role: string }} */ { role }) => role),
          ["user", "assistant"],
        );
      }
      await eventually(async () => (await sum("agent_turn_turns_total", 'outcome="settled"')) === uids.length, "every turn was carried out once");
      if (kind === "postgres") assert.ok((await sum("agent_turn_wakeups_total", 'by="other"')) > 0, "the host's word is heard");
      assert.equal(await sum("agent_turn_queue_length"), 0);

      for (const { get } of workers) assert.deepEqual(await get("/readyz"), { status: 200, text: '{"ok":true}' });
      assert.equal((await host.client.get("/readyz")).status, 200);
      assert.equal((await host.client.get("/healthz")).body.ok, true);

      // Exactly one cleans up; when it goes, the other one takes over.
      const leads = await Promise.all(workers.map((worker) => worker.figure("agent_turn_upkeep_leader")));
      assert.deepEqual([...leads].sort(), [0, 1]);
      const [leader, other] = leads[0] === 1 ? workers : [workers[1], workers[0]];
      leader?.child.kill("SIGTERM");
      assert.deepEqual(await leader?.exited, { code: 0, signal: null });
      await eventually(async () => (await other?.figure("agent_turn_upkeep_leader")) === 1, "the lease was taken over");
    });
  });
}
