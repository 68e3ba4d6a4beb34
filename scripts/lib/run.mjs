// Child processes: run to the end, show what they print, keep what they printed.
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./project.mjs";

/** A command that could not be started, ended with a status other than 0, or took too long. */
export class CommandFailed extends Error {
  /** @param {string} message @param {string} output everything it printed */
  constructor(message, output) {
    super(message);
    this.name = "CommandFailed";
    this.output = output;
  }
}

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] default: the project's root
 * @property {NodeJS.ProcessEnv} [env] default: this process's environment
 * @property {boolean} [quiet] true: its output is kept, not shown
 * @property {number} [timeout] milliseconds; then it is ended, with everything it started
 */

/**
 * Runs a command to its end and resolves to what it printed (standard output and standard error as they came).
 * @param {string} command @param {string[]} [args] @param {RunOptions} [options]
 * @returns {Promise<string>}
 * @throws {CommandFailed}
 */
export function run(command, args = [], { cwd = root, env = process.env, quiet = false, timeout = 0 } = {}) {
  const shown = [command, ...args].join(" ");
  return new Promise((resolve, reject) => {
    // its own process group, so that a test runner's servers and browsers end with it
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: process.platform !== "win32" });
    running.add(child);
    let output = "";
    let late = false;
    const timer = timeout
      ? setTimeout(() => {
          late = true;
          end(child);
        }, timeout)
      : undefined;
    /** @param {NodeJS.WritableStream} to */
    const keep = (to) => (/** @type {string} */ text) => {
      output += text;
      if (!quiet) to.write(text);
    };
    child.stdout.setEncoding("utf8").on("data", keep(process.stdout));
    child.stderr.setEncoding("utf8").on("data", keep(process.stderr));
    child.on("error", (error) => settle(`${shown}: ${error.message}`));
    child.on("close", (status, signal) => {
      if (late) settle(`${shown}: not done after ${timeout / 1000} s`);
      else if (status !== 0) settle(`${shown}: ended with ${signal ?? `status ${status}`}`);
      else settle(null);
    });
    /** @param {string | null} fault */
    const settle = (fault) => {
      clearTimeout(timer);
      running.delete(child);
      if (fault === null) resolve(output);
      else reject(new CommandFailed(fault, output));
    };
  });
}

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();

/** Ends a child and what it started. @param {import("node:child_process").ChildProcess} child */
function end(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    // it ended by itself in the meantime
  }
}

for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    for (const child of running) end(child);
    process.exit(1);
  });
}

/**
 * Where a command is found on a search path; null: nowhere.
 * @param {string} command @param {string} [path]
 * @returns {string | null}
 */
export function which(command, path = process.env.PATH ?? "") {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, command);
    try {
      accessSync(candidate, constants.X_OK);
      if (statSync(candidate).isFile()) return candidate;
    } catch {
      // not in this folder
    }
  }
  return null;
}
