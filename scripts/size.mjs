#!/usr/bin/env node
// `npm run size`: how large the component is, by groups of functions; with `--page` those of the build for pages. With `--check` only whether it keeps to
// size-budget.json; with `--functions` every function.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builds, buildWithNames } from "./build.mjs";
import { budget, chatTogether, excesses, measured, tooHeavy, unexplained } from "./lib/budget.mjs";
import { sizesOf } from "./lib/wasm-sections.mjs";
import { ensureTools } from "./tools.mjs";

/** The first that fits names the group of a function. @type {[RegExp, string][]} */
const groups = [
  [/drop_in_place/, "drop glue: what frees values"],
  [/agent_turn::wasm::engine|engine_\w+ /, "boundary: methods of the engine with the operations inlined into them"],
  [/agent_turn::engine/, "engine: the other steps of operations"],
  [/agent_turn::wasm::host/, "boundary: callbacks of the host"],
  [/agent_turn::wasm|agent_turn::flat| shim/, "boundary: values, rows, pure rules"],
  [/agent_turn::transcript/, "transcript"],
  [/agent_turn::redact/, "redaction"],
  [/agent_turn::form/, "forms"],
  [/agent_turn::phrases/, "phrases"],
  [/agent_turn::present/, "present"],
  [/agent_turn/, "outcome, refusal, settlement, statuses, texts, values"],
  [/fmt|Formatter|panic/, "formatting and panics"],
  [/btree/, "BTreeMap"],
  [/alloc/, "allocator, strings and lists"],
  [/js_sys|wasm_bindgen|__wb|externref/, "wasm-bindgen, promises"],
  [/./, "the rest of the standard library"],
];

/** @param {string} name */
const groupOf = (name) => groups.find(([pattern]) => pattern.test(name))?.[1] ?? "";

/** @param {number} size */
const bytes = (size) => String(size).padStart(8);

/** @param {import("./build.mjs").Build} build @param {boolean} everything */
async function report(build, everything) {
  await ensureTools("build");
  const folder = mkdtempSync(join(tmpdir(), "agent-turn-size-"));
  try {
    const { sections, functions } = sizesOf(readFileSync(await buildWithNames(folder, build)));
    const sums = groups.map(([, name]) => {
      const sizes = functions.filter((one) => groupOf(one.name) === name).map(({ size }) => size);
      return { name, count: sizes.length, size: sizes.reduce((sum, size) => sum + size, 0) };
    });
    for (const { name, size } of sections) if (!name.startsWith("custom")) console.log(`${bytes(size)}  section ${name}`);
    for (const { name, count, size } of sums.sort((a, b) => b.size - a.size)) console.log(`${bytes(size)}  ${name} (${count} functions)`);
    if (everything) for (const { name, size } of functions.sort((a, b) => b.size - a.size)) console.log(`${bytes(size)}  ${name}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const now = await measured();
for (const [part, { raw, brotli }] of Object.entries(now)) console.log(`${part}: ${raw} bytes, ${brotli} brotli`);
console.log(
  `together: ${now.wasm.brotli + now.glue.brotli} brotli, for pages ${now.pageWasm.brotli + now.pageGlue.brotli}, with the chat ${chatTogether(now)}`,
);
if (process.argv.includes("--check")) {
  const entries = budget();
  const agreed = entries.at(-1);
  const wrong = [...unexplained(entries), ...(agreed ? excesses(agreed, now) : []), ...tooHeavy(now)];
  for (const line of wrong) console.error(line);
  if (wrong.length > 0) {
    console.error("A growth of more than 3 % needs another entry in size-budget.json: the new figures, and why.");
    process.exitCode = 1;
  }
} else await report(process.argv.includes("--page") ? builds.page : builds.whole, process.argv.includes("--functions"));
