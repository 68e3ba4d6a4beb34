// The host as a process that stops at named points and says so on stdout (`@ point`); it goes on when it reads a line. With `free` it never stops.
// Usage: node gated-host.mjs <database file> <gated|free> <in-process|none>
import { createInterface } from "node:readline";
import { runServe } from "../../../www/host/commands.js";
import { loadConfig } from "../../../www/host/config.js";
import { openHost } from "../../../www/host/wiring.js";
import { scriptedModel } from "./scripted-model.js";

const [databaseFile = "", mode = "free", worker = "in-process"] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin });
// The parent is gone: so is this process.
lines.on("close", () => process.exit(0));

/** @param {string} point */
async function gate(point) {
  if (mode === "free") return;
  const gone = new Promise((resolve) => lines.once("line", resolve));
  process.stdout.write(`@ ${point}\n`);
  await gone;
}

/** @param {import("agent-turn/runtime/ai-sdk").Tool} tool @returns {import("agent-turn/runtime/ai-sdk").Tool} */
const gatedTool = (tool) =>
  tool.name !== "update_page"
    ? tool
    : {
        ...tool,
        async execute(input, context) {
          await gate("tool:before");
          const result = await tool.execute?.(input, context);
          await gate("tool:after");
          return result;
        },
      };

/** @param {import("agent-turn/runtime/ai-sdk").AiSdkRuntime} runtime @returns {import("agent-turn/runtime/ai-sdk").AiSdkRuntime} */
const gatedRuntime = (runtime) => ({
  ...runtime,
  async run(...args) {
    await gate("run:before");
    const result = await runtime.run(...args);
    await gate("run:after");
    return result;
  },
  async approve(...args) {
    await gate("approve:before");
    const result = await runtime.approve(...args);
    await gate("approve:after");
    return result;
  },
});

process.exit(
  await runServe(loadConfig({ DATABASE_FILE: databaseFile, PORT: "0", WORKER: worker, LEASE_SECONDS: "1" }), async (config) => ({
    ...(await openHost(config, {
      model: { model: scriptedModel({ gate: (what) => gate(`model:${what}`) }), name: "scripted", rehearsal: true },
      tools: (tools) => tools.map(gatedTool),
      runtime: gatedRuntime,
      settings: { graceSeconds: 1, stuckAfterSeconds: 2 },
    })),
    // While a gated host is held, its own upkeep must not take the turn for abandoned: that is the next process' affair.
    upkeepMs: mode === "free" ? 300 : 600_000,
    stopGraceMs: 200,
  })),
);
