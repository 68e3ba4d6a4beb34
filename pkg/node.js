// The entry for Node: the binary is read from disk, `fetch` knows no files there.
import { readFile } from "node:fs/promises";
import { instance } from "./whole.js";

export * from "./shared.js";

/** @type {typeof import("./index.js").default} */
export default function init(source, options) {
  return instance.load(source, options, () => readFile(new URL("./wasm/agent_turn_bg.wasm", import.meta.url)));
}
