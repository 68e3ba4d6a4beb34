/** What is stored of a run, written down and read back. */
import { hasSeal, sealOf } from "./digest.js";
import { isPlainObject } from "./text.js";

/**
 * @typedef {import("./types.js").RunRow} RunRow
 * @typedef {import("./types.js").RunState} RunState
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {import("./types.js").LogRow} LogRow
 */

/** @returns {RunState} */
export const emptyState = () => ({
  messages: [],
  round: 0,
  segmentRounds: 0,
  spent: { promptTokens: 0, completionTokens: 0, costMicros: 0 },
  steps: [],
  segment: 0,
  turn: null,
});

/**
 * The part of a state that is written with every save; everything that grows is in the log.
 * @param {RunState} state
 */
export function headOf({ round, segmentRounds, spent, segment, turn }) {
  /** @type {import("./types.js").StoredState} */
  const head = { round, segmentRounds, spent, segment, turn: turn && { at: turn.at, approved: turn.approved, pause: turn.pause } };
  return JSON.stringify(head);
}

/**
 * Request and state of an open run; null where they cannot be read.
 * @param {RunRow} row
 * @param {LogRow[]} log the whole of it, in order
 * @returns {{ request: import("./types.js").StoredRequest, state: RunState } | null}
 */
export function readOpen(row, log) {
  const head = parsed(row.state);
  if (!isPlainObject(head) || !isPlainObject(head.spent) || typeof head.segment !== "number") return null;
  const lines = log.filter(({ sequence }) => sequence < row.logged).map(({ sequence, kind, body }) => ({ sequence, kind, body: parsed(body) }));
  if (lines.length !== row.logged || !lines.every(({ body }) => isPlainObject(body))) return null;
  const bodies = (/** @type {string} */ kind, from = 0) => lines.filter((line) => line.kind === kind && line.sequence >= from).map(({ body }) => body);
  const [request] = bodies("request");
  if (!isPlainObject(request) || !Array.isArray(request.messages) || !isPlainObject(request.actor)) return null;
  const turn = readTurn(head.turn, lines);
  if (turn === undefined) return null;
  const { round, segmentRounds, spent, segment } = head;
  const state = { round, segmentRounds, spent, segment, messages: bodies("message"), steps: bodies("step", segment), turn };
  return /** @type {ReturnType<typeof readOpen>} */ (/** @type {unknown} */ ({ request, state }));
}

/**
 * @param {unknown} head
 * @param {{ sequence: number, kind: string, body: unknown }[]} lines
 * @returns {Turn | null | undefined} undefined: unreadable
 */
function readTurn(head, lines) {
  if (head === null) return null;
  if (!isPlainObject(head)) return undefined;
  const stored = lines.find(({ sequence, kind }) => sequence === head.at && kind === "turn")?.body;
  if (!isPlainObject(stored) || !Array.isArray(stored.calls)) return undefined;
  /** @type {Turn["results"]} */
  const results = {};
  for (const { sequence, kind, body } of lines) {
    const { callId, text, isError } = /** @type {import("./types.js").StoredResult} */ (body);
    if (kind === "result" && sequence > Number(head.at)) results[callId] = { text, isError };
  }
  return /** @type {Turn} */ (/** @type {unknown} */ ({ ...stored, ...head, results }));
}

/**
 * Whether the open turn is as this runtime (or one with its secret) wrote it: the calls, what a card says of them, and what was approved. Without
 * a secret nobody can tell.
 * @param {{ row: RunRow, state: RunState, request: import("./types.js").StoredRequest }} open
 * @param {string | undefined} secret
 */
export function isIntact({ row, state: { turn }, request }, secret) {
  if (!secret || !turn) return true;
  const of = { uuid: row.uuid, owner: row.owner, actor: request.actor };
  return [turn.pause, turn.approved].every((part) => part === null || hasSeal(part, of, secret)) && hasSeal(turnSeal(turn), of, secret);
}

/**
 * What of a turn is sealed when it is opened.
 * @param {Turn} turn
 */
const turnSeal = ({ round, calls, seal }) => ({ round, calls, ...(seal === undefined ? {} : { seal }) });

/**
 * Seals a part of a turn for one run and its owner, where there is a secret: who can write to the database cannot change it unseen.
 * @template {object} T
 * @param {T} part
 * @param {import("./session.js").Session} session
 * @returns {T & { seal?: string }}
 */
export function sealed(part, { uuid, row, request, deps }) {
  const { secret } = deps.config;
  return secret ? { ...part, seal: sealOf(part, { uuid, owner: row.owner, actor: request.actor }, secret) } : part;
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
