import assert from "../assert.js";
import { conversation, loadSince, NOW, present, transcript } from "../fixtures.js";

/** Storable text (N4): everything but control characters and lone surrogates. */
const TEXTS = [
  "Straße, façade, Ωμέγα, 日本語, עברית, हिन्दी",
  "🧪 𐍈 👩‍👩‍👧‍👦 🇩🇪 e\u0301 \u200b\ufeff\ufffd",
  "' \" \\ ` ; -- /* */ % _ ! $1 ? :name {} [] \\n \\u0000 <b>&amp;</b>",
  "a tab\tand\nlines\n\n  with spaces around  ",
  " ",
];

const TEXT_FIELDS = /** @type {const} */ (["title", "errorMessage", "systemPrompt", "turnDigest", "runUuid", "lastRunUuid", "errorCode"]);

/** Each is another text than "Ada", whatever a database's collation makes of it. */
const LOOKALIKES = ["ada", "ADA", "Ada ", " Ada", "Áda", "A\u030ada", "Ada\u200b", "Аda"];

/** @type {import("../kit.js").Group} */
export function textChecks({ describe, check }) {
  describe("text", () => {
    for (const [index, text] of TEXTS.entries()) {
      check(`is kept as it is, in every field and in messages (N4): ${index + 1} of ${TEXTS.length}`, async ({ storage }) => {
        const fields = Object.fromEntries(TEXT_FIELDS.map((name) => [name, text]));
        const messages = [{ role: /** @type {const} */ ("user"), content: text, [text]: text }];
        const uid = await storage.insert(conversation({ ...fields, owner: text, messages, pendingInput: { [text]: text } }));
        const stored = present(await storage.load(uid));
        assert.deepEqual(stored, { uid, ...conversation({ ...fields, owner: text, messages, pendingInput: { [text]: text } }) });
        assert.deepEqual((await storage.find({ owner: text, limit: 5 })).map(String), [String(uid)]);
      });
    }

    check("is compared exactly: case, accents and trailing spaces count (C8)", async ({ storage }) => {
      const uid = await storage.insert(conversation({ owner: "Ada", status: "locked", claimId: "Ada" }));
      for (const other of LOOKALIKES) {
        assert.deepEqual(await storage.find({ owner: other, limit: 5 }), [], `owner ${JSON.stringify(other)}`);
        assert.equal(await storage.touch(uid, other, NOW + 9), false, `claim ${JSON.stringify(other)}`);
      }
      assert.equal(await storage.touch(uid, "Ada", NOW + 1), true);
    });

    check("may be long", async ({ storage }) => {
      const long = "ä🧪".repeat(100_000);
      const owner = "o".repeat(200);
      const uid = await storage.insert(conversation({ owner, systemPrompt: long, messages: [{ role: "user", content: long }] }));
      await storage.swap(uid, 0, { errorMessage: long, turnDigest: long, messages: { keep: 1, append: [{ role: "tool", content: long }] } });
      const stored = present(await storage.load(uid));
      assert.equal(stored.owner, owner);
      for (const text of [stored.systemPrompt, stored.errorMessage, stored.turnDigest, ...stored.messages.map(({ content }) => content)]) {
        assert.ok(text === long, "a long text came back changed");
      }
    });
  });

  describe("a transcript of 10,000 messages", () => {
    check("is read, appended to and cut", async ({ storage }) => {
      const count = 10_000;
      const whole = transcript(count);
      const uid = await storage.insert(conversation({ messages: whole }));
      assert.equal(await storage.swap(uid, 0, { messages: { keep: count, append: [{ role: "user", content: "the last" }] } }), true);
      const tail = present(await loadSince(storage, uid, count - 1));
      assert.deepEqual([tail.messageCount, tail.messages.map(({ content }) => content)], [count + 1, [`message ${count - 1}`, "the last"]]);
      assert.equal(await storage.swap(uid, 1, { messages: { keep: 5000, append: [] } }), true);
      assert.deepEqual((await storage.load(uid))?.messages, whole.slice(0, 5000));
      assert.equal(await storage.remove(uid, 2), true);
    });
  });
}
