// The entry of the small build for Node: the binary is read from disk, `fetch` knows no files there.
import { readFile } from "node:fs/promises";
import { instance } from "./page-rules.js";

export { AgentTurnError, answerForm, inputForm, present, version } from "./page-rules.js";

/** @type {typeof import("./page.js").default} */
export default function init(source, options) {
  return instance.load(source, options, () => readFile(new URL("./wasm/page_bg.wasm", import.meta.url)));
}
