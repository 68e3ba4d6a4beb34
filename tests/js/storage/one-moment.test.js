// A load is the conversation as it was at one moment, whoever writes meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { createSqlStorage, migrate } from "../../../pkg/storage/sql.js";
import { conversation, transcript } from "../../../pkg/testing/fixtures.js";
import { DATABASE_KINDS } from "../../../scripts/databases.mjs";
import { emptyDatabase } from "./databases.js";

const SWAPS = 60;

for (const kind of DATABASE_KINDS) {
  test(`${kind}: a load beside swaps sees each of them whole (C1)`, async (t) => {
    const database = await emptyDatabase(t, kind);
    const [reader, writer] = [await database.open(), await database.open()];
    await migrate(writer.db);
    const uid = await writer.storage.insert(conversation());
    let writing = true;
    const written = (async () => {
      for (let revision = 0; revision < SWAPS; revision += 1) {
        // Every fifth cuts the last message off and writes it anew with the next.
        const change = revision % 5 === 4 ? { keep: revision - 1, append: transcript(2) } : { keep: revision, append: transcript(1) };
        assert.equal(await writer.storage.swap(uid, revision, { messages: change }), true);
      }
    })().finally(() => (writing = false));
    for (let last = false; !last; ) {
      last = !writing;
      const whole = await reader.storage.load(uid);
      assert.equal(whole?.messages.length, whole?.revision);
      const rest = await reader.storage.loadSince?.(uid, 1);
      assert.equal(rest?.messageCount, rest?.revision);
      assert.equal(rest?.messages.length, Math.max(0, Number(rest?.revision) - 1));
    }
    await written;
    assert.equal((await reader.storage.load(uid))?.revision, SWAPS);
  });
}

/** A swap of another process, on a connection that this process's own do not wait for. */
const SWAP = [
  'insert into agent_message (conversation_uid, seq, body) select uid, message_count, \'{"role":"user","content":"late"}\' from agent_conversation',
  "update agent_conversation set revision = revision + 1, message_count = message_count + 1",
];

/** Each of these reads in two statements. */
for (const kind of /** @type {const} */ (["sqlite", "mariadb"])) {
  test(`${kind}: a load that meets a swap between its two statements begins anew, and ends however many there are`, async (t) => {
    const database = await emptyDatabase(t, kind);
    const { db } = await database.open();
    await migrate(db);
    const swap = await swapOfAnother(t, database, kind);
    /** How many of the row's reads are followed by a swap. */
    let left = 0;
    const storage = createSqlStorage({
      db: db.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          if (left > 0 && result.rows[0] && "owner" in result.rows[0]) {
            left -= 1;
            await swap();
          }
          return result;
        },
      }),
    });
    const uid = await storage.insert(conversation({ messages: transcript(2) }));
    for (const [swaps, revision] of /** @type {const} */ ([
      [1, 1],
      [4, 4],
    ])) {
      left = swaps;
      const before = (await createSqlStorage({ db }).load(uid))?.revision ?? 0;
      const seen = await storage.load(uid);
      assert.equal(left, 0);
      // The last of the four comes inside the transaction, which does not see it.
      assert.equal(Number(seen?.revision) - before, swaps === 4 ? revision - 1 : revision);
      assert.equal(seen?.messages.length, Number(seen?.revision) + 2);
    }
  });
}

/** @param {import("node:test").TestContext} t @param {Awaited<ReturnType<typeof emptyDatabase>>} database @param {"sqlite" | "mariadb"} kind */
async function swapOfAnother(t, database, kind) {
  if (kind === "mariadb") {
    const other = await database.open();
    return () =>
      other.db.transaction().execute(async (trx) => {
        for (const statement of SWAP) await sql.raw(statement).execute(trx);
      });
  }
  const other = new Database(database.url.replace(/^sqlite:(\/\/)?/, ""));
  t.after(() => other.close());
  return async () => other.transaction(() => other.exec(SWAP.join(";")))();
}
