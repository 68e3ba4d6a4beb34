/** The real host on a real SQLite file, with a scripted model in place of the rehearsal one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "../../../www/host/app.js";
import { loadConfig } from "../../../www/host/config.js";
import { openHost } from "../../../www/host/wiring.js";
import { startWorker } from "../../../www/host/worker.js";
import { scriptedModel } from "./scripted-model.js";
import { clientOf, keptLog } from "./support.js";

/** A folder of its own that is removed after the tests. @param {import("node:test").TestContext | { after(fn: () => void): void }} t */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), "agent-turn-host-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * @param {{ after(fn: () => unknown): void }} t
 * @param {object} [options]
 * @param {Record<string, string>} [options.env]
 * @param {import("../../../www/host/wiring.js").Overrides} [options.overrides]
 * @param {boolean} [options.worker] Whether turns are carried out.
 */
export async function realHost(t, { env = {}, overrides = {}, worker: withWorker = true } = {}) {
  const { log, entries, lines } = keptLog();
  const config = loadConfig({ DATABASE_FILE: join(temporaryFolder(t), "chat.sqlite"), PORT: "0", ...env });
  const model = { model: scriptedModel(), name: "scripted", rehearsal: true };
  const parts = await openHost(config, { model, log, ...overrides });
  /** @type {import("../../../www/host/worker.js").Worker | null} */
  let worker = null;
  const app = createApp({ ...parts, onWork: () => worker?.wake() });
  if (withWorker) worker = startWorker(parts);
  t.after(async () => {
    await worker?.stop();
    await parts.close();
  });
  const client = clientOf(app);
  return { app, parts, config, entries, lines, editor: client, approver: client.as(2), as: client.as, run: () => parts.engine.runNext("test") };
}

/** Creates a conversation. @param {ReturnType<typeof clientOf>} client @param {object} [input] @returns {Promise<number>} */
export async function created(client, input = {}) {
  const reply = await client.post("/api/conversations", input);
  if (reply.status !== 201) throw new Error(`not created: ${reply.text}`);
  return reply.body.uid;
}

/**
 * Polls as the page does until the conversation is not busy.
 *
 * @param {{ get(path: string): Promise<{ status: number, body: any, text: string }> }} client
 * @param {number} uid
 * @param {(reply: any) => boolean} [until]
 * @param {number} [timeoutMs]
 */
export async function polled(client, uid, until = ({ view }) => !view.busy, timeoutMs = 20_000) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const reply = await client.get(`/api/conversations/${uid}`);
    if (reply.status !== 200) throw new Error(`poll: ${reply.text}`);
    if (until(reply.body)) return reply.body;
    if (Date.now() > deadline) throw new Error(`conversation ${uid} is still ${JSON.stringify(reply.body)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
