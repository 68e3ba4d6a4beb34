import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMemoryStorage } from "agent-turn/storage/memory";
import { withHeartbeat } from "../../../www/host/heartbeat.js";
import { keptLog } from "./support.js";

const NEVER_MS = 600_000;
const HOUR_MS = 3_600_000;

/** @param {import("node:test").TestContext} t */
async function scene(t) {
  const clock = { now: 1_000_000_000 };
  const store = createMemoryStorage();
  const { storage, claims, release, beat, stop } = withHeartbeat(store, { intervalMs: NEVER_MS, log: keptLog().log, now: () => clock.now });
  t.after(stop);
  const uid = await storage.insert(/** @type {any} */ ({ owner: 1, title: "", messages: [], status: "processing", updatedAt: 1 }));
  const updatedAt = async () => (await store.load(uid))?.updatedAt;
  return { clock, store, storage, claims, release, beat, uid, updatedAt };
}

describe("the heartbeat of claims", () => {
  it("refreshes a claim this process wrote until its turn has settled (C5)", async (t) => {
    const { clock, storage, claims, beat, uid, updatedAt } = await scene(t);
    await beat();
    assert.equal(await updatedAt(), 1, "nobody has claimed it");
    assert.ok(await storage.swap(uid, 0, { status: "locked", claimId: "a", updatedAt: 2 }));
    assert.ok(await storage.swap(uid, 1, { status: "locked", claimId: "b", updatedAt: 3 }), "turn start takes another id (C4)");
    await beat();
    assert.deepEqual([claims(), await updatedAt()], [1, clock.now / 1000]);
    assert.ok(await storage.swap(uid, 2, { title: "renamed meanwhile", updatedAt: 4 }));
    await beat();
    assert.deepEqual([claims(), await updatedAt()], [1, clock.now / 1000]);
    assert.ok(await storage.swap(uid, 3, { status: "idle", claimId: "", updatedAt: 5 }));
    await beat();
    assert.deepEqual([claims(), await updatedAt()], [0, 5]);
  });

  it("keeps no claim that was lost, and none from a swap that was", async (t) => {
    const { store, storage, claims, beat, uid, updatedAt } = await scene(t);
    assert.equal(await storage.swap(uid, 7, { status: "locked", claimId: "a", updatedAt: 2 }), false);
    assert.equal(claims(), 0);
    assert.ok(await storage.swap(uid, 0, { status: "locked", claimId: "a", updatedAt: 2 }));
    assert.ok(await store.swap(uid, 1, { status: "failed", errorCode: "timedOut", updatedAt: 3 }), "the cleanup of another process");
    await beat();
    assert.deepEqual([claims(), await updatedAt()], [0, 3]);
  });

  it("ends with the turn, also where it left the row locked because its run went on elsewhere (O10)", async (t) => {
    const { storage, claims, release, beat, uid, updatedAt } = await scene(t);
    for (const over of [() => release(uid), () => release()]) {
      const revision = Number((await storage.load(uid))?.revision);
      assert.ok(await storage.swap(uid, revision, { status: "locked", claimId: "a", updatedAt: 2 }));
      assert.equal(claims(), 1);
      over();
      await beat();
      assert.deepEqual([claims(), await updatedAt()], [0, 2], "the upkeep finds it by its age (G1)");
    }
  });

  it("does not keep a turn alive that has shown no step for an hour", async (t) => {
    const { clock, storage, claims, beat, uid, updatedAt } = await scene(t);
    assert.ok(await storage.swap(uid, 0, { status: "locked", claimId: "a", updatedAt: 2 }));
    clock.now += HOUR_MS + 1;
    await beat();
    assert.deepEqual([claims(), await updatedAt()], [0, 2]);
  });
});
