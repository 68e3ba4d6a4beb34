/**
 * The validator of a poll (ETag): what it answers is a function of the conversation's row, the row of the run it waits on, and who asks. One statement
 * reads both rows by their keys, so a poll that would tell nothing new costs that much and no message is read.
 */
import { createHash } from "node:crypto";

/**
 * @typedef {object} PollTags
 * @property {(uid: number, actor: import("agent-turn").Actor, after: number) => Promise<string | null>} tag An entity tag; null: ask the engine.
 */

/** How long a card that waits may be taken for unchanged: it may expire, or its tool may be gone after a restart. */
const WAITING_MS = 60_000;

/**
 * The statement behind a validator.
 *
 * @param {import("kysely").Kysely<any>} db
 * @param {number} uid
 */
export const headQuery = (db, uid) =>
  db
    .selectFrom("agent_conversation as c")
    .leftJoin("agent_run as r", "r.uuid", "c.run_uuid")
    .selectAll("c")
    .select(["r.version as run_version", "r.status as run_status"])
    .where("c.uid", "=", uid);

/**
 * @param {import("kysely").Kysely<any>} db
 * @param {object} options
 * @param {number} options.graceSeconds After that a poll asks the run of a decision that nobody carries out (K1).
 * @param {string} options.version Of the host: another one may say the same in other words.
 * @param {() => number} [options.now] Unix milliseconds.
 * @returns {PollTags}
 */
export function openPollTags(db, { graceSeconds, version, now = Date.now }) {
  return {
    async tag(uid, actor, after) {
      const row = await headQuery(db, uid).executeTakeFirst();
      if (!row) return null;
      const asksRun = row.status === "processing" && row.run_uuid !== "" && now() / 1000 - Number(row.updated_at) >= graceSeconds;
      if (asksRun) return null;
      const waits = row.status.startsWith("awaiting_");
      const moment = waits ? Math.floor(now() / WAITING_MS) : 0;
      const known = JSON.stringify([version, actor, after, moment, row], (_key, value) => (typeof value === "bigint" ? String(value) : value));
      return `W/"${createHash("sha256").update(known).digest("base64url")}"`;
    },
  };
}

/** Whether a client has what a tag stands for (RFC 9110: weak comparison of a list). @param {string | undefined} header If-None-Match @param {string} tag */
export function matches(header, tag) {
  const bare = (/** @type {string} */ one) => one.trim().replace(/^W\//, "");
  return (header ?? "").split(",").some((one) => bare(one) === bare(tag));
}
