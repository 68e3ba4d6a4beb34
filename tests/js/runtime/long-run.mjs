/**
 * One run of many steps in a process of its own: `node long-run.mjs <file> <steps>` prints what each step cost the store, and the process in memory.
 */
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { createAiSdkRuntime } from "../../../pkg/runtime/ai-sdk/index.js";
import { answer, noStep, request } from "./support.mjs";

const [file = "", count = "1000"] = process.argv.slice(2);
const total = Number(count);

/** What Node warns of, such as listeners that pile up. @type {string[]} */
const warnings = [];
process.on("warning", ({ name, message }) => warnings.push(`${name}: ${message}`));

let statements = 0;
let bytes = 0;
/** @type {{ statements: number, bytes: number }[]} */
const steps = [];
const db = new Kysely({
  dialect: new SqliteDialect({ database: new Database(file) }),
  log({ query }) {
    statements += 1;
    bytes += query.sql.length + query.parameters.reduce((/** @type {number} */ sum, value) => sum + String(value ?? "").length, 0);
  },
});
const model = {
  specificationVersion: /** @type {const} */ ("v3"),
  provider: "script",
  modelId: "script",
  supportedUrls: {},
  doGenerate: async (/** @type {import("@ai-sdk/provider").LanguageModelV3CallOptions} */ { abortSignal }) => {
    abortSignal?.addEventListener("abort", () => {});
    steps.push({ statements, bytes });
    [statements, bytes] = [0, 0];
    return steps.length > total ? answer("done") : answer("Looking on.", ["look", { at: String(steps.length).padStart(6, "0") }]);
  },
  doStream: () => Promise.reject(new Error("not asked for")),
};
const look = {
  name: "look",
  description: "Looks",
  inputSchema: { type: "object" },
  effect: /** @type {const} */ ("read"),
  execute(/** @type {unknown} */ _input, /** @type {import("../../../pkg/runtime/ai-sdk/index.d.ts").ToolContext} */ { signal }) {
    // As many libraries do, which never take it back.
    signal.addEventListener("abort", () => {});
    return "x".repeat(500);
  },
};
const agent = createAiSdkRuntime({
  db,
  model: () => model,
  tools: [look],
  maxRounds: total + 1,
  contextTokens: 4000,
  heartbeatSeconds: 3600,
  leaseSeconds: 7200,
});
await agent.migrate();
const result = await agent.run(request(), noStep);
const saved = steps.slice(2);
// A run whose parts all answer at once leaves Node no time to warn.
await new Promise((resolve) => setImmediate(resolve));
process.stdout.write(
  JSON.stringify({
    outcome: result.outcome,
    text: result.loopResult?.finalContent,
    steps: saved.length,
    statements: [Math.min(...saved.map((step) => step.statements)), Math.max(...saved.map((step) => step.statements))],
    bytes: [Math.min(...saved.map((step) => step.bytes)), Math.max(...saved.map((step) => step.bytes))],
    warnings,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
);
await db.destroy();
