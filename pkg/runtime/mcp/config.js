/** The file that names the MCP servers, checked as a whole: every problem is told at once, and secrets come from the environment. */
import { readFile } from "node:fs/promises";
import { z } from "zod";

const MAX_SECONDS = 600;

/** The file is not usable. `code` is `invalidMcpConfig`; `problems` holds one sentence per fault and no value of a variable. */
export class McpConfigError extends Error {
  /**
   * @param {string[]} problems
   * @param {unknown} [cause]
   */
  constructor(problems, cause) {
    super(problems.join("\n"), cause === undefined ? undefined : { cause });
    this.name = "McpConfigError";
    this.code = "invalidMcpConfig";
    this.problems = problems;
  }
}

const text = z.string().min(1);
const seconds = z.number().positive().max(MAX_SECONDS);
const approval = z.enum(["writes", "always", "never"]);
const effect = z.enum(["read", "idempotentWrite", "write"]);
const common = {
  disabled: z.boolean().default(false),
  /** The tools that are taken over, by the server's names; absent: all. */
  allow: z.array(text).optional(),
  approval: approval.default("writes"),
  /** false: the server's own words about its tools do not count; each is a write. */
  trustHints: z.boolean().default(true),
  groups: z.array(z.union([z.string(), z.number()])).optional(),
  timeoutSeconds: seconds.default(60),
  connectSeconds: seconds.default(10),
  resultLimit: z.number().int().positive().max(1_000_000).default(20_000),
  overrides: z.record(text, z.strictObject({ approval: approval.optional(), effect: effect.optional() })).default({}),
};
const variables = z.record(text, z.string()).default({});
const stdio = z.strictObject({ command: text, args: z.array(z.string()).default([]), env: variables, cwd: text.optional(), ...common });
const http = z.strictObject({ url: z.url({ protocol: /^https?$/ }), headers: variables, ...common });

/** Names are parts of tool names, of which models and providers allow few characters; no underscore, so that a prefix belongs to one server. */
const SERVER_NAME = /^[a-z][a-z0-9-]{0,23}$/;

/**
 * Checks what a configuration file holds. `${NAME}` in a value of `env` or `headers` stands for an environment variable.
 * @param {unknown} value
 * @param {Record<string, string | undefined>} [env]
 * @returns {import("./index.d.ts").McpServerConfig[]} without those that are disabled
 * @throws {McpConfigError}
 */
export function parseMcpConfig(value, env = process.env) {
  const outer = z.strictObject({ servers: z.record(z.string(), z.unknown()) }).safeParse(value);
  if (!outer.success) throw new McpConfigError(told("", outer.error));
  /** @type {string[]} */
  const problems = [];
  const servers = Object.entries(outer.data.servers).flatMap(([name, entry]) => {
    if (!SERVER_NAME.test(name)) problems.push(`servers.${name}: a name is 1 to 24 of a-z, 0-9 and -, the first a letter.`);
    const server = parseServer(name, entry, problems);
    return server === null || server.disabled ? [] : [withVariables(server, env, problems)];
  });
  if (problems.length > 0) throw new McpConfigError(problems);
  return servers;
}

/**
 * Reads a configuration file.
 * @param {string} file
 * @param {Record<string, string | undefined>} [env]
 * @returns {Promise<import("./index.d.ts").McpServerConfig[]>}
 * @throws {McpConfigError}
 */
export async function readMcpConfig(file, env = process.env) {
  let value;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const problem = error instanceof SyntaxError ? "is not valid JSON" : "cannot be read";
    throw new McpConfigError([`${file} ${problem}: ${error instanceof Error ? error.message : String(error)}`], error);
  }
  try {
    return parseMcpConfig(value, env);
  } catch (error) {
    throw error instanceof McpConfigError ? new McpConfigError(error.problems.map((problem) => `${file}: ${problem}`)) : error;
  }
}

/**
 * @param {string} name
 * @param {unknown} entry
 * @param {string[]} problems
 * @returns {import("./index.d.ts").McpServerConfig | null}
 */
function parseServer(name, entry, problems) {
  const kinds = ["command", "url"].filter((key) => typeof entry === "object" && entry !== null && Object.hasOwn(entry, key));
  if (kinds.length !== 1) {
    problems.push(`servers.${name}: exactly one of command and url is needed.`);
    return null;
  }
  const parsed = kinds[0] === "command" ? stdio.safeParse(entry) : http.safeParse(entry);
  if (!parsed.success) {
    problems.push(...told(`servers.${name}.`, parsed.error));
    return null;
  }
  return { name, ...parsed.data };
}

/**
 * @template {import("./index.d.ts").McpServerConfig} S
 * @param {S} server
 * @param {Record<string, string | undefined>} env
 * @param {string[]} problems
 * @returns {S}
 */
function withVariables(server, env, problems) {
  const key = "command" in server ? "env" : "headers";
  const values = /** @type {Record<string, string>} */ (Reflect.get(server, key));
  const filled = Object.entries(values).map(([name, value]) => {
    const text = value.replace(/\$\{([^}]*)\}/g, (_, variable) => {
      const found = env[variable];
      if (found === undefined || found === "") problems.push(`servers.${server.name}.${key}.${name}: the environment variable ${variable} is not set.`);
      return found ?? "";
    });
    return [name, text];
  });
  return { ...server, [key]: Object.fromEntries(filled) };
}

/**
 * @param {string} prefix
 * @param {z.ZodError} error
 */
const told = (prefix, error) =>
  error.issues.map(({ path, message }) => `${`${prefix}${path.map(String).join(".")}`.replace(/\.$/, "") || "the file"}: ${message}.`);
