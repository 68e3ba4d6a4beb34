/** Options with their defaults, checked once. */
import { AiSdkRuntimeError } from "./errors.js";

/**
 * @param {import("./index.d.ts").AiSdkRuntimeOptions<unknown>} options
 * @returns {import("./types.js").Config}
 * @throws {AiSdkRuntimeError} `invalidOption`
 */
export function readOptions(options) {
  if (!options || typeof options !== "object") fail("options", "must be an object");
  const { db, model, mayRead, log, secret } = options;
  if (typeof db?.transaction !== "function") fail("db", "must be a Kysely instance");
  if (typeof model !== "function") fail("model", "must be a function");
  if (secret !== undefined && (typeof secret !== "string" || secret === "")) fail("secret", "must be a non-empty string");
  const leaseSeconds = positive("leaseSeconds", options.leaseSeconds, 30);
  const ttl = options.approvalTtlSeconds;
  return {
    db: /** @type {import("kysely").Kysely<import("./types.js").Tables>} */ (/** @type {unknown} */ (db)),
    model,
    now: optionalFunction("now", options.now) ?? Date.now,
    leaseMs: leaseSeconds * 1000,
    heartbeatMs: positive("heartbeatSeconds", options.heartbeatSeconds, leaseSeconds / 3) * 1000,
    maxRounds: Math.floor(positive("maxRounds", options.maxRounds, 20, 1)),
    resultLimit: Math.floor(positive("resultLimit", options.resultLimit, 40_000, 1)),
    approvalTtlMs: ttl === undefined ? null : positive("approvalTtlSeconds", ttl, 0) * 1000,
    secret,
    retries: Math.floor(positive("retries", options.retries, 2)),
    modelTimeoutMs: positive("modelTimeoutSeconds", options.modelTimeoutSeconds, 300) * 1000,
    contextTokens: Math.floor(positive("contextTokens", options.contextTokens, 100_000, 1)),
    budget: optionalFunction("budget", options.budget) ?? (() => null),
    price: optionalFunction("price", options.price) ?? (() => 0),
    guardrails: guardrails(options.guardrails),
    configurationState: optionalFunction("configurationState", options.configurationState) ?? (() => ({})),
    isProcess: optionalFunction("isProcess", options.isProcess) ?? (() => false),
    mayRead: optionalFunction("mayRead", mayRead) ?? (() => false),
    sources: sources(options.sources),
    log: quiet(optionalFunction("log", log)),
  };
}

/** @param {import("./index.d.ts").Guardrails} value */
function guardrails(value = {}) {
  if (value === null || typeof value !== "object") fail("guardrails", "must be an object");
  return { before: optionalFunction("guardrails.before", value.before), after: optionalFunction("guardrails.after", value.after) };
}

/** @param {import("./index.d.ts").ToolSource[] | undefined} value */
function sources(value = []) {
  if (!Array.isArray(value) || !value.every((source) => typeof source?.tools === "function")) fail("sources", "must be a list of objects with tools()");
  return value;
}

/**
 * A log that throws costs nothing (W4).
 * @param {import("./types.js").Log | undefined} log
 * @returns {import("./types.js").Log}
 */
function quiet(log) {
  if (!log) return () => {};
  return (level, message, context) => {
    try {
      log(level, message, context);
    } catch {
      // there is nowhere left to say it
    }
  };
}

/**
 * @template {Function} F
 * @param {string} name
 * @param {F | undefined} value
 * @returns {F | undefined}
 */
function optionalFunction(name, value) {
  if (value !== undefined && typeof value !== "function") fail(name, "must be a function");
  return value;
}

/**
 * @param {string} name
 * @param {number | undefined} value
 * @param {number} fallback
 * @param {number} [least]
 */
function positive(name, value, fallback, least = 0) {
  if (value === undefined) return fallback;
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0 || (value === 0 && name !== "retries") || value < least)
    fail(name, "must be a positive number");
  return value;
}

/**
 * @param {string} name
 * @param {string} problem
 * @returns {never}
 */
function fail(name, problem) {
  throw new AiSdkRuntimeError("invalidOption", `createAiSdkRuntime: ${name} ${problem}`);
}
