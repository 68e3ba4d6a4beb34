// Whether node_modules holds what package-lock.json says, and the installation that makes it so. Imports nothing that has to be installed.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { inRoot } from "./project.mjs";
import { run } from "./run.mjs";

/** @typedef {{ lockHash: string, mode: "full" | "production" }} InstallStamp full: with what building and testing need; serves for production too */

const stampFile = inRoot("node_modules", ".agent-turn-install");

/** SHA-256 of package-lock.json, hex: the installation it belongs to. */
const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(inRoot("package-lock.json")))
    .digest("hex");

/** @returns {InstallStamp | null} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return null;
  }
}

function writeStamp() {
  /** @type {InstallStamp} */
  const stamp = { lockHash: lockHash(), mode: "full" };
  writeFileSync(stampFile, `${JSON.stringify(stamp)}\n`);
}

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean }>} */
const lockedPackages = (file) => JSON.parse(readFileSync(file, "utf8")).packages ?? {};

/** An installation made by hand (`npm install`) has no stamp; npm's own record of what it installed tells whether it fits all the same. */
function installedByHand() {
  const record = inRoot("node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = lockedPackages(record);
  const wanted = Object.entries(lockedPackages(inRoot("package-lock.json"))).filter(([place, { optional }]) => place.startsWith("node_modules/") && !optional);
  return wanted.every(([place, { version }]) => installed[place]?.version === version && existsSync(inRoot(place)));
}

/** Makes sure that everything the project depends on is installed, development tools included. */
export async function ensureInstalled() {
  const stamp = readStamp();
  if (stamp?.mode === "full" && stamp.lockHash === lockHash()) return;
  // without the record of an unfinished or older installation, npm ci starts anew
  if (!installedByHand()) await run("npm", ["ci", "--no-audit", "--no-fund"]);
  writeStamp();
}
