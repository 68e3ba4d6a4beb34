// The storage suite on IndexedDB in real browsers, and what several tabs or a full disk do to it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { launchers } from "../../browser/launch.js";
import { serveStorageTests } from "../../browser/storage-server.js";

/** @typedef {import("../../browser/shims/test.js").Result} Result */

const QUOTA = 12 * 1024 * 1024;

/** @type {Awaited<ReturnType<typeof serveStorageTests>>} */
let server;
before(async () => {
  server = await serveStorageTests();
});
after(() => server.close());

for (const launch of launchers) {
  describe(`IndexedDB in ${launch.name.replace("launch", "")}`, () => {
    /** @type {import("../../browser/launch.js").Launched} */
    let browser;
    before(async () => {
      browser = await launch({ quotaBytes: QUOTA });
    });
    after(() => browser.close());

    test("keeps every promise of the storage suite, and those of its own", async (t) => {
      const tab = await browser.open(server.address);
      /** @type {Result[]} */
      const results = await tab.evaluate("suite()");
      assert.ok(results.length > 70, `${results.length} cases`);
      for (const { name, error } of results) await t.test(name, () => assert.equal(error, null));
      await tab.close();
    });

    test("three tabs claim every row of one queue exactly once (C2)", async () => {
      const tabs = await Promise.all(["a", "b", "c"].map(() => browser.open(server.address)));
      await tabs[0]?.evaluate("fillQueue('claims', 60)");
      const claims = await Promise.all(tabs.map((tab, index) => tab.evaluate(`claimAll("claims", "tab${index}")`)));
      const uids = claims.flat().map(([uid]) => uid);
      assert.equal(uids.length, 60);
      assert.equal(new Set(uids).size, 60);
      await Promise.all(tabs.map((tab) => tab.close()));
    });

    test("a full disk is storageFull, and nothing of the refused swap is written", async () => {
      const tab = await browser.open(server.address);
      const { code, written, title, revision, messages } = await tab.evaluate("overflow(40)");
      assert.equal(code, "storageFull");
      assert.ok(written > 0);
      assert.deepEqual([title, revision, messages], [String(written), written, 2 * written]);
      await tab.close();
    });
  });
}
