/** What the engine and the storage answer, as the page knows it from an HTTP API. */

import { ApiError } from "../api-error.js";

/** Faults of the storage that a reader can do something about, with a status that tells the page whether to try again by itself. @type {Record<string, number>} */
const STORAGE_FAULTS = { storageFull: 413, schemaTooNew: 400, storageBusy: 503, storageUnavailable: 503, storageReadOnly: 403, storageCorrupt: 400 };

/**
 * @template {object} T
 * @param {import("../../../pkg/index.js").Reply<T>} reply
 * @returns {{ ok: true } & T}
 * @throws {ApiError}
 */
export function answered(reply) {
  if (reply.ok) return reply;
  throw new ApiError(reply.code, reply.httpStatus);
}

/**
 * @param {unknown} error
 * @param {NonNullable<import("../../../pkg/index.js").Host["log"]>} log
 * @returns {ApiError}
 */
export function asLocalError(error, log) {
  if (error instanceof ApiError) return error;
  // An engine's error wraps what the storage said.
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth += 1) {
    const code = "code" in cause ? String(cause.code) : "";
    if (code === "invalidArgument") return new ApiError(code, 400);
    const status = STORAGE_FAULTS[code];
    if (status !== undefined) return new ApiError(code, status);
  }
  log("error", "a request failed", { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
  return new ApiError("internal", 500);
}
