// What the boundary needs from JavaScript and Rust cannot do safely or cheaply: reading values of the host, calling it, making plain data.
// Every function here may throw; every import in Rust catches. Nothing decides a rule.

import { flat, measure } from "./flat.js";

/** How many causes of an error are looked at (rule E2). */
const MAX_CAUSES = 16;

const isObject = (value) => typeof value === "object" && value !== null;

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

/** What was thrown, as far as the rules look at it; getters that throw are passed over. */
export const errorInfo = (error) => flat(errorFields(error));

function errorFields(error) {
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

const text = (value) => (typeof value === "string" ? value : undefined);
const number = (value) => (typeof value === "number" ? value : undefined);

/** One step of a run without what only the runtime needs; undefined where it is none. */
function step(value) {
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
  return flat({
    outcome: text(value.outcome),
    runUuid: text(value.runUuid),
    guardrailClass: text(value.guardrailClass),
    loopResult: isObject(loopResult) ? { finalContent: text(loopResult.finalContent), terminationReason: text(loopResult.terminationReason) } : null,
    suspendedState: isObject(suspendedState) ? { turnDigest: text(suspendedState.turnDigest), inputSchema: suspendedState.inputSchema } : null,
    error: error === null || error === undefined ? null : errorFields(error),
    steps: Array.isArray(steps) ? steps.map(step) : [],
  });
}

/** The events of a run, as far as the rules look at them; undefined where there are none to read. */
export function events(value) {
  if (!Array.isArray(value)) return undefined;
  measure(value);
  return flat(value.filter(isObject).map(event));
}

function event({ kind, payload }) {
  const { toolIsError, approved, writeTargetTable, writeTargetUid } = isObject(payload) ? payload : {};
  return {
    kind: text(kind),
    payload: {
      toolIsError: toolIsError === true,
      approved: approved === true,
      writeTargetTable: text(writeTargetTable),
      writeTargetUid: number(writeTargetUid),
    },
  };
}

/** A function for `onStep` that can be switched off: what is reported after the run has answered does nothing (rule V6). */
export function observer(report) {
  const state = { report };
  const onStep = (value) => {
    if (state.report === undefined) return;
    let read;
    try {
      read = flat(step(value));
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

/**
 * What a transcript is made of beside messages and files, from the argument of `buildTranscript`: measured and read in one crossing. `messages` tells
 * whether the conversation has some; undefined where conversation or task is missing.
 */
export function transcriptInput(input) {
  measure(input);
  if (!isObject(input)) return undefined;
  const { identityPrompt, attachmentBudget, context } = input;
  const [conversation, task] = [part(input, "conversation"), part(input, "task")];
  if (conversation === undefined || task === undefined) return undefined;
  const messages = !Array.isArray(conversation) && Array.isArray(conversation.messages);
  return flat({ messages, systemPrompt: conversation.systemPrompt, identityPrompt, attachmentBudget, task, context });
}

/** No prototype: a uid may be any text (rule W6). */
export function bare() {
  return Object.create(null);
}

export function put(files, uid, file) {
  files[uid] = file;
}
