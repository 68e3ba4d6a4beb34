// `npm start` and `npm run worker` on a fresh clone: installs what is missing, then runs the host in this process with the arguments it was
// given. Until the installation is there, nothing but Node itself may be imported.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const MINIMUM_NODE = 20;
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const inRoot = (/** @type {string[]} */ ...parts) => join(root, ...parts);
const STAMP = inRoot("node_modules", ".agent-turn-install");

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

/** SHA-256 of package-lock.json, hex: the installation it belongs to. */
const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(inRoot("package-lock.json")))
    .digest("hex");

/** The stamp of the last installation; a full one (with what tests need) serves as well. @param {string} hash */
function stampFits(hash) {
  try {
    const stamp = JSON.parse(readFileSync(STAMP, "utf8"));
    return stamp.lockHash === hash && (stamp.mode === "full" || stamp.mode === "production");
  } catch {
    return false;
  }
}

/** @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

/** @param {string} file @returns {[string, LockedPackage][]} */
const lockedPackages = (file) => Object.entries(JSON.parse(readFileSync(file, "utf8")).packages ?? {});

/**
 * An installation made by hand has no stamp: npm's own record tells which of the locked packages are there. null: none of it fits.
 * @returns {"full" | "production" | null}
 */
function installedByHand() {
  const record = inRoot("node_modules", ".package-lock.json");
  if (!existsSync(record)) return null;
  const installed = new Map(lockedPackages(record));
  const wanted = lockedPackages(inRoot("package-lock.json")).filter(([place, { optional }]) => place.startsWith("node_modules/") && !optional);
  const fits = (/** @type {[string, LockedPackage]} */ [place, { version }]) => installed.get(place)?.version === version && existsSync(inRoot(place));
  if (wanted.every(fits)) return "full";
  return wanted.filter(([, { dev, devOptional }]) => !dev && !devOptional).every(fits) ? "production" : null;
}

async function ensureInstalled() {
  const hash = lockHash();
  if (stampFits(hash)) return;
  let mode = installedByHand();
  if (mode === null) {
    // What is installed for building and testing stays so.
    mode = existsSync(inRoot("node_modules", "typescript")) ? "full" : "production";
    process.stdout.write("Installing the packages of package-lock.json. This takes a minute or two: better-sqlite3, the database, is compiled here.\n");
    await npm(["ci", "--no-audit", "--no-fund", ...(mode === "production" ? ["--omit=dev"] : [])]);
  }
  writeFileSync(STAMP, `${JSON.stringify({ lockHash: hash, mode })}\n`);
}

/** @param {string[]} args @returns {Promise<void>} */
function npm(args) {
  // The npm that started us, whatever it is called on this system; else the one on the path.
  const script = process.env.npm_execpath?.endsWith(".js") ? process.env.npm_execpath : null;
  const [command, head] = script ? [process.execPath, [script]] : ["npm", []];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...head, ...args], { cwd: root, stdio: "inherit", shell: script === null && process.platform === "win32" });
    child.on("error", (error) => reject(new StartProblem(`npm could not be started: ${error.message}`)));
    child.on("close", (status) => {
      if (status === 0) resolve();
      else reject(new StartProblem("The installation failed; npm says why above. Compiling better-sqlite3 needs a C++ compiler, make and Python 3."));
    });
  });
}

try {
  checkNode();
  checkComponent();
  await ensureInstalled();
  const { main } = await import(pathToFileURL(inRoot("www", "host", "cli.mjs")).href);
  // A call to a model that nobody waits for any more must not keep the process.
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof StartProblem ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
