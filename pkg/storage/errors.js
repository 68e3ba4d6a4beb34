/** @typedef {import("./errors.js").StorageErrorCode} StorageErrorCode */

/** What every storage adapter throws: a sentence for the log, a stable `code`, and the driver's own error as `cause`. */
export class StorageError extends Error {
  /**
   * @param {StorageErrorCode} code
   * @param {string} message
   * @param {unknown} [cause]
   */
  constructor(code, message, cause) {
    super(message, cause === undefined ? undefined : { cause });
    /** @type {"StorageError"} */
    this.name = "StorageError";
    this.code = code;
  }
}
