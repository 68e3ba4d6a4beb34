#!/usr/bin/env node
// `npm run bench`: what the component costs against plain JavaScript that obeys the same rules (tests/reference), a JSON round trip and structuredClone.
// Ratios are the result, absolute times only for orientation. `--quick` runs few rounds and checks that outputs agree; `--json` prints JSON.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import * as component from "agent-turn";
import { inRoot } from "../../scripts/lib/project.mjs";
import * as reference from "../reference/index.js";
import { compare, compareAsync } from "./rounds.js";
import { completed, conversation, errorText, task } from "./workloads.js";

const quick = process.argv.includes("--quick");
const effort = quick ? { rounds: 3, milliseconds: 1 } : { rounds: 15, milliseconds: 8 };
const sizes = quick ? [10, 100] : [1, 10, 100, 1000, 10_000];

await component.default();

/** @typedef {{ workload: string, n: number, microseconds: Record<string, number> }} Row */
/** @type {Row[]} */
const rows = [];

/** @param {any} module */
const transcriptOf = (module) => (/** @type {any} */ row) => module.buildTranscript({ conversation: row, task });

for (const n of sizes) {
  const row = conversation(n);
  const [ours, plain] = [component, reference].map(transcriptOf);
  const texts = (/** @type {any[]} */ wire) => wire.filter((m) => m.role !== "system").map((m) => m.role);
  assert.deepEqual(texts(ours?.(row)), texts(plain?.(row)), "same messages");
  rows.push({
    workload: "buildTranscript",
    n,
    microseconds: compare(
      [
        { name: "component", run: () => ours?.(row) },
        { name: "plain JS", run: () => plain?.(row) },
        { name: "JSON", run: () => JSON.parse(JSON.stringify(row)) },
        { name: "structuredClone", run: () => structuredClone(row) },
      ],
      effort,
    ),
  });
}

for (const n of sizes) {
  const row = /** @type {any} */ (conversation(n));
  const options = { now: 1_700_000_000_000 };
  assert.deepEqual(component.mapOutcome(row, completed, options), reference.mapOutcome(row, completed, options));
  rows.push({
    workload: "mapOutcome",
    n,
    microseconds: compare(
      [
        { name: "component", run: () => component.mapOutcome(row, completed, options) },
        { name: "plain JS", run: () => reference.mapOutcome(row, completed, options) },
        { name: "JSON", run: () => JSON.parse(JSON.stringify(row)) },
      ],
      effort,
    ),
  });
}

for (const n of sizes) {
  const row = /** @type {any} */ (conversation(n, { status: "awaiting_approval", runUuid: "r" }));
  const reader = { uid: 7, isAdmin: false, mayDecide: true };
  const view = /** @type {any} */ ({
    runUuid: "r",
    mode: "approval",
    turnDigest: "d",
    pendingCalls: [{ name: "update_page", arguments: { uid: 3, title: "About us" } }],
  });
  assert.deepEqual(component.present(row, reader, view), reference.present(row, reader, view));
  rows.push({
    workload: "present",
    n,
    microseconds: compare(
      [
        { name: "component", run: () => component.present(row, reader, view) },
        { name: "plain JS", run: () => reference.present(row, reader, view) },
      ],
      effort,
    ),
  });
}

{
  const pattern = /https?:\/\/\S+|\/[\w./-]+:\d+:\d+|\b(?:token|key|password)=\S+|\bghp_\w+/g;
  rows.push({
    workload: "sanitizeError",
    n: errorText.length,
    microseconds: compare(
      [
        { name: "component", run: () => component.sanitizeError(errorText) },
        { name: "RegExp", run: () => errorText.replace(pattern, "[redacted]").replace(/\s+/g, " ").slice(0, 500) },
      ],
      effort,
    ),
  });
}

/** @param {any} module @param {number} n */
function engineOf(module, n) {
  let row = /** @type {any} */ (conversation(n, { status: "processing", claimId: "", lastRunUuid: "" }));
  const stored = row;
  const host = {
    storage: {
      load: () => row,
      swap: (/** @type {any} */ _uid, /** @type {number} */ revision, /** @type {any} */ { messages, ...fields }) => {
        if (row.revision !== revision) return false;
        row = { ...row, ...fields, messages: messages ? [...row.messages.slice(0, messages.keep), ...messages.append] : row.messages, revision: revision + 1 };
        return true;
      },
      touch: () => true,
      find: () => [1],
      insert: () => 1,
      remove: () => true,
    },
    runtime: { run: (/** @type {any} */ { runUuid }) => ({ ...completed, runUuid }), approve: () => null, submitInput: () => null, status: () => null },
    resolveTask: () => task,
  };
  const engine = new module.ChatEngine(host, { taskUid: 5, extensionKey: "bench" });
  return async () => {
    row = stored;
    assert.equal((await engine.runNext("w")).status, "idle");
  };
}

for (const n of sizes) {
  rows.push({
    workload: "a whole turn",
    n,
    microseconds: await compareAsync(
      [
        { name: "component", run: engineOf(component, n) },
        { name: "plain JS", run: engineOf(reference, n) },
      ],
      { rounds: effort.rounds, repeat: quick ? 5 : n > 1000 ? 5 : 50 },
    ),
  });
}

const bytes = ["agent_turn_bg.wasm", "agent_turn.js"].map((file) => readFileSync(inRoot("pkg", "wasm", file)));
const size = {
  raw: bytes.reduce((sum, b) => sum + b.length, 0),
  gzip: bytes.reduce((sum, b) => sum + gzipSync(b, { level: 9 }).length, 0),
  brotli: bytes.reduce((sum, b) => sum + brotliCompressSync(b).length, 0),
};

if (process.argv.includes("--json")) console.log(JSON.stringify({ rows, size }, null, 2));
else {
  console.log("component against each of the others, smaller is better (microseconds of one call for orientation)");
  for (const { workload, n, microseconds } of rows) {
    const { component: ours = NaN, ...others } = microseconds;
    const ratios = Object.entries(others).map(([name, time]) => `${(ours / time).toFixed(ours / time < 0.1 ? 3 : 2)} × ${name}`);
    console.log(`${workload.padEnd(16)} ${String(n).padStart(7)}  ${ratios.join("   ")}   (${ours.toFixed(1)} µs)`);
  }
  console.log(`binary and glue: ${size.raw} bytes, ${size.gzip} gzip, ${size.brotli} brotli`);
}
