import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { conversation, FULL, NOW, present, transcript } from "./fixtures.js";

/**
 * @typedef {import("../../../../pkg/index.js").Storage} Storage
 * @typedef {import("../../../../pkg/index.js").Uid} Uid
 */

/**
 * @param {() => Storage} storage
 * @param {() => Promise<Storage>} connect a second connection to the same store
 */
export function raceTests(storage, connect) {
  describe("several connections", () => {
    test("of any number of claims on one row exactly one wins, and leaves exactly its message (C2)", async () => {
      const second = await connect();
      const uid = await storage().insert(conversation({ status: "processing", messages: transcript(1) }));
      const claims = Array.from({ length: 12 }, (_, index) => `claim-${index}`);
      const won = await Promise.all(
        claims.map((claimId, index) =>
          (index % 2 === 0 ? storage() : second).swap(uid, 0, {
            status: "locked",
            claimId,
            messages: { keep: 1, append: [{ role: "assistant", content: claimId }] },
          }),
        ),
      );
      assert.deepEqual([...won].sort(), [...Array(11).fill(false), true]);
      const winner = claims[won.indexOf(true)];
      const stored = present(await second.load(uid));
      assert.deepEqual([stored.claimId, stored.revision, stored.messages], [winner, 1, [...transcript(1), { role: "assistant", content: winner }]]);
    });

    test("what one writes the other reads, and swaps only from what is stored", async () => {
      const second = await connect();
      const uid = await storage().insert(conversation({ status: "locked", claimId: "c", messages: transcript(2) }));
      assert.equal((await second.load(uid))?.messages.length, 2);
      assert.equal(await storage().swap(uid, 0, { title: "first" }), true);
      assert.equal(await second.swap(uid, 0, { title: "second", messages: { keep: 0, append: [] } }), false);
      assert.equal(await second.touch(uid, "c", NOW + 3), true);
      assert.equal(await second.swap(uid, 1, { messages: { keep: 2, append: transcript(1) } }), true);
      const stored = present(await storage().load(uid));
      assert.deepEqual([stored.title, stored.revision, stored.messages.length, stored.updatedAt], ["first", 2, 3, NOW + 3]);
      assert.equal(await storage().remove(uid, 1), false);
      assert.equal(await second.remove(uid, 2), true);
      assert.equal(await storage().load(uid), null);
    });

    test("appending from two sides with retries loses no message and no order", async () => {
      const second = await connect();
      const uid = await storage().insert(conversation());
      /** @param {Storage} side @param {string} name */
      const append = async (side, name) => {
        for (let done = 0; done < 15; ) {
          const { revision, messages } = present(await side.load(uid));
          if (await side.swap(uid, revision, { messages: { keep: messages.length, append: [{ role: "user", content: `${name}${done}` }] } })) done += 1;
        }
      };
      await Promise.all([append(storage(), "a"), append(second, "b")]);
      const { revision, messages } = present(await storage().load(uid));
      assert.equal(revision, 30);
      const contents = messages.map((message) => String(message.content));
      for (const name of ["a", "b"]) {
        assert.deepEqual(
          contents.filter((content) => content.startsWith(name)),
          Array.from({ length: 15 }, (_, index) => `${name}${index}`),
        );
      }
    });

    test("a reader never sees a row with the messages of another revision", async () => {
      const second = await connect();
      const uid = await storage().insert(conversation({ title: "0" }));
      const writing = (async () => {
        for (let revision = 0; revision < 40; revision += 1) {
          await storage().swap(uid, revision, { title: String(revision + 1), messages: { keep: revision, append: transcript(1) } });
        }
      })();
      for (let reads = 0; reads < 40; reads += 1) {
        const seen = present(await second.load(uid));
        assert.deepEqual([seen.revision, seen.messages.length], [Number(seen.title), Number(seen.title)]);
      }
      await writing;
    });
  });
}

/**
 * @param {() => Storage} storage
 * @param {() => Promise<Storage>} reopen
 */
export function reopenTests(storage, reopen) {
  test("everything is still there after closing and opening again", async () => {
    const uid = await storage().insert(FULL);
    await storage().swap(uid, 0, { title: "kept", messages: { keep: 2, append: transcript(3) } });
    const before = await storage().load(uid);
    const reopened = await reopen();
    assert.deepEqual(await reopened.load(uid), before);
    assert.deepEqual(await reopened.find({ owner: "u-9", limit: 10 }), [uid]);
    assert.equal(await reopened.swap(uid, 1, { title: "changed" }), true);
  });
}

/**
 * @param {() => Storage} storage
 * @param {() => { module: string, options: unknown }} fromProcess
 */
export function processRaceTests(storage, fromProcess) {
  test("three processes claim every row of one queue exactly once (C2)", async () => {
    /** @type {Uid[]} */
    const queue = [];
    for (let index = 0; index < 60; index += 1) {
      queue.push(await storage().insert(conversation({ status: "processing", updatedAt: NOW + (index % 7), messages: transcript(1) })));
    }
    const workers = ["w1", "w2", "w3"].map((worker) => claimWorker({ ...fromProcess(), worker }));
    await Promise.all(workers.map((worker) => worker.ready));
    for (const worker of workers) worker.go();
    const claimed = (await Promise.all(workers.map((worker) => worker.claimed))).flat();
    assert.deepEqual(claimed.map(([uid]) => uid).sort(byNumber), [...queue].sort(byNumber));
    for (const [uid, claimId] of claimed) {
      const stored = present(await storage().load(uid));
      assert.deepEqual(
        [stored.status, stored.claimId, stored.revision, stored.messages.slice(1)],
        ["locked", claimId, 1, [{ role: "assistant", content: claimId }]],
      );
    }
  });
}

/**
 * @param {{ module: string, options: unknown, worker: string }} job
 * @returns {{ ready: Promise<unknown>, go(): void, claimed: Promise<[Uid, string][]> }}
 */
function claimWorker(job) {
  const child = fork(fileURLToPath(new URL("claim-worker.js", import.meta.url)), [JSON.stringify(job)]);
  /** @type {[Uid, string][]} */
  let claimed = [];
  const ready = new Promise((resolve, reject) => {
    child.on("message", (message) => (message === "ready" ? resolve(message) : (claimed = /** @type {[Uid, string][]} */ (message))));
    child.once("exit", (code) => reject(new Error(`claim worker ended with ${code} before it was ready`)));
  });
  const finished = once(child, "exit").then(([code]) => {
    assert.equal(code, 0, "a claim worker failed");
    return claimed;
  });
  return { ready, go: () => void child.send("go"), claimed: finished };
}

/** @param {Uid} a @param {Uid} b */
function byNumber(a, b) {
  return Number(a) - Number(b);
}
