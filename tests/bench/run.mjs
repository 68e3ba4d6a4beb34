#!/usr/bin/env node
// `npm run bench`: what the component costs against plain JavaScript that obeys the same rules (tests/reference), a JSON round trip, structuredClone
// and libraries of the field. Ratios are the result, absolute times only for orientation. `--quick` runs few rounds and checks that outputs agree.
import * as component from "agent-turn";
import { Command, Option } from "commander";
import * as reference from "../reference/index.js";
import { engineRows } from "./engine.js";
import { growth, table, withRatios } from "./report.js";
import { ruleRows } from "./rules.js";

const kinds = /** @type {const} */ (["node", "chromium", "peers", "cold", "sizes"]);

const program = new Command("bench")
  .description("Measures the component against plain JavaScript, JSON, structuredClone and libraries of the field, interleaved in one process.")
  .option("--quick", "few rounds: only that everything runs and that outputs agree")
  .option("--json", "JSON instead of tables")
  .addOption(new Option("--only <kind...>", "what to measure").choices(kinds))
  .parse();
const { quick = false, json = false, only = [...kinds] } = program.opts();

const effort = quick ? { rounds: 3, milliseconds: 1 } : { rounds: 15, milliseconds: 8 };
const sizes = quick ? [10, 100] : [1, 10, 100, 1000, 10_000];
const repeat = (/** @type {number} */ n) => (quick || n > 1000 ? 5 : 50);

await component.default();

/** @type {Record<string, unknown>} */
const figures = {};

/** @param {string} kind @param {string} title @param {import("./rules.js").Row[]} rows */
function record(kind, title, rows) {
  figures[kind] = { rows: withRatios(rows), growth: growth(rows) };
  if (!json) table(title, rows);
}

/** @type {Record<(typeof kinds)[number], () => Promise<void>>} */
const measure = {
  async node() {
    const rows = [...ruleRows(component, reference, { sizes, effort }), ...(await engineRows(component, reference, { sizes, rounds: effort.rounds, repeat }))];
    record("node", `Node ${process.versions.node}`, rows);
  },
  async chromium() {
    const { chromiumRows } = await import("./chromium.mjs");
    record("chromium", "headless Chromium", await chromiumRows({ sizes, effort, repeat: quick ? 5 : 20 }));
  },
  async peers() {
    (await import("./peers/install.mjs")).ensurePeers();
    // Its imports are there only now: the type check must not follow them.
    const { peerRows } = await import(new URL("./peers/index.js", import.meta.url).href);
    record(
      "peers",
      "libraries of the field",
      await peerRows(component, { sizes: quick ? [10] : [10, 100, 1000], rounds: quick ? 2 : 9, repeat: quick ? 2 : 40 }),
    );
  },
  async cold() {
    (await import("./peers/install.mjs")).ensurePeers();
    const { coldStarts } = await import("./cold.mjs");
    const times = coldStarts(quick ? 1 : 9);
    figures.cold = times;
    if (json) return;
    console.log("\ncold start of a Node process, milliseconds (component: to the first mapped outcome; others: import only)");
    for (const [name, time] of Object.entries(times)) console.log(`  ${name.padEnd(22)} ${time.toFixed(0)}`);
  },
  async sizes() {
    (await import("./peers/install.mjs")).ensurePeers();
    const found = await (await import("./sizes.mjs")).sizes();
    figures.sizes = found;
    if (json) return;
    console.log("\nbytes: raw, gzip, brotli");
    for (const [name, { raw, gzip, brotli }] of Object.entries(found)) console.log(`  ${name.padEnd(48)} ${raw} ${gzip} ${brotli}`);
  },
};

for (const kind of kinds) if (only.includes(kind)) await measure[kind]();
if (json) console.log(JSON.stringify(figures, null, 2));
