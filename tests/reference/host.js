// The host's callbacks, each with what its failure means (W4). Strict ones reject, quiet ones have "no answer".
import { AgentTurnError } from "../../pkg/errors.js";
import { requireKnown } from "./status.js";
import { demand, isObject, isTooDeep, isUid, sameUid } from "./values.js";

/** @typedef {Record<string, any>} Row */

const DEFAULTS = {
  ruleSet: "current",
  maxMessageLength: 10000,
  maxFilesPerConversation: 5,
  maxActivePerOwner: 3,
  graceSeconds: 45,
  stuckAfterSeconds: 300,
  queueTimeoutSeconds: 3600,
  abandonAfterSeconds: 3600,
  autoArchiveDays: 0,
  deleteAfterDays: 0,
};

export class Port {
  /** @param {any} host @param {any} settings */
  constructor(host, settings) {
    demand(isObject(host) && isObject(host.storage) && isObject(host.runtime), "host");
    demand(isObject(settings), "settings");
    this.host = host;
    /** @type {any} */
    this.settings = { ...DEFAULTS, ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) };
  }

  /** @param {string} name @param {() => any} call @param {(value: any) => boolean} fits */
  async strict(name, call, fits) {
    let value;
    try {
      value = await call();
    } catch (cause) {
      throw new AgentTurnError(`host.${name}`, `the callback ${name} failed`, { cause });
    }
    if (isTooDeep(value))
      throw new AgentTurnError(name === "storage.load" || name === "storage.loadSince" ? "tooDeep" : `host.${name}`, `${name}: nested too deep`);
    if (!fits(value)) throw new AgentTurnError(`host.${name}`, `the callback ${name} answered nonsense`);
    return value;
  }

  /** @param {string} name of a runtime function @param {any[]} args @returns {Promise<{ value: any, threw: boolean }>} */
  async quiet(name, ...args) {
    const { runtime } = this.host;
    if (typeof runtime[name] !== "function") return { value: null, threw: false };
    try {
      const value = await runtime[name](...args);
      return { value: isTooDeep(value) ? null : (value ?? null), threw: false };
    } catch {
      return { value: null, threw: true };
    }
  }

  /** M7, W4: null where it cannot be read. @param {any} fileUid @param {any} actor */
  async readFile(fileUid, actor) {
    try {
      const content = this.host.readFile ? await this.host.readFile(fileUid, actor) : null;
      return isObject(content) && !isTooDeep(content) ? content : null;
    } catch {
      return null;
    }
  }

  /** @param {string} level @param {string} message @param {Row} context */
  log(level, message, context) {
    try {
      this.host.log?.(level, message, context);
    } catch {
      // a log that fails costs nothing (W4)
    }
  }

  /* ---------------------------------------------------------------- storage */

  /** @param {unknown} uid @returns {Promise<Row | null>} */
  async load(uid) {
    return this.#row("storage.load", () => this.host.storage.load(uid));
  }
  /** @param {unknown} uid @param {number} after @returns {Promise<Row | null>} */
  async loadSince(uid, after) {
    return this.#row("storage.loadSince", () => this.host.storage.loadSince(uid, after));
  }
  /** @param {string} name @param {() => any} call */
  async #row(name, call) {
    const fits = (/** @type {any} */ v) =>
      v === null || (isObject(v) && Array.isArray(v.messages) && typeof v.status === "string" && typeof v.revision === "number");
    const row = await this.strict(name, call, fits);
    if (row) requireKnown(row);
    return row;
  }
  /** @param {Row} conversation */
  insert(conversation) {
    return this.strict("storage.insert", () => this.host.storage.insert(conversation), isUid);
  }
  /** @param {Row} row @param {Row} patch @returns {Promise<boolean>} */
  swap(row, patch) {
    return this.strict(
      "storage.swap",
      () => this.host.storage.swap(row.uid, row.revision, patch),
      (v) => typeof v === "boolean",
    );
  }
  /** @param {Row} query */
  find(query) {
    return this.strict("storage.find", () => this.host.storage.find(query), Array.isArray);
  }
  /** @param {Row} row */
  remove(row) {
    return this.strict(
      "storage.remove",
      () => this.host.storage.remove(row.uid, row.revision),
      (v) => typeof v === "boolean",
    );
  }
  /** C5: a heartbeat that fails costs nothing. @param {any[]} args */
  touch(...args) {
    try {
      Promise.resolve(this.host.storage.touch(...args)).catch(() => {});
    } catch {
      // as above
    }
  }

  /* ---------------------------------------------------------------- people, time, ids */

  /** Unix milliseconds. @returns {Promise<number>} */
  now() {
    return this.strict("now", () => (this.host.now ? this.host.now() : Date.now()), Number.isFinite);
  }
  /** @returns {Promise<string>} */
  uuid() {
    return this.strict(
      "uuid",
      () => (this.host.uuid ? this.host.uuid() : crypto.randomUUID()),
      (v) => typeof v === "string" && v !== "",
    );
  }
  /** T8: only the uid asked for counts. @param {any} uid @returns {Promise<any>} */
  async actorOf(uid) {
    const plain = { uid, isAdmin: false, groups: [] };
    if (this.host.actorOf === undefined) return plain;
    const actor = await this.strict("actorOf", () => this.host.actorOf(uid), isObject);
    return sameUid(actor.uid, uid) ? actor : plain;
  }
  /** @param {any} actor @param {Row} conversation @param {"read" | "write" | "decide"} action @returns {Promise<boolean>} */
  mayAct(actor, conversation, action) {
    if (this.host.mayAct === undefined) return Promise.resolve(sameUid(actor.uid, conversation.owner));
    return this.strict(
      "mayAct",
      () => this.host.mayAct(actor, conversation, action),
      (v) => typeof v === "boolean",
    );
  }
}
