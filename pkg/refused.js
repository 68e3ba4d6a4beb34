/**
 * The refusals of a runtime (rule D7): why `approve()` or `submitInput()` did not carry a decision out.
 * Kept apart from the package entry, so that a runtime can raise them without loading the component.
 */

/** Every reason rule D7 knows, in its order. */
export const REFUSAL_REASONS = /** @type {const} */ ([
  "staleTurn",
  "alreadyResuming",
  "notPermitted",
  "configurationInactive",
  "notAwaiting",
  "invalidInput",
  "selfApprovalDenied",
  "notAuditable",
  "processVerdictUnreadable",
  "onlyInitiatorMayDecide",
  "secondApproverRequired",
]);

/**
 * What `approve()` and `submitInput()` reject with when the runtime refuses.
 * The reason decides what the chat does; the message is for the log and is never shown (D7).
 */
export class RunRefused extends Error {
  /**
   * @param {(typeof REFUSAL_REASONS)[number]} reason one of {@link REFUSAL_REASONS}
   * @param {string} [message] for the log
   * @throws {TypeError} for a reason rule D7 does not know
   */
  constructor(reason, message) {
    if (!REFUSAL_REASONS.includes(reason)) {
      throw new TypeError(`RunRefused: "${String(reason)}" is not a refusal reason`);
    }
    super(message ?? `The runtime refused: ${reason}`);
    this.name = "RunRefused";
    this.reason = reason;
  }
}
