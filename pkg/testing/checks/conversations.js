import assert from "../assert.js";
import { conversation, FULL, loadSince, NOW, present, transcript, untyped } from "../fixtures.js";

/** @type {import("../kit.js").Group} */
export function conversationChecks({ describe, check, strictly }) {
  describe("a stored conversation", () => {
    check("comes back with every field as it was", async ({ storage }) => {
      const uid = await storage.insert(FULL);
      assert.deepEqual(await storage.load(uid), { uid, ...FULL });
    });

    check("that is new has revision 0 and a uid of its own", async ({ storage }) => {
      const first = await storage.insert(conversation());
      const second = await storage.insert(conversation());
      assert.notEqual(String(first), String(second));
      assert.equal((await storage.load(first))?.revision, 0);
    });

    check("is found by its uid as number and as text (C8)", async ({ storage }) => {
      const uid = await storage.insert(conversation({ title: "one" }));
      assert.equal((await storage.load(String(uid)))?.title, "one");
      if (String(Number(uid)) === String(uid)) assert.equal((await storage.load(Number(uid)))?.title, "one");
      assert.equal(await storage.swap(String(uid), 0, { status: "locked", claimId: "c" }), true);
      assert.equal(await storage.touch(String(uid), "c", NOW + 1), true);
      assert.equal(await storage.remove(String(uid), 1), true);
    });

    check("that does not exist is null", async ({ storage }) => {
      const uid = await storage.insert(conversation());
      const strangers = [
        Number(uid) + 1,
        `${uid}9`,
        0,
        -1,
        1.5,
        Number.NaN,
        2 ** 53,
        "",
        "x",
        `${uid} `,
        `0${uid}`,
        `${uid}.0`,
        `${uid};`,
        "1e0",
        "99999999999999999999",
      ];
      for (const stranger of strangers) {
        assert.equal(await storage.load(stranger), null, `load(${JSON.stringify(stranger)})`);
        assert.equal(await loadSince(storage, stranger, 0), null);
      }
    });

    strictly("is not reached by a uid of a nonsense type", async ({ storage }) => {
      const uid = await storage.insert(conversation({ status: "locked", claimId: "c" }));
      for (const nonsense of [null, undefined, true, {}, [uid], { toString: () => String(uid) }, Symbol("uid"), () => uid]) {
        assert.equal(await storage.load(untyped(nonsense)), null);
        assert.equal(await storage.swap(untyped(nonsense), 0, { title: "x" }), false);
        assert.equal(await storage.touch(untyped(nonsense), "c", NOW), false);
        assert.equal(await storage.remove(untyped(nonsense), 0), false);
      }
      assert.equal((await storage.load(uid))?.revision, 0);
    });

    check("keeps the type of owner and decidedBy", async ({ storage }) => {
      for (const [owner, decidedBy] of /** @type {const} */ ([
        [7, "7"],
        ["7", 7],
        ["u-9", null],
        [0, ""],
        ["007", 12.5],
      ])) {
        const uid = await storage.insert(conversation({ owner, decidedBy }));
        const stored = await storage.load(uid);
        assert.deepEqual([stored?.owner, stored?.decidedBy], [owner, decidedBy]);
      }
    });

    check("keeps a status that nobody knows (S3)", async ({ storage }) => {
      const uid = await storage.insert(conversation({ status: untyped("paused_by_plugin") }));
      assert.equal((await storage.load(uid))?.status, "paused_by_plugin");
    });

    check("keeps what a message holds, also what the contract does not name (W6)", async ({ storage }) => {
      const messages = [
        {
          role: "user",
          content: "👩‍👩‍👧‍👦 𝒳 日本語 \u0301 \u0000 ' \" \\ % _ ; --",
          clientId: "c-1",
          files: [{ fileUid: "f-1", fileName: "ä.png", fileMimeType: "image/png" }],
        },
        {
          role: "assistant",
          content: "",
          tool_calls: [{ id: "t1", function: { name: "x", arguments: '{"a":1}' } }],
          feedback: { stars: 5, deep: [[[{}]]] },
          empty: null,
        },
        { role: "tool", content: [{ type: "text", text: "\ud800 alone" }], tool_call_id: "t1", big: 2 ** 60, tiny: -1.5e-300, "": "no name" },
      ];
      const uid = await storage.insert(conversation({ messages: untyped(messages) }));
      assert.deepEqual((await storage.load(uid))?.messages, messages);
      await storage.swap(uid, 0, { messages: { keep: 3, append: untyped(messages) } });
      assert.deepEqual((await storage.load(uid))?.messages, [...messages, ...messages]);
    });

    check("treats hostile keys as data (W6)", async ({ storage }) => {
      const text = '{"role":"user","content":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"hasOwnProperty":3}';
      const hostile = '{"__proto__":{"polluted":1},"constructor":"c"}';
      const uid = await storage.insert(
        conversation({ messages: [JSON.parse(text)], pendingInput: JSON.parse(hostile), viewContext: JSON.parse(hostile), activity: [JSON.parse(hostile)] }),
      );
      await storage.swap(uid, 0, { messages: { keep: 1, append: [JSON.parse(text)] }, pendingInput: JSON.parse(hostile) });
      const stored = present(await storage.load(uid));
      assert.deepEqual(
        stored.messages.map((message) => JSON.stringify(message)),
        [text, text],
      );
      for (const value of [stored.pendingInput, stored.viewContext, stored.activity[0]]) assert.equal(JSON.stringify(value), hostile);
      for (const message of stored.messages) assert.equal(Object.getPrototypeOf(message), Object.prototype);
      assert.equal(untyped(/** @type {object} */ ({})).polluted, undefined);
    });

    check("is not changed through what was passed in or given out", async ({ storage }) => {
      const given = structuredClone(FULL);
      const uid = await storage.insert(given);
      for (const message of given.messages) message.content = "changed";
      untyped(given.pendingInput).nested.deep = 99;
      given.activity.length = 0;
      const file = { fileUid: 1, fileName: "a", fileMimeType: "b" };
      const append = [{ role: /** @type {const} */ ("user"), content: "new", files: [file] }];
      const viewContext = { pageId: 1 };
      await storage.swap(uid, 0, { messages: { keep: 2, append }, viewContext });
      file.fileName = "changed";
      viewContext.pageId = 2;
      const out = present(await storage.load(uid));
      for (const message of out.messages) message.content = "changed";
      out.messages.pop();
      out.activity.pop();
      untyped(out.pendingInput).page = 99;
      const again = present(await storage.load(uid));
      assert.deepEqual(again.messages, [...FULL.messages, { role: "user", content: "new", files: [{ fileUid: 1, fileName: "a", fileMimeType: "b" }] }]);
      assert.deepEqual([again.pendingInput, again.activity, again.viewContext], [FULL.pendingInput, FULL.activity, { pageId: 1 }]);
    });
  });

  describe("loadSince (N9)", () => {
    check("gives the row with the messages from an index on, and their whole number", async ({ storage }) => {
      const uid = await storage.insert({ ...FULL, messages: transcript(4) });
      const { messages: _, ...row } = FULL;
      for (const after of [0, 1, 3, 4, 5, 1000]) {
        assert.deepEqual(await loadSince(storage, uid, after), { uid, ...row, messages: transcript(4).slice(after), messageCount: 4 });
      }
    });

    check("counts after appending and after cutting", async ({ storage }) => {
      const uid = await storage.insert(conversation({ messages: transcript(3) }));
      await storage.swap(uid, 0, { messages: { keep: 3, append: transcript(2) } });
      assert.equal((await loadSince(storage, uid, 5))?.messageCount, 5);
      await storage.swap(uid, 1, { messages: { keep: 1, append: [] } });
      assert.deepEqual(await loadSince(storage, uid, 0), { uid, ...conversation({ messages: transcript(1) }), revision: 2, messageCount: 1 });
    });
  });

  describe("remove", () => {
    check("takes the conversation away only at the revision that was read", async ({ storage }) => {
      const uid = await storage.insert(conversation({ messages: transcript(3) }));
      await storage.swap(uid, 0, { title: "newer" });
      assert.equal(await storage.remove(uid, 0), false);
      assert.equal((await storage.load(uid))?.messages.length, 3);
      assert.equal(await storage.remove(uid, 1), true);
      assert.equal(await storage.load(uid), null);
      assert.deepEqual(await storage.find({ limit: 10 }), []);
      assert.equal(await storage.remove(uid, 1), false);
    });

    check("leaves nothing to a later conversation", async ({ storage }) => {
      const uid = await storage.insert(conversation({ messages: transcript(3) }));
      const other = await storage.insert(conversation({ messages: transcript(2) }));
      await storage.remove(uid, 0);
      const next = await storage.insert(conversation());
      assert.notEqual(String(next), String(uid));
      assert.deepEqual((await storage.load(next))?.messages, []);
      assert.equal((await storage.load(other))?.messages.length, 2);
      assert.equal(await storage.swap(uid, 1, { title: "late" }), false);
    });
  });
}
