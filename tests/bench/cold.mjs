// A fresh Node process up to the first mapped outcome, against a fresh process that only imports a peer.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median } from "./rounds.js";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const ours = `
import init, { mapOutcome } from ${JSON.stringify(here("../../pkg/node.js"))};
import { completed, conversation } from ${JSON.stringify(here("./workloads.js"))};
await init();
if (mapOutcome(conversation(1), completed).status !== "idle") process.exit(1);
`;

/** @type {Record<string, { code: string, cwd: string }>} */
const candidates = {
  component: { code: ours, cwd: here(".") },
  "empty module": { code: 'import "node:fs";', cwd: here(".") },
  "ai 6": { code: 'import { convertToModelMessages } from "ai6";', cwd: here("./peers") },
  "ai 7": { code: 'import { convertToModelMessages } from "ai7";', cwd: here("./peers") },
  xstate: { code: 'import { createMachine } from "xstate";', cwd: here("./peers") },
  LangGraph: { code: 'import { StateGraph } from "@langchain/langgraph";', cwd: here("./peers") },
};

/** Milliseconds of one process. @param {{ code: string, cwd: string }} candidate */
function once({ code, cwd }) {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - begin;
}

/** @param {number} rounds @returns {Record<string, number>} median milliseconds of each */
export function coldStarts(rounds) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, /** @type {number[]} */ ([])]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, candidate] of Object.entries(candidates)) times[name]?.push(once(candidate));
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}
