// The entry for browsers and bundlers: the binary stands beside the module.
import { instance } from "./whole.js";

export * from "./shared.js";

/** @type {typeof import("./index.js").default} */
export default function init(source, options) {
  return instance.load(source, options, () => new URL("./wasm/agent_turn_bg.wasm", import.meta.url));
}
