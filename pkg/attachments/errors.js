/** Why an attachment gives no text. Stable: a host may show its own words for each. */
export const REASONS = Object.freeze(/** @type {const} */ (["unsupported", "encrypted", "broken", "tooLarge", "tooSlow"]));

/**
 * An attachment that cannot be read. The message names the type and the reason, never what is in the file.
 *
 * @typedef {(typeof REASONS)[number]} Reason
 */
export class AttachmentError extends Error {
  /** @param {Reason} code @param {string} mimeType @param {{ cause?: unknown }} [options] */
  constructor(code, mimeType, options) {
    super(`the attachment cannot be read (${code}, ${mimeType})`, options);
    this.name = "AttachmentError";
    this.code = code;
    this.mimeType = mimeType;
  }
}
