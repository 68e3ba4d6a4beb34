// What both entries offer. The rules themselves are in the binary; nothing here decides one.
import { AgentTurnError } from "./errors.js";
import * as component from "./wasm/agent_turn.js";
import { instance } from "./whole.js";

export { AgentTurnError } from "./errors.js";
export { RunRefused } from "./refused.js";

const { guarded, settling, isLost, current } = instance;

/** Text of one value, in UTF-16 code units (rule W4). */
const MAX_TEXT = 64 * 1024 * 1024;

/** @param {unknown} text @param {string} name */
function textOf(text, name) {
  if (typeof text !== "string") throw new AgentTurnError("invalidArgument", `invalid argument: ${name} is a text`);
  if (text.length > MAX_TEXT) throw new AgentTurnError("tooLarge", "a value holds more than 64 MiB of text");
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
    this.#instance = current();
  }

  /** Calls in flight still settle; later ones reject with `freed`. May be called any number of times. */
  free() {
    if (this.#freed) return;
    this.#freed = true;
    if (this.#instance === current() && !isLost()) this.#engine.free();
  }

  /**
   * @param {(engine: component.Engine) => Promise<any>} call
   * @returns {Promise<any>}
   */
  #call(call) {
    return settling(() => {
      if (this.#freed || this.#instance !== current()) throw new AgentTurnError("freed", "this engine was freed");
      return call(this.#engine);
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
