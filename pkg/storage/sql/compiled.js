/**
 * Queries that are compiled once. Kysely writes a query anew for every call, and a turn asks the same few over and over. Here a query is written once,
 * over slots in the place of values, and executed with the values of each call.
 */

import { Recent } from "./recent.js";

/** @typedef {import("./adapter.js").Database} Database */

/** How many queries of a database are kept: some dozens are asked, and a host that swaps ever new sets of fields adds to them. */
const MOST = 100;

/** By the adapter, which a database shares with its transactions. @type {WeakMap<object, Recent<import("kysely").CompiledQuery<any>>>} */
const databases = new WeakMap();

/** Stands for a value while a query is written. */
class Slot {
  /** @param {number} index among the values of a call */
  constructor(index) {
    this.index = index;
  }
}

/** A list that is one parameter. */
class Whole {
  /** @param {readonly unknown[]} list */
  constructor(list) {
    this.list = list;
  }
}

/**
 * A list that the database takes as one parameter; of any other each element is one.
 *
 * @template {readonly unknown[]} T
 * @param {T} list
 * @returns {T}
 */
export const whole = (list) => /** @type {T} */ (/** @type {unknown} */ (new Whole(list)));

/**
 * Executes the query that `write` gives. What it looks like must follow from its name, and from names, lengths of lists and what is undefined in `values`:
 * `write` only passes values on, and mostly it is not called.
 *
 * @template V, O
 * @param {Database} db
 * @param {string} name
 * @param {V} values parameters, in objects and lists
 * @param {(values: V) => import("kysely").Compilable<O>} write
 * @returns {Promise<import("kysely").QueryResult<O>>}
 */
export function execute(db, name, values, write) {
  const { adapter, plugins } = db.getExecutor();
  // A plugin of the host's may make another query of it each time, by who asks for instance.
  if (plugins.length > 0) return db.executeQuery(write(/** @type {V} */ (mapped(values, bare))));
  /** @type {unknown[]} */
  const given = [];
  const shape = name + shapeOf(values, given);
  const query = queriesOf(adapter).get(shape, () => write(slotted(values)).compile());
  return db.executeQuery({ ...query, parameters: query.parameters.map((parameter) => (parameter instanceof Slot ? given[parameter.index] : parameter)) });
}

/** @param {object} adapter */
function queriesOf(adapter) {
  const known = databases.get(adapter) ?? new Recent(MOST);
  databases.set(adapter, known);
  return known;
}

/**
 * @template V
 * @param {V} values
 * @returns {V}
 */
function slotted(values) {
  let slots = 0;
  return /** @type {V} */ (mapped(values, () => new Slot(slots++)));
}

/**
 * Names, lengths and gaps of nested values, which themselves go to `given`, in the order in which `mapped` meets them.
 *
 * @param {unknown} value
 * @param {unknown[]} given
 * @returns {string}
 */
function shapeOf(value, given) {
  if (value === undefined) return "?";
  if (!isNest(value)) {
    given.push(bare(value));
    return "";
  }
  let shape = "(";
  for (const name of Object.keys(value)) shape += `${name}${shapeOf(value[name], given)},`;
  return `${shape})`;
}

/**
 * @param {unknown} value
 * @param {(value: unknown) => unknown} change
 * @returns {unknown}
 */
function mapped(value, change) {
  if (value === undefined) return undefined;
  if (!isNest(value)) return change(value);
  if (Array.isArray(value)) return value.map((element) => mapped(element, change));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapped(inner, change)]));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} an object or a list of parameters */
const isNest = (value) => typeof value === "object" && value !== null && !(value instanceof Whole);

/** @param {unknown} value */
const bare = (value) => (value instanceof Whole ? value.list : value);
