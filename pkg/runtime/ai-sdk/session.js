/** A run in the hands of this process: its state, its steps, its lease, and every way it can be written. */
import { randomUUID } from "node:crypto";
import { RunRefused } from "../../refused.js";
import { Cancelled, LeaseLost, Stopped, StoreFault, shortMessage, toRunError } from "./errors.js";
import { headOf } from "./stored.js";
import { cut } from "./text.js";

/**
 * @typedef {import("./types.js").RunRow} RunRow
 * @typedef {import("./types.js").RunStep} RunStep
 * @typedef {import("./types.js").RunResult} RunResult
 * @typedef {import("../../index.d.ts").RunEvent["payload"]} Payload
 */

/**
 * @typedef {object} Deps what every part of the runtime shares
 * @property {import("./types.js").Config} config
 * @property {import("./store.js").Store} store
 * @property {import("./tools.js").Toolset} tools
 * @property {Map<string, Session>} active sessions of this process, by run uuid
 * @property {boolean} closed no new work is taken on
 */

/** The columns of a run that a fresh claim writes. @param {Deps} deps */
export function claimColumns({ config }) {
  return { claim_id: randomUUID(), lease_expires: config.now() + config.leaseMs };
}

export class Session {
  #onStep;
  #controller = new AbortController();
  #asking = new AbortController();
  /** @type {import("./types.js").NewEvent[]} */
  #events = [];
  /** @type {import("./types.js").LogEntry[]} */
  #log = [];
  /** @type {import("./types.js").UsageRow[]} */
  #usage = [];
  /** @type {NodeJS.Timeout | undefined} */
  #heartbeat;
  #lost = false;
  #stopping = false;
  #cancelled = false;
  #ended = () => {};
  /** Resolves when this process is done with the run. */
  done;

  /**
   * @param {Deps} deps
   * @param {RunRow} row as stored under this claim
   * @param {import("./types.js").StoredRequest} request
   * @param {import("./types.js").RunState} state
   * @param {(step: RunStep) => void} [onStep]
   */
  constructor(deps, row, request, state, onStep) {
    this.deps = deps;
    this.row = row;
    this.request = request;
    this.state = state;
    this.#onStep = onStep;
    this.done = new Promise((resolve) => {
      this.#ended = () => resolve(undefined);
    });
  }

  get uuid() {
    return this.row.uuid;
  }

  /** Aborted when this process must let the run go. */
  get signal() {
    return this.#controller.signal;
  }

  /** Aborted also when the run shall stop: for what may be cut off without harm, the model and tools that only read. */
  get asking() {
    return this.#asking.signal;
  }

  /**
   * What a tool is told of the call it carries out or shows.
   * @param {string} toolCallId
   * @param {AbortSignal} signal one of its own that follows `signal` or `asking` (signal.js)
   * @returns {import("./index.d.ts").ToolContext}
   */
  toolContext(toolCallId, signal) {
    return {
      actor: structuredClone(this.request.actor),
      runUuid: this.uuid,
      toolCallId,
      signal,
      progress: (done, total) => this.#progress(done, total),
    };
  }

  /**
   * @param {unknown} done
   * @param {unknown} total
   */
  #progress(done, total) {
    if (!Number.isSafeInteger(done) || !Number.isSafeInteger(total) || Number(done) < 0 || Number(total) < Number(done)) return;
    // The latest one counts: a tool may tell it a thousand times.
    this.#events = this.#events.filter(({ kind }) => kind !== "progress");
    this.record("progress", this.state.turn?.round ?? this.state.round, { done: Number(done), total: Number(total) });
  }

  start() {
    const { config, store, active } = this.deps;
    active.set(this.uuid, this);
    if (this.deps.closed) this.interrupt(); // closed between the first look and the claim
    this.#heartbeat = setInterval(async () => {
      try {
        const found = await store.beat(this.uuid, this.row.claim_id, config.now() + config.leaseMs);
        if (found === "lost") this.#lose();
        if (found === "stopAsked") this.stop();
      } catch (error) {
        config.log("warn", "run.heartbeatFailed", { runUuid: this.uuid, error: shortMessage(error) });
      }
    }, config.heartbeatMs);
    this.#heartbeat.unref();
  }

  end() {
    clearInterval(this.#heartbeat);
    if (this.deps.active.get(this.uuid) === this) this.deps.active.delete(this.uuid);
    this.#ended();
  }

  /** Ends the session at the next chance; the run stays as it was saved last. */
  interrupt() {
    this.#stopping = true;
    this.#abort(new Stopped());
  }

  /** Ends the run as soon as what it is doing can be told: the model is not waited for, a write under way is. */
  stop() {
    this.#cancelled = true;
    this.#asking.abort(new Cancelled());
  }

  #lose() {
    this.#lost = true;
    this.#abort(new LeaseLost());
  }

  /** @param {Error} reason */
  #abort(reason) {
    this.#controller.abort(reason);
    this.#asking.abort(reason);
  }

  /**
   * @throws {LeaseLost} another process has the run
   * @throws {Stopped} the runtime is being closed
   * @throws {Cancelled} a person stopped the run
   */
  check() {
    if (this.#lost) throw new LeaseLost();
    if (this.#stopping) throw new Stopped();
    if (this.#cancelled) throw new Cancelled();
  }

  /**
   * Reports a step. It is stored with the next save, in one transaction with the state it belongs to, so a step is stored once however
   * often a process dies. A throwing `onStep` is the reader's trouble, not the run's.
   * @param {RunStep & { durationMs: number }} step
   * @param {Payload} payload what is stored of it: names, flags and lengths, no contents
   */
  emit(step, payload) {
    this.state.steps.push(step);
    this.append("step", step);
    this.record(step.kind, step.round, payload, step.durationMs);
    try {
      /** @type {unknown} */ const answer = this.#onStep?.(step);
      if (answer instanceof Promise) answer.catch((error) => this.#stepFault(error));
    } catch (error) {
      this.#stepFault(error);
    }
  }

  /** @param {unknown} error */
  #stepFault(error) {
    this.deps.config.log("warn", "run.onStepThrew", { runUuid: this.uuid, error: shortMessage(error) });
  }

  /**
   * An event that is no step: a decision, an answer.
   * @param {string} kind
   * @param {number} round
   * @param {Payload} payload
   * @param {number} [durationMs]
   */
  record(kind, round, payload, durationMs = 0) {
    this.#events.push({ kind, round, durationMs, payload });
  }

  /**
   * Adds a line to what is stored of the open run; written with the next save.
   * @param {import("./types.js").LogKind} kind
   * @param {unknown} body
   * @returns {number} where it stands
   */
  append(kind, body) {
    this.#log.push({ kind, body: JSON.stringify(body) });
    return this.row.logged + this.#log.length - 1;
  }

  /** @param {import("./types.js").ModelMessage[]} messages */
  addMessages(messages) {
    for (const message of messages) {
      this.state.messages.push(message);
      this.append("message", message);
    }
  }

  /**
   * Books what a call of the model cost on whoever started the run.
   * @param {Pick<import("./types.js").UsageRow, "round" | "model" | "prompt_tokens" | "completion_tokens" | "cost_micros">} usage
   */
  book(usage) {
    const { configuration, options } = this.request;
    const { extension = "", operation = "" } = options?.callerSource ?? {};
    const named = { extension: cut(String(extension), 64), operation: cut(String(operation), 64), configuration: cut(String(configuration.name ?? ""), 191) };
    this.#usage.push({ run_uuid: this.uuid, ...named, ...usage, created_at: this.deps.config.now() });
  }

  /** A new segment: a decision or an answer was accepted, its result reports what happens from here on. */
  beginSegment() {
    this.state.steps = [];
    this.state.segment = this.row.logged + this.#log.length;
    this.state.segmentRounds = 0;
  }

  /**
   * @param {string} what name of the save, for the log
   * @param {Partial<RunRow>} [patch]
   */
  async save(what, patch = {}) {
    const { config, store } = this.deps;
    const now = config.now();
    const change = { state: headOf(this.state), lease_expires: now + config.leaseMs, ...patch };
    const added = { events: this.#events, log: this.#log, usage: this.#usage };
    await store.save(this.row, change, added, now);
    const { version, events, logged } = this.row;
    this.row = { ...this.row, ...change, version: version + 1, events: events + added.events.length, logged: logged + added.log.length };
    this.#events = [];
    this.#log = [];
    this.#usage = [];
    config.log("debug", what, { runUuid: this.uuid });
  }

  /**
   * @param {"waiting_for_approval" | "waiting_for_input"} status
   * @param {{ turnDigest: string, inputSchema?: import("./types.js").Json }} suspendedState
   */
  async suspend(status, suspendedState) {
    const result = this.result(status === "waiting_for_approval" ? "awaiting_approval" : "awaiting_input", { suspendedState });
    await this.save("run.suspended", { status, result: JSON.stringify(result), claim_id: "", lease_expires: 0 });
    return result;
  }

  /** Back to waiting, as if the run had never been claimed; its paused result is still stored. */
  async release() {
    const status = this.state.turn?.pause?.kind === "input" ? "waiting_for_input" : "waiting_for_approval";
    await this.save("run.released", { status, claim_id: "", lease_expires: 0 });
  }

  /**
   * Back to waiting after a decision that could not be stored: what it had changed in memory does not count.
   * @param {string} head the state as it waited
   */
  async takeBack(head) {
    this.#events = [];
    this.#log = [];
    await this.save("run.released", { state: head, status: "waiting_for_approval", claim_id: "", lease_expires: 0 });
  }

  /**
   * Gives the run back after a decision that does not hold, and says so. If even that cannot be stored, `recover()` does it later.
   * @param {import("../../index.d.ts").RefusalReason} reason
   * @param {string} message
   * @returns {Promise<never>}
   */
  async refuse(reason, message) {
    try {
      await this.release();
    } catch (error) {
      this.deps.config.log("error", "run.notReleased", { runUuid: this.uuid, error: shortMessage(error) });
    }
    throw new RunRefused(reason, message);
  }

  /**
   * @param {"completed" | "failed" | "cancelled"} status
   * @param {string} reason one of the termination reasons
   * @param {RunResult} result
   */
  async settle(status, reason, result) {
    const patch = { status, reason, result: JSON.stringify(result), state: "", claim_id: "", lease_expires: 0 };
    await this.save("run.settled", patch);
    return result;
  }

  /**
   * @param {unknown} error
   * @param {string} [reason]
   */
  async fail(error, reason = "provider_failed") {
    return this.settle("failed", reason, this.result("failed", { error: toRunError(error) }));
  }

  /**
   * @param {string} outcome
   * @param {Partial<RunResult>} [fields]
   * @returns {RunResult}
   */
  result(outcome, fields = {}) {
    return { outcome, runUuid: this.uuid, steps: this.state.steps, loopResult: null, suspendedState: null, guardrailClass: null, error: null, ...fields };
  }

  /**
   * What a run ends in when its work was interrupted. Where the store, the lease or this process is the trouble, the run is not failed:
   * whoever recovers it carries it on (`lease_lost`, O10).
   * @param {unknown} error
   */
  async broken(error) {
    const { log } = this.deps.config;
    const lost = this.result("lease_lost", { error: toRunError(error) });
    if (error instanceof LeaseLost || this.#lost) return lost;
    if (error instanceof Stopped || error instanceof StoreFault) {
      log("warn", "run.interrupted", { runUuid: this.uuid, error: shortMessage(error) });
      await this.#abandon();
      return lost;
    }
    log("error", "run.fault", { runUuid: this.uuid, error: shortMessage(error) });
    try {
      return await this.fail(error);
    } catch {
      return lost;
    }
  }

  /** Lets the lease go at once, so that nobody has to wait for its end. The state stays as saved last. */
  async #abandon() {
    try {
      await this.deps.store.beat(this.uuid, this.row.claim_id, 0);
    } catch (error) {
      this.deps.config.log("warn", "run.leaseKept", { runUuid: this.uuid, error: shortMessage(error) });
    }
  }
}
