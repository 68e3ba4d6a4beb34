// What the storage suite uses of node:test, for a page: collects the tests and runs them one after the other.

/**
 * @typedef {() => unknown} Step
 * @typedef {{ name: string, befores: Step[], afters: Step[], parent: Group | null }} Group
 * @typedef {{ name: string, error: string | null }} Result
 */

/** @type {Group} */
let group = { name: "", befores: [], afters: [], parent: null };
/** @type {{ name: string, group: Group, body: Step }[]} */
const collected = [];

/** @param {string} name @param {Step} body */
export function describe(name, body) {
  const outer = group;
  group = { name: outer.name === "" ? name : `${outer.name}: ${name}`, befores: [], afters: [], parent: outer };
  body();
  group = outer;
}

/** @param {string} name @param {Step} body */
export function test(name, body) {
  collected.push({ name: `${group.name}: ${name}`, group, body });
}

/** @param {Step} step */
export const beforeEach = (step) => void group.befores.push(step);

/** @param {Step} step */
export const afterEach = (step) => void group.afters.push(step);

/** @param {Group | null} from @returns {Group[]} the outermost first */
const chain = (from) => (from === null ? [] : [...chain(from.parent), from]);

/** @returns {Promise<Result[]>} */
export async function runCollected() {
  /** @type {Result[]} */
  const results = [];
  for (const { name, group: own, body } of collected.splice(0)) {
    const groups = chain(own);
    /** @type {unknown[]} */
    const errors = [];
    const attempt = async (/** @type {Step[]} */ steps) => {
      for (const step of steps) await step();
    };
    await attempt([...groups.flatMap(({ befores }) => befores), body]).catch((error) => errors.push(error));
    await attempt(groups.reverse().flatMap(({ afters }) => afters)).catch((error) => errors.push(error));
    results.push({ name, error: errors.length === 0 ? null : errors.map(textOf).join("\n") });
  }
  return results;
}

/** @param {unknown} error */
function textOf(error) {
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ""}` : String(error);
}
