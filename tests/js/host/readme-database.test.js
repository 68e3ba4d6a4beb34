/** The README's step from the embedded database to PostgreSQL, line by line as it stands there, with the URL of a real server. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { freshDatabase } from "../../../scripts/databases.mjs";
import { inRoot } from "../../../scripts/lib/project.mjs";
import { created, polled } from "./real-host.js";
import { clientOf } from "./support.js";

const EXAMPLE = "postgres://cms:secret@127.0.0.1:5432/cms";

test("the three lines of the README lead from the embedded database to PostgreSQL", async (t) => {
  const lines = /```sh\n(export DATABASE_URL=[\s\S]*?)```/.exec(readFileSync(inRoot("README.md"), "utf8"))?.[1] ?? "";
  assert.equal(lines.trim().split("\n").length, 3);
  assert.ok(lines.includes(EXAMPLE));
  const { url, drop } = await freshDatabase("postgres");
  t.after(drop);
  // A process group of its own: the shell, npm and what they start end together.
  const shell = spawn("sh", ["-c", lines.replace(EXAMPLE, url)], { cwd: inRoot(), env: { ...process.env, PORT: "0" }, detached: true });
  t.after(() => process.kill(-Number(shell.pid), "SIGKILL"));
  let errors = "";
  shell.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const output = createInterface({ input: shell.stdout });
  /** @type {string[]} */
  const seen = [];
  const ready = new Promise((resolve, reject) => {
    output.on("line", (line) => {
      seen.push(line);
      const address = seen.map((one) => /^agent-turn is ready: (\S+)\/$/.exec(one)?.[1]).find(Boolean);
      if (address && seen.includes("agent-turn worker is ready")) resolve(address);
    });
    shell.once("exit", () => reject(new Error(`the shell ended: ${seen.join("\n")}\n${errors}`)));
  });
  const address = await ready;
  const client = clientOf({ request: (path, init) => fetch(address + path, init) });
  const uid = await created(client);
  await client.post(`/api/conversations/${uid}/messages`, { content: "Which pages are hidden?" });
  const { conversation, messages } = await polled(client, uid);
  assert.deepEqual([conversation.status, messages.length], ["idle", 2]);
});
