// What the component may weigh: size-budget.json has the figures that were agreed on, and why each time.
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { inRoot, libraryName } from "./project.mjs";

/** @typedef {{ raw: number, brotli: number }} Size */
/** @typedef {Record<"wasm" | "glue", Size>} Sizes */
/** @typedef {Sizes & { why: string }} Budget */

/** How much a figure may grow before the budget has to say why. */
export const TOLERANCE = 0.03;

/** @param {Uint8Array} bytes @returns {Size} */
const sizeOf = (bytes) => ({ raw: bytes.length, brotli: brotliCompressSync(bytes).length });

/** What a page transfers: the binary, and the package's entry for browsers with all it imports, minified. @returns {Promise<Sizes>} */
export async function measured() {
  const { outputFiles } = await build({
    entryPoints: [inRoot("pkg", "web.js")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  const glue = outputFiles[0]?.contents ?? new Uint8Array();
  return { wasm: sizeOf(readFileSync(inRoot("pkg", "wasm", `${libraryName}_bg.wasm`))), glue: sizeOf(glue) };
}

/** What was agreed on, oldest first: the last entry counts. @returns {Budget[]} */
export const budget = () => JSON.parse(readFileSync(inRoot("size-budget.json"), "utf8"));

/**
 * What is larger than the budget admits.
 * @param {Sizes} agreed @param {Sizes} now
 * @returns {string[]}
 */
export function excesses(agreed, now) {
  const parts = /** @type {const} */ (["wasm", "glue"]);
  const measures = /** @type {const} */ (["raw", "brotli"]);
  return parts.flatMap((part) =>
    measures
      .filter((measure) => now[part][measure] > agreed[part][measure] * (1 + TOLERANCE))
      .map((measure) => `${part}, ${measure}: ${now[part][measure]} bytes, ${agreed[part][measure]} were agreed on`),
  );
}

/**
 * What is wrong with a budget file: every entry says why it stands there, in words of its own.
 * @param {Budget[]} entries
 * @returns {string[]}
 */
export function unexplained(entries) {
  const reasons = entries.map(({ why }) => why.trim());
  if (entries.length === 0) return ["size-budget.json has no entry"];
  return reasons.flatMap((why, place) => (why === "" || reasons.indexOf(why) < place ? [`size-budget.json, entry ${place + 1}: no why of its own`] : []));
}
