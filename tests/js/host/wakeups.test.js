import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openDatabase } from "agent-turn/storage/sql";
import { sql } from "kysely";
import { freshDatabase } from "../../../scripts/databases.mjs";
import { createBell } from "../../../www/host/bell.js";
import { readDatabase } from "../../../www/host/database-url.js";
import { openWakeups } from "../../../www/host/wakeups.js";
import { keptLog } from "./support.js";

/** Rings that can be waited for. */
function listener() {
  /** @type {boolean[]} */
  const rings = [];
  /** @type {(() => void)[]} */
  const waiting = [];
  return {
    rings,
    ring: (/** @type {boolean} */ all) => {
      rings.push(all);
      for (const wakeUp of waiting.splice(0)) wakeUp();
    },
    /** Resolves when there are that many. @param {number} count */
    async heard(count) {
      while (rings.length < count) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    },
  };
}

describe("wake-ups on PostgreSQL", () => {
  it("reach other processes, not their own, and are heard again after the connection broke", async (t) => {
    const { url, drop } = await freshDatabase("postgres");
    const { db, close } = await openDatabase(url);
    const { log, entries } = keptLog();
    const config = readDatabase(url, undefined, "/", []);
    const [here, there] = [openWakeups(config, db, log), openWakeups(config, db, log)];
    const ears = listener();
    const listening = here.listen(ears.ring);
    t.after(async () => {
      await listening.close();
      await close();
      await drop();
    });
    // Whatever came before it listened may have been missed, so everybody looks.
    await ears.heard(1);
    assert.ok(listening.connected());
    await here.announce();
    await there.announce();
    await ears.heard(2);
    assert.deepEqual(ears.rings, [true, false]);

    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agent-turn wake-ups'`.execute(db);
    await ears.heard(3);
    await there.announce();
    await ears.heard(4);
    assert.deepEqual(ears.rings.slice(2), [true, false]);
    assert.ok(entries().some(({ level, message }) => level === "warn" && message === "wake-ups are not heard"));
  });

  it("may be closed while nobody answers", async () => {
    const { log } = keptLog();
    const config = readDatabase("postgres://me@127.0.0.1:1/none", undefined, "/", []);
    const listening = openWakeups(config, /** @type {any} */ (null), log).listen(() => {});
    await listening.close();
    assert.equal(listening.connected(), false);
  });
});

describe("the bell", () => {
  it("wakes one sleeper per piece of work, the one that sleeps longest first", async () => {
    const bell = createBell(new AbortController().signal);
    /** @type {string[]} */
    const woken = [];
    const sleeps = ["a", "b", "c"].map((name) => bell.wait(bell.count()).then(() => woken.push(name)));
    assert.equal(bell.sleepers(), 3);
    bell.ring();
    await sleeps[0];
    assert.deepEqual([woken, bell.sleepers()], [["a"], 2]);
    bell.ring(0);
    assert.equal(bell.sleepers(), 2);
    bell.ring(5);
    await Promise.all(sleeps);
    assert.equal(bell.sleepers(), 0);
  });

  it("lets nobody sleep over a ring, nor after the end", async () => {
    const over = new AbortController();
    const bell = createBell(over.signal);
    const seen = bell.count();
    bell.ring();
    await bell.wait(seen);
    const asleep = bell.wait(bell.count());
    over.abort();
    await asleep;
    await bell.wait(bell.count());
  });
});
