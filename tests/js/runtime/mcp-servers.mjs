/** MCP servers of the tests as processes: the official everything server and our notes server, over stdio and HTTP. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openMcpConfig } from "../../../pkg/runtime/mcp/index.js";

/** @typedef {import("node:test").TestContext} TestContext */

const EVERYTHING = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const NOTES = fileURLToPath(new URL("./notes-server.mjs", import.meta.url));

export const everythingEntry = () => ({ command: process.execPath, args: [EVERYTHING, "stdio"] });

/** @param {string} file */
export const notesEntry = (file) => ({ command: process.execPath, args: [NOTES, file] });

/**
 * @param {TestContext} t
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {RegExp} ready
 */
async function serve(t, args, env, ready) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } });
  t.after(() => child.kill("SIGKILL"));
  const lines = [child.stdout, child.stderr].map((input) => createInterface({ input }));
  const line = await new Promise((resolve, reject) => {
    for (const one of lines) one.on("line", (text) => ready.test(text) && resolve(text));
    child.once("exit", (code) => reject(new Error(`ended with ${code}`)));
  });
  return {
    line: String(line),
    async stop() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** A port nobody listens on for now. */
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/**
 * The official server, which keeps sessions.
 * @param {TestContext} t
 * @param {number} port
 */
export async function startEverything(t, port) {
  const { stop } = await serve(t, [EVERYTHING, "streamableHttp"], { PORT: String(port) }, /listening/i);
  return { url: `http://127.0.0.1:${port}/mcp`, stop };
}

/** @param {TestContext} t */
export const serveEverything = async (t) => (await startEverything(t, await freePort())).url;

/**
 * @param {TestContext} t
 * @param {string} file
 * @param {number} [port]
 */
export async function serveNotes(t, file, port = 0) {
  const { line, stop } = await serve(t, [NOTES, file, String(port)], {}, /^http/);
  return { url: line, stop };
}

/**
 * A way to a server on which connections break: the next request does not arrive (`before`), or it arrives and its answer does not (`after`).
 * @param {TestContext} t
 * @param {string} url
 */
export async function breakable(t, url) {
  const { port } = new URL(url);
  /** @type {"before" | "after" | null} */
  let next = null;
  const way = createServer((near) => {
    const far = connect(Number(port), "127.0.0.1");
    let mute = false;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
    near.on("data", (chunk) => {
      const breaks = next;
      next = null;
      if (breaks === "before") return end();
      if (breaks === "after") mute = true;
      far.write(chunk);
    });
    far.on("data", (chunk) => (mute ? end() : near.write(chunk)));
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  t.after(() => void way.close());
  const address = /** @type {import("node:net").AddressInfo} */ (way.address());
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    /** @param {"before" | "after"} where */
    breakNext(where) {
      next = where;
    },
    /** Whether the break has happened. */
    broken: () => next === null,
  };
}

/**
 * The tools of a configuration, with what was logged; closed with the test.
 * @param {TestContext} t
 * @param {Record<string, unknown>} servers
 * @param {Record<string, string | undefined>} [env]
 */
export function mcpTools(t, servers, env) {
  /** @type {{ level: string, message: string, [key: string]: unknown }[]} */
  const lines = [];
  /** @type {(() => void)[]} */
  let waiting = [];
  /** @type {import("../../../pkg/runtime/mcp/index.d.ts").McpLog} */
  const log = (level, message, context) => {
    lines.push({ level, message, ...context });
    for (const look of waiting) look();
  };
  const mcp = openMcpConfig({ servers }, { log, firstDelayMs: 20, maxDelayMs: 200, ...(env ? { env } : {}) });
  t.after(() => mcp.close());
  /** Resolves at the n-th line of that name. @param {string} name @param {number} [count] */
  const logged = (name, count = 1) =>
    new Promise((resolve) => {
      const kept = setInterval(() => {}, 1000); // the timers of the connections keep no process alive
      const look = () => {
        if (lines.filter(({ message }) => message === name).length < count) return;
        clearInterval(kept);
        waiting = waiting.filter((one) => one !== look);
        resolve(undefined);
      };
      waiting.push(look);
      look();
    });
  /**
   * @param {string} name
   * @param {Record<string, import("../../../pkg/index.d.ts").Json>} [input]
   * @param {AbortSignal} [signal]
   */
  const call = async (name, input = {}, signal = new AbortController().signal) => {
    const tool = mcp.tools().find((one) => one.name === name);
    if (!tool?.execute) throw new Error(`there is no ${name}`);
    return tool.execute(input, { actor: { uid: 7, isAdmin: false, groups: [] }, runUuid: "run", toolCallId: "call", signal });
  };
  return { mcp, lines, logged, call };
}

/** What the notes server wrote. @param {string} file @returns {{ text: string, call?: string }[]} */
export const notes = (file) =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
