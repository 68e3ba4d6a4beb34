// Places of the project, and the facts of its manifests that the scripts share.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder, absolute. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Name of the crate's library, and so of the files wasm-bindgen writes. */
export const libraryName = "agent_turn";

/** Name of the files of the small build, which has only what a reader's page asks. */
export const pageName = "page";

export const wasmTarget = "wasm32-unknown-unknown";

/** Absolute path of something below the root. @param {...string} parts */
export const inRoot = (...parts) => join(root, ...parts);

/**
 * The version of wasm-bindgen the crate is locked to. The command line tool must be of exactly this version: the two talk through a custom section.
 * @param {string} [lock] text of a Cargo.lock
 * @returns {string}
 */
export function wasmBindgenVersion(lock = readFileSync(inRoot("Cargo.lock"), "utf8")) {
  const found = /\[\[package\]\]\s+name = "wasm-bindgen"\s+version = "([^"]+)"/.exec(lock)?.[1];
  if (!found) throw new Error("Cargo.lock names no wasm-bindgen: run `cargo generate-lockfile` and commit the file.");
  return found;
}
