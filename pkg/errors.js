/**
 * What malformed arguments and broken host callbacks raise; `code` is stable (rule W4).
 */
export class AgentTurnError extends Error {
  /**
   * @param {string} code see rule W4
   * @param {string} message for developers
   * @param {{ cause?: unknown }} [options] the host's own error, by identity
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "AgentTurnError";
    this.code = code;
  }
}
