// A scripted host over plain data. It answers by what it is asked, not by how often, so that quiet reads may be made in any order and number.
import { isDeepStrictEqual } from "node:util";

/** @typedef {Record<string, any>} Data */

/** Calls that change something: their order and arguments are compared. */
const EFFECTS = [
  "storage.insert",
  "storage.swap",
  "storage.touch",
  "storage.remove",
  "runtime.run",
  "runtime.approve",
  "runtime.submitInput",
  "runtime.cancelIfWaiting",
];

const clone = structuredClone;

export class World {
  /** @param {Data} scenario @param {Data} pkg the implementation */
  constructor(scenario, pkg) {
    this.scenario = scenario;
    this.pkg = pkg;
    this.now = 1700000000;
    this.uuids = 0;
    this.swaps = 0;
    this.lost = 0;
    this.plans = clone(scenario.plans);
    this.knows = clone(scenario.knows);
    /** @type {{ fn: string, value: any } | null} */
    this.odd = null;
    /** @type {Set<string>} */
    this.failing = new Set();
    /** @type {Map<string, Data>} */
    this.rows = new Map(scenario.rows.map((/** @type {Data} */ row) => [String(row.uid), clone(row)]));
    /** @type {{ fn: string, args: any[] }[]} */
    this.effects = [];
    /** @type {Set<string>} */
    this.reads = new Set();
    /** @type {(step: Data) => Promise<void>} */
    this.play = async () => {};
    this.host = this.#host();
  }

  /** @param {string} fn @param {any[]} args */
  #note(fn, args) {
    const plain = args.filter((a) => typeof a !== "function");
    if (EFFECTS.includes(fn)) this.effects.push({ fn, args: clone(plain) });
    else this.reads.add(JSON.stringify([fn, plain]));
    if (this.failing.has(fn === "storage.loadSince" ? "load" : (fn.split(".").at(-1) ?? ""))) throw new Error(`scripted fault of ${fn}`);
  }

  /** What a callback answers: nonsense while it is scripted to. @param {string} fn @template T @param {T} value @returns {T} */
  #answer(fn, value) {
    return this.odd?.fn === fn ? /** @type {any} */ (clone(this.odd.value)) : value;
  }

  /** @param {string} run @param {string} what */
  #known(run, what) {
    const value = clone((this.knows[run] ?? this.knows["*"])[what]);
    if (value === "$throws") throw new Error("E:6 scripted");
    if (value && typeof value === "object" && value.runUuid === "$adopt") value.runUuid = run;
    return value;
  }

  /** @param {string} fn @param {any[]} args @param {string} announced */
  async #carryOut(fn, args, announced) {
    this.#note(`runtime.${fn}`, args);
    const plan = this.plans.shift() ?? { returns: null };
    const onStep = args.at(-1);
    for (const step of plan.steps) onStep(clone(step));
    for (const step of plan.during ?? []) await this.play(step);
    if (plan.throws) throw this.#error(plan.throws);
    if (plan.refuses) throw Object.assign(new Error(plan.refuses.message), plan.refuses);
    const value = clone(plan.returns);
    if (value?.runUuid === "$adopt") value.runUuid = announced;
    return value;
  }

  /** @param {Data} fault */
  #error(fault) {
    const error = Object.assign(new Error(fault.message), fault.code ? { code: fault.code } : {});
    if (fault.cause) error.cause = Object.assign(new Error(fault.cause.message), fault.cause);
    return error;
  }

  #host() {
    const { scenario } = this;
    const host = /** @type {Data} */ ({
      storage: this.#storage(),
      runtime: this.#runtime(),
      resolveTask: (/** @type {any[]} */ ...args) => {
        this.#note("resolveTask", args);
        return this.#answer("resolveTask", clone(scenario.task));
      },
      log: () => {},
      now: () => {
        if (this.failing.has("now")) throw new Error("scripted fault of now");
        return this.#answer("now", this.now * 1000 + 700);
      },
      uuid: () => {
        if (this.failing.has("uuid")) throw new Error("scripted fault of uuid");
        this.uuids += 1;
        return this.#answer("uuid", `u${this.uuids}`);
      },
      promptContext: async (/** @type {Data} */ conversation, /** @type {any} */ actor) => {
        this.#note("promptContext", [conversation.uid, actor]);
        return this.#answer("promptContext", { openPoints: "OPEN" });
      },
    });
    if (scenario.actorOf || scenario.steps.some((/** @type {Data} */ s) => s.fail?.includes("actorOf") || s.odd?.fn === "actorOf")) {
      host.actorOf = async (/** @type {any} */ uid) => {
        this.#note("actorOf", [uid]);
        return this.#answer("actorOf", { uid, isAdmin: false, groups: [], ...clone(scenario.actorOf ?? {}) });
      };
    }
    if (scenario.mayAct || scenario.steps.some((/** @type {Data} */ s) => s.fail?.includes("mayAct") || s.odd?.fn === "mayAct")) {
      host.mayAct = (/** @type {Data} */ actor, /** @type {Data} */ row, /** @type {string} */ action) => {
        this.#note("mayAct", [actor, row.uid, action]);
        return this.#answer("mayAct", scenario.mayAct ? scenario.mayAct[action] : String(actor.uid) === String(row.owner));
      };
    }
    if (scenario.readFile) {
      host.readFile = (/** @type {any[]} */ ...args) => {
        this.#note("readFile", args);
        if (scenario.readFile === "$throws") throw new Error("no such file");
        return this.#answer("readFile", scenario.readFile === "$gone" ? null : clone(scenario.readFile));
      };
    }
    return host;
  }

  #storage() {
    const { rows, scenario } = this;
    const copy = (/** @type {any} */ uid) => (rows.has(String(uid)) ? clone(/** @type {Data} */ (rows.get(String(uid)))) : null);
    const storage = /** @type {Data} */ ({
      load: (/** @type {any} */ uid) => {
        this.#note("storage.load", [uid]);
        return this.#answer("load", copy(uid));
      },
      insert: async (/** @type {Data} */ row) => {
        this.#note("storage.insert", [row]);
        const uid = rows.size + 1;
        rows.set(String(uid), { ...clone(row), uid });
        return uid;
      },
      swap: (/** @type {any} */ uid, /** @type {number} */ revision, /** @type {Data} */ patch) => {
        const row = rows.get(String(uid));
        this.#note("storage.swap", [uid, revision, effective(row, patch)]);
        this.swaps += 1;
        if (row && scenario.loseSwap.includes(this.swaps)) row.revision += 1;
        if (!row || row.revision !== revision) {
          this.lost += 1;
          return Promise.resolve(false);
        }
        const { messages, ...fields } = clone(patch);
        for (const [key, value] of Object.entries(fields)) if (value !== undefined) row[key] = value;
        if (messages) row.messages = [...row.messages.slice(0, messages.keep), ...messages.append];
        row.revision += 1;
        return Promise.resolve(true);
      },
      touch: (/** @type {any} */ uid, /** @type {string} */ claimId, /** @type {number} */ updatedAt, /** @type {any} */ activity) => {
        this.#note("storage.touch", [uid, claimId, updatedAt, activity]);
        const row = rows.get(String(uid));
        if (row?.status !== "locked" || row.claimId !== claimId) return false;
        Object.assign(row, { updatedAt }, activity ? { activity: clone(activity) } : {});
        return true;
      },
      find: async (/** @type {Data} */ q) => {
        this.#note("storage.find", [Object.entries({ ...q, statuses: q.statuses?.toSorted?.(), limit: 0 }).sort()]);
        const found = [...rows.values()].filter((row) => matches(row, q)).sort((a, b) => a.updatedAt - b.updatedAt);
        return this.#answer(
          "find",
          found.slice(0, q.limit).map((row) => row.uid),
        );
      },
      remove: (/** @type {any} */ uid, /** @type {number} */ revision) => {
        this.#note("storage.remove", [uid, revision]);
        return rows.get(String(uid))?.revision === revision && rows.delete(String(uid));
      },
    });
    if (scenario.loadSince) {
      storage.loadSince = (/** @type {any} */ uid, /** @type {number} */ after) => {
        this.#note("storage.loadSince", [uid, after]);
        const row = copy(uid);
        return this.#answer("load", row && { ...row, messages: row.messages.slice(after), messageCount: row.messages.length });
      };
    }
    return storage;
  }

  #runtime() {
    const runtime = /** @type {Data} */ ({
      run: (/** @type {any[]} */ ...args) => this.#carryOut("run", args, args[0].runUuid),
      approve: (/** @type {any[]} */ ...args) => this.#carryOut("approve", args, args[1]),
      submitInput: (/** @type {any[]} */ ...args) => this.#carryOut("submitInput", args, args[1]),
    });
    for (const name of ["status", "result", "events", "waitingView", "cancelIfWaiting"]) {
      if (this.scenario.lacks.includes(name)) continue;
      runtime[name] = (/** @type {any} */ actor, /** @type {string} */ run) => {
        this.#note(`runtime.${name}`, [actor, run]);
        return this.#known(run, name);
      };
    }
    return runtime;
  }
}

/**
 * What a patch changes: naming a field with the value it has is the same as not naming it. `updatedAt` has to be there (C1).
 * @param {Data | undefined} row @param {Data} patch
 */
function effective(row, patch) {
  const changes = Object.entries(patch).filter(([key, value]) => key === "messages" || key === "updatedAt" || !isDeepStrictEqual(row?.[key], value));
  return Object.fromEntries(changes);
}

/** @param {Data} row @param {Data} q */
function matches(row, q) {
  return (
    (!q.statuses || q.statuses.includes(row.status)) &&
    (q.owner === undefined || String(row.owner) === String(q.owner)) &&
    (q.archived === undefined || row.archived === q.archived) &&
    (q.pinned === undefined || row.pinned === q.pinned) &&
    (q.updatedBefore === undefined || row.updatedAt < q.updatedBefore)
  );
}
