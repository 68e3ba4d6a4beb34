/** The tools of a server as tools of the runtime: names, effects, who is asked. */
import { createHash } from "node:crypto";
import { plainResult } from "./result.js";

/**
 * @typedef {import("@modelcontextprotocol/sdk/types.js").Tool} McpTool
 * @typedef {import("../ai-sdk/index.d.ts").Tool} Tool
 * @typedef {import("./index.d.ts").McpServerConfig} McpServerConfig
 */

const NAME_LENGTH = 64;
const DESCRIPTION_LENGTH = 4000;
const SCHEMA_LENGTH = 64_000;
const LINE_LENGTH = 500;

/** What the names of a server's tools begin with. @param {string} server */
export const prefixOf = (server) => `mcp_${server}_`;

/**
 * The name a model calls a tool by: of few characters and at most 64, the same in every process. A name that had to be changed ends in a digest of
 * the original, so that two tools never share one.
 * @param {string} server
 * @param {string} tool
 */
export function toolName(server, tool) {
  const plain = `${prefixOf(server)}${tool}`;
  if (/^[A-Za-z0-9_-]+$/.test(tool) && plain.length <= NAME_LENGTH) return plain;
  const digest = createHash("sha256").update(tool).digest("hex").slice(0, 8);
  return `${plain.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, NAME_LENGTH - 9)}_${digest}`;
}

/**
 * What a tool does to the world. A hint counts only where it is clear: one that calls itself read-only and destructive is a write.
 * @param {McpServerConfig} server
 * @param {McpTool} tool
 * @returns {import("../ai-sdk/index.d.ts").ToolEffect}
 */
export function effectOf({ trustHints, overrides }, { name, annotations }) {
  const named = own(overrides, name)?.effect;
  if (named) return named;
  if (!trustHints) return "write";
  if (annotations?.readOnlyHint === true && annotations.destructiveHint !== true) return "read";
  return annotations?.idempotentHint === true && annotations.destructiveHint === false ? "idempotentWrite" : "write";
}

/**
 * Whether a person decides each call. `never` still asks before what the server itself calls destructive; only an override lifts that.
 * @param {McpServerConfig} server
 * @param {McpTool} tool
 */
export function asksOf(server, tool) {
  const named = own(server.overrides, tool.name)?.approval;
  const policy = named ?? server.approval;
  if (policy === "always") return true;
  if (policy === "never") return named === undefined && tool.annotations?.destructiveHint === true;
  return effectOf(server, tool) !== "read";
}

/**
 * Takes a list of tools over. What cannot be taken is named and left out.
 * @param {McpServerConfig} server
 * @param {McpTool[]} listed
 * @param {(tool: McpTool, input: Record<string, unknown>, context: import("../ai-sdk/index.d.ts").ToolContext) => Promise<import("@modelcontextprotocol/sdk/types.js").CallToolResult>} call
 * @returns {{ tools: Tool[], refused: { name: string, problem: string }[] }}
 */
export function importTools(server, listed, call) {
  /** @type {Map<string, Tool>} */
  const tools = new Map();
  /** @type {{ name: string, problem: string }[]} */
  const refused = [];
  for (const tool of listed) {
    if (server.allow && !server.allow.includes(tool.name)) continue;
    const name = toolName(server.name, tool.name);
    const problem = tools.has(name) ? "listed twice" : schemaProblem(tool);
    if (problem === null) tools.set(name, imported(server, tool, name, call));
    else refused.push({ name: tool.name.slice(0, 100), problem });
  }
  for (const name of server.allow ?? []) {
    if (!listed.some((tool) => tool.name === name)) refused.push({ name, problem: "allowed, but the server has no such tool" });
  }
  return { tools: [...tools.values()], refused };
}

/** @param {McpTool} tool */
function schemaProblem({ inputSchema }) {
  try {
    return JSON.stringify(inputSchema).length > SCHEMA_LENGTH ? `its schema is longer than ${SCHEMA_LENGTH} characters` : null;
  } catch {
    return "its schema cannot be written down";
  }
}

/**
 * @param {McpServerConfig} server
 * @param {McpTool} tool
 * @param {string} name
 * @param {Parameters<typeof importTools>[2]} call
 * @returns {Tool}
 */
function imported(server, tool, name, call) {
  const title = tool.title ?? tool.annotations?.title ?? tool.name;
  const groups = server.groups?.map(String);
  return {
    name,
    description: (tool.description ?? title).slice(0, DESCRIPTION_LENGTH),
    inputSchema: tool.inputSchema,
    effect: effectOf(server, tool),
    needsApproval: asksOf(server, tool),
    ...(groups ? { closedReason: "configurationGroup", allowed: (actor) => actor.groups.some((group) => groups.includes(String(group))) } : {}),
    label: () => `${server.name}: ${title}`,
    preview: (input) => ({ lines: Object.entries(input).map(([field, value]) => `${field}: ${shown(value)}`) }),
    async execute(input, context) {
      const result = await call(tool, input, context);
      const text = plainResult(result, server.resultLimit);
      if (result.isError) throw new Error(text);
      return text;
    },
  };
}

/** @param {unknown} value */
const shown = (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, LINE_LENGTH);

/**
 * @template T
 * @param {Record<string, T>} record
 * @param {string} key chosen by a server (W6)
 */
const own = (record, key) => (Object.hasOwn(record, key) ? record[key] : undefined);
