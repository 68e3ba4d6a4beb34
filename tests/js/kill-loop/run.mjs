#!/usr/bin/env node
/** `npm run kill-loop -- --points 200 [--seed 1]`: kills a worker at that many random points, and checks that no write was lost or made twice. */
import { parseArgs } from "node:util";
import { killLoop } from "./loop.mjs";

const { values } = parseArgs({ options: { points: { type: "string", default: "200" }, seed: { type: "string" } } });
const points = Number(values.points);
const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
if (!Number.isSafeInteger(points) || points < 1 || !Number.isSafeInteger(seed)) {
  console.error("usage: kill-loop [--points N] [--seed N]");
  process.exit(2);
}

/** @type {(() => unknown)[]} */
const cleanups = [];
const begun = Date.now();
console.log(`seed ${seed}`);
try {
  const { stories, kills, model } = await killLoop(
    { after: (/** @type {any} */ fn) => void cleanups.push(fn) },
    { points, seed, tell: (line) => console.log(line) },
  );
  /** @type {Record<string, number>} */
  const where = {};
  for (const point of kills) where[point] = (where[point] ?? 0) + 1;
  const sum = (/** @type {"pages" | "notes"} */ what) => stories.reduce((total, story) => total + story[what], 0);
  console.log(
    JSON.stringify({
      kills: kills.length,
      stories: stories.length,
      failed: stories.filter(({ status }) => status !== "idle").length,
      pages: sum("pages"),
      notes: sum("notes"),
      model,
      where,
    }),
  );
  const whole = stories.filter(({ pages, notes }) => pages === 1 && notes === 1).length;
  // A loop whose stories do not write would find nothing.
  if (whole * 2 < stories.length) throw new Error(`only ${whole} of ${stories.length} stories have both writes`);
  console.log(`no write lost, none made twice; ${Math.round((Date.now() - begun) / 1000)} s`);
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}
process.exit();
