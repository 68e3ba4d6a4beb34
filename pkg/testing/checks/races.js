import assert from "../assert.js";
import { GO, READY } from "../claims.js";
import { conversation, FULL, NOW, present, transcript } from "../fixtures.js";

/**
 * @typedef {import("../../index.js").Storage} Storage
 * @typedef {import("../../index.js").Uid} Uid
 */

/** Large enough that each of the processes gets rows while the others do. */
const QUEUE = 60;

const WORKERS = ["w1", "w2", "w3"];

const GIVE_UP_MS = 60_000;

/** @type {import("../kit.js").Group} */
export function raceChecks({ describe, check, whenReopened, whenForked }) {
  describe("several at once", () => {
    check("of any number of claims on one row exactly one wins, and leaves exactly its message (C2)", async ({ storage, connect }) => {
      const second = await connect();
      const uid = await storage.insert(conversation({ status: "processing", messages: transcript(1) }));
      const claims = Array.from({ length: 12 }, (_, index) => `claim-${index}`);
      const won = await Promise.all(claims.map((claimId, index) => claim(index % 2 === 0 ? storage : second, uid, claimId)));
      assert.deepEqual([...won].sort(), [...Array(11).fill(false), true]);
      const winner = claims[won.indexOf(true)];
      const stored = present(await second.load(uid));
      assert.deepEqual([stored.claimId, stored.revision, stored.messages], [winner, 1, [...transcript(1), { role: "assistant", content: winner }]]);
    });

    check("what one writes the other reads, and swaps only from what is stored (C1)", async ({ storage, connect }) => {
      const second = await connect();
      const uid = await storage.insert(conversation({ status: "locked", claimId: "c", messages: transcript(2) }));
      assert.equal((await second.load(uid))?.messages.length, 2);
      assert.equal(await storage.swap(uid, 0, { title: "first" }), true);
      assert.equal(await second.swap(uid, 0, { title: "second", messages: { keep: 0, append: [] } }), false);
      assert.equal(await second.touch(uid, "c", NOW + 3), true);
      assert.equal(await second.swap(uid, 1, { messages: { keep: 2, append: transcript(1) } }), true);
      const stored = present(await storage.load(uid));
      assert.deepEqual([stored.title, stored.revision, stored.messages.length, stored.updatedAt], ["first", 2, 3, NOW + 3]);
      assert.equal(await storage.remove(uid, 1), false);
      assert.equal(await second.remove(uid, 2), true);
      assert.equal(await storage.load(uid), null);
    });

    check("appending from two sides with retries loses no message and no order (C1)", async ({ storage, connect }) => {
      const second = await connect();
      const uid = await storage.insert(conversation());
      await Promise.all([appendMany(storage, uid, "a"), appendMany(second, uid, "b")]);
      const { revision, messages } = present(await storage.load(uid));
      assert.equal(revision, 30);
      const contents = messages.map((message) => String(message.content));
      for (const name of ["a", "b"]) {
        assert.deepEqual(
          contents.filter((content) => content.startsWith(name)),
          Array.from({ length: 15 }, (_, index) => `${name}${index}`),
        );
      }
    });

    check("a reader never sees a row with the messages of another revision (C1)", async ({ storage, connect }) => {
      const second = await connect();
      const uid = await storage.insert(conversation({ title: "0" }));
      const writing = (async () => {
        for (let revision = 0; revision < 40; revision += 1) {
          await storage.swap(uid, revision, { title: String(revision + 1), messages: { keep: revision, append: transcript(1) } });
        }
      })();
      for (let reads = 0; reads < 40; reads += 1) {
        const seen = present(await second.load(uid));
        assert.deepEqual([seen.revision, seen.messages.length], [Number(seen.title), Number(seen.title)]);
      }
      await writing;
    });

    whenForked(`${WORKERS.length} processes claim every row of one queue exactly once (C2)`, async ({ storage, inProcess }) => {
      const working = Promise.all(WORKERS.map((worker) => inProcess(worker)));
      await Promise.race([working, everybodyReady(storage)]);
      /** @type {Uid[]} */
      const queue = [];
      for (let index = 0; index < QUEUE; index += 1) {
        queue.push(await storage.insert(conversation({ status: "processing", updatedAt: NOW + (index % 7), messages: transcript(1) })));
      }
      await storage.insert(conversation({ owner: GO }));
      const claimed = (await working).flat();
      assert.deepEqual(claimed.map(([uid]) => String(uid)).sort(), queue.map(String).sort());
      for (const [uid, claimId] of claimed) {
        const { status, claimId: owner, revision, messages } = present(await storage.load(uid));
        assert.deepEqual([status, owner, revision, messages.slice(1)], ["locked", claimId, 1, [{ role: "assistant", content: claimId }]]);
      }
    });
  });

  whenReopened("everything is still there after closing and opening again", async ({ storage, reopen }) => {
    const uid = await storage.insert(FULL);
    await storage.swap(uid, 0, { title: "kept", messages: { keep: 2, append: transcript(3) } });
    const before = await storage.load(uid);
    const reopened = await reopen();
    assert.deepEqual(await reopened.load(uid), before);
    assert.deepEqual((await reopened.find({ owner: "u-9", limit: 10 })).map(String), [String(uid)]);
    assert.equal(await reopened.swap(uid, 1, { title: "changed" }), true);
  });
}

/** @param {Storage} storage @param {Uid} uid @param {string} claimId */
async function claim(storage, uid, claimId) {
  return storage.swap(uid, 0, { status: "locked", claimId, messages: { keep: 1, append: [{ role: "assistant", content: claimId }] } });
}

/** @param {Storage} storage @param {Uid} uid @param {string} name */
async function appendMany(storage, uid, name) {
  for (let done = 0; done < 15; ) {
    const { revision, messages } = present(await storage.load(uid));
    if (await storage.swap(uid, revision, { messages: { keep: messages.length, append: [{ role: "user", content: `${name}${done}` }] } })) done += 1;
  }
}

/** @param {Storage} storage */
async function everybodyReady(storage) {
  const deadline = Date.now() + GIVE_UP_MS;
  while ((await storage.find({ owner: READY, limit: WORKERS.length })).length < WORKERS.length) {
    if (Date.now() > deadline) throw new Error("the processes that claim did not start");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
