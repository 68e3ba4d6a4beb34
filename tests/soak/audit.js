/**
 * Proves over the stored data that nothing was lost and nothing was done twice: every turn settled or waiting legally, every message kept, every approved
 * write exactly once, every claim ended. It reads the tables itself and compares them with what the people noted on their side and with the account that
 * the database kept of its pages.
 */
import { inOrder } from "./chat.js";
import { effectsOf } from "./effects.js";

/**
 * @typedef {import("kysely").Kysely<any>} Database
 * @typedef {import("./journal.js").Journal} Journal
 * @typedef {import("./journal.js").SeenMessage} SeenMessage
 * @typedef {{ kind: string, conversation?: number, what: string }} Finding
 * @typedef {{ uid: number, status: string, claim_id: string, error_code: string, run_uuid: string, decision: string, message_count: number }} Row
 */

const SETTLED = ["idle", "failed"];
/** @type {Record<string, string>} */
const WAITS_FOR = { awaiting_approval: "waiting_for_approval", awaiting_input: "waiting_for_input" };
const ENDED_RUNS = ["completed", "failed", "cancelled", "waiting_for_approval", "waiting_for_input"];

/**
 * @param {Database} db
 * @param {Journal} journal
 * @returns {Promise<{ findings: Finding[], figures: Record<string, number> }>}
 */
export async function audit(db, journal) {
  const rows = /** @type {Row[]} */ (await db.selectFrom("agent_conversation").selectAll().orderBy("uid").execute());
  const runs = await db.selectFrom("agent_run").select(["uuid", "status", "claim_id"]).execute();
  const effects = await effectsOf(db);
  const byUid = new Map(rows.map((row) => [Number(row.uid), row]));
  const findings = [
    ...claims(rows, runs),
    ...turns(rows, new Map(runs.map(({ uuid, status }) => [uuid, status]))),
    ...(await messages(db, journal, byUid)),
    ...writes(journal, byUid, effects),
    ...(await ledger(db, effects, runs)),
  ];
  const figures = {
    conversations: rows.length,
    messages: rows.reduce((sum, row) => sum + Number(row.message_count), 0),
    runs: runs.length,
    "approved writes": [...journal.writes.values()].filter(({ approved }) => approved).length,
    effects: [...effects.values()].reduce((sum, times) => sum + times, 0),
    waiting: rows.filter((row) => row.status in WAITS_FOR).length,
    failed: rows.filter(({ status }) => status === "failed").length,
  };
  return { findings, figures };
}

/**
 * Nothing is held by anybody any more. A claim that cleanup ended stays written in the settled row, so that a late result may still land (C6).
 *
 * @param {Row[]} rows
 * @param {{ uuid: string, status: string, claim_id: string }[]} runs
 * @returns {Finding[]}
 */
function claims(rows, runs) {
  return [
    ...rows
      .filter(({ claim_id, status }) => claim_id !== "" && !SETTLED.includes(status) && !(status in WAITS_FOR))
      .map(({ uid, status }) => ({ kind: "claim", conversation: Number(uid), what: `${status} and claimed` })),
    ...runs
      .filter(({ status, claim_id }) => !ENDED_RUNS.includes(status) || claim_id !== "")
      .map(({ uuid, status }) => ({ kind: "claim", what: `run ${uuid} is ${status} and held` })),
  ];
}

/** @param {Row[]} rows @param {Map<string, string>} runs @returns {Finding[]} */
function turns(rows, runs) {
  return rows.flatMap(({ uid, status, run_uuid, decision }) => {
    const finding = (/** @type {string} */ what) => [{ kind: "turn", conversation: Number(uid), what }];
    const awaited = WAITS_FOR[status];
    if (awaited !== undefined) return runs.get(run_uuid) === awaited ? [] : finding(`${status}, but its run is ${runs.get(run_uuid) ?? "unknown"}`);
    if (!SETTLED.includes(status)) return finding(`is ${status}`);
    return run_uuid === "" && decision === "" ? [] : finding(`${status} with a decision or a run that waits (S5)`);
  });
}

/** @param {Database} db @param {Journal} journal @param {Map<number, Row>} rows @returns {Promise<Finding[]>} */
async function messages(db, journal, rows) {
  /** @type {Finding[]} */
  const findings = [];
  for (const kept of journal.conversations.values()) {
    const stored = (await db.selectFrom("agent_message").select(["seq", "body"]).where("conversation_uid", "=", kept.uid).orderBy("seq").execute()).map(
      ({ seq, body }) => ({ seq: Number(seq), message: /** @type {SeenMessage} */ (JSON.parse(body)) }),
    );
    const finding = (/** @type {string} */ what) => void findings.push({ kind: "message", conversation: kept.uid, what });
    const row = rows.get(kept.uid);
    if (!row) {
      finding("the conversation is gone");
      continue;
    }
    if (stored.length !== Number(row.message_count) || stored.some(({ seq }, index) => seq !== index))
      finding("the messages have a gap, or are not counted right");
    const all = stored.map(({ message }) => message);
    const own = all.filter(({ role, decisionLine }) => role === "user" && decisionLine === undefined);
    const [sent, found] = [kept.sent.map(({ content }) => content), own.map(({ content }) => String(content))];
    if (JSON.stringify(sent) !== JSON.stringify(found)) finding(`sent ${JSON.stringify(sent)}, stored ${JSON.stringify(found)}`);
    if (!inOrder(kept.seen, all)) finding("a message that was shown is not stored any more");
    findings.push(...answers(kept, row, all));
  }
  return findings;
}

/** Each message has its answer, and no answer is there twice. @param {import("./journal.js").ConversationJournal} kept @param {Row} row @param {SeenMessage[]} all @returns {Finding[]} */
function answers(kept, { status }, all) {
  /** @type {Finding[]} */
  const findings = [];
  const finding = (/** @type {string} */ what) => void findings.push({ kind: "turn", conversation: kept.uid, what });
  const finals = all.map(({ role, besideToolCall, notice }) => role === "assistant" && besideToolCall === undefined && notice !== "alreadyWritten");
  finals.forEach((final, index) => {
    if (final && finals[index - 1]) finding(`two answers in a row at ${index}: ${JSON.stringify(all.slice(index - 2, index + 1))}`);
  });
  if (status === "idle" && !kept.left && all.length > 0 && all.at(-1)?.role === "user") finding("idle without an answer to the last message");
  return findings;
}

/** @param {Journal} journal @param {Map<number, Row>} rows @param {Map<string, number>} effects @returns {Finding[]} */
function writes(journal, rows, effects) {
  /** @type {Finding[]} */
  const findings = [];
  for (const [key, times] of effects) {
    if (times > 1) findings.push({ kind: "write", what: `${key} took place ${times} times` });
    if (!journal.everApproved.has(key)) findings.push({ kind: "write", what: `${key} took place and nobody approved it` });
  }
  for (const [key, { conversation, approved }] of journal.writes) {
    const status = rows.get(conversation)?.status;
    // A person who approved and was told that the turn failed does not know; whoever is shown the card again has written nothing.
    if (approved && status === "idle" && !effects.has(key)) findings.push({ kind: "write", conversation, what: `${key} was approved and never took place` });
  }
  return findings;
}

/** The runtime's own book agrees with the database's. @param {Database} db @param {Map<string, number>} effects @param {{ uuid: string, status: string }[]} runs @returns {Promise<Finding[]>} */
async function ledger(db, effects, runs) {
  const entries = await db.selectFrom("agent_effect").select(["run_uuid", "call_id", "status", "result"]).execute();
  const ended = new Map(runs.map(({ uuid, status }) => [uuid, status]));
  const done = entries.filter(({ status, result }) => status === "done" && JSON.parse(result ?? "null")?.isError === false).length;
  const open = entries.filter(({ run_uuid, status }) => status !== "done" && ended.get(run_uuid) !== "failed");
  const total = [...effects.values()].reduce((sum, times) => sum + times, 0);
  /** @type {Finding[]} */
  const findings = open.map(({ run_uuid, call_id }) => ({ kind: "ledger", what: `the effect of ${run_uuid}/${call_id} began and has no end` }));
  const unsure = entries.length - done;
  if (total < done || total > done + unsure) findings.push({ kind: "ledger", what: `${total} effects took place, ${done} are in the ledger (${unsure} open)` });
  return findings;
}
