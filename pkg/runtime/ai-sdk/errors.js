/** Errors of the runtime, and errors of others as plain data. */

const CHAIN_LIMIT = 16; // E2

/** What malformed arguments, a run that exists already, and an unusable option raise; `code` is stable. */
export class AiSdkRuntimeError extends Error {
  /**
   * @param {"invalidArgument" | "invalidOption" | "runExists" | "migrationFailed" | "closed" | "providerNotConfigured" | "modelTimeout"} code
   * @param {string} message
   * @param {unknown} [cause]
   */
  constructor(code, message, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "AiSdkRuntimeError";
    this.code = code;
  }
}

/** The run belongs to another process now (or was settled by one): this one writes nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super("Another process carries this run on.");
    this.name = "LeaseLost";
  }
}

/** The runtime is being closed: the run is left where it was saved last, for the next process. */
export class Stopped extends Error {
  constructor() {
    super("The runtime was closed while the run went on.");
    this.name = "Stopped";
  }
}

/** A person stopped the run: the call under way was finished, and nothing new begins. */
export class Cancelled extends Error {
  constructor() {
    super("The run was stopped.");
    this.name = "Cancelled";
  }
}

/** The store could not be written or read; the run itself is neither failed nor finished by that. */
export class StoreFault extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("The state of the run could not be stored.", { cause });
    this.name = "StoreFault";
  }
}

/**
 * What a tool throws when it cannot know whether its change took effect: no answer came, but the request may have arrived. The call is not
 * made again, and nobody may say afterwards that nothing was saved (V7).
 */
export class EffectUnknown extends Error {
  /**
   * @param {string} message
   * @param {unknown} [cause]
   */
  constructor(message, cause) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "EffectUnknown";
    this.code = "effectUnknown";
  }
}

/** What the AI SDK raises when there is no usable model behind the object it was given. */
const NOT_CONFIGURED = new Set(["AI_LoadAPIKeyError", "AI_LoadSettingError", "AI_NoSuchModelError", "AI_NoSuchProviderError"]);

/**
 * An error as the plain data of a RunResult. The code `providerNotConfigured` is given where the SDK says so in its own way (E2).
 * @param {unknown} error
 * @returns {import("../../index.d.ts").RunError}
 */
export function toRunError(error) {
  return describe(error, CHAIN_LIMIT, new Set());
}

/**
 * @param {unknown} error
 * @param {number} left
 * @param {Set<unknown>} seen
 * @returns {import("../../index.d.ts").RunError}
 */
function describe(error, left, seen) {
  if (error === null || typeof error !== "object") return { name: "Error", message: String(error) };
  seen.add(error);
  const { name, message, code, cause, lastError } = /** @type {Record<string, unknown>} */ (error);
  /** @type {import("../../index.d.ts").RunError} */
  const plain = { name: typeof name === "string" ? name : "Error", message: typeof message === "string" ? message : "" };
  if (typeof code === "string") plain.code = code;
  else if (NOT_CONFIGURED.has(plain.name ?? "")) plain.code = "providerNotConfigured";
  const inner = cause ?? lastError; // a RetryError of the SDK holds the reason in lastError
  if (inner !== undefined && inner !== null && left > 1 && !seen.has(inner)) plain.cause = describe(inner, left - 1, seen);
  return plain;
}

/**
 * The first line of an error's message, short enough for a tool result.
 * @param {unknown} error
 */
export function shortMessage(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.split(/[\r\n]/, 1)[0]?.slice(0, 300) ?? "";
}
