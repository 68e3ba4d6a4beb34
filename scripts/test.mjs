#!/usr/bin/env node
// `npm test`: everything, in order, on a machine that has Node, npm and rustup. Stops at the first failure.
//   npm test -- --list                 names the parts
//   npm test -- --only lint,types      runs these alone, in their order
// The last line is "N passed, 0 failed", the cases of all parts together.
import { parseArgs } from "node:util";
import { countCases } from "./lib/cases.mjs";
import { parts } from "./lib/parts.mjs";

/** @typedef {import("./lib/parts.mjs").Part} Part */
/** @typedef {{ name: string, cases: number | null, seconds: number }} Done */

const usage = `usage: npm test [-- --list | --only part,part]; parts: ${parts.map(({ name }) => name).join(", ")}`;

/** The parts asked for; null: the arguments make no sense. @returns {{ list: boolean, chosen: Part[] } | null} */
function readArguments() {
  try {
    const { values } = parseArgs({ options: { only: { type: "string" }, list: { type: "boolean" } } });
    const wanted = values.only?.split(",") ?? parts.map(({ name }) => name);
    const known = wanted.every((name) => parts.some((part) => part.name === name));
    return known ? { list: values.list ?? false, chosen: parts.filter(({ name }) => wanted.includes(name)) } : null;
  } catch {
    return null;
  }
}

/**
 * How many cases the part ran; null: it is no test runner. One that ran none, or skipped some, has not done its work.
 * @param {Part} part @param {string} output
 * @returns {number | null}
 */
function casesOf({ cases }, output) {
  if (!cases) return null;
  const { passed, failed, skipped } = countCases(cases, output);
  if (failed) throw new Error(`${failed} cases failed`);
  if (skipped) throw new Error(`${skipped} cases were skipped`);
  if (!passed) throw new Error("no case ran");
  return passed;
}

/** @param {Part} part @returns {Promise<Done>} */
async function perform(part) {
  console.log(`\n=== ${part.name}: ${part.about}`);
  const start = performance.now();
  const output = await part.run();
  const cases = casesOf(part, output ?? "");
  const seconds = (performance.now() - start) / 1000;
  console.log(`=== ${part.name}: ${summary({ name: part.name, cases, seconds })}`);
  return { name: part.name, cases, seconds };
}

/** @param {Done} done */
const summary = ({ cases, seconds }) => `${cases === null ? "ok" : `${cases} cases`}, ${seconds.toFixed(1)} s`;

/** @param {Part[]} chosen @returns {Promise<number>} exit status */
async function main(chosen) {
  if (Number(process.versions.node.split(".")[0]) < 20) {
    console.error(`Node 20 or newer is needed; this is ${process.versions.node}.`);
    return 1;
  }
  /** @type {Done[]} */
  const done = [];
  for (const part of chosen) {
    try {
      done.push(await perform(part));
    } catch (error) {
      console.error(`\n=== ${part.name} failed: ${error instanceof Error ? error.message : error}`);
      return 1;
    }
  }
  console.log(`\n${done.map((one) => `${one.name.padEnd(17)} ${summary(one)}`).join("\n")}\n`);
  console.log(`${done.reduce((sum, { cases }) => sum + (cases ?? 0), 0)} passed, 0 failed`);
  return 0;
}

const options = readArguments();
if (!options) {
  console.error(usage);
  process.exitCode = 2;
} else if (options.list) {
  for (const { name, about } of parts) console.log(`${name.padEnd(17)} ${about}`);
} else {
  process.exitCode = await main(options.chosen);
}
