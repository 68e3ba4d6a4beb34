import assert from "../assert.js";
import { conversation, FULL, loadSince, NOW, present, transcript } from "../fixtures.js";

/** @type {import("../kit.js").Group} */
export function swapChecks({ describe, check }) {
  describe("swap (C1)", () => {
    check("writes the fields of the patch, leaves the others and raises the revision by one", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      const patch = /** @type {const} */ ({
        status: "processing",
        decision: "",
        decidedBy: null,
        pendingInput: null,
        viewContext: null,
        archived: false,
        updatedAt: NOW + 5,
      });
      assert.equal(await storage.swap(uid, 0, patch), true);
      assert.deepEqual(await storage.load(uid), { uid, ...FULL, ...patch, revision: 1 });
    });

    check("reaches every field that a patch may name", async ({ storage }) => {
      const { owner: _owner, systemPrompt: _prompt, createdAt: _created, revision: _revision, messages: _messages, ...patch } = FULL;
      const uid = await storage.insert(conversation());
      assert.equal(await storage.swap(uid, 0, patch), true);
      assert.deepEqual(await storage.load(uid), { uid, ...conversation(), ...patch, revision: 1 });
    });

    check("raises the revision also when nothing is different", async ({ storage }) => {
      const uid = await storage.insert(conversation());
      assert.equal(await storage.swap(uid, 0, {}), true);
      assert.equal(await storage.swap(uid, 1, { title: "" }), true);
      assert.deepEqual(await storage.load(uid), { uid, ...conversation(), revision: 2 });
    });

    check("takes an undefined field as absent", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      assert.equal(await storage.swap(uid, 0, { title: undefined, messages: undefined, updatedAt: NOW }), true);
      assert.deepEqual(await storage.load(uid), { uid, ...FULL, updatedAt: NOW, revision: 1 });
    });

    check("that is lost changes nothing and leaves no message behind", async ({ storage }) => {
      const uid = await storage.insert({ ...FULL, messages: transcript(3) });
      await storage.swap(uid, 0, { title: "winner" });
      const before = await storage.load(uid);
      for (const revision of [0, 2, -1, 1.5, Number.NaN]) {
        assert.equal(await storage.swap(uid, revision, { status: "idle", title: "loser", messages: { keep: 1, append: transcript(2) } }), false);
        assert.equal(await storage.swap(uid, revision, { title: "loser" }), false);
      }
      assert.deepEqual(await storage.load(uid), before);
    });

    check("of an unknown conversation is lost", async ({ storage }) => {
      assert.equal(await storage.swap(4711, 0, { title: "x" }), false);
      assert.equal(await storage.swap(4711, 0, { messages: { keep: 0, append: transcript(1) } }), false);
    });

    check("commits messages and fields together", async ({ storage }) => {
      const uid = await storage.insert(conversation({ status: "locked", messages: transcript(1) }));
      const answer = { role: /** @type {const} */ ("assistant"), content: "Done" };
      assert.equal(await storage.swap(uid, 0, { status: "idle", messages: { keep: 1, append: [answer] } }), true);
      const stored = present(await storage.load(uid));
      assert.deepEqual([stored.status, stored.revision, stored.messages], ["idle", 1, [...transcript(1), answer]]);
    });

    check("cuts the transcript where an edit begins (N3)", async ({ storage }) => {
      const uid = await storage.insert(conversation({ messages: transcript(6) }));
      const edited = { role: /** @type {const} */ ("user"), content: "edited" };
      await storage.swap(uid, 0, { messages: { keep: 2, append: [edited] } });
      assert.deepEqual((await storage.load(uid))?.messages, [...transcript(2), edited]);
      await storage.swap(uid, 1, { messages: { keep: 3, append: transcript(2) } });
      assert.deepEqual((await storage.load(uid))?.messages, [...transcript(2), edited, ...transcript(2)]);
      await storage.swap(uid, 2, { messages: { keep: 0, append: [] } });
      assert.deepEqual((await storage.load(uid))?.messages, []);
      await storage.swap(uid, 3, { messages: { keep: 0, append: transcript(1) } });
      assert.deepEqual((await storage.load(uid))?.messages, transcript(1));
    });

    check("replaces the last message with as many as before", async ({ storage }) => {
      const uid = await storage.insert(conversation({ messages: transcript(2) }));
      const replaced = { role: /** @type {const} */ ("user"), content: "guarded", notice: "guardrail" };
      await storage.swap(uid, 0, { messages: { keep: 1, append: [replaced] } });
      assert.deepEqual((await storage.load(uid))?.messages, [...transcript(1), replaced]);
      assert.equal((await loadSince(storage, uid, 2))?.messageCount, 2);
    });

    check("touches no other conversation", async ({ storage }) => {
      const uid = await storage.insert(conversation({ messages: transcript(3) }));
      const neighbour = await storage.insert({ ...FULL, messages: transcript(4) });
      await storage.swap(uid, 0, { title: "mine", messages: { keep: 0, append: transcript(1) } });
      assert.deepEqual(await storage.load(neighbour), { uid: neighbour, ...FULL, messages: transcript(4) });
    });
  });

  describe("touch (C5)", () => {
    check("refreshes the timestamp and the activity of a row locked by this claim, and leaves the revision alone", async ({ storage }) => {
      const locked = conversation({ status: "locked", claimId: "c-1", activity: [{ kind: "llm", round: 1, ms: 3 }] });
      const uid = await storage.insert(locked);
      assert.equal(await storage.touch(uid, "c-1", NOW + 10), true);
      assert.deepEqual(await storage.load(uid), { uid, ...locked, updatedAt: NOW + 10 });
      const activity = [{ kind: /** @type {const} */ ("tool"), round: 1, ms: 9, tool: "page_tree" }];
      assert.equal(await storage.touch(uid, "c-1", NOW + 11, activity), true);
      assert.deepEqual(await storage.load(uid), { uid, ...locked, updatedAt: NOW + 11, activity });
      assert.equal(await storage.swap(uid, 0, { status: "idle" }), true);
    });

    check("does nothing for another claim, an empty one, or a row that is not locked", async ({ storage }) => {
      const foreign = await storage.insert(conversation({ status: "locked", claimId: "c-2" }));
      const unclaimed = await storage.insert(conversation({ status: "locked", claimId: "" }));
      const waiting = await storage.insert(conversation({ status: "processing", claimId: "c-1" }));
      assert.equal(await storage.touch(foreign, "c-1", NOW + 9, []), false);
      assert.equal(await storage.touch(foreign, "C-2", NOW + 9, []), false);
      assert.equal(await storage.touch(unclaimed, "", NOW + 9), false);
      assert.equal(await storage.touch(waiting, "c-1", NOW + 9), false);
      assert.equal(await storage.touch(4711, "c-1", NOW + 9), false);
      for (const uid of [foreign, unclaimed, waiting]) assert.equal((await storage.load(uid))?.updatedAt, NOW);
    });
  });
}
