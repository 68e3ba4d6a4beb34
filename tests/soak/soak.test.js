/** A short soak on each database, and proof that the audit sees what it has to see. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DATABASE_KINDS } from "../../scripts/databases.mjs";
import { audit } from "./audit.js";
import { soak } from "./soak.js";

const SHORT = { workers: 2, concurrency: 2, hosts: 2, people: 8, seconds: 20, seed: 1, killSeconds: 4 };

/** What an audit says of a database that somebody tampered with; the database is as it was afterwards. */
const TAMPERED = {
  "a message is gone": {
    kind: "message",
    statement: (/** @type {number} */ uid) => `delete from agent_message where conversation_uid = ${uid} and seq = 0`,
  },
  "a turn has not ended": { kind: "turn", statement: (/** @type {number} */ uid) => `update agent_conversation set status = 'processing' where uid = ${uid}` },
  "a turn waits for a run that does not": {
    kind: "turn",
    statement: (/** @type {number} */ uid) => `update agent_conversation set status = 'awaiting_input', run_uuid = 'none' where uid = ${uid}`,
  },
  "a claim was not given back": {
    kind: "claim",
    statement: (/** @type {number} */ uid) => `update agent_conversation set status = 'locked', claim_id = 'x' where uid = ${uid}`,
  },
  "a run is still held": { kind: "claim", statement: () => "update agent_run set claim_id = 'x'" },
  "a write took place that nobody approved": {
    kind: "write",
    statement: () => "insert into soak_effect (op, page, title_before, title_after) values ('update', 1, 'a', 'Page m999999x')",
  },
};

/** Rolls the tampering back. */
class Undo extends Error {}

/** @param {import("kysely").Kysely<any>} db @param {import("./soak.js").SoakResult} result */
async function tamper(db, { journal }) {
  const { sql } = await import("kysely");
  const uid = [...journal.conversations.values()].find(({ sent }) => sent.length > 0)?.uid ?? 0;
  for (const [name, { kind, statement }] of Object.entries(TAMPERED)) {
    const tampered = db.transaction().execute(async (trx) => {
      await sql.raw(statement(uid)).execute(trx);
      const { findings } = await audit(trx, journal);
      assert.ok(
        findings.some((finding) => finding.kind === kind),
        `${name}: ${JSON.stringify(findings)}`,
      );
      throw new Undo();
    });
    await assert.rejects(tampered, Undo);
  }
}

describe("soak", () => {
  for (const kind of DATABASE_KINDS) {
    it(`on ${kind}: nothing is lost and nothing doubled while processes are killed; the audit sees tampering`, async (t) => {
      const { findings, figures } = await soak({ ...SHORT, database: kind }, tamper);
      assert.deepEqual(findings, []);
      assert.ok(Number(figures.turns) > 0 && Number(figures.kills) > 0, JSON.stringify(figures));
      t.diagnostic(JSON.stringify(figures));
    });
  }

  it("fails with a worker that writes twice", async () => {
    const { findings } = await soak({ ...SHORT, database: "sqlite", workers: 1, hosts: 1, seconds: 120, turns: 60, killSeconds: 100_000, faulty: true });
    assert.ok(
      findings.some(({ kind, what }) => kind === "write" && /took place 2 times/.test(what)),
      JSON.stringify(findings),
    );
  });
});
