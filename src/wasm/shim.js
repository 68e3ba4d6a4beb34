// What the boundary needs from JavaScript and Rust cannot do safely or cheaply: reading values of the host, calling it, making plain data.
// Every function here may throw; every import in Rust catches. Nothing decides a rule.

/** An argument is level 1; an object or array at level 65 is too deep (rule W4). */
const MAX_DEPTH = 64;
/** Text of one value, in UTF-16 code units (rule W4). */
const MAX_TEXT = 64 * 1024 * 1024;
/** Objects of one value: what shares its parts can look exponentially larger than it is. */
const MAX_OBJECTS = 4 * 1024 * 1024;
const MAX_CAUSES = 16;

class Limit extends Error {
  constructor(code) {
    super(code);
    this.limit = code;
  }
}

/** "tooDeep" or "tooLarge" where that is what was thrown. */
export function limit(error) {
  return error instanceof Limit ? error.limit : undefined;
}

class Walk {
  text = 0;
  objects = 0;

  string(value) {
    this.text += value.length;
    if (this.text > MAX_TEXT) throw new Limit("tooLarge");
  }

  enter(level) {
    if (level > MAX_DEPTH) throw new Limit("tooDeep");
    this.objects += 1;
    if (this.objects > MAX_OBJECTS) throw new Limit("tooLarge");
  }

  /** Measures without copying. */
  measure(value, level) {
    if (typeof value === "string") this.string(value);
    else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
      this.enter(level);
      if (Array.isArray(value)) for (let i = 0; i < value.length; i++) this.measure(value[i], level + 1);
      else for (const key in value) this.measure(value[key], level + 1);
    }
  }

  /** A copy without accessors, functions and prototypes: keys are data (rule W6). */
  copy(value, level) {
    switch (typeof value) {
      case "string":
        this.string(value);
        return value;
      case "number":
      case "boolean":
        return value;
      case "bigint":
        return BigInt.asIntN(64, value) === value ? value : String(value);
      case "object":
        return value === null ? null : this.copyObject(value, level);
      default:
        return undefined;
    }
  }

  copyObject(value, level) {
    this.enter(level);
    if (Array.isArray(value)) {
      const list = new Array(value.length);
      for (let i = 0; i < value.length; i++) list[i] = this.copy(value[i], level + 1) ?? null;
      return list;
    }
    if (value instanceof Date) return value.toJSON();
    if (ArrayBuffer.isView(value)) return {};
    const map = Object.create(null);
    for (const key of Object.keys(value)) {
      const item = this.copy(value[key], level + 1);
      if (item !== undefined) map[key] = item;
    }
    return map;
  }
}

const isObject = (value) => typeof value === "object" && value !== null;

/** Throws where a value is too deep or too large. */
export function measure(value) {
  new Walk().measure(value, 1);
}

/** Plain data of a value; functions and undefined count as absent. */
export function plain(value) {
  return new Walk().copy(value, 1);
}

/** Objects of what Rust made as maps: a key is defined, never assigned. */
export function revive(value) {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = revive(value[i]);
    return value;
  }
  if (!(value instanceof Map)) return value;
  const object = {};
  for (const [key, item] of value) define(object, key, revive(item));
  return object;
}

function define(object, key, value) {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** Calls `owner[name]`, with `this` kept. */
export function invoke(owner, name, args) {
  const fn = owner[name];
  if (typeof fn !== "function") throw new TypeError(`${name} is not a function`);
  return fn.apply(owner, args);
}

/** Lets a promise go that nobody waits for: a rejection is not an unhandled one. */
export function quiet(value) {
  Promise.resolve(value).catch(() => {});
}

/** Whether the host has an optional callback. */
export function has(owner, name) {
  return isObject(owner) && owner[name] !== undefined && owner[name] !== null;
}

/** A part of the host, which must be an object. */
export function part(owner, name) {
  const value = owner[name];
  return isObject(value) || typeof value === "function" ? value : undefined;
}

/** What was thrown, as far as the rules look at it; never throws itself. */
export function errorInfo(error) {
  const read = (value, key) => {
    try {
      return value[key];
    } catch {
      return undefined;
    }
  };
  const info = (value, left) => {
    if (!isObject(value)) return { message: typeof value === "string" ? value : "" };
    const out = {};
    for (const key of ["message", "code", "reason", "name"]) {
      const text = read(value, key);
      if (typeof text === "string") out[key] = text;
    }
    const cause = read(value, "cause");
    if (isObject(cause) && left > 1) out.cause = info(cause, left - 1);
    return out;
  };
  return info(error, MAX_CAUSES);
}

/** The fields of a stored row without its messages, as plain data; undefined where it is none. */
export function row(value) {
  if (!isObject(value) || !Array.isArray(value.messages) || typeof value.status !== "string" || typeof value.revision !== "number") return undefined;
  measure(value);
  return fields(value);
}

/** The fields of a conversation that was passed as an argument; its messages may be missing where they are not looked at. */
export function conversation(value, needsMessages) {
  if (!isObject(value) || Array.isArray(value)) return undefined;
  if (needsMessages ? !Array.isArray(value.messages) : value.messages !== undefined && !Array.isArray(value.messages)) return undefined;
  measure(value);
  return fields(value);
}

function fields(value) {
  const { messages, ...rest } = value;
  return plain(rest);
}

export function messages(value) {
  return value.messages ?? [];
}

/** The row as it is after a patch. */
export function patched(value, changed, list) {
  return { ...value, ...changed, messages: list ?? value.messages };
}

/** What a reader gets of a row: without messages, claim and, unless an administrator looks, the technical message (rule E3). */
export function shown(value, showsMessage) {
  const { messages: _, messageCount: __, ...rest } = value;
  rest.claimId = "";
  if (!showsMessage) rest.errorMessage = "";
  return rest;
}

const text = (value) => (typeof value === "string" ? value : undefined);
const number = (value) => (typeof value === "number" ? value : undefined);

/** One step of a run without what only the runtime needs; undefined where it is none. */
export function step(value) {
  if (!isObject(value)) return undefined;
  const calls = value.requestedToolCalls;
  return {
    kind: text(value.kind),
    round: number(value.round),
    durationMs: number(value.durationMs),
    content: value.kind === "llm" ? text(value.content) : undefined,
    requestedToolCalls: Array.isArray(calls) && calls.length > 0 ? [true] : [],
    toolName: text(value.toolName),
    toolIsError: value.toolIsError === true,
    writeTargetTable: text(value.writeTargetTable),
    writeTargetUid: number(value.writeTargetUid),
  };
}

/** A result of a run as far as the rules look at it; undefined where it is none. */
export function result(value) {
  if (!isObject(value)) return undefined;
  measure(value);
  const { loopResult, suspendedState, error, steps } = value;
  return {
    outcome: text(value.outcome),
    runUuid: text(value.runUuid),
    guardrailClass: text(value.guardrailClass),
    loopResult: isObject(loopResult) ? { finalContent: text(loopResult.finalContent), terminationReason: text(loopResult.terminationReason) } : null,
    suspendedState: isObject(suspendedState) ? { turnDigest: text(suspendedState.turnDigest), inputSchema: plain(suspendedState.inputSchema) } : null,
    error: error === null || error === undefined ? null : errorInfo(error),
    steps: Array.isArray(steps) ? steps.map(step).filter((s) => s !== undefined) : [],
  };
}

/** The events of a run, as far as the rules look at them; undefined where there are none to read. */
export function events(value) {
  if (!Array.isArray(value)) return undefined;
  measure(value);
  return value.filter(isObject).map((event) => {
    const payload = isObject(event.payload) ? event.payload : {};
    return {
      kind: text(event.kind),
      payload: {
        toolIsError: payload.toolIsError === true,
        approved: payload.approved === true,
        writeTargetTable: text(payload.writeTargetTable),
        writeTargetUid: number(payload.writeTargetUid),
      },
    };
  });
}

/** A function for `onStep` that can be switched off: what is reported after the run has answered does nothing (rule V6). */
export function observer(report) {
  const state = { report };
  const onStep = (value) => {
    if (state.report === undefined) return;
    let read;
    try {
      read = step(value);
    } catch {
      // a step that cannot be read is none
    }
    state.report(read);
  };
  return [onStep, () => (state.report = undefined)];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** How many UTF-16 code units before the cut between two texts the grapheme begins that the cut would part. */
export function graphemeBefore(before, after) {
  const segment = segmenter.segment(before + after).containing(before.length);
  return segment === undefined ? 0 : before.length - segment.index;
}

export function nfkc(value) {
  return value.normalize("NFKC");
}

export function lower(value) {
  return value.toLowerCase();
}

export function numberText(value) {
  return String(value);
}

export function parseNumber(value) {
  return Number(value);
}

export function clock() {
  return Date.now();
}

/** The texts, numbers and booleans of an object. */
export function scalars(value) {
  const out = Object.create(null);
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item === "string" || typeof item === "number" || typeof item === "boolean") out[key] = item;
  }
  return out;
}

/** No prototype: a uid may be any text (rule W6). */
export function bare() {
  return Object.create(null);
}

export function put(files, uid, file) {
  files[uid] = file;
}
