/** The host as a child process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { clientOf } from "./support.js";

const READY = /^agent-turn is ready: (\S+)\/$/;

/**
 * Starts a script and waits until it serves.
 *
 * @param {{ after(fn: () => unknown): void }} t The process ends with the test.
 * @param {string[]} args Script and arguments.
 * @param {Record<string, string | undefined>} [env] Beside the environment of this process.
 */
export async function startHost(t, args, env = {}) {
  const started = startProcess(t, args, env);
  const address = READY.exec(await started.line(READY))?.[1] ?? "";
  return { ...started, address, client: clientOf({ request: (path, init) => fetch(address + path, init) }) };
}

/**
 * Starts a script.
 *
 * @param {{ after(fn: () => unknown): void }} t The process ends with the test.
 * @param {string[]} args Script and arguments.
 * @param {Record<string, string | undefined>} [env] Beside the environment of this process.
 */
export function startProcess(t, args, env = {}) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } });
  /** @type {string[]} */
  const seen = [];
  /** @type {{ pattern: RegExp, found: (line: string) => void }[]} */
  const waiting = [];
  const take = (/** @type {string} */ line) => {
    const index = waiting.findIndex(({ pattern }) => pattern.test(line));
    if (index < 0) seen.push(line);
    else waiting.splice(index, 1)[0]?.found(line);
  };
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
    errors += text;
  });
  createInterface({ input: child.stdout }).on("line", take);
  child.stdin.on("error", () => {}); // it was killed
  const exited = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  t.after(() => child.kill("SIGKILL"));

  /** The next line of stdout that matches, also one that came before. @param {RegExp} pattern @returns {Promise<string>} */
  const line = (pattern) =>
    new Promise((resolve, reject) => {
      const earlier = seen.findIndex((one) => pattern.test(one));
      if (earlier >= 0) return resolve(/** @type {string} */ (seen.splice(earlier, 1)[0]));
      waiting.push({ pattern, found: resolve });
      exited.then(({ code, signal }) => reject(new Error(`ended with ${code ?? signal} before ${pattern}: ${errors}`)));
    });

  return {
    child,
    exited,
    line,
    errors: () => errors,
    /** Lets a gated host go on from the point it stops at. */
    async pass(/** @type {string} */ point) {
      await line(new RegExp(`^@ ${point}$`));
      child.stdin.write("go\n");
    },
    /** Kills it at a point. */
    async killAt(/** @type {string} */ point) {
      await line(new RegExp(`^@ ${point}$`));
      child.kill("SIGKILL");
      await exited;
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
