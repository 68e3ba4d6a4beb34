// A worker with a planted fault: every approved write takes effect twice. A soak that does not notice it proves nothing.
// Takes the arguments of `www/host/cli.mjs worker`.
import { parseArgs } from "node:util";
import { runWorker } from "../../www/host/commands.js";
import { loadConfig } from "../../www/host/config.js";
import { openHost } from "../../www/host/wiring.js";

const { values } = parseArgs({ allowPositionals: true, options: { database: { type: "string" }, concurrency: { type: "string" } } });
const env = { ...process.env, DATABASE_URL: values.database, WORKER_CONCURRENCY: values.concurrency };

/** @param {import("agent-turn/runtime/ai-sdk").Tool} tool @returns {import("agent-turn/runtime/ai-sdk").Tool} */
const twice = (tool) =>
  tool.effect !== "idempotentWrite"
    ? tool
    : {
        ...tool,
        async execute(input, context) {
          await tool.execute?.(input, { ...context, toolCallId: `${context.toolCallId}-again` });
          return tool.execute?.(input, context);
        },
      };

process.exit(await runWorker(loadConfig(env), (config) => openHost(config, { tools: (tools) => tools.map(twice) })));
