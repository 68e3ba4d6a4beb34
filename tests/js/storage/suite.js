import { afterEach, beforeEach, describe } from "node:test";
import { conversationTests } from "./suite/conversations.js";
import { faultTests } from "./suite/faults.js";
import { queryTests } from "./suite/queries.js";
import { processRaceTests, raceTests, reopenTests } from "./suite/races.js";
import { swapTests } from "./suite/swaps.js";

/**
 * @typedef {import("../../../pkg/index.js").Storage} Storage
 * @typedef {object} StorageSuiteOptions
 * @property {string} name how the adapter is called in the report
 * @property {() => Storage | Promise<Storage>} create an empty store; called before every test
 * @property {(storage: Storage) => void | Promise<void>} destroy closes what `create`, `connect` and `reopen` opened for this store, and removes it
 * @property {(storage: Storage) => Storage | Promise<Storage>} [connect] a second connection to the same store; without it, both sides of a race share one
 * @property {(storage: Storage) => Storage | Promise<Storage>} [reopen] closes the store and opens it again, for adapters that outlive their process
 * @property {(storage: Storage) => { module: string, options: unknown }} [fromProcess] for stores that several processes share: the URL of a module whose
 *   export `open(options)` gives `{ storage, close }` on the same store, and those options (JSON)
 */

/**
 * The promises of `Storage` (rules C1, C2, C5, C8, N9, W6), checked on an adapter of any kind. It registers tests with node:test; the optional functions
 * add the tests that need them.
 *
 * @param {StorageSuiteOptions} options
 */
export function storageSuite({ name, create, destroy, connect, reopen, fromProcess }) {
  describe(`storage: ${name}`, () => {
    /** @type {Storage} */
    let storage;
    beforeEach(async () => {
      storage = await create();
    });
    afterEach(() => destroy(storage));

    const current = () => storage;
    conversationTests(current);
    swapTests(current);
    queryTests(current);
    faultTests(current);
    raceTests(current, async () => (connect ? connect(storage) : storage));
    if (reopen) reopenTests(current, async () => reopen(storage));
    if (fromProcess) processRaceTests(current, () => fromProcess(storage));
  });
}
