/** The page makes texts storable as the component does (N4), so that what is shown on its way is what will be stored. */

import assert from "node:assert/strict";
import { test } from "node:test";
import init, { ChatEngine } from "agent-turn";
import { createMemoryStorage } from "agent-turn/storage/memory";
import fc from "fast-check";
import { codePoints, storable } from "../../../www/chat/shared/text.js";

const SPECIAL = ["\0", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u009f", "\ud800", "\udc00", "\ud83d\ude00", "\u200b", "\ufeff", "\u2028", "a", "ä"];
const actor = { uid: 1, isAdmin: false, groups: [] };

test("N4: the page's text is the component's, whatever is typed or pasted", async () => {
  await init();
  const storage = createMemoryStorage();
  const unused = () => {
    throw new Error("no turn is run");
  };
  const engine = new ChatEngine(
    {
      storage,
      runtime: { run: unused, status: unused, result: unused, approve: unused, submitInput: unused, waitingView: unused },
      resolveTask: () => null,
      actorOf: () => actor,
    },
    { taskUid: 1, extensionKey: "x" },
  );
  const text = fc.array(fc.oneof(fc.constantFrom(...SPECIAL), fc.string({ unit: "binary" })), { maxLength: 20 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, async (systemPrompt) => {
      const created = await engine.createConversation(actor, { systemPrompt });
      assert.ok(created.ok);
      assert.equal(storable(systemPrompt), (await storage.load(created.uid))?.systemPrompt);
    }),
    { numRuns: 200 },
  );
});

test("N6: a length is counted in code points", () => {
  assert.equal(codePoints("ä\u{1f600}b"), 3);
});
