/**
 * A worker of the real host that ends itself with SIGKILL: `node worker.mjs <points> <delay>` counts what the runtime tells its log, and dies at that
 * point or some milliseconds behind it. The environment configures it as any host.
 */
import { loadConfig } from "../../../www/host/config.js";
import { openHost } from "../../../www/host/wiring.js";
import { startWorker } from "../../../www/host/worker.js";

let left = Number(process.argv[2]);
const delay = Number(process.argv[3]);
const die = () => process.kill(process.pid, "SIGKILL");

/** @type {import("../../../www/host/log.js").Log} */
const log = (_level, message) => {
  if (!/^(run|step|call|decision|effect|turn)\b/.test(message) || (left -= 1) !== 0) return;
  process.stdout.write(`@ ${message}\n`);
  if (delay === 0) die();
  setTimeout(die, delay);
};

const parts = await openHost(loadConfig(), { log, settings: { graceSeconds: 1, stuckAfterSeconds: 2 } });
process.stdout.write("ready\n");
// It stands by until it is needed: starting takes longer than dying.
process.stdin.once("data", () => startWorker({ ...parts, concurrency: 4, pollMs: 20, maxPollMs: 50, upkeepMs: 200 }));
process.stdin.on("end", die); // the parent is gone
