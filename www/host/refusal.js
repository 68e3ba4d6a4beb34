/**
 * Refusals of the host itself, in the shape of the engine's (N6): a value with an HTTP status and a code, never a text.
 */

/**
 * @typedef {object} Refusal
 * @property {false} ok
 * @property {number} httpStatus
 * @property {string} code
 */

/** Codes of the host's own refusals with their HTTP status (docs/http-api.md), those of the engine under the same names (N6). */
export const HOST_REFUSALS = Object.freeze({
  badRequest: 400,
  invalidArgument: 400,
  promptTooLong: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  nothingToStop: 409,
  payloadTooLarge: 413,
  unsupportedMediaType: 415,
  internal: 500,
});

/** Codes of AgentTurnError that blame the request (rule W4); every other one is a fault of the host. */
const ARGUMENT_CODES = new Set(["invalidArgument", "tooDeep", "tooLarge"]);

/** Thrown by a handler to refuse a request; the application turns it into the reply. */
export class RequestRefused extends Error {
  /** @param {keyof typeof HOST_REFUSALS} code */
  constructor(code) {
    super(code);
    this.name = "RequestRefused";
    this.code = code;
    this.httpStatus = HOST_REFUSALS[code];
  }
}

/**
 * What a reader is told of anything that was thrown.
 *
 * @param {unknown} error
 * @returns {Refusal}
 */
export function refusalOf(error) {
  if (error instanceof RequestRefused) return { ok: false, httpStatus: error.httpStatus, code: error.code };
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  // Any other error that happens to carry one of these codes is a bug of ours, not the request's.
  if (error instanceof Error && error.name === "AgentTurnError" && ARGUMENT_CODES.has(code)) return { ok: false, httpStatus: 400, code };
  return { ok: false, httpStatus: HOST_REFUSALS.internal, code: "internal" };
}

/**
 * Answers with a refusal and notes its code for the log line.
 *
 * @param {import("./middleware.js").HostContext} c
 * @param {Refusal} refusal
 */
export function refuse(c, refusal) {
  c.set("code", refusal.code);
  return c.json(refusal, /** @type {import("hono/utils/http-status").ContentfulStatusCode} */ (refusal.httpStatus));
}

/**
 * Answers every method a path has no handler for; registered after the handlers.
 *
 * @param {import("hono").Hono<import("./middleware.js").HostEnv>} app
 * @param {string} path
 * @param {string} allowed Value of the Allow header.
 */
export function onlyMethods(app, path, allowed) {
  app.all(path, (c) => {
    c.header("Allow", allowed);
    return refuse(c, refusalOf(new RequestRefused("methodNotAllowed")));
  });
}
