import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openDatabase } from "agent-turn/storage/sql";
import { DATABASE_KINDS, freshDatabase } from "../../../scripts/databases.mjs";
import { openLease } from "../../../www/host/lease.js";
import { migrateHost } from "../../../www/host/schema.js";

for (const kind of DATABASE_KINDS) {
  describe(`the lease of the upkeep on ${kind}`, () => {
    /** @param {import("node:test").TestContext} t */
    async function scene(t) {
      const { url, drop } = await freshDatabase(kind);
      const opened = await openDatabase(url);
      t.after(async () => {
        await opened.close();
        await drop();
      });
      await migrateHost(opened.db);
      const clock = { now: 0 };
      const lease = (/** @type {string} */ holder) => openLease(opened.db, { name: "upkeep", holder, abandonedMs: 30, now: () => clock.now });
      return { clock, lease };
    }

    it("is one process's, which renews it and gives it up", async (t) => {
      const { lease } = await scene(t);
      const [a, b] = [lease("a"), lease("b")];
      assert.deepEqual([await a.acquire(), await b.acquire(), await a.acquire()], [true, false, true]);
      await b.release();
      assert.equal(await b.acquire(), false, "who does not hold it cannot give it up");
      await a.release();
      assert.deepEqual([await b.acquire(), await a.acquire()], [true, false]);
    });

    it("is taken over only after its holder has been silent for long", async (t) => {
      const { clock, lease } = await scene(t);
      const [a, b, c] = [lease("a"), lease("b"), lease("c")];
      assert.ok(await a.acquire());
      assert.equal(await b.acquire(), false);
      clock.now = 29;
      assert.equal(await b.acquire(), false);
      await a.acquire();
      clock.now = 58;
      assert.equal(await b.acquire(), false, "a sign of life came in between");
      clock.now = 88;
      assert.equal(await c.acquire(), false, "who has not watched it does not know how long it was silent");
      assert.ok(await b.acquire());
      assert.equal(await a.acquire(), false, "the old holder learns that it lost it");
    });

    it("goes to one of any number that try at the same time", async (t) => {
      const { lease } = await scene(t);
      const won = await Promise.all(Array.from({ length: 8 }, (_, index) => lease(`process-${index}`).acquire()));
      assert.equal(won.filter(Boolean).length, 1);
    });
  });
}
