/** One server: connected in the background, found again after it was lost, asked with a time limit. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema, ErrorCode, ListToolsResultSchema, McpError, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { EffectUnknown } from "../ai-sdk/errors.js";
import { effectOf, importTools, prefixOf } from "./tools.js";

/**
 * @typedef {import("./index.d.ts").McpServerConfig} McpServerConfig
 * @typedef {import("@modelcontextprotocol/sdk/types.js").Tool} McpTool
 * @typedef {import("@modelcontextprotocol/sdk/types.js").CallToolResult} CallToolResult
 */

const CLIENT = { name: "agent-turn", version: "1" };
const PAGES = 50;
const TOOLS = 500;
const BUFFER_BYTES = 8 * 1024 * 1024;
const PING_MS = 5000;
/** A connection that nobody used for so long may have been closed on the way: before something is changed, it is tried. */
const QUIET_MS = 1000;

export class McpConnection {
  #server;
  #log;
  #delays;
  /** @type {Client | null} */
  #client = null;
  /** The one that an attempt is being made with. @type {Client | null} */
  #connecting = null;
  /** @type {import("../ai-sdk/index.d.ts").Tool[]} */
  #tools = [];
  #failures = 0;
  /** Whether a connection that is lost is looked for at once: not again and again, where it is lost before it was of any use. */
  #useful = true;
  /** When the server gave its last answer. */
  #heard = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #closed = false;
  /** Whether the last thing the log was told is that the server is away. */
  #toldDown = false;
  #ready;

  /**
   * @param {McpServerConfig} server
   * @param {{ log: import("./index.d.ts").McpLog, firstDelayMs: number, maxDelayMs: number }} options
   */
  constructor(server, { log, ...delays }) {
    this.#server = server;
    this.#log = log;
    this.#delays = delays;
    this.#ready = this.#connect();
  }

  get name() {
    return this.#server.name;
  }

  /** The first attempt to find the server, or to find it again, however it ends; later attempts are not waited for. */
  get ready() {
    return this.#ready;
  }

  get connected() {
    return this.#client !== null;
  }

  /** None while the server is away. */
  get tools() {
    return this.#tools;
  }

  /**
   * Whether a tool of this name is out of reach only because the server is.
   * @param {string} tool
   */
  missing(tool) {
    return this.#client === null && tool.startsWith(prefixOf(this.#server.name));
  }

  async close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    this.#tools = [];
    await Promise.all([client, this.#connecting].map((one) => one?.close().catch(() => {})));
  }

  async #connect() {
    const { name, connectSeconds } = this.#server;
    const options = { timeout: connectSeconds * 1000, maxTotalTimeout: connectSeconds * 1000 };
    const client = new Client(CLIENT, { capabilities: {} });
    client.onerror = (error) => this.#log("debug", "mcp.protocol", { server: name, error: oneLine(error) });
    client.onclose = () => this.#lost(client, "the connection was closed");
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#refresh(client));
    this.#connecting = client;
    try {
      await client.connect(this.#transport(), options);
      const tools = await listTools(client, options);
      if (this.#closed) return await client.close();
      this.#client = client;
      this.#heard = performance.now();
      this.#take(client, tools);
    } catch (error) {
      client.onclose = () => {};
      await client.close().catch(() => {});
      this.#retry(oneLine(error));
      return;
    } finally {
      this.#connecting = null;
    }
    this.#toldDown = false;
    this.#log("info", "mcp.up", { server: name, tools: this.#tools.length });
  }

  #transport() {
    const server = this.#server;
    if ("url" in server) {
      // Its own reconnection is for streams of one session; a server that came back has forgotten the session.
      const reconnectionOptions = { initialReconnectionDelay: 1000, maxReconnectionDelay: 1000, reconnectionDelayGrowFactor: 1, maxRetries: 0 };
      return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers }, reconnectionOptions });
    }
    const { command, args, env, cwd } = server;
    const transport = new StdioClientTransport({
      command,
      args,
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...getDefaultEnvironment(), ...env },
      stderr: "pipe",
      maxBufferSize: BUFFER_BYTES,
    });
    transport.stderr?.on("data", (/** @type {Buffer} */ chunk) =>
      this.#log("debug", "mcp.stderr", { server: server.name, text: chunk.toString("utf8").slice(0, 500) }),
    );
    return transport;
  }

  /**
   * @param {Client} client
   * @param {McpTool[]} listed
   */
  #take(client, listed) {
    const { tools, refused } = importTools(this.#server, listed, (tool, input, context) => this.#call(client, tool, input, context));
    this.#tools = tools;
    for (const { name, problem } of refused) this.#log("warn", "mcp.toolRefused", { server: this.#server.name, tool: name, problem });
  }

  /** @param {Client} client */
  async #refresh(client) {
    try {
      const tools = await listTools(client, { timeout: this.#server.connectSeconds * 1000 });
      if (this.#client === client) this.#take(client, tools);
    } catch (error) {
      this.#log("warn", "mcp.listFailed", { server: this.#server.name, error: oneLine(error) });
    }
  }

  /**
   * @param {Client} client
   * @param {string} reason
   */
  #lost(client, reason) {
    if (this.#client !== client) return;
    this.#client = null;
    this.#tools = [];
    client.close().catch(() => {});
    if (this.#closed) return;
    if (!this.#useful) return this.#retry(reason);
    this.#useful = false;
    this.#failures = 0;
    this.#down(reason, 0);
    this.#ready = this.#connect();
  }

  /** @param {string} reason */
  #retry(reason) {
    if (this.#closed) return;
    const { firstDelayMs, maxDelayMs } = this.#delays;
    const delay = Math.min(firstDelayMs * 2 ** Math.min(this.#failures, 20), maxDelayMs);
    this.#failures += 1;
    this.#down(reason, delay);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(), delay);
    this.#timer.unref();
  }

  /**
   * One line when it goes, not one for every attempt.
   * @param {string} reason
   * @param {number} retryMs
   */
  #down(reason, retryMs) {
    this.#log(this.#toldDown ? "debug" : "warn", "mcp.down", { server: this.#server.name, error: reason, retryMs });
    this.#toldDown = true;
  }

  /**
   * Calls a tool. Where the server cannot have carried the call out, or may carry it out again, it is asked once more as soon as it is there: a connection
   * that was closed while it was idle, or a server that was started anew, is no error for the model.
   * @param {Client} listed the one the tool was listed by
   * @param {McpTool} tool
   * @param {Record<string, unknown>} input
   * @param {import("../ai-sdk/index.d.ts").ToolContext} context
   * @returns {Promise<CallToolResult>}
   * @throws {EffectUnknown} the request may have arrived, but no answer did
   */
  async #call(listed, tool, input, context) {
    const repeatable = effectOf(this.#server, tool) !== "write";
    let client = repeatable ? listed : await this.#usable(listed);
    for (let first = true; ; first = false) {
      try {
        return await this.#request(client, tool, input, context);
      } catch (error) {
        if (context.signal.aborted) throw error;
        const { made, gone, passing } = judged(error);
        if (gone ?? !(await answers(client))) this.#lost(client, oneLine(error));
        if (made === "ended") throw error;
        await this.#ready;
        if (!first || !passing || !this.#client || (made === "perhaps" && !repeatable)) {
          if (made === "never") throw error;
          throw new EffectUnknown(`the server ${this.#server.name} gave no answer: ${oneLine(error)}`, error);
        }
        client = this.#client;
      }
    }
  }

  /**
   * @param {Client} client
   * @param {McpTool} tool
   * @param {Record<string, unknown>} input
   * @param {import("../ai-sdk/index.d.ts").ToolContext} context
   */
  async #request(client, tool, input, { runUuid, toolCallId, signal }) {
    const timeout = this.#server.timeoutSeconds * 1000;
    // A server of one's own can recognise a call it has carried out already.
    const params = { name: tool.name, arguments: input, _meta: { "agent-turn/call": `${runUuid}/${toolCallId}` } };
    // Output schemas are not checked: what was done cannot be undone by an answer of another shape.
    const result = await client.request({ method: "tools/call", params }, CallToolResultSchema, { timeout, maxTotalTimeout: timeout, signal });
    this.#useful = true;
    this.#failures = 0;
    this.#heard = performance.now();
    return result;
  }

  /**
   * A client whose connection works, before something is sent that must not be sent twice.
   * @param {Client} client
   * @throws {Error} there is none; nothing was sent
   */
  async #usable(client) {
    if (!("url" in this.#server) || performance.now() - this.#heard < QUIET_MS) return client;
    if (await answers(client)) {
      this.#heard = performance.now();
      return client;
    }
    this.#lost(client, "no answer to a ping");
    await this.#ready;
    if (!this.#client) throw new Error(`the server ${this.#server.name} is out of reach; nothing was sent to it`);
    return this.#client;
  }
}

/**
 * @param {Client} client
 * @param {import("@modelcontextprotocol/sdk/shared/protocol.js").RequestOptions} options
 */
async function listTools(client, options) {
  /** @type {McpTool[]} */
  const tools = [];
  if (!client.getServerCapabilities()?.tools) return tools;
  /** @type {string | undefined} */
  let cursor;
  for (let page = 0; page < PAGES && tools.length < TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: "tools/list", params }, ListToolsResultSchema, options);
    tools.push(...listed.tools);
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.slice(0, TOOLS);
}

/**
 * What an error says of a call: whether it was `made` (`ended`: its answer is the error), whether the server is `gone` (undefined: only a question tells),
 * and whether the trouble may be `passing`.
 * @param {unknown} error
 * @returns {{ made: "ended" | "never" | "perhaps", gone?: boolean, passing: boolean }}
 */
function judged(error) {
  if (error instanceof McpError) {
    if (error.code === ErrorCode.ConnectionClosed) return { made: "perhaps", gone: true, passing: true };
    // Who waited that long does not wait as long again.
    if (error.code === ErrorCode.RequestTimeout) return { made: "perhaps", passing: false };
    return { made: "ended", gone: false, passing: false };
  }
  // The server refused the request itself, perhaps because it has forgotten the session.
  if (error instanceof StreamableHTTPError && error.code !== undefined && error.code >= 400 && error.code < 500) return { made: "never", passing: true };
  // The answer is no result of a tool: it came, but says nothing.
  if (error instanceof Error && /ZodError$/.test(error.name)) return { made: "perhaps", gone: false, passing: false };
  if (error instanceof Error && error.message === "Not connected") return { made: "never", gone: true, passing: true };
  return { made: neverSent(error) ? "never" : "perhaps", passing: true };
}

/** @param {unknown} error */
function neverSent(error) {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return code === "ECONNREFUSED" || code === "ENOTFOUND";
}

/**
 * Whether a server is there. A question that fails at once may have met the remains of a connection that was closed: the second one has a new one.
 * @param {Client} client
 */
async function answers(client) {
  const asked = () => client.ping({ timeout: PING_MS });
  try {
    await asked().catch((error) => (judged(error).passing ? asked() : Promise.reject(error)));
    return true;
  } catch {
    return false;
  }
}

/** @param {unknown} error */
function oneLine(error) {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${message}${cause}`.split(/[\r\n]/, 1)[0]?.slice(0, 300) ?? "";
}
