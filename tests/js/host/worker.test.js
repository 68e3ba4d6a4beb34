import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startWorker } from "../../../www/host/worker.js";
import { keptLog } from "./support.js";

const IDLE_COUNTS = { timedOut: 0, archived: 0, removed: 0 };
const report = (/** @type {number} */ uid) => ({
  outcome: /** @type {const} */ ("settled"),
  uid,
  status: /** @type {const} */ ("idle"),
  errorCode: "",
  runUuid: "",
});
/** Long enough that only a ring can end a pause while the test runs. */
const NEVER_MS = 600_000;

/** A promise with its handles. @template T */
function deferred() {
  /** @type {(value: T) => void} */ let resolve = () => {};
  /** @type {(error: unknown) => void} */ let reject = () => {};
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/**
 * A worker whose turns are scripted: each call of runNext takes the next function.
 *
 * @param {(() => unknown)[]} script When it is used up, there is nothing to do.
 * @param {object} [options]
 */
function scripted(script, options = {}) {
  const { log, entries } = keptLog();
  const idle = deferred();
  let calls = 0;
  const engine = {
    async runNext() {
      calls += 1;
      const next = script.shift();
      if (next) return /** @type {any} */ (await next());
      idle.resolve(undefined);
      return null;
    },
    cleanup: async () => IDLE_COUNTS,
  };
  const worker = startWorker({ engine, runtime: {}, log, concurrency: 1, pollMs: NEVER_MS, maxPollMs: NEVER_MS, upkeepMs: NEVER_MS, ...options });
  return { worker, script, entries, idle: idle.promise, calls: () => calls };
}

describe("worker", () => {
  it("carries out turns until there are none", async () => {
    const { worker, idle, entries } = scripted([() => report(1), () => report(2), () => report(3)]);
    await idle;
    assert.ok(await worker.stop());
    assert.deepEqual(
      entries()
        .filter(({ message }) => message === "turn")
        .map(({ conversation }) => conversation),
      [1, 2, 3],
    );
  });

  it("is woken by a ring", async () => {
    const { worker, script, idle } = scripted([]);
    await idle;
    const ran = deferred();
    script.push(() => {
      ran.resolve(undefined);
      return report(1);
    });
    worker.wake();
    await ran.promise;
    assert.ok(await worker.stop());
  });

  it("does not miss a ring that comes while it looks", async () => {
    const looked = deferred();
    /** @type {any} */ let worker;
    const second = deferred();
    ({ worker } = scripted([
      async () => {
        await looked.promise;
        worker.wake();
        return null;
      },
      () => {
        second.resolve(undefined);
        return null;
      },
    ]));
    looked.resolve(undefined);
    await second.promise;
    assert.ok(await worker.stop());
  });

  it("polls without a ring", async () => {
    const third = deferred();
    const { worker } = scripted(
      [
        () => null,
        () => null,
        () => {
          third.resolve(undefined);
          return null;
        },
      ],
      { pollMs: 1, maxPollMs: 2 },
    );
    await third.promise;
    assert.ok(await worker.stop());
  });

  it("says which turns are over, and that one is when it cannot know which", async () => {
    /** @type {unknown[]} */
    const over = [];
    const heartbeat = { release: (/** @type {unknown} */ uid) => void over.push(uid) };
    const lost = { ...report(8), outcome: "notClaimed" };
    const { worker, idle } = scripted([() => report(7), () => lost, () => Promise.reject(new Error("boom"))], { heartbeat, pollMs: 1, maxPollMs: 1 });
    await idle;
    assert.ok(await worker.stop());
    assert.deepEqual(over, [7, undefined]);
  });

  it("logs a crash and goes on", async () => {
    const { worker, entries, idle } = scripted(
      [
        () => {
          throw Object.assign(new Error("boom"), { code: "host.storage.swap" });
        },
        () => Promise.reject("a string"),
        () => report(3),
      ],
      { pollMs: 1, maxPollMs: 1 },
    );
    await idle;
    assert.ok(await worker.stop());
    const failures = entries().filter(({ message }) => message === "turn failed");
    assert.deepEqual(
      failures.map(({ error }) => error.text),
      ["boom", "a string"],
    );
    assert.equal(failures[0].error.code, "host.storage.swap");
  });

  it("carries out as many turns at once as it may", async () => {
    const release = deferred();
    const both = deferred();
    let running = 0;
    let most = 0;
    const turn = async () => {
      running += 1;
      most = Math.max(most, running);
      if (running === 2) both.resolve(undefined);
      await release.promise;
      running -= 1;
      return report(1);
    };
    const { worker, idle } = scripted([turn, turn, turn, turn], { concurrency: 2 });
    await both.promise;
    release.resolve(undefined);
    await idle;
    assert.ok(await worker.stop());
    assert.equal(most, 2);
  });

  it("stops claiming, waits for the turn that runs, and says when it could not", async () => {
    const turn = deferred();
    const started = deferred();
    const { worker, calls, script } = scripted([
      () => {
        started.resolve(undefined);
        return turn.promise;
      },
    ]);
    await started.promise;
    script.push(() => report(2));
    assert.equal(await worker.stop(1), false);
    turn.resolve(report(1));
    assert.equal(await worker.stop(), true);
    assert.equal(calls(), 1);
  });

  it("recovers and cleans up at once and again, whatever fails of it", async () => {
    const { log, entries } = keptLog();
    const enough = deferred();
    let [recovered, cleaned] = [0, 0];
    const count = () => {
      if (recovered >= 2 && cleaned >= 2) enough.resolve(undefined);
    };
    const worker = startWorker({
      engine: {
        runNext: async () => null,
        cleanup: async () => {
          cleaned += 1;
          count();
          throw new Error("no cleanup");
        },
      },
      runtime: {
        recover: async () => {
          recovered += 1;
          count();
          throw new Error("no recovery");
        },
      },
      log,
      pollMs: NEVER_MS,
      maxPollMs: NEVER_MS,
      upkeepMs: 1,
    });
    await enough.promise;
    assert.ok(await worker.stop());
    assert.deepEqual([...new Set(entries().map(({ message }) => message))].sort(), ["cleanup failed", "recovery of runs failed"]);
  });

  it("cleans up while a run is being carried on", async () => {
    const { log } = keptLog();
    const recovery = deferred();
    const cleaned = deferred();
    const worker = startWorker({
      engine: {
        runNext: async () => null,
        cleanup: async () => {
          cleaned.resolve(undefined);
          return IDLE_COUNTS;
        },
      },
      runtime: { recover: () => recovery.promise },
      log,
      pollMs: NEVER_MS,
      maxPollMs: NEVER_MS,
      upkeepMs: NEVER_MS,
    });
    await cleaned.promise;
    recovery.resolve(0);
    assert.ok(await worker.stop());
  });

  it("cleans up once without the lease, then only with it: who takes a dead one's place does not wait for its lease", async () => {
    const { log } = keptLog();
    const enough = deferred();
    /** @type {string[]} */
    const seen = [];
    const answers = [false, false, true];
    const worker = startWorker({
      engine: {
        runNext: async () => null,
        cleanup: async () => {
          seen.push("cleaned");
          return IDLE_COUNTS;
        },
      },
      runtime: {},
      log,
      lease: {
        acquire: async () => {
          const leads = answers.shift();
          if (leads === undefined) enough.resolve(undefined);
          else seen.push(leads ? "leads" : "follows");
          return leads === true;
        },
        release: async () => {},
      },
      pollMs: NEVER_MS,
      maxPollMs: NEVER_MS,
      upkeepMs: 1,
    });
    await enough.promise;
    assert.ok(await worker.stop());
    assert.deepEqual(seen, ["follows", "cleaned", "follows", "leads", "cleaned"]);
  });
});
