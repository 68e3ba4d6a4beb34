/**
 * What the site refuses, with a stable code. The message is meant for the model and the log; it names the code's facts and nothing of the machine.
 *
 * @typedef {"uidInvalid" | "pageNotFound" | "parentNotFound" | "pageHasChildren" | "titleBlank" | "titleTooLong" | "titleInvalid" | "textInvalid"
 *   | "textTooLong" | "languageInvalid" | "hiddenInvalid" | "queryBlank" | "queryTooLong" | "nothingToUpdate" | "callKeyInvalid"} SiteErrorCode
 */

/** A refused site operation; nothing was written. */
export class SiteError extends Error {
  /**
   * @param {SiteErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "SiteError";
    /** @type {SiteErrorCode} */
    this.code = code;
  }
}
