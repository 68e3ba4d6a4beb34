// Plays one scenario on both implementations, says where they part, and makes a failing scenario smaller.
import { isDeepStrictEqual } from "node:util";
import { World } from "./world.js";

/** @typedef {Record<string, any>} Data */

/** What one step came to. @typedef {{ outcome: any, effects: any, rows: any, reads: string[] }} Trace */

/** @param {World} world @param {Data} step */
function argumentsOf(world, step) {
  const row = world.rows.get(String(step.args[0]));
  return step.args.map((/** @type {any} */ arg) => {
    if (arg === "$claim") return row?.claimId || "none";
    if (arg === null || typeof arg !== "object") return arg;
    const copy = structuredClone(arg);
    if (copy.expectedContent === "$stored") {
      const content = row?.messages[step.args[2]]?.content;
      copy.expectedContent = typeof content === "string" ? content : "other";
    }
    if (copy.messageCount === "$count") copy.messageCount = row?.messages.length ?? 0;
    return copy;
  });
}

/** @param {World} world @param {any} engine @param {Data} step */
async function perform(world, engine, step) {
  if (step.advance) world.now += step.advance;
  else if (step.fail) world.failing = new Set(step.fail);
  else if ("odd" in step) world.odd = step.odd;
  else if (step.know) {
    const run = step.know.run === "$last" ? (world.rows.get(String(step.know.uid))?.lastRunUuid ?? "") : step.know.run;
    world.knows[run] = structuredClone(step.know.as);
  } else if (step.store) {
    const row = world.rows.get(String(step.store.uid));
    if (row) Object.assign(row, structuredClone(step.store.set), { revision: row.revision + 1 });
  } else {
    const { lost } = world;
    try {
      const value = await engine[step.call](...argumentsOf(world, step));
      // a poll whose reconcile lost its swap may show the row as it read it or as it is by then (K3)
      return step.call === "poll" && world.lost > lost ? { value: { ok: value.ok } } : { value };
    } catch (/** @type {any} */ error) {
      return { error: error?.code ?? String(error?.stack ?? error) };
    }
  }
  return {};
}

/** @param {Data} pkg @param {Data} scenario @returns {Promise<Trace[]>} */
export async function play(pkg, scenario) {
  const world = new World(scenario, pkg);
  const engine = new pkg.ChatEngine(world.host, structuredClone(scenario.settings));
  const traces = /** @type {Trace[]} */ ([]);
  const nested = /** @type {any[]} */ ([]);
  world.play = async (step) => {
    nested.push(await perform(world, engine, step));
  };
  for (const step of scenario.steps) {
    world.effects = [];
    world.reads = new Set();
    nested.length = 0;
    const outcome = await perform(world, engine, step);
    traces.push(structuredClone({ outcome: { ...outcome, nested }, effects: world.effects, rows: [...world.rows.values()], reads: [...world.reads].sort() }));
  }
  engine.free?.();
  return traces;
}

/**
 * Sentences are each implementation's own: a stored reason counts only where it was scripted ("E:"), else that there is one.
 * @param {any} value @param {string} [key] @returns {any}
 */
export function comparable(value, key = "") {
  if (key === "errorMessage" && typeof value === "string") return value === "" || value.startsWith("E:") ? value : "*";
  if (Array.isArray(value)) return value.map((part) => comparable(part));
  if (typeof value !== "object" || value === null) return value;
  if (typeof value.key === "string" && Array.isArray(value.args))
    return { ...value, args: value.args.map((/** @type {string} */ a) => comparable(a, "errorMessage")) };
  const skipped = typeof value.outcome === "string" && value.outcome !== "superseded" && "errorCode" in value ? ["result"] : []; // C6: only then it is promised
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, part]) => part !== undefined && !skipped.includes(name))
      .map(([name, part]) => [name, comparable(part, name)]),
  );
}

/** @param {any} a @param {any} b @param {string} path @returns {{ path: string, ours: any, theirs: any } | null} */
export function firstDifference(a, b, path = "") {
  if (isDeepStrictEqual(a, b)) return null;
  const both = typeof a === "object" && typeof b === "object" && a !== null && b !== null && Array.isArray(a) === Array.isArray(b);
  if (!both || (Array.isArray(a) && a.length !== b.length)) return { path, ours: a, theirs: b };
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = firstDifference(a[key], b[key], `${path}.${key}`);
    if (found) return found;
  }
  return { path, ours: a, theirs: b };
}

/**
 * Whether an actor is looked up that is not needed in the end is free: a request may reject or go on where `actorOf` fails (W4), and nothing
 * that follows can be compared.
 * @param {Trace} a @param {Trace} b
 */
function actorWasOptional(a, b) {
  const rejected = [a, b].filter((trace) => trace.outcome.error === "host.actorOf");
  return rejected.length === 1 && !rejected[0].effects.some((/** @type {Data} */ e) => e.fn === "storage.swap");
}

/**
 * Reads may be made in another order or number, or not at all, as long as the rest is the same (caching, laziness); but where both ask the
 * runtime the same thing about the same run, they ask as the same person (T8).
 * @param {string[]} ours @param {string[]} theirs
 */
function otherActors(ours, theirs) {
  const asked = (/** @type {string[]} */ reads) => {
    const byRun = /** @type {Map<string, string[]>} */ (new Map());
    for (const read of reads) {
      const [fn, args] = JSON.parse(read);
      const what = `${fn} ${args[1]}`;
      if (fn.startsWith("runtime.")) byRun.set(what, [...(byRun.get(what) ?? []), read]);
    }
    return byRun;
  };
  const other = asked(theirs);
  for (const [what, reads] of asked(ours)) {
    const seen = other.get(what);
    if (seen && !isDeepStrictEqual(reads, seen)) return { path: "reads", ours: reads, theirs: seen };
  }
  return null;
}

/**
 * Where the two part first; null: nowhere. "actors" also compares as whom the runtime is asked.
 * @param {Data} reference @param {Data} component @param {Data} scenario @param {"actors"} [also]
 * @returns {Promise<{ step: number, path: string, ours: any, theirs: any } | null>}
 */
export async function difference(reference, component, scenario, also) {
  const ours = await play(reference, scenario);
  const theirs = await play(component, scenario);
  for (const [at, trace] of ours.entries()) {
    if (actorWasOptional(trace, theirs[at])) return null;
    for (const part of /** @type {const} */ (["outcome", "effects", "rows"])) {
      const found = firstDifference(comparable(trace[part]), comparable(theirs[at][part]), part);
      if (found) return { step: at, ...found };
    }
    const found = also ? otherActors(trace.reads, theirs[at].reads) : null;
    if (found) return { step: at, ...found };
  }
  return null;
}

/** Smaller scenarios, simplest first. @param {Data} scenario @returns {Generator<Data>} */
function* smaller(scenario) {
  const edit = (/** @type {(copy: Data) => void} */ change) => {
    const copy = structuredClone(scenario);
    change(copy);
    return copy;
  };
  for (const i of scenario.steps.keys()) if (scenario.steps.length > 1) yield edit((s) => s.steps.splice(i, 1));
  if (scenario.rows.length > 1) yield edit((s) => s.rows.pop());
  for (const key of ["loseSwap", "lacks"]) for (const i of scenario[key].keys()) yield edit((s) => s[key].splice(i, 1));
  for (const key of ["mayAct", "actorOf", "readFile"]) if (scenario[key]) yield edit((s) => Object.assign(s, { [key]: null }));
  if (scenario.loadSince) yield edit((s) => Object.assign(s, { loadSince: false }));
  for (const key of Object.keys(scenario.settings)) if (!["extensionKey", "identityPrompt", "taskUid"].includes(key)) yield edit((s) => delete s.settings[key]);
  for (const i of scenario.plans.keys()) yield edit((s) => s.plans.splice(i, 1));
  for (const [i, plan] of scenario.plans.entries()) {
    for (const list of ["steps", "during"]) for (const j of (plan[list] ?? []).keys()) yield edit((s) => s.plans[i][list].splice(j, 1));
    for (const key of Object.keys(plan.returns ?? {})) if (key !== "outcome") yield edit((s) => delete s.plans[i].returns[key]);
    for (const j of (plan.returns?.steps ?? []).keys()) yield edit((s) => s.plans[i].returns.steps.splice(j, 1));
  }
  for (const run of Object.keys(scenario.knows))
    for (const key of Object.keys(scenario.knows[run])) if (scenario.knows[run][key] !== null) yield edit((s) => Object.assign(s.knows[run], { [key]: null }));
  for (const [i, row] of scenario.rows.entries()) {
    for (const j of row.messages.keys()) yield edit((s) => s.rows[i].messages.splice(j, 1));
    for (const [j, m] of row.messages.entries())
      for (const key of Object.keys(m)) if (key !== "role" && key !== "content") yield edit((s) => delete s.rows[i].messages[j][key]);
    const plain = {
      owner: 7,
      title: "",
      claimId: "",
      errorMessage: "",
      errorCode: "",
      runUuid: "",
      lastRunUuid: "",
      systemPrompt: "",
      archived: false,
      pinned: false,
      activity: [],
      updatedAt: 1700000000,
      decidedBy: null,
      denyReason: "",
      turnDigest: "",
    };
    for (const [key, value] of Object.entries(plain)) if (!isDeepStrictEqual(row[key], value)) yield edit((s) => Object.assign(s.rows[i], { [key]: value }));
  }
}

/** The smallest scenario found that still fails in the same place. @param {Data} scenario @param {(s: Data) => Promise<{ path: string } | null>} fails */
export async function shrink(scenario, fails) {
  const wanted = (await fails(scenario))?.path;
  let best = scenario;
  for (let changed = true; changed; ) {
    changed = false;
    for (const candidate of smaller(best)) {
      const found = await fails(candidate).catch(() => null);
      if (found?.path !== wanted) continue;
      best = candidate;
      changed = true;
      break;
    }
  }
  return best;
}
