/** Digests that bind a decision to the calls it was made for. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * JSON with the keys of every object sorted by code unit and without white space: equal values give equal text
 * whatever order a database, a model or a person wrote the keys in.
 * @param {unknown} value a JSON value; `undefined` members are left out as JSON.stringify does
 * @returns {string}
 */
export function canonicalJson(value) {
  return JSON.stringify(sorted(JSON.parse(JSON.stringify(value ?? null))));
}

/**
 * @param {unknown} value
 * @returns {unknown}
 */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, member]) => /** @type {const} */ ([key, sorted(member)]));
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries);
}

/**
 * SHA-256 of the canonical JSON, as 64 hex digits; keyed (HMAC) where the host gives a secret, so that nobody who can
 * write to the database can approve arguments nobody saw.
 * @param {unknown} value
 * @param {string} [secret]
 * @returns {string}
 */
export function digestOf(value, secret) {
  const hash = secret ? createHmac("sha256", secret) : createHash("sha256");
  return hash.update(canonicalJson(value)).digest("hex");
}

/**
 * The digest of an approval: over the pending calls and nothing else, so a preview that moved on leaves it as it was (O7).
 * @param {import("./types.js").Call[]} calls
 * @param {string} [secret]
 */
export function approvalDigest(calls, secret) {
  return digestOf(calls.map(identity), secret);
}

/**
 * The digest of a question: over the open call, the asking tool and the schema the user saw.
 * @param {import("./types.js").Call} call
 * @param {unknown} inputSchema
 * @param {string} [secret]
 */
export function inputDigest(call, inputSchema, secret) {
  return digestOf({ pendingCalls: [identity(call)], inputToolName: call.name, inputSchema }, secret);
}

/** @param {import("./types.js").Call} call */
const identity = ({ id, name, input }) => ({ id, name, arguments: input });

/**
 * @typedef {{ uuid: string, owner: string, actor: unknown }} Whose
 */

/**
 * The seal of a stored part: it belongs to one run and its owner, and cannot be made without the secret.
 * @param {object} part
 * @param {Whose} whose
 * @param {string} secret
 */
export const sealOf = (part, whose, secret) => digestOf({ seal: 1, whose, part }, secret);

/**
 * @param {object & { seal?: string }} part
 * @param {Whose} whose
 * @param {string} secret
 */
export function hasSeal({ seal, ...part }, whose, secret) {
  return sameDigest(seal, sealOf(part, whose, secret));
}

/**
 * Compares in constant time; anything that is not a string is a different digest.
 * @param {unknown} given
 * @param {string} expected
 */
export function sameDigest(given, expected) {
  if (typeof given !== "string") return false;
  const key = (/** @type {string} */ text) => createHash("sha256").update(text).digest();
  return timingSafeEqual(key(given), key(expected));
}
