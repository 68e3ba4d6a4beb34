/**
 * The environment of the host, read once and checked as a whole: every wrong value is named in one error, so that nobody has to start five times.
 */
import { isIP } from "node:net";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readDatabase } from "./database-url.js";

/** The folder that holds package.json, www and pkg. */
export const PROJECT_ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * @typedef {object} ModelConfig An OpenAI-compatible endpoint.
 * @property {string} url Base URL, without a trailing slash.
 * @property {string} name Model name as the endpoint knows it.
 * @property {string | undefined} key Bearer key; undefined for endpoints without one.
 * @property {number} timeoutSeconds How long one call may take.
 *
 * @typedef {"debug" | "info" | "warn" | "error"} LogLevel
 *
 * @typedef {object} Config
 * @property {string} root Project root, absolute.
 * @property {number} port 0: any free port.
 * @property {string} hostname Address the server listens on.
 * @property {boolean} allowRemote Whether other than loopback addresses and host names are served.
 * @property {import("./database-url.js").DatabaseConfig} database Where everything is stored.
 * @property {ModelConfig | null} model null: the built-in rehearsal model.
 * @property {string | undefined} runSecret What stored calls, cards and approvals are sealed with; undefined: they are not.
 * @property {string | null} mcpFile Absolute path of the file that names MCP servers; null: none.
 * @property {"in-process" | "none"} worker Whether `serve` carries out turns itself.
 * @property {number} concurrency Turns a worker carries out at the same time.
 * @property {number | null} metricsPort Where health and metrics are served beside the page; null: nowhere, 0: any free port.
 * @property {number} stopSeconds How long a stopping process waits for the turns that run.
 * @property {number} leaseSeconds How long a worker's hold on a run lasts without a sign of life.
 * @property {number} stuckSeconds How long a turn may go without a sign of life before its run is asked (G1, K1).
 * @property {number} upkeepSeconds Time between two looks for what was left behind.
 * @property {number} maxActive How many conversations of one owner may be busy at a time (N6); 0: any number.
 * @property {boolean} demoAdmin Whether the second demo user is an administrator.
 * @property {LogLevel} logLevel The least level that is written.
 * @property {"en" | "de"} locale Language of what the tools say on a card, and of yes and no in an answer's line (F7).
 */

/** Wrong values in the environment. `code` is `invalidConfiguration`; `problems` holds one sentence per value. */
export class ConfigError extends Error {
  /** @param {string[]} problems */
  constructor(problems) {
    super(problems.join("\n"));
    this.name = "ConfigError";
    this.code = "invalidConfiguration";
    this.problems = problems;
  }
}

const MODEL_TIMEOUT_SECONDS = 120;
/** Node's fetch gives a request up by itself after that. */
const MAX_TIMEOUT_SECONDS = 300;
/** Fewer characters can be guessed by whoever reads one sealed run. */
const LEAST_SECRET = 16;
const LOG_LEVELS = /** @type {const} */ (["debug", "info", "warn", "error"]);
const LOCALES = /** @type {const} */ (["en", "de"]);
const WORKERS = /** @type {const} */ (["in-process", "none"]);

/**
 * Reads the configuration from environment variables; an empty value counts as absent.
 *
 * @param {Record<string, string | undefined>} [env]
 * @param {string} [root] Project root; relative database files are resolved against it.
 * @returns {Readonly<Config>}
 * @throws {ConfigError} naming every value that is wrong.
 */
export function loadConfig(env = process.env, root = PROJECT_ROOT) {
  /** @type {string[]} */
  const problems = [];
  const read = (/** @type {string} */ name) => env[name]?.trim() || undefined;
  const allowRemote = flag(read, "ALLOW_REMOTE", problems);
  const config = {
    root,
    port: port(read, "PORT", 8787, problems),
    hostname: hostname(read("HOST"), allowRemote, problems),
    allowRemote,
    database: readDatabase(read("DATABASE_URL"), read("DATABASE_FILE"), root, problems),
    model: model(read, problems),
    runSecret: secret(read, "RUN_SECRET", problems),
    mcpFile: mcpFile(read("MCP_FILE"), root),
    worker: oneOf(read, "WORKER", WORKERS, "in-process", problems),
    concurrency: count(read, "WORKER_CONCURRENCY", [1, 64], 2, problems),
    metricsPort: read("METRICS_PORT") === undefined ? null : port(read, "METRICS_PORT", 0, problems),
    stopSeconds: count(read, "STOP_SECONDS", [0, 600], 10, problems),
    leaseSeconds: count(read, "LEASE_SECONDS", [1, 600], 30, problems),
    stuckSeconds: count(read, "STUCK_SECONDS", [1, 3600], 45, problems),
    upkeepSeconds: count(read, "UPKEEP_SECONDS", [1, 600], 10, problems),
    maxActive: count(read, "MAX_ACTIVE", [0, 1000], 3, problems),
    demoAdmin: flag(read, "DEMO_ADMIN", problems),
    logLevel: oneOf(read, "LOG_LEVEL", LOG_LEVELS, "info", problems),
    locale: oneOf(read, "LOCALE", LOCALES, "en", problems),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(config);
}

/**
 * Whether a host name or address means this machine only.
 *
 * @param {string} name Without port; IPv6 with or without brackets.
 */
export function isLoopback(name) {
  const bare = name.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  if (bare === "localhost" || bare === "::1") return true;
  return isIP(bare) === 4 && bare.startsWith("127.");
}

/** @param {(name: string) => string | undefined} read @param {string} name @param {number} fallback @param {string[]} problems */
function port(read, name, fallback, problems) {
  const value = read(name);
  if (value === undefined) return fallback;
  const number = Number(value);
  if (/^\d{1,5}$/.test(value) && number <= 65535) return number;
  problems.push(`${name} must be a whole number from 0 to 65535, not "${value}".`);
  return fallback;
}

/** @param {string | undefined} value @param {boolean} allowRemote @param {string[]} problems */
function hostname(value, allowRemote, problems) {
  if (value === undefined) return "127.0.0.1";
  const bare = value.replace(/^\[(.*)\]$/, "$1");
  if (!isLoopback(bare) && !allowRemote) {
    problems.push(
      `HOST "${value}" is not a loopback address. The demo users have no password: set ALLOW_REMOTE=1 only where everybody who can reach it may use it.`,
    );
  }
  return bare;
}

/** @param {string | undefined} value @param {string} root */
const mcpFile = (value, root) => (value === undefined ? null : resolve(root, value));

/** @param {(name: string) => string | undefined} read @param {string[]} problems @returns {ModelConfig | null} */
function model(read, problems) {
  const [url, name, key] = [read("MODEL_URL"), read("MODEL_NAME"), read("MODEL_KEY")];
  const timeoutSeconds = count(read, "MODEL_TIMEOUT_SECONDS", [1, MAX_TIMEOUT_SECONDS], MODEL_TIMEOUT_SECONDS, problems, "of seconds ");
  if (url === undefined) {
    // A key alone would look like a working set-up while the rehearsal model answers.
    for (const other of ["MODEL_NAME", "MODEL_KEY", "MODEL_TIMEOUT_SECONDS"]) {
      if (read(other) !== undefined) problems.push(`${other} is set without MODEL_URL.`);
    }
    return null;
  }
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !["http:", "https:"].includes(parsed.protocol)) problems.push("MODEL_URL must be an http or https address.");
  else if (parsed.username !== "" || parsed.password !== "") problems.push("MODEL_URL must not hold a user name or password; use MODEL_KEY.");
  if (name === undefined) problems.push("MODEL_URL is set without MODEL_NAME.");
  return { url: url.replace(/\/+$/, ""), name: name ?? "", key, timeoutSeconds };
}

/**
 * A whole number within bounds.
 *
 * @param {(name: string) => string | undefined} read
 * @param {string} name
 * @param {readonly [number, number]} bounds Least and greatest.
 * @param {number} fallback
 * @param {string[]} problems
 * @param {string} [unit] As the sentence names it.
 */
function count(read, name, [least, greatest], fallback, problems, unit = "") {
  const value = read(name);
  if (value === undefined) return fallback;
  const number = Number(value);
  if (/^\d{1,6}$/.test(value) && number >= least && number <= greatest) return number;
  problems.push(`${name} must be a whole number ${unit}from ${least} to ${greatest}, not "${value}".`);
  return fallback;
}

/** A wrong one is not repeated. @param {(name: string) => string | undefined} read @param {string} name @param {string[]} problems */
function secret(read, name, problems) {
  const value = read(name);
  if (value !== undefined && value.length < LEAST_SECRET) problems.push(`${name} must have at least ${LEAST_SECRET} characters.`);
  return value;
}

/** @param {(name: string) => string | undefined} read @param {string} name @param {string[]} problems */
function flag(read, name, problems) {
  const value = read(name);
  if (value !== undefined && value !== "0" && value !== "1") problems.push(`${name} must be 0 or 1, not "${value}".`);
  return value === "1";
}

/**
 * @template {string} T
 * @param {(name: string) => string | undefined} read
 * @param {string} name
 * @param {readonly T[]} choices
 * @param {T} fallback
 * @param {string[]} problems
 * @returns {T}
 */
function oneOf(read, name, choices, fallback, problems) {
  const value = read(name);
  if (value === undefined) return fallback;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) problems.push(`${name} must be one of ${choices.join(", ")}, not "${value}".`);
  return found ?? fallback;
}
