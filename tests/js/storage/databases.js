// Empty databases of every kind for a test, put away when it ends, also when it fails.
import { after } from "node:test";
import { openDatabase } from "../../../pkg/storage/sql.js";
import { freshDatabase } from "../../../scripts/databases.mjs";

/**
 * @param {{ after(hook: () => Promise<void>): void }} t a test's context, or what `forSuite` gives
 * @param {import("../../../scripts/databases.mjs").DatabaseKind} kind
 */
export async function emptyDatabase(t, kind) {
  const { url, drop } = await freshDatabase(kind);
  /** @type {(() => Promise<void>)[]} */
  const closers = [];
  t.after(async () => {
    await Promise.all(closers.map((close) => close()));
    await drop();
  });
  return {
    kind,
    url,
    /** One more pool of connections. @param {import("../../../pkg/storage/sql.js").DatabaseOptions} [options] */
    async open(options) {
      const opened = await openDatabase(url, options);
      closers.push(opened.close);
      return opened;
    },
  };
}

/** For the databases that a suite shares: called while it is being described, since `after` in one of its hooks would belong to the hook. */
export function forSuite() {
  /** @type {(() => Promise<void>)[]} */
  const hooks = [];
  after(async () => {
    for (const hook of hooks.reverse()) await hook();
  });
  return { after: (/** @type {() => Promise<void>} */ hook) => void hooks.push(hook) };
}
