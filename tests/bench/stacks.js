// A CPU profile as stacks, and as shares of the parts of the host.

/** @typedef {import("node:inspector").Profiler.Profile} Profile */
/** @typedef {import("node:inspector").Profiler.ProfileNode} ProfileNode */

/** Which part a script belongs to; the first that fits. @type {[RegExp, string][]} */
const parts = [
  [/^wasm:|agent_turn_bg/, "component (wasm)"],
  [/pkg\/wasm\/|pkg\/(instance|shared|whole|node)\.js/, "component (glue)"],
  [/pkg\/storage|node_modules\/kysely/, "storage (Kysely, adapter)"],
  [/node_modules\/better-sqlite3/, "SQLite (driver)"],
  [/pkg\/runtime/, "runtime"],
  [/node_modules\/(ai|@ai-sdk|zod|ajv)\//, "AI SDK, zod, ajv"],
  [/www\/host\/rehearsal/, "rehearsal model"],
  [/www\/host|node_modules\/(hono|@hono)/, "host and HTTP"],
  [/^node:/, "Node"],
];

/** SQLite runs inside of native functions, which are told from the rest by the driver's frame above them. */
const native = /^(run|get|all|iterate|exec|prepare|step|next)$/;

/** @param {Profile} profile */
function walk(profile) {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  /** @type {Map<number, ProfileNode>} */
  const parents = new Map();
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node);
  /** @type {Map<number, number>} */
  const hits = new Map();
  for (const id of profile.samples ?? []) hits.set(id, (hits.get(id) ?? 0) + 1);
  return { nodes, parents, hits };
}

/** @param {ProfileNode} node */
const isOverhead = ({ callFrame }) => ["(idle)", "(program)", "(garbage collector)", "(root)"].includes(callFrame.functionName);

/** @param {ProfileNode} node */
function partOf({ callFrame: { url, functionName } }) {
  if (functionName === "(garbage collector)") return "garbage collection";
  if (url === "" && native.test(functionName)) return "SQLite (native)";
  return parts.find(([pattern]) => pattern.test(url))?.[1];
}

/** The part that a sample belongs to: of its own function, else of the nearest caller that has one. @param {ProfileNode} node @param {Map<number, ProfileNode>} parents */
function ownPart(node, parents) {
  for (let at = /** @type {ProfileNode | undefined} */ (node); at; at = parents.get(at.id)) {
    const part = partOf(at);
    if (part) return part;
  }
  return "other";
}

/** Share of the busy time by part, largest first. @param {Profile} profile @returns {[string, number][]} */
export function shares(profile) {
  const { nodes, parents, hits } = walk(profile);
  /** @type {Map<string, number>} */
  const sums = new Map();
  let all = 0;
  for (const [id, count] of hits) {
    const node = nodes.get(id);
    if (!node || (isOverhead(node) && node.callFrame.functionName !== "(garbage collector)")) continue;
    all += count;
    const part = ownPart(node, parents);
    sums.set(part, (sums.get(part) ?? 0) + count);
  }
  return [...sums].map(([part, count]) => /** @type {[string, number]} */ ([part, count / all])).sort(([, a], [, b]) => b - a);
}

/** A frame as the graph names it: function and file, without folders. @param {ProfileNode} node */
function frame({ callFrame: { functionName, url } }) {
  const file = url
    .replace(/^wasm:.*/, "wasm")
    .replace(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/, "$1")
    .replace(/^.*\/(pkg|www|tests)\//, "$1/");
  return `${functionName || "(anonymous)"}${file ? ` ${file}` : ""}`;
}

/** Node's own way from one task to the next says nothing about a turn. @param {ProfileNode} node */
const isBetween = ({ callFrame: { url } }) => /^node:(internal|async_hooks)/.test(url);

/** The stacks of the busy time, from the outermost frame on. @param {Profile} profile @returns {import("./flame.js").Stack[]} */
export function stacks(profile) {
  const { nodes, parents, hits } = walk(profile);
  const all = [];
  for (const [id, count] of hits) {
    const leaf = nodes.get(id);
    if (!leaf || isOverhead(leaf)) continue;
    const frames = [];
    for (let at = /** @type {ProfileNode | undefined} */ (leaf); at && at.callFrame.functionName !== "(root)"; at = parents.get(at.id)) {
      if (!isBetween(at)) frames.unshift({ name: frame(at), part: ownPart(at, parents) });
    }
    if (frames.length > 0) all.push({ frames, count });
  }
  return all;
}
