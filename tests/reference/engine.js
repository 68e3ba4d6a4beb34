// The engine: one method per request or consumer call; no state of its own (C8).
import { AgentTurnError } from "../../pkg/errors.js";
import { Consumer } from "./consumer.js";
import { Port } from "./host.js";
import { cleanup, reconcile } from "./housekeeping.js";
import { createConversation, editMessage, sendMessage } from "./requests.js";
import { endProcess, poll, recordDecision, recordInput, retry } from "./waiting.js";

export class ChatEngine {
  #port;
  #consumer;
  #freed = false;

  /** @param {any} host @param {any} settings */
  constructor(host, settings) {
    this.#port = new Port(host, settings);
    this.#consumer = new Consumer(this.#port);
  }

  free() {
    this.#freed = true;
  }

  /** @template T @param {() => Promise<T>} call @returns {Promise<T>} */
  async #call(call) {
    if (this.#freed) throw new AgentTurnError("freed", "this engine was freed");
    return call();
  }

  /** @param {any} actor @param {any} [input] */
  createConversation(actor, input) {
    return this.#call(() => createConversation(this.#port, actor, input));
  }
  /** @param {any} uid @param {any} actor @param {any} input */
  sendMessage(uid, actor, input) {
    return this.#call(() => sendMessage(this.#port, uid, actor, input));
  }
  /** @param {any} uid @param {any} actor @param {any} index @param {any} input */
  editMessage(uid, actor, index, input) {
    return this.#call(() => editMessage(this.#port, uid, actor, index, input));
  }
  /** @param {any} uid @param {any} actor @param {any} decision */
  recordDecision(uid, actor, decision) {
    return this.#call(() => recordDecision(this.#port, uid, actor, decision));
  }
  /** @param {any} uid @param {any} actor @param {any} answer */
  recordInput(uid, actor, answer) {
    return this.#call(() => recordInput(this.#port, uid, actor, answer));
  }
  /** @param {any} uid @param {any} actor */
  retry(uid, actor) {
    return this.#call(() => retry(this.#port, uid, actor));
  }
  /** @param {any} uid @param {any} actor */
  endProcess(uid, actor) {
    return this.#call(() => endProcess(this.#port, uid, actor));
  }
  /** @param {any} uid @param {any} actor @param {any} [after] */
  poll(uid, actor, after) {
    return this.#call(() => poll(this.#port, uid, actor, after));
  }
  /** @param {any} uid */
  claim(uid) {
    return this.#call(() => this.#consumer.claim(uid));
  }
  /** @param {any} uid @param {any} [claimId] */
  processConversation(uid, claimId) {
    return this.#call(() => this.#consumer.process(uid, claimId, false));
  }
  /** @param {any} uid @param {any} [claimId] */
  resumeConversation(uid, claimId) {
    return this.#call(() => this.#consumer.process(uid, claimId, true));
  }
  /** @param {any} workerId */
  runNext(workerId) {
    return this.#call(() => this.#consumer.runNext(workerId));
  }
  /** @param {any} uid */
  reconcile(uid) {
    return this.#call(() => reconcile(this.#port, uid));
  }
  cleanup() {
    return this.#call(() => cleanup(this.#port));
  }
}
