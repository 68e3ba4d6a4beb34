/**
 * The engine of a long-lived process. A panic inside the component is a bug of ours that leaves its instance unusable (W5); the engine keeps no
 * state between calls (C8), so the host goes on with a fresh one: the call that met the panic fails, the conversation is settled by cleanup.
 */
import { describeError } from "./log.js";

/**
 * @typedef {import("agent-turn").ChatEngine} ChatEngine
 *
 * @param {() => ChatEngine} create
 * @param {() => Promise<void>} renew Loads a fresh instance of the component.
 * @param {import("./log.js").Log} log
 * @returns {ChatEngine}
 */
export function renewableEngine(create, renew, log) {
  let engine = create();
  /** @type {Promise<void> | null} */
  let renewal = null;

  /** Several calls may find out at the same time; one of them renews. @param {ChatEngine} poisoned @param {unknown} error */
  async function replace(poisoned, error) {
    if (engine !== poisoned) return;
    renewal ??= (async () => {
      log("error", "the component is poisoned and is loaded afresh", { error: describeError(error) });
      await renew();
      engine = create();
    })().finally(() => {
      renewal = null;
    });
    await renewal;
  }

  return new Proxy(engine, {
    get(_target, name) {
      const current = engine;
      const method = /** @type {Record<PropertyKey, unknown>} */ (/** @type {unknown} */ (current))[name];
      if (typeof method !== "function") return method;
      return async (/** @type {unknown[]} */ ...args) => {
        try {
          return await method.apply(current, args);
        } catch (error) {
          if (error instanceof Error && "code" in error && error.code === "poisoned") await replace(current, error);
          throw error;
        }
      };
    },
  });
}
