/** What is stored of a run, read back. */
import { isPlainObject } from "./text.js";

/**
 * Request and state of an open run; null where they cannot be read.
 * @param {import("./types.js").RunRow} row
 * @returns {{ request: import("./types.js").StoredRequest, state: import("./types.js").RunState } | null}
 */
export function readOpen(row) {
  const request = parsed(row.request);
  const state = parsed(row.state);
  if (!isPlainObject(request) || !isPlainObject(state)) return null;
  if (!Array.isArray(request.messages) || !isPlainObject(request.actor) || !Array.isArray(state.messages) || !Array.isArray(state.steps)) return null;
  if (state.turn !== null && !(isPlainObject(state.turn) && Array.isArray(state.turn.calls) && isPlainObject(state.turn.results))) return null;
  return /** @type {ReturnType<typeof readOpen>} */ (/** @type {unknown} */ ({ request, state }));
}

/**
 * @param {string | null} json
 * @returns {unknown} null where it is no JSON
 */
export function parsed(json) {
  try {
    return JSON.parse(json ?? "null");
  } catch {
    return null;
  }
}
