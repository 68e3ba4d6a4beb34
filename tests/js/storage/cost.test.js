// What a turn writes and what a poll reads costs the same after 10 messages and after 10,000, counted in statements and rows. What grows is what has to:
// the one look at the whole transcript that goes to the model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createSqlStorage, migrate } from "../../../pkg/storage/sql.js";
import { conversation, NOW, transcript } from "../../../pkg/testing/fixtures.js";
import { DATABASE_KINDS } from "../../../scripts/databases.mjs";
import { emptyDatabase } from "./databases.js";

/** A plugin of Kysely that counts what goes through it. */
class Counter {
  cost = { statements: 0, read: 0, written: 0 };

  /** @param {import("kysely").PluginTransformQueryArgs} args */
  transformQuery({ node }) {
    this.cost.statements += 1;
    return node;
  }

  /** @param {import("kysely").PluginTransformResultArgs} args */
  async transformResult({ result }) {
    this.cost.read += result.rows.length;
    this.cost.written += Number(result.numAffectedRows ?? 0);
    return result;
  }

  /** What it took. @param {() => unknown} work */
  async of(work) {
    this.cost = { statements: 0, read: 0, written: 0 };
    await work();
    return { ...this.cost };
  }
}

for (const kind of DATABASE_KINDS) {
  test(`${kind}: the storage cost of a turn and of a poll does not grow with the transcript`, async (t) => {
    const { db } = await (await emptyDatabase(t, kind)).open();
    await migrate(db);
    const counter = new Counter();
    const storage = createSqlStorage({ db: db.withPlugin(counter) });
    /** @param {number} length */
    const costs = async (length) => {
      const uid = await storage.insert(conversation({ messages: transcript(length) }));
      return {
        send: await counter.of(() => storage.swap(uid, 0, { status: "processing", messages: { keep: length, append: transcript(1) } })),
        find: await counter.of(() => storage.find({ statuses: ["processing"], limit: 20 })),
        claim: await counter.of(() => storage.swap(uid, 1, { status: "locked", claimId: "c" })),
        heartbeat: await counter.of(() => storage.touch(uid, "c", NOW + 1, [])),
        settle: await counter.of(() => storage.swap(uid, 2, { status: "idle", claimId: "", messages: { keep: length + 1, append: transcript(2) } })),
        whole: (await counter.of(() => storage.load(uid))).statements,
        newMessages: await counter.of(() => storage.loadSince(uid, length + 1)),
        unchanged: await counter.of(() => storage.loadSince(uid, length + 3)),
      };
    };
    const short = await costs(10);
    assert.deepEqual(await costs(10_000), short);
    // N9
    assert.deepEqual(
      { statements: short.unchanged.statements, written: short.unchanged.written, read: short.unchanged.read },
      { statements: 1, written: 0, read: 1 },
    );
    assert.deepEqual({ statements: short.claim.statements, written: short.claim.written }, { statements: 1, written: 1 });
    // Statements beside BEGIN and COMMIT.
    const inOne = kind === "postgres";
    assert.deepEqual(
      [short.send, short.settle, short.newMessages].map(({ statements }) => statements).concat(short.whole),
      inOne ? [1, 1, 1, 1] : [2, 2, 2, 2],
    );
  });
}
