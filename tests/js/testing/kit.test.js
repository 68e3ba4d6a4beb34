// The storage kit finds what is wrong with an adapter, says so, and finds nothing wrong with one that is sound.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createMemoryStorage } from "../../../pkg/storage/memory.js";
import { storageKit } from "../../../pkg/testing/index.js";
import { BROKEN } from "./broken.js";

/**
 * Runs the kit, or those of its checks that have such a name, without a test runner.
 *
 * @param {Omit<import("../../../pkg/testing/index.js").StorageKitOptions, "it">} options
 * @param {RegExp} [wanted]
 * @returns {Promise<{ names: string[], failures: { name: string, error: unknown }[] }>}
 */
async function run(options, wanted = /./) {
  /** @type {{ name: string, check: () => Promise<void> }[]} */
  const checks = [];
  storageKit({ ...options, it: (name, check) => void checks.push({ name, check }) });
  /** @type {{ name: string, error: unknown }[]} */
  const failures = [];
  for (const { name, check } of checks.filter(({ name }) => wanted.test(name))) await check().catch((error) => failures.push({ name, error }));
  return { names: checks.map(({ name }) => name), failures };
}

describe("the storage kit", () => {
  test("finds nothing wrong with a sound adapter, also one that answers at once instead of with promises (C7)", async () => {
    const { names, failures } = await run({ open: () => ({ storage: createMemoryStorage() }) });
    assert.deepEqual(failures, []);
    assert.ok(names.length > 35, `${names.length} checks`);
    assert.equal(new Set(names).size, names.length);
  });

  for (const { broken, found, storage } of BROKEN) {
    test(`finds the adapter that ${broken}`, async () => {
      const { failures } = await run({ open: () => ({ storage: storage() }) }, found);
      assert.ok(failures.length > 0);
      for (const { error } of failures) assert.ok(error instanceof Error && error.message !== "");
    });
  }

  test("finds the adapter that answers with nothing where its database is gone", async () => {
    let gone = false;
    const sound = createMemoryStorage();
    const storage = { ...sound, load: async (/** @type {number | string} */ uid) => (gone ? null : sound.load(uid)) };
    const breakDown = () => {
      gone = true;
      return () => void (gone = false);
    };
    const { failures } = await run({ breaks: true, open: () => ({ storage, breakDown }) }, /cannot be reached/);
    assert.match(String(failures.find(({ name }) => /cannot be reached/.test(name))?.error), /load.* did not reject/);
  });

  test("closes what it opened, also after a check that failed", async () => {
    let open = 0;
    const storage = { ...createMemoryStorage(), load: () => Promise.reject(new Error("broken")) };
    const { failures } = await run({
      open: () => {
        open += 1;
        return { storage, close: () => void (open -= 1) };
      },
    });
    assert.ok(failures.length > 5);
    assert.equal(open, 0);
  });

  test("runs the checks of a kind only where they are asked for, and says what is missing", async () => {
    const plain = await run({ open: () => ({ storage: createMemoryStorage() }) });
    const full = await run({ strict: true, outlives: true, processes: true, breaks: true, open: () => ({ storage: createMemoryStorage() }) });
    assert.ok(full.names.length > plain.names.length + 20);
    assert.deepEqual(full.failures.map(({ error }) => /gave no (\w+)/.exec(String(error))?.[1]).sort(), ["breakDown", "inProcess", "reopen"]);
  });
});
