/** The engines of this tab over one instance of the component, made anew after an instance broke (W5): they keep no state between calls (C8). */

import { loadComponent } from "../component.js";

/**
 * @typedef {import("../../../pkg/index.js").ChatEngine} ChatEngine
 * @typedef {import("../../../pkg/index.js").Host} Host
 * @typedef {import("../../../pkg/index.js").Settings} Settings
 *
 * @typedef {object} EngineSet
 * @property {ChatEngine} requests
 * @property {ChatEngine} turns
 * @property {ChatEngine} recovery takes a turn without any recent heartbeat for dead
 *
 * @typedef {object} Engines
 * @property {() => Promise<EngineSet>} get
 * @property {(error: unknown) => void} failed tells of an error of an engine; after one that broke the instance, `get` gives other ones
 */

/**
 * @param {{ requestHost: Host, turnHost: Host, settings: Settings }} options
 * @returns {Engines}
 */
export function createEngines({ requestHost, turnHost, settings }) {
  /** @type {Promise<EngineSet> | null} */
  let set = null;
  let broken = false;

  /** @returns {Promise<EngineSet>} */
  async function load() {
    const { default: init, ChatEngine } = await loadComponent();
    if (broken) await init(undefined, { fresh: true });
    broken = false;
    return {
      requests: new ChatEngine(requestHost, settings),
      turns: new ChatEngine(turnHost, settings),
      recovery: new ChatEngine(turnHost, { ...settings, stuckAfterSeconds: 0 }),
    };
  }

  return {
    get() {
      set ??= load().catch((error) => {
        set = null;
        throw error;
      });
      return set;
    },
    failed(error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      if (code !== "poisoned" && code !== "freed") return;
      set = null;
      broken ||= code === "poisoned";
    },
  };
}
