import assert from "node:assert/strict";
import { it, test } from "node:test";
import { createMemoryStorage } from "../../../pkg/storage/memory.js";
import { storageKit } from "../../../pkg/testing/index.js";

storageKit({ it, name: "memory", strict: true, open: () => ({ storage: createMemoryStorage() }) });

test("memory: absent fields of a new conversation have defaults, absent times are now", async () => {
  const storage = createMemoryStorage({ now: () => 1_700_000_000_999 });
  const uid = await storage.insert(/** @type {import("../../../pkg/index.js").Conversation} */ (/** @type {unknown} */ ({ owner: 7 })));
  const stored = await storage.load(uid);
  assert.deepEqual([stored?.status, stored?.title, stored?.messages, stored?.createdAt, stored?.updatedAt], ["idle", "", [], 1_700_000_000, 1_700_000_000]);
});

test("memory: two stores share nothing", async () => {
  const [one, other] = [createMemoryStorage(), createMemoryStorage()];
  assert.equal(await one.insert(/** @type {import("../../../pkg/index.js").Conversation} */ (/** @type {unknown} */ ({ owner: 7 }))), 1);
  assert.equal(await other.load(1), null);
});
