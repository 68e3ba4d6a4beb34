import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renewableEngine } from "../../../www/host/engine.js";
import { keptLog } from "./support.js";

/** Engines that are numbered; those of `poisoned` fail every call. @param {number[]} poisoned */
function numbered(poisoned) {
  let made = 0;
  let renewals = 0;
  const { log, entries } = keptLog();
  const create = () => {
    const number = (made += 1);
    return /** @type {any} */ ({
      number,
      async poll(/** @type {number} */ uid) {
        await null;
        if (poisoned.includes(this.number)) throw Object.assign(new Error("unreachable"), { code: "poisoned" });
        return `${uid} by ${this.number}`;
      },
      retry: async () => {
        throw Object.assign(new Error("no"), { code: "host.storage.load" });
      },
    });
  };
  const engine = /** @type {any} */ (
    renewableEngine(
      create,
      async () => {
        renewals += 1;
      },
      log,
    )
  );
  return { engine, renewals: () => renewals, entries };
}

describe("engine of the host", () => {
  it("passes calls on", async () => {
    const { engine, renewals } = numbered([]);
    assert.equal(await engine.poll(7), "7 by 1");
    await assert.rejects(engine.retry(), { code: "host.storage.load" });
    assert.equal(renewals(), 0);
  });

  it("goes on with a fresh instance after a panic, renewed once for all calls that met it", async () => {
    const { engine, renewals, entries } = numbered([1]);
    const results = await Promise.allSettled([engine.poll(1), engine.poll(2), engine.poll(3)]);
    assert.ok(results.every((result) => result.status === "rejected" && result.reason.code === "poisoned"));
    assert.equal(await engine.poll(4), "4 by 2");
    assert.deepEqual([renewals(), entries().length, entries()[0].error.code], [1, 1, "poisoned"]);
  });

  it("renews again when the next one is poisoned, too", async () => {
    const { engine, renewals } = numbered([1, 2]);
    await assert.rejects(engine.poll(1));
    await assert.rejects(engine.poll(2));
    assert.equal(await engine.poll(3), "3 by 3");
    assert.equal(renewals(), 2);
  });
});
