/**
 * agent-turn/runtime/mcp: tools of MCP servers, over stdio and Streamable HTTP, for `createAiSdkRuntime({ sources: [openMcp(…)] })`.
 *
 * A tool `search` of the server `files` is called `mcp_files_search`. What a server calls read-only runs at once; everything else waits for a
 * person, unless its entry says otherwise. A server that is away costs its tools and a line in the log (`mcp.down`), never a turn, and is looked for
 * at once and then with growing pauses. A pending approval of one of its tools is refused (`configurationInactive`) and waits until the server is back.
 */
import type { Uid } from "../../index.d.ts";
import type { ToolEffect, ToolSource } from "../ai-sdk/index.d.ts";

/** writes: everything but reads is decided by a person. always: reads too. never: nothing but what the server calls destructive. */
export type McpApproval = "writes" | "always" | "never";

interface McpServerBase {
  /** 1 to 24 of `a-z0-9-`, the first a letter; the key of the server in the file. */
  name: string;
  disabled: boolean;
  /** The tools that are taken over, by the server's names; absent: all. */
  allow?: string[] | undefined;
  /** Default `writes`. */
  approval: McpApproval;
  /** Default true; false: the server's hints do not count and each of its tools is a write. */
  trustHints: boolean;
  /** Users of these groups are offered the tools; absent: everybody. */
  groups?: Uid[] | undefined;
  /** How long one call may take; default 60. */
  timeoutSeconds: number;
  /** How long a connection may take; default 10. */
  connectSeconds: number;
  /** Characters of one result; default 20000. */
  resultLimit: number;
  /** For single tools, by the server's names: what they do, and who is asked. */
  overrides: { [tool: string]: { approval?: McpApproval | undefined; effect?: ToolEffect | undefined } };
}
export interface McpStdioServer extends McpServerBase {
  command: string;
  args: string[];
  /** Beside PATH, HOME and the like, which are all that is inherited. `${NAME}` in the file stands for a variable of this process. */
  env: { [name: string]: string };
  cwd?: string | undefined;
}
export interface McpHttpServer extends McpServerBase {
  url: string;
  /** `${NAME}` in the file stands for an environment variable. */
  headers: { [name: string]: string };
}
export type McpServerConfig = McpStdioServer | McpHttpServer;

export type McpLog = (level: "debug" | "info" | "warn" | "error", message: string, context: Record<string, unknown>) => void;

export interface McpOptions {
  log?: McpLog;
  /** Pause before the first new attempt, doubled up to `maxDelayMs`; defaults 1000 and 60000. */
  firstDelayMs?: number;
  maxDelayMs?: number;
}

export interface McpTools extends ToolSource {
  servers(): { name: string; connected: boolean; tools: string[] }[];
  /** Ends the connections and the processes of stdio servers. */
  close(): Promise<void>;
}

/** Reads and checks a file `{"servers": {"<name>": {…}}}`. Rejects with McpConfigError. */
export function readMcpConfig(file: string, env?: Record<string, string | undefined>): Promise<McpServerConfig[]>;
/** The same for a value. Throws McpConfigError. */
export function parseMcpConfig(value: unknown, env?: Record<string, string | undefined>): McpServerConfig[];
export function openMcp(servers: McpServerConfig[], options?: McpOptions): McpTools;
/** `parseMcpConfig` and `openMcp` in one. */
export function openMcpConfig(config: unknown, options?: McpOptions & { env?: Record<string, string | undefined> }): McpTools;

export class McpConfigError extends Error {
  code: "invalidMcpConfig";
  /** One sentence per fault. */
  problems: string[];
}
