// Instances of the component: loading once, one shape of error, and an instance that says so when it is lost (rules W1, W4, W5, W7).
import { AgentTurnError } from "./errors.js";

/** @typedef {URL | string | Response | BufferSource | WebAssembly.Module} Source */
/** @typedef {{ promise: Promise<unknown>, reject: (error: AgentTurnError) => void }} Pending */

/**
 * What a loader script of wasm-bindgen offers, as far as a build is loaded, lost and loaded again with it.
 * @typedef {object} Build
 * @property {(options: { module_or_path: Source }) => Promise<unknown>} init
 * @property {() => void} reset
 * @property {(handler: (message: string) => void) => void} onPanic
 */

/** The one instance of a build. @param {Build} build */
export function instanceOf({ init, reset, onPanic }) {
  /** The instance that answers: a new object for each load, so that an engine knows whether its own is still there. */
  let instance = /** @type {object | null} */ (null);
  let loading = /** @type {Promise<void> | null} */ (null);
  /** The first panic of this instance (rule W5). */
  let poison = /** @type {AgentTurnError | null} */ (null);
  /** Calls in flight, which a panic would leave hanging. */
  const pending = /** @type {Set<Pending>} */ (new Set());

  /**
   * Loads the component: any number of times, also at the same time, it is loaded once; a failed load is not remembered.
   * @param {Source | undefined} source where the binary is
   * @param {{ fresh?: boolean } | undefined} options `fresh`: a new instance, after the old one was poisoned
   * @param {() => Source | Promise<Source>} find where this platform finds the binary by itself
   * @returns {Promise<void>}
   */
  function load(source, options, find) {
    if (options?.fresh) return reload(source, find);
    if (instance !== null) return Promise.resolve();
    loading ??= start(source, find).finally(() => {
      loading = null;
    });
    return loading;
  }

  /** @param {Source | undefined} source @param {() => Source | Promise<Source>} find */
  async function start(source, find) {
    await init({ module_or_path: source ?? (await find()) });
    begin();
  }

  /**
   * A new instance in the place of the old one; its engines are lost with it.
   * @param {Source | undefined} source @param {() => Source | Promise<Source>} find
   */
  async function reload(source, find) {
    await loading?.catch(() => {});
    if (instance === null) return load(source, undefined, find);
    abandon(new AgentTurnError("freed", "the component was loaded afresh"));
    reset();
    begin();
  }

  function begin() {
    poison = null;
    instance = {};
    onPanic(lose);
  }

  /** @param {unknown} cause what the panic said, or what was thrown */
  function lose(cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    poison ??= new AgentTurnError("poisoned", `the component has panicked: ${text}`, { cause });
    abandon(poison);
  }

  /** @param {AgentTurnError} error */
  function abandon(error) {
    for (const call of pending) call.reject(error);
    pending.clear();
  }

  function ready() {
    if (poison) throw poison;
    if (instance === null) throw new AgentTurnError("notInitialized", "call init() first and wait for it");
  }

  /**
   * What the component throws becomes an error; a trap means that the instance is lost.
   * @param {unknown} thrown
   * @returns {unknown}
   */
  function raised(thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) {
      lose(thrown);
      return poison;
    }
    if (typeof thrown === "object" && thrown !== null && "agentTurn" in thrown) {
      const { code, message, cause } = /** @type {{ code: string, message: string, cause?: unknown }} */ (/** @type {unknown} */ (thrown));
      return new AgentTurnError(code, message, cause === undefined ? undefined : { cause });
    }
    return thrown;
  }

  /**
   * @template T
   * @param {() => T} call
   * @returns {T}
   */
  function guarded(call) {
    ready();
    try {
      return call();
    } catch (thrown) {
      throw raised(thrown);
    }
  }

  /** Whether the instance still answers. */
  const isLost = () => poison !== null;

  /**
   * A promise of the component that a panic rejects, whatever it was waiting for (rule W4).
   * @param {() => Promise<any>} call
   * @returns {Promise<any>}
   */
  function settling(call) {
    return new Promise((resolve, reject) => {
      const promise = guarded(call);
      const entry = { promise, reject };
      pending.add(entry);
      const settle = (/** @type {() => void} */ answer) => {
        pending.delete(entry);
        answer();
      };
      promise.then(
        (value) => settle(() => resolve(value)),
        (thrown) => settle(() => reject(raised(thrown))),
      );
    });
  }

  return { load, guarded, settling, isLost, current: () => instance };
}
