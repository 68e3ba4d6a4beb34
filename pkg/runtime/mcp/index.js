/**
 * agent-turn/runtime/mcp: the tools of MCP servers for the runtime (see index.d.ts).
 *
 * config.js  the file          connection.js  one server, found again after it was lost
 * tools.js   names, effects    result.js      answers as plain text
 */
import { parseMcpConfig } from "./config.js";
import { McpConnection } from "./connection.js";

export { McpConfigError, parseMcpConfig, readMcpConfig } from "./config.js";

/**
 * Connects to the servers in the background and goes on trying. Nothing of it throws later: a server that is away costs its tools.
 * @param {import("./index.d.ts").McpServerConfig[]} servers as `readMcpConfig` gives them
 * @param {import("./index.d.ts").McpOptions} [options]
 * @returns {import("./index.d.ts").McpTools}
 */
export function openMcp(servers, { log = () => {}, firstDelayMs = 1000, maxDelayMs = 60_000 } = {}) {
  const connections = servers.map((server) => new McpConnection(server, { log, firstDelayMs, maxDelayMs }));
  return {
    tools: () => connections.flatMap((connection) => connection.tools),
    missing: (name) => connections.some((connection) => connection.missing(name)),
    ready: async () => {
      await Promise.all(connections.map((connection) => connection.ready));
    },
    servers: () => connections.map(({ name, connected, tools }) => ({ name, connected, tools: tools.map((tool) => tool.name) })),
    close: async () => {
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

/**
 * Checks and connects what a configuration holds, for hosts that keep it elsewhere than in a file.
 * @param {unknown} config
 * @param {import("./index.d.ts").McpOptions & { env?: Record<string, string | undefined> }} [options]
 */
export const openMcpConfig = (config, { env, ...options } = {}) => openMcp(parseMcpConfig(config, env), options);
