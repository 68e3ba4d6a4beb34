// The scripted host of a scenario: storage in memory, a runtime that answers from a list, a clock and uuids that count. Runs in Node and in browsers.
import { soon } from "./portable.js";

/** @typedef {Record<string, any>} Fields a part of a vector, as the JSON has it */
/** @typedef {{ play: (step: Fields) => Promise<string | null>, failure: string | null, fail: (message: string) => string }} Scenario */
/** @typedef {{ fn: string, args: unknown[] }} Call */

/** @template T @param {T} value @returns {T} */
export const clone = (value) => structuredClone(value);

/** Default of `now` in a vector, Unix seconds. */
export const defaultNow = 1700000000;

export const owner = { uid: 7, isAdmin: false, groups: [] };

/** A conversation with the defaults of the vectors. @param {Fields} fields @param {number} now Unix seconds @returns {Fields} */
export const conversation = (fields, now) => ({
  uid: 1,
  owner: 7,
  title: "",
  messages: [],
  status: "idle",
  revision: 3,
  claimId: "",
  errorMessage: "",
  errorCode: "",
  runUuid: "",
  lastRunUuid: "",
  decision: "",
  decidedBy: null,
  turnDigest: "",
  denyReason: "",
  pendingInput: null,
  systemPrompt: "",
  viewContext: null,
  activity: [],
  archived: false,
  pinned: false,
  createdAt: now,
  updatedAt: now,
  ...clone(fields),
});

const defaultTask = { uid: 5, promptTemplate: "", configuration: { uid: 9, name: "Default", systemPrompt: "" } };

/** What the parts of one host share: the rows, the calls made, the clock and the faults that are switched on. */
class World {
  /** @param {Fields} vector */
  constructor(vector) {
    /** @type {Fields} */
    this.given = vector.given ?? {};
    this.now = vector.now ?? defaultNow;
    this.uuids = 0;
    this.answers = 0;
    /** @type {Map<unknown, Fields>} */
    this.rows = new Map();
    for (const fields of this.given.conversations ?? []) {
      const row = conversation(fields, this.now);
      this.rows.set(row.uid, row);
    }
    /** @type {Call[]} */
    this.calls = [];
    /** @type {Record<string, number>} */
    this.counts = {};
    /** @type {Set<string>} */
    this.failing = new Set();
    /** @type {Scenario} */
    this.scenario = {
      play: async () => null,
      failure: null,
      fail(message) {
        this.failure ??= message;
        return message;
      },
    };
  }

  /** Throws when this callback is to fail from here on. @param {string} name */
  gate(name) {
    if (this.failing.has(name)) throw scripted(name);
  }

  /** Notes a call and throws when this one is to fail. @param {string} fn @param {unknown[]} args */
  note(fn, args) {
    const count = (this.counts[fn] ?? 0) + 1;
    this.counts[fn] = count;
    this.calls.push({ fn, args: clone(args.filter((arg) => typeof arg !== "function")) });
    const name = fn.slice(fn.lastIndexOf(".") + 1);
    this.gate(name);
    if (this.given.storage?.throwOn?.[name]?.includes(count)) throw scripted(fn);
  }

  /** Answers at once and as a promise in turn: a host may do either. @param {unknown} value */
  answer(value) {
    return this.answers++ % 2 ? Promise.resolve(value) : value;
  }
}

/** @param {string} name */
const scripted = (name) => Object.assign(new Error(`scripted fault of ${name}`), { code: "SCRIPTED" });

/** @param {World} world */
function storageOf(world) {
  const { rows, given } = world;
  /** @type {Fields} */
  const storage = {
    /** @param {unknown} uid */
    load(uid) {
      world.note("storage.load", [uid]);
      return world.answer(rows.has(uid) ? clone(rows.get(uid)) : null);
    },
    /** @param {Fields} row */
    insert(row) {
      world.note("storage.insert", [row]);
      const numbers = /** @type {number[]} */ ([...rows.keys()].filter(Number.isInteger));
      const uid = Math.max(0, ...numbers) + 1;
      rows.set(uid, { ...clone(row), uid });
      return world.answer(uid);
    },
    /** @param {unknown} uid @param {number} revision @param {Fields} patch */
    swap(uid, revision, patch) {
      world.note("storage.swap", [uid, revision, patch]);
      const row = rows.get(uid);
      if (row && given.storage?.loseSwap?.includes(world.counts["storage.swap"])) row.revision += 1;
      if (!row || row.revision !== revision) return world.answer(false);
      const { messages, ...fields } = clone(patch);
      for (const [key, value] of Object.entries(fields)) if (value !== undefined) row[key] = value;
      if (messages) row.messages = [...row.messages.slice(0, messages.keep), ...messages.append];
      row.revision += 1;
      return world.answer(true);
    },
    /** @param {unknown} uid @param {string} claimId @param {number} updatedAt @param {unknown[]} [activity] */
    touch(uid, claimId, updatedAt, activity) {
      world.note("storage.touch", [uid, claimId, updatedAt, activity]);
      const row = rows.get(uid);
      if (row?.status !== "locked" || row.claimId !== claimId) return world.answer(false);
      row.updatedAt = updatedAt;
      if (activity) row.activity = clone(activity);
      return world.answer(true);
    },
    /** @param {Fields} query */
    find(query) {
      world.note("storage.find", [query]);
      const found = [...rows.values()].filter((row) => isFound(row, query)).sort((a, b) => a.updatedAt - b.updatedAt);
      return world.answer(found.slice(0, query.limit).map((row) => row.uid));
    },
    /** @param {unknown} uid @param {number} revision */
    remove(uid, revision) {
      world.note("storage.remove", [uid, revision]);
      if (rows.get(uid)?.revision !== revision) return world.answer(false);
      rows.delete(uid);
      return world.answer(true);
    },
  };
  if (given.storage?.loadSince) {
    storage.loadSince = (/** @type {unknown} */ uid, /** @type {number} */ after) => {
      world.note("storage.loadSince", [uid, after]);
      const row = rows.get(uid);
      return world.answer(row ? { ...clone(row), messages: clone(row.messages.slice(after)), messageCount: row.messages.length } : null);
    };
  }
  return storage;
}

/** @param {Fields} row @param {Fields} query */
const isFound = (row, query) =>
  (!query.statuses || query.statuses.includes(row.status)) &&
  (query.owner === undefined || row.owner === query.owner) &&
  (query.archived === undefined || row.archived === query.archived) &&
  (query.pinned === undefined || row.pinned === query.pinned) &&
  (query.updatedBefore === undefined || row.updatedAt < query.updatedBefore);

/**
 * @param {World} world
 * @param {(new (reason: string, message?: string) => Error) | undefined} RunRefused of the package under test
 */
function runtimeOf(world, RunRefused) {
  const { given, scenario } = world;
  /** @param {Fields} reply @param {any[]} args @param {string} fn */
  const finish = (reply, args, fn) => {
    if (reply.never) return new Promise(() => {});
    if (reply.throws) {
      const error = faultOf(reply.throws, RunRefused);
      if (world.answers++ % 2) return Promise.reject(error);
      throw error;
    }
    const value = clone(reply.returns);
    if (reply.adoptUuid) value.runUuid = args[0]?.runUuid ?? args[1];
    if (value && fn !== "status" && fn !== "events" && reply.steps && !value.steps) value.steps = clone(reply.steps);
    return world.answer(value);
  };
  /** Plays steps while the call is in flight, then answers. @param {Fields} reply @param {any[]} args @param {string} fn */
  const finishAfter = async ({ during, ...reply }, args, fn) => {
    for (const step of during) {
      const problem = await scenario.play(step);
      if (problem) throw new Error(scenario.fail(`during: ${problem}`));
    }
    return finish(reply, args, fn);
  };
  /** @param {string} fn */
  const script = (fn) => {
    /** @type {Fields[]} */
    const replies = clone(given.runtime?.[fn] ?? []);
    return (/** @type {any[]} */ ...args) => {
      world.note(`runtime.${fn}`, args);
      const reply = replies.length > 1 || !replies[0]?.repeat ? replies.shift() : replies[0];
      if (!reply) throw new Error(scenario.fail(`no scripted answer left for runtime.${fn}`));
      const onStep = args.find((arg) => typeof arg === "function");
      for (const step of reply.steps ?? []) onStep?.(clone(step));
      if (reply.late) {
        soon(() => {
          for (const step of reply.late) onStep?.(clone(step));
        });
      }
      return reply.during ? finishAfter(reply, args, fn) : finish(reply, args, fn);
    };
  };
  /** @type {Record<string, (...args: any[]) => unknown>} */
  const runtime = {};
  for (const fn of ["run", "approve", "submitInput"]) runtime[fn] = script(fn);
  for (const fn of ["status", "result", "waitingView", "events", "cancelIfWaiting"]) if (given.runtime?.[fn]) runtime[fn] = script(fn);
  runtime.status ??= (...args) => {
    world.note("runtime.status", args);
    return world.answer(null);
  };
  return runtime;
}

/** @param {Fields} fault @param {(new (reason: string, message?: string) => Error) | undefined} RunRefused */
function faultOf(fault, RunRefused) {
  const error =
    fault.reason && RunRefused ? new RunRefused(fault.reason, fault.message ?? "refused") : Object.assign(new Error(fault.message ?? "fault"), fault);
  if (fault.cause) error.cause = Object.assign(new Error(fault.cause.message ?? ""), fault.cause);
  return error;
}

/** An Error does not survive JSON; its text does. @param {unknown} _ @param {unknown} value */
const errorAsText = (_, value) => (value instanceof Error ? String(value) : value);

/**
 * The host a scenario scripts, with what the player asks it afterwards.
 * @param {Fields} vector
 * @param {{ RunRefused?: new (reason: string, message?: string) => Error }} pkg
 */
export function scriptedHost(vector, pkg) {
  const world = new World(vector);
  const { given } = world;
  /** @type {Fields} */
  const host = {
    storage: storageOf(world),
    runtime: runtimeOf(world, pkg.RunRefused),
    resolveTask(/** @type {unknown} */ uid, /** @type {unknown} */ actor) {
      world.note("resolveTask", [uid, actor]);
      return world.answer(clone(given.task === undefined ? defaultTask : given.task));
    },
    actorOf(/** @type {unknown} */ uid) {
      world.note("actorOf", [uid]);
      return world.answer({ ...owner, uid, ...clone(given.actor ?? {}) });
    },
    log(/** @type {string} */ level, /** @type {string} */ message, /** @type {unknown} */ context) {
      world.note("log", [level, message, JSON.parse(JSON.stringify(context ?? {}, errorAsText))]);
    },
    now() {
      world.gate("now");
      return world.now * 1000;
    },
    uuid() {
      world.gate("uuid");
      return `00000000-0000-4000-8000-${String(++world.uuids).padStart(12, "0")}`;
    },
  };
  addOptional(host, world);
  return {
    host,
    world,
    advance(/** @type {number} */ seconds) {
      world.now += seconds;
    },
    fail(/** @type {string[]} */ names) {
      world.failing = new Set(names);
    },
  };
}

/** Callbacks that are only there when the vector gives them. @param {Fields} host @param {World} world */
function addOptional(host, world) {
  const { given } = world;
  if (given.files) {
    host.readFile = (/** @type {string} */ uid, /** @type {unknown} */ actor) => {
      world.note("readFile", [uid, actor]);
      const file = given.files[uid] ?? null;
      if (file?.throws) throw new Error(file.throws);
      return world.answer(clone(file));
    };
  }
  if (given.context) {
    host.promptContext = (/** @type {Fields} */ row, /** @type {unknown} */ actor) => {
      world.note("promptContext", [row.uid, actor]);
      return world.answer(clone(given.context));
    };
  }
  if (given.mayAct) {
    host.mayAct = (/** @type {Fields} */ actor, /** @type {Fields} */ row, /** @type {string} */ action) => {
      world.note("mayAct", [actor, row.uid, action]);
      return world.answer(given.mayAct[action] ?? actor.uid === row.owner);
    };
  }
}
