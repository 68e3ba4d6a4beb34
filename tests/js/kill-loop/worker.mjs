/**
 * A worker of the real host that ends itself with SIGKILL. It stands by until a line on its input tells its fate: `<points> <delay>`. It counts what the
 * runtime tells its log, and dies at that point or so many milliseconds behind it; 0 points: it lives. The environment configures it as any host.
 */
import { readMcpConfig } from "agent-turn/runtime/mcp";
import { loadConfig } from "../../../www/host/config.js";
import { openHost } from "../../../www/host/wiring.js";
import { startWorker } from "../../../www/host/worker.js";

let [left, delay] = [0, 0];
const die = () => process.kill(process.pid, "SIGKILL");
process.stdin.on("end", die); // the parent is gone

const config = loadConfig();
/** Servers that are not connected to. */
const away = new Set(config.mcpFile === null ? [] : (await readMcpConfig(config.mcpFile)).map(({ name }) => name));
/** @type {() => void} */
let allUp = () => {};
const connected = new Promise((resolve) => {
  allUp = () => resolve(undefined);
});

/** @type {import("../../../www/host/log.js").Log} */
const log = (level, message, context) => {
  if (message === "mcp.up") away.delete(String(context?.server));
  if (message === "mcp.down") away.add(String(context?.server));
  if (away.size === 0) allUp();
  // What cost this worker a tool is told to whoever finds that it is missing.
  if (message.startsWith("mcp.") && message !== "mcp.stderr" && level !== "info") process.stdout.write(`# ${JSON.stringify({ message, ...context })}\n`);
  if (!/^(run|step|call|decision|effect|turn)\b/.test(message) || (left -= 1) !== 0) return;
  process.stdout.write(`@ ${message}\n`);
  if (delay === 0) die();
  setTimeout(die, delay);
};

const parts = await openHost(config, { log });
// A worker without its servers would play another story.
if (away.size > 0) await connected;
// It stands by until it is needed: starting takes longer than dying.
process.stdin.once("data", (line) => {
  [left = 0, delay = 0] = String(line).split(" ").map(Number);
  startWorker({ ...parts, concurrency: 4, pollMs: 20, maxPollMs: 50, upkeepMs: config.upkeepSeconds * 1000 });
});
process.stdout.write("ready\n");
