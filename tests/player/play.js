// Plays vectors against a build of the package. Runs in Node (tests/play.mjs) and in browsers (tests/browser/page.js).
import { clone, conversation, defaultNow, owner, scriptedHost } from "./host.js";
import { mismatch, show } from "./matching.js";
import { settle, within } from "./portable.js";

/** @typedef {import("./host.js").Fields} Fields */
/** @typedef {Record<string, any>} Package the module under test, after its init */
/** @typedef {{ name: string, text: string }} VectorFile */
/** @typedef {{ id: string, rules: string[], file: string, line: number, problem: string, why: string }} Failure */
/** @typedef {{ value?: unknown, error?: any }} Outcome */

/** A vector that has not ended by then has failed, milliseconds. */
const limit = 5000;

/** Tasks an abandoned call gets before the scenario goes on. */
const turnsOfAbandoned = 50;

/**
 * Plays the vectors of some files.
 * @param {Package} pkg
 * @param {VectorFile[]} files
 * @param {object} [options]
 * @param {string} [options.only] those whose id begins so
 * @param {boolean} [options.part] the package is a part of the whole: only the calls that it has
 * @param {(failure: Failure) => void} [options.onFailure]
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function playFiles(pkg, files, { only = "", part = false, onFailure = () => {} } = {}) {
  const sum = { passed: 0, failed: 0 };
  for (const { name, text } of files) {
    for (const [n, line] of text.split("\n").entries()) {
      if (!line.trim()) continue;
      const vector = JSON.parse(line);
      if (!vector.id.startsWith(only) || (part && !isCallOf(pkg, vector))) continue;
      const problem = await play(pkg, vector);
      if (problem === null) sum.passed++;
      else {
        sum.failed++;
        onFailure({ id: vector.id, rules: vector.rules ?? [], file: name, line: n + 1, problem, why: vector.why ?? "" });
      }
    }
  }
  return sum;
}

/** @param {Package} pkg @param {Fields} vector */
const isCallOf = (pkg, { call }) => typeof call === "string" && Object.hasOwn(pkg, call);

/** A failure as the lines the player prints. @param {Failure} failure */
export const failureText = ({ id, rules, file, line, problem, why }) => `FAIL ${id} [${rules.join(" ")}] ${file}:${line}\n     ${problem}\n     ${why}`;

/** null: it passed; else what is wrong. @param {Package} pkg @param {Fields} vector @returns {Promise<string | null>} */
async function play(pkg, vector) {
  try {
    return await within(vector.steps ? playScenario(pkg, vector) : playCall(pkg, vector), limit, `no answer in ${limit / 1000} s`);
  } catch (error) {
    return `player: ${error instanceof Error ? error.stack : error}`;
  }
}

/* ------------------------------------------------------------ calls */

/** An argument with its placeholders filled in. @param {unknown} given @param {number} now @returns {unknown} */
function argument(given, now) {
  if (given === "$owner") return clone(owner);
  if (Array.isArray(given)) return given.map((element) => argument(element, now));
  if (given === null || typeof given !== "object") return given;
  const fields = /** @type {Fields} */ (given);
  if ("$conversation" in fields) return conversation(fields.$conversation, now);
  if ("$repeat" in fields) return fields.$repeat[0].repeat(fields.$repeat[1]);
  if ("$nested" in fields) return nested(fields.$nested);
  // JSON.parse makes own `__proto__` keys; keep them as data
  const out = {};
  for (const key of Object.keys(fields)) {
    Object.defineProperty(out, key, { value: argument(fields[key], now), enumerable: true, writable: true, configurable: true });
  }
  return out;
}

/** @param {number} depth */
function nested(depth) {
  let value = {};
  for (let i = 0; i < depth; i++) value = { v: value };
  return value;
}

/** @param {unknown[] | undefined} given @param {number} now */
const argumentsOf = (given, now) => (given ?? []).map((one) => argument(one, now));

/** @param {() => unknown} run @returns {Promise<Outcome>} */
async function attempt(run) {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}

/** @param {Outcome} outcome @param {Fields} expected @returns {string | null} */
function judge({ value, error }, expected) {
  if (expected.throws) {
    if (!error) return `expected a throw, got ${show(value)}`;
    return mismatch(expected.throws, { code: error.code, message: error.message, name: error.name });
  }
  if (error) return `threw ${error?.code ?? ""} ${error?.stack ?? error}`;
  return "expect" in expected ? mismatch(expected.expect, value) : null;
}

/** @param {Package} pkg @param {Fields} vector */
async function playCall(pkg, vector) {
  const args = argumentsOf(vector.args, vector.now ?? defaultNow);
  const before = JSON.stringify(args);
  const problem = judge(await attempt(() => pkg[vector.call](...args)), vector);
  return problem ?? (JSON.stringify(args) === before ? null : "the arguments were changed");
}

/* ------------------------------------------------------------ scenarios */

/** @param {Package} pkg @param {Fields} vector */
async function playScenario(pkg, vector) {
  const scripted = scriptedHost(vector, pkg);
  const { scenario } = scripted.world;
  const engine = new pkg.ChatEngine(scripted.host, { taskUid: 5, extensionKey: "demo_chat", ...clone(vector.settings ?? {}) });
  scenario.play = (step) => playStep(engine, scripted, step);
  for (const [i, step] of vector.steps.entries()) {
    const problem = (await scenario.play(step)) ?? scenario.failure;
    if (problem) return `step ${i + 1}: ${problem}`;
  }
  const problem = rowsProblem(scripted.world, vector) ?? countsProblem(scripted.world, vector) ?? callsProblem(scripted.world, vector);
  if (problem === null) engine.free?.();
  return problem;
}

/**
 * @param {Record<string, any>} engine
 * @param {ReturnType<typeof scriptedHost>} scripted
 * @param {Fields} step
 * @returns {Promise<string | null>}
 */
async function playStep(engine, scripted, step) {
  const { world } = scripted;
  /** @param {Fields} call */
  const perform = (call) => attempt(() => engine[call.call](...argumentsOf(call.args, world.now)));
  if (step.advance) scripted.advance(step.advance);
  else if (step.fail) scripted.fail(step.fail);
  else if (step.abandon) {
    void perform(step.abandon);
    await settle(turnsOfAbandoned);
  } else if (step.store) {
    const row = world.rows.get(step.store.uid);
    if (!row) throw new Error(`store: there is no conversation ${step.store.uid}`);
    Object.assign(row, clone(step.store.set));
    if (!step.store.quiet) row.revision += 1;
  } else if (step.parallel) return parallelProblem(await Promise.all(step.parallel.map(perform)), step);
  else return judge(await perform(step), step);
  return null;
}

/** @param {Outcome[]} outcomes @param {Fields} step */
function parallelProblem(outcomes, step) {
  const failed = step.mayThrow ? undefined : outcomes.find(({ error }) => error);
  if (failed) return `threw ${failed.error?.stack ?? failed.error}`;
  if (!step.expect) return null;
  const values = outcomes.map(({ value }) => value);
  return mismatch(step.expect, values);
}

/** @typedef {ReturnType<typeof scriptedHost>["world"]} World */

/** @param {World} world @param {Fields} vector */
function rowsProblem(world, vector) {
  for (const expected of vector.then?.conversations ?? []) {
    const uid = expected.uid ?? 1;
    const row = world.rows.get(uid);
    if (expected.$gone ? row : !row) return `conversation ${uid} is ${row ? "still there" : "gone"}`;
    const problem = expected.$gone ? null : mismatch(expected, row, `conversation ${uid}`);
    if (problem) return problem;
  }
  return null;
}

/** @param {World} world @param {Fields} vector */
function countsProblem(world, vector) {
  for (const [fn, wanted] of Object.entries(vector.then?.counts ?? {})) {
    const count = world.counts[fn] ?? 0;
    if (count !== wanted) return `${fn} was called ${count} times, expected ${wanted}`;
  }
  return null;
}

/** The calls occur in this order; others may stand between. @param {World} world @param {Fields} vector */
function callsProblem(world, vector) {
  let at = 0;
  for (const expected of vector.then?.calls ?? []) {
    /** @type {string[]} */
    const problems = [];
    const found = world.calls.findIndex(({ fn, args }, i) => {
      if (i < at || fn !== expected.fn) return false;
      const problem = expected.args === undefined ? null : mismatch(expected.args, args.slice(0, expected.args.length), expected.fn);
      if (problem !== null) problems.push(problem);
      return problem === null;
    });
    if (found < 0) return problems[0] ?? `${expected.fn} was not called`;
    at = found + 1;
  }
  return null;
}
