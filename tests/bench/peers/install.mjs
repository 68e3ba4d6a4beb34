// Installs the peers into this folder, when they are not there. They are no dependency of anything but the comparison.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));

/** `ai` 7 asks for Node 22 and runs on 20 for what is measured here; npm's warning about it is not shown. @throws {Error} when npm fails */
export function ensurePeers() {
  if (existsSync(join(folder, "node_modules", ".package-lock.json"))) return;
  process.stderr.write("Installing what the component is compared with (about 100 MB, once).\n");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("The peers could not be installed; npm says why above.");
}
