#!/usr/bin/env node
// `npm run profile`: where the time of a turn goes, from the request to the approved write. The real host (SQLite, rehearsal model) does turns in this
// process under the profiler; the time is told per part, and `--svg FILE` draws a flame graph.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { Command } from "commander";
import { openModel } from "../../www/host/model.js";
import { created, realHost } from "../js/host/real-host.js";
import { flameGraph } from "./flame.js";
import { shares, stacks } from "./stacks.js";

const program = new Command("profile")
  .description("Profiles turns of the real host: a request, a write that waits, its approval, the end.")
  .option("--turns <n>", "how many", Number, 300)
  .option("--svg <file>", "where the flame graph goes")
  .parse();
const { turns, svg } = program.opts();

/** @type {(() => unknown)[]} */
const closing = [];
const host = await realHost(
  { after: (close) => void closing.unshift(close) },
  { worker: false, overrides: { model: await openModel(null) }, env: { LOG_LEVEL: "error" } },
);

const names = ["Team", "About us"];

/** @param {number} index */
async function turn(index) {
  const uid = await created(host.editor);
  const [from, to] = index % 2 === 0 ? names : [...names].reverse();
  await host.editor.post(`/api/conversations/${uid}/messages`, { content: `Rename the page ${from} to ${to}` });
  await host.run();
  const { body } = await host.approver.get(`/api/conversations/${uid}`);
  if (!body.view.card) throw new Error(`nothing to decide: ${JSON.stringify(body)}`);
  const { turnDigest } = body.view.card;
  const decided = await host.approver.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest });
  if (decided.status !== 202) throw new Error(decided.text);
  await host.run();
  const ended = await host.editor.get(`/api/conversations/${uid}`);
  if (ended.body.conversation.status !== "idle") throw new Error(ended.text);
}

for (let index = 0; index < 20; index++) await turn(index);
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 200 });
await session.post("Profiler.start");
const begin = performance.now();
for (let index = 0; index < turns; index++) await turn(index);
const elapsed = performance.now() - begin;
const { profile } = await session.post("Profiler.stop");
for (const close of closing) await close();

console.log(`${turns} turns with an approved write, ${(elapsed / turns).toFixed(2)} ms each`);
for (const [part, share] of shares(profile)) console.log(`  ${part.padEnd(34)} ${(share * 100).toFixed(1).padStart(5)} %`);
if (svg) writeFileSync(svg, flameGraph(stacks(profile), { title: "A turn with an approved write: SQLite, rehearsal model", shares: shares(profile) }));
