// What a page transfers for the component, and for the minimal use of a peer, minified by the same tool.
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";
import { inRoot, libraryName, pageName } from "../../scripts/lib/project.mjs";

/** @typedef {{ raw: number, gzip: number, brotli: number }} Size */

/** @param {Uint8Array[]} files @returns {Size} */
const sizeOf = (files) => ({
  raw: files.reduce((sum, file) => sum + file.length, 0),
  gzip: files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0),
  brotli: files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0),
});

/** @param {string} code @param {string} folder where its imports are looked up */
async function minified(code, folder) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    external: ["node:*"],
    logLevel: "error",
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}

/** @type {Record<string, string>} */
const peers = {
  "xstate createMachine + createActor": 'export { createMachine, createActor } from "xstate";',
  "ai 6 convertToModelMessages": 'export { convertToModelMessages } from "ai6";',
  "ai 7 convertToModelMessages": 'export { convertToModelMessages } from "ai7";',
  "LangGraph StateGraph + interrupt + MemorySaver": 'export { StateGraph, interrupt, MemorySaver } from "@langchain/langgraph/web";',
};

/** @returns {Promise<Record<string, Size>>} */
export async function sizes() {
  const entry = (/** @type {string} */ name) => minified(`export * from "./${name}"; export { default } from "./${name}";`, inRoot("pkg"));
  const binary = (/** @type {string} */ name) => readFileSync(inRoot("pkg", "wasm", `${name}_bg.wasm`));
  const found = {
    "component, wasm + minified glue": sizeOf([binary(libraryName), await entry("web.js")]),
    "component for pages, wasm + minified glue": sizeOf([binary(pageName), await entry("page.js")]),
  };
  for (const [name, code] of Object.entries(peers)) Object.assign(found, { [name]: sizeOf([await minified(code, inRoot("tests", "bench", "peers"))]) });
  return found;
}
