// `npm start` and `npm run worker` on a fresh clone: installs what is missing, then runs the host in this process with the arguments it was
// given. Until the installation is there, nothing but Node itself may be imported.
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { ensureInstalled, InstallFailed } from "./lib/install.mjs";
import { inRoot } from "./lib/project.mjs";

const MINIMUM_NODE = 20;

/** Something a person can put right; shown as one sentence. */
class StartProblem extends Error {}

function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < MINIMUM_NODE) throw new StartProblem(`Node ${MINIMUM_NODE} or newer is needed; this is ${process.versions.node}.`);
}

function checkComponent() {
  if (existsSync(inRoot("pkg", "wasm", "agent_turn_bg.wasm"))) return;
  throw new StartProblem("pkg/wasm/agent_turn_bg.wasm is missing: restore it with `git checkout -- pkg`, or build it with `npm run build` (needs Rust).");
}

try {
  checkNode();
  checkComponent();
  await ensureInstalled("production");
  const { main } = await import(pathToFileURL(inRoot("www", "host", "cli.mjs")).href);
  // A call to a model that nobody waits for any more must not keep the process.
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  const known = error instanceof StartProblem || error instanceof InstallFailed;
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
