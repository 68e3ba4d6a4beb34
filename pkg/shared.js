// What both entries share: loading once, one shape of error, and a component that says so when it is lost (rules W1, W4, W5, W7).
// The rules themselves are in the binary; nothing here decides one.
import { AgentTurnError } from "./errors.js";
import * as component from "./wasm/agent_turn.js";

export { AgentTurnError } from "./errors.js";
export { RunRefused } from "./refused.js";

/** @typedef {URL | string | Response | BufferSource | WebAssembly.Module} Source */
/** @typedef {{ promise: Promise<unknown>, reject: (error: AgentTurnError) => void }} Pending */

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
export function load(source, options, find) {
  if (options?.fresh) return reload(source, find);
  if (instance !== null) return Promise.resolve();
  loading ??= start(source, find).finally(() => {
    loading = null;
  });
  return loading;
}

/** @param {Source | undefined} source @param {() => Source | Promise<Source>} find */
async function start(source, find) {
  await component.default({ module_or_path: source ?? (await find()) });
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
  component.__wbg_reset_state();
  begin();
}

function begin() {
  poison = null;
  instance = {};
  component.onPanic(lose);
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

/** @param {unknown} text @param {string} name */
function textOf(text, name) {
  if (typeof text !== "string") throw new AgentTurnError("invalidArgument", `invalid argument: ${name} is a text`);
  return text;
}

/* ------------------------------------------------------------ pure rules; the types are in index.d.ts */

/** @type {typeof import("./index.js").version} */
export const version = () => guarded(() => component.version());
/** @type {typeof import("./index.js").mapOutcome} */
export const mapOutcome = (conversation, result, options) => guarded(() => component.mapOutcome(conversation, result, options));
/** @type {typeof import("./index.js").mapRefusal} */
export const mapRefusal = (conversation, refusal, kind) => guarded(() => component.mapRefusal(conversation, refusal, kind));
/** @type {typeof import("./index.js").buildTranscript} */
export const buildTranscript = (input) => guarded(() => component.buildTranscript(input));
/** @type {typeof import("./index.js").statusRules} */
export const statusRules = (status) => guarded(() => component.statusRules(textOf(status, "status")));
/** @type {typeof import("./index.js").mayTransition} */
export const mayTransition = (from, to, ruleSet) => guarded(() => component.mayTransition(textOf(from, "from"), textOf(to, "to"), ruleSet));
/** @type {typeof import("./index.js").sanitizeError} */
export const sanitizeError = (text, maxLength) => guarded(() => component.sanitizeError(textOf(text, "text"), maxLength));
/** @type {typeof import("./index.js").inputForm} */
export const inputForm = (schema) => guarded(() => component.inputForm(schema));
/** @type {typeof import("./index.js").answerForm} */
export const answerForm = (schema, answer, words) => guarded(() => component.answerForm(schema, answer, words));
/** @type {typeof import("./index.js").isContinueIntent} */
export const isContinueIntent = (text) => guarded(() => component.isContinueIntent(textOf(text, "text")));
/** @type {typeof import("./index.js").claimsChange} */
export const claimsChange = (text) => guarded(() => component.claimsChange(textOf(text, "text")));
/** @type {typeof import("./index.js").present} */
export const present = (conversation, reader, waiting, options) => guarded(() => component.present(conversation, reader, waiting, options));

/* ------------------------------------------------------------ the engine */

/**
 * @template T
 * @typedef {import("./index.js").Reply<T>} Reply
 */

/** The engine over one host; see index.d.ts and, for what each method does, the rules. */
export class ChatEngine {
  #engine;
  #instance;
  #freed = false;

  /** @param {import("./index.js").Host} host @param {import("./index.js").Settings} settings */
  constructor(host, settings) {
    this.#engine = guarded(() => new component.Engine(host, settings));
    this.#instance = instance;
  }

  /** Calls in flight still settle; later ones reject with `freed`. May be called any number of times. */
  free() {
    if (this.#freed) return;
    this.#freed = true;
    if (this.#instance === instance && !poison) this.#engine.free();
  }

  /**
   * @param {(engine: component.Engine) => Promise<any>} call
   * @returns {Promise<any>}
   */
  #call(call) {
    return new Promise((resolve, reject) => {
      ready();
      if (this.#freed || this.#instance !== instance) throw new AgentTurnError("freed", "this engine was freed");
      const promise = guarded(() => call(this.#engine));
      const entry = { promise, reject };
      pending.add(entry);
      const settled = () => pending.delete(entry);
      promise.then(
        (value) => {
          settled();
          resolve(value);
        },
        (thrown) => {
          settled();
          reject(raised(thrown));
        },
      );
    });
  }

  /** @type {import("./index.js").ChatEngine["createConversation"]} */
  createConversation(actor, input) {
    return this.#call((engine) => engine.createConversation(actor, input));
  }

  /** @type {import("./index.js").ChatEngine["sendMessage"]} */
  sendMessage(uid, actor, input) {
    return this.#call((engine) => engine.sendMessage(uid, actor, input));
  }

  /** @type {import("./index.js").ChatEngine["editMessage"]} */
  editMessage(uid, actor, index, input) {
    return this.#call((engine) => engine.editMessage(uid, actor, index, input));
  }

  /** @type {import("./index.js").ChatEngine["recordDecision"]} */
  recordDecision(uid, actor, decision) {
    return this.#call((engine) => engine.recordDecision(uid, actor, decision));
  }

  /** @type {import("./index.js").ChatEngine["recordInput"]} */
  recordInput(uid, actor, answer) {
    return this.#call((engine) => engine.recordInput(uid, actor, answer));
  }

  /** @type {import("./index.js").ChatEngine["retry"]} */
  retry(uid, actor) {
    return this.#call((engine) => engine.retry(uid, actor));
  }

  /** @type {import("./index.js").ChatEngine["endProcess"]} */
  endProcess(uid, actor) {
    return this.#call((engine) => engine.endProcess(uid, actor));
  }

  /** @type {import("./index.js").ChatEngine["poll"]} */
  poll(uid, actor, after) {
    return this.#call((engine) => engine.poll(uid, actor, after));
  }

  /** @type {import("./index.js").ChatEngine["claim"]} */
  claim(uid) {
    return this.#call((engine) => engine.claim(uid));
  }

  /** @type {import("./index.js").ChatEngine["processConversation"]} */
  processConversation(uid, claimId) {
    return this.#call((engine) => engine.process(uid, claimId, false));
  }

  /** @type {import("./index.js").ChatEngine["resumeConversation"]} */
  resumeConversation(uid, claimId) {
    return this.#call((engine) => engine.process(uid, claimId, true));
  }

  /** @type {import("./index.js").ChatEngine["runNext"]} */
  runNext(workerId) {
    return this.#call((engine) => engine.runNext(workerId));
  }

  /** @type {import("./index.js").ChatEngine["reconcile"]} */
  reconcile(uid) {
    return this.#call((engine) => engine.reconcile(uid));
  }

  /** @type {import("./index.js").ChatEngine["cleanup"]} */
  cleanup() {
    return this.#call((engine) => engine.cleanup());
  }
}
