/**
 * One JSON object per line on stderr. Lines name routes, codes, uids and run uuids, never what people or models wrote.
 *
 * @typedef {import("./config.js").LogLevel} LogLevel
 * @typedef {(level: LogLevel, message: string, context?: Record<string, unknown>) => void} Log
 */

/** @type {Record<LogLevel, number>} */
const RANK = { debug: 10, info: 20, warn: 30, error: 40 };
const MAX_ERROR_LENGTH = 500;

/**
 * A logger that drops what is below `level`.
 *
 * @param {object} [options]
 * @param {LogLevel} [options.level]
 * @param {(line: string) => void} [options.write] Receives the line with its line break.
 * @param {(text: string) => string} [options.redact] Applied to texts of errors, which may quote credentials or URLs (E1).
 * @returns {Log}
 */
export function createLog({ level = "info", write = (line) => process.stderr.write(line), redact = (text) => text } = {}) {
  return (lineLevel, message, context = {}) => {
    if (RANK[lineLevel] < RANK[level]) return;
    write(`${serialize({ time: new Date().toISOString(), level: lineLevel, message, ...context }, redact)}\n`);
  };
}

/**
 * What a log line says of an error: name, code, text, and the same of its cause.
 *
 * @param {unknown} error
 * @param {(text: string) => string} [redact]
 * @returns {Record<string, unknown>}
 */
export function describeError(error, redact = (text) => text) {
  if (!(error instanceof Error)) return { text: redact(String(error)).slice(0, MAX_ERROR_LENGTH) };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const cause = error.cause instanceof Error && error.cause !== error ? describeCause(error.cause, redact) : undefined;
  return { name: error.name, code, text: redact(error.message).slice(0, MAX_ERROR_LENGTH), cause };
}

/** One level only: a chain that ends in itself must not end the process. @param {Error} cause @param {(text: string) => string} redact */
function describeCause(cause, redact) {
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return { name: cause.name, code, text: redact(cause.message).slice(0, MAX_ERROR_LENGTH) };
}

/** A line that cannot be written (a cycle, a throwing getter) still says that it was there. @param {Record<string, unknown>} line @param {(text: string) => string} redact */
function serialize(line, redact) {
  try {
    return JSON.stringify(line, (_key, value) => {
      if (value instanceof Error) return describeError(value, redact);
      return typeof value === "bigint" ? String(value) : value;
    });
  } catch {
    return JSON.stringify({ time: line.time, level: line.level, message: line.message, unreadableContext: true });
  }
}
