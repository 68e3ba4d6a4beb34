// The entry of the small build for browsers and bundlers: the binary stands beside the module.
import { instance } from "./page-rules.js";

export { AgentTurnError, answerForm, inputForm, present, version } from "./page-rules.js";

/** @type {typeof import("./page.js").default} */
export default function init(source, options) {
  return instance.load(source, options, () => new URL("./wasm/page_bg.wasm", import.meta.url));
}
