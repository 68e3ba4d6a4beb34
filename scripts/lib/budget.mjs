// What the component may weigh: size-budget.json has the figures that were agreed on, and why each time.
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { inRoot, libraryName, pageName } from "./project.mjs";

/** @typedef {{ raw: number, brotli: number }} Size */
/** @typedef {"wasm" | "glue" | "pageWasm" | "pageGlue" | "chat"} Part binary and glue of the whole component, and of the build for pages; the chat module */
/** @typedef {Record<Part, Size>} Sizes */
/** @typedef {Partial<Sizes> & { why: string }} Budget a part that the last entry does not name has no limit yet */

/** How much a figure may grow before the budget has to say why. */
export const TOLERANCE = 0.03;

/** @param {Uint8Array} bytes @returns {Size} */
const sizeOf = (bytes) => ({ raw: bytes.length, brotli: brotliCompressSync(bytes).length });

/** What the chat and its component may weigh for a reader, brotli: with Markdown and sanitiser. */
export const CHAT_LIMIT = 120_000;

/** A module with all it imports, minified. @param {...string} entry @returns {Promise<Size>} */
async function bundle(...entry) {
  const { outputFiles } = await build({
    entryPoints: [inRoot(...entry)],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  return sizeOf(outputFiles[0]?.contents ?? new Uint8Array());
}

/** @param {string} name @returns {Size} */
const binary = (name) => sizeOf(readFileSync(inRoot("pkg", "wasm", `${name}_bg.wasm`)));

/** What a page transfers: the binaries, and the package's entries for browsers. @returns {Promise<Sizes>} */
export const measured = async () => ({
  wasm: binary(libraryName),
  glue: await bundle("pkg", "web.js"),
  pageWasm: binary(pageName),
  pageGlue: await bundle("pkg", "page.js"),
  chat: await bundle("www", "chat", "app.js"),
});

/** The chat in a reader's page, with its component: brotli. @param {Sizes} sizes */
export const chatTogether = ({ chat, pageWasm, pageGlue }) => chat.brotli + pageWasm.brotli + pageGlue.brotli;

/** What is wrong with it, beside the budget of its parts. @param {Sizes} now @returns {string[]} */
export const tooHeavy = (now) => (chatTogether(now) > CHAT_LIMIT ? [`chat with its component: ${chatTogether(now)} brotli, at most ${CHAT_LIMIT}`] : []);

/** What was agreed on, oldest first: the last entry counts. @returns {Budget[]} */
export const budget = () => JSON.parse(readFileSync(inRoot("size-budget.json"), "utf8"));

/**
 * What is larger than the budget admits.
 * @param {Budget} agreed @param {Sizes} now
 * @returns {string[]}
 */
export function excesses({ why: _, ...agreed }, now) {
  const measures = /** @type {const} */ (["raw", "brotli"]);
  return /** @type {[Part, Size][]} */ (Object.entries(agreed)).flatMap(([part, limits]) =>
    measures
      .filter((measure) => now[part][measure] > limits[measure] * (1 + TOLERANCE))
      .map((measure) => `${part}, ${measure}: ${now[part][measure]} bytes, ${limits[measure]} were agreed on`),
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
