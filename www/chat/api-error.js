/** A refusal of the host (rule N6 and its own), or `network` when there was no reply at all. */
export class ApiError extends Error {
  /** @param {string} code @param {number} httpStatus 0 when there was no reply */
  constructor(code, httpStatus) {
    super(`${code} (${httpStatus})`);
    this.name = "ApiError";
    this.code = code;
    this.httpStatus = httpStatus;
  }

  /** True when the request may have been carried out although there is no word of it: it may be repeated with the same id (N5). */
  get uncertain() {
    return this.httpStatus === 0 || this.httpStatus >= 500;
  }
}

/** @param {unknown} error */
export function asApiError(error) {
  return error instanceof ApiError ? error : new ApiError("unknown", 400);
}
