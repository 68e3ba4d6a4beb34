/**
 * The environment of the host, read once and checked as a whole: every wrong value is named in one error, so that nobody has to start five times.
 */
import { isIP } from "node:net";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";

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
 * @property {string} databaseFile Absolute path of the SQLite file, or `:memory:`.
 * @property {ModelConfig | null} model null: the built-in rehearsal model.
 * @property {string | null} mcpFile Absolute path of the file that names MCP servers; null: none.
 * @property {"in-process" | "none"} worker Whether `serve` carries out turns itself.
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
    port: port(read("PORT"), problems),
    hostname: hostname(read("HOST"), allowRemote, problems),
    allowRemote,
    databaseFile: databaseFile(read("DATABASE_FILE"), root),
    model: model(read, problems),
    mcpFile: mcpFile(read("MCP_FILE"), root),
    worker: oneOf(read, "WORKER", WORKERS, "in-process", problems),
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

/** @param {string | undefined} value @param {string[]} problems */
function port(value, problems) {
  if (value === undefined) return 8787;
  const number = Number(value);
  if (/^\d{1,5}$/.test(value) && number <= 65535) return number;
  problems.push(`PORT must be a whole number from 0 to 65535, not "${value}".`);
  return 8787;
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
function databaseFile(value, root) {
  if (value === ":memory:") return value;
  if (value === undefined) return resolve(root, ".data", "agent-turn.sqlite");
  return isAbsolute(value) ? value : resolve(root, value);
}

/** @param {string | undefined} value @param {string} root */
const mcpFile = (value, root) => (value === undefined ? null : resolve(root, value));

/** @param {(name: string) => string | undefined} read @param {string[]} problems @returns {ModelConfig | null} */
function model(read, problems) {
  const [url, name, key] = [read("MODEL_URL"), read("MODEL_NAME"), read("MODEL_KEY")];
  const timeoutSeconds = seconds(read, "MODEL_TIMEOUT_SECONDS", MODEL_TIMEOUT_SECONDS, problems);
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

/** @param {(name: string) => string | undefined} read @param {string} name @param {number} fallback @param {string[]} problems */
function seconds(read, name, fallback, problems) {
  const value = read(name);
  if (value === undefined) return fallback;
  const number = Number(value);
  if (/^\d{1,4}$/.test(value) && number >= 1 && number <= MAX_TIMEOUT_SECONDS) return number;
  problems.push(`${name} must be a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}, not "${value}".`);
  return fallback;
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
