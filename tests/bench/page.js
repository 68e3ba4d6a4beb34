// What `chromium.mjs` bundles into a page: the rules and the engine in a browser.
import * as component from "../../pkg/web.js";
import * as reference from "../reference/index.js";
import { engineRows } from "./engine.js";
import { ruleRows } from "./rules.js";

/** @param {{ sizes: number[], effort: import("./rules.js").Effort, repeat: number }} how */
async function measure({ sizes, effort, repeat }) {
  await component.default();
  return [
    ...ruleRows(component, reference, { sizes, effort }),
    ...(await engineRows(component, reference, { sizes, rounds: effort.rounds, repeat: () => repeat })),
  ];
}

Object.assign(globalThis, { measure });
