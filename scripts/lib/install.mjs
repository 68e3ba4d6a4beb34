// Whether node_modules holds what package-lock.json says, and the installation that makes it so. Until that is there, nothing but Node itself
// may be imported; run.mjs neither, because it ends the process on signals that the host answers by itself.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { inRoot, root } from "./project.mjs";

/**
 * @typedef {"full" | "production"} InstallMode full: with what building and testing need; serves for production too
 * @typedef {{ lockHash: string, mode: InstallMode }} InstallStamp
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage
 */

/** The installation failed; the message is a sentence for people. */
export class InstallFailed extends Error {}

const stampFile = inRoot("node_modules", ".agent-turn-install");
const lockFile = inRoot("package-lock.json");

/**
 * Makes sure that what the project depends on is installed.
 * @param {InstallMode} [wanted]
 * @throws {InstallFailed}
 */
export async function ensureInstalled(wanted = "full") {
  const lockHash = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  const stamp = readStamp();
  if (stamp?.lockHash === lockHash && serves(stamp.mode, wanted)) return;
  let mode = installedByHand();
  if (mode === null || !serves(mode, wanted)) {
    // What is installed for building and testing stays so.
    mode = existsSync(inRoot("node_modules", "typescript")) ? "full" : wanted;
    process.stdout.write("Installing the packages of package-lock.json. This takes a minute or two: better-sqlite3, the database, is compiled here.\n");
    await npm(["ci", "--no-audit", "--no-fund", ...(mode === "production" ? ["--omit=dev"] : [])]);
  }
  writeFileSync(stampFile, `${JSON.stringify(/** @type {InstallStamp} */ ({ lockHash, mode }))}\n`);
}

/** @param {unknown} mode @param {InstallMode} wanted */
const serves = (mode, wanted) => mode === "full" || mode === wanted;

/** What the last installation left; null: nothing that can be read. @returns {Partial<InstallStamp> | null} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return null;
  }
}

/** @param {string} file @returns {[string, LockedPackage][]} */
const lockedPackages = (file) => Object.entries(JSON.parse(readFileSync(file, "utf8")).packages ?? {});

/**
 * An installation made by hand has no stamp: npm's own record tells which of the locked packages are there. null: none of it fits.
 * @returns {InstallMode | null}
 */
function installedByHand() {
  const record = inRoot("node_modules", ".package-lock.json");
  if (!existsSync(record)) return null;
  const installed = new Map(lockedPackages(record));
  const wanted = lockedPackages(lockFile).filter(([place, { optional }]) => place.startsWith("node_modules/") && !optional);
  const fits = (/** @type {[string, LockedPackage]} */ [place, { version }]) => installed.get(place)?.version === version && existsSync(inRoot(place));
  if (wanted.every(fits)) return "full";
  return wanted.filter(([, { dev, devOptional }]) => !dev && !devOptional).every(fits) ? "production" : null;
}

/** @param {string[]} args @returns {Promise<void>} */
function npm(args) {
  // The npm that started us, whatever it is called on this system; else the one on the path.
  const script = process.env.npm_execpath?.endsWith(".js") ? process.env.npm_execpath : null;
  const [command, head] = script ? [process.execPath, [script]] : ["npm", []];
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...head, ...args], { cwd: root, stdio: "inherit", shell: script === null && process.platform === "win32" });
    child.on("error", (error) => reject(new InstallFailed(`npm could not be started: ${error.message}`)));
    child.on("close", (status) => {
      if (status === 0) resolve();
      else reject(new InstallFailed("The installation failed; npm says why above. Compiling better-sqlite3 needs a C++ compiler, make and Python 3."));
    });
  });
}
