/**
 * Reading what a request carries. Shapes that the engine checks itself (texts, digests, answers) are passed on as they are; it raises
 * `invalidArgument` before anything is loaded (N6).
 */
import { RequestRefused } from "./refusal.js";

/** @typedef {import("./middleware.js").HostContext} HostContext */

/**
 * The JSON object of the body.
 *
 * @param {HostContext} c
 * @returns {Promise<Record<string, unknown>>}
 * @throws {RequestRefused} badRequest
 */
export async function jsonObject(c) {
  const text = await c.req.text();
  /** @type {unknown} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RequestRefused("badRequest");
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new RequestRefused("badRequest");
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * The known fields of a body; what else somebody sent goes no further.
 *
 * @template {string} K
 * @param {Record<string, unknown>} body
 * @param {readonly K[]} keys
 * @returns {any} Unchecked: the engine decides.
 */
export function pick(body, keys) {
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(body, key)).map((key) => [key, body[key]]));
}

/**
 * Where the user is in the backend, as the contract has it. The engine stores it as it comes; this host puts it into the prompt, so it looks first.
 *
 * @param {Record<string, unknown>} body
 * @throws {RequestRefused} invalidArgument
 */
export function checkViewContext(body) {
  if (!Object.hasOwn(body, "viewContext") || body.viewContext === null) return;
  if (typeof body.viewContext !== "object" || Array.isArray(body.viewContext)) throw new RequestRefused("invalidArgument");
  const { pageId, module, languageId } = /** @type {Record<string, unknown>} */ (body.viewContext);
  const fits =
    (pageId === undefined || typeof pageId === "string" || Number.isSafeInteger(pageId)) &&
    (module === undefined || typeof module === "string") &&
    (languageId === undefined || Number.isSafeInteger(languageId));
  if (!fits) throw new RequestRefused("invalidArgument");
}

/** The conversation a path names. Uids are positive integers here; anything else names no conversation. @param {HostContext} c */
export function conversationUid(c) {
  const uid = positiveInteger(c.req.param("uid"));
  if (uid === null) throw new RequestRefused("notFound");
  return uid;
}

/**
 * A count in a path or query: absent gives `fallback`.
 *
 * @param {string | undefined} value
 * @param {number} fallback
 */
export function count(value, fallback) {
  if (value === undefined) return fallback;
  if (!/^\d{1,15}$/.test(value)) throw new RequestRefused("badRequest");
  return Number(value);
}

/** @param {string | undefined} value @param {boolean} fallback */
export function queryFlag(value, fallback) {
  if (value === undefined) return fallback;
  if (value !== "true" && value !== "false") throw new RequestRefused("badRequest");
  return value === "true";
}

/** A uid in a path or argument; null: not one. @param {string | undefined} value */
export function positiveInteger(value) {
  return value !== undefined && /^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : null;
}
