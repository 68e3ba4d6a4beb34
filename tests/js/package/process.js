import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { inRoot } from "../../../scripts/lib/project.mjs";

/**
 * Runs a module in a fresh process, where nothing is loaded yet.
 * @param {string} source which prints one JSON value @returns {any} that value
 */
export function inProcess(source) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", source], { cwd: inRoot(), encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}
