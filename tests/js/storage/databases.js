// Empty databases of every kind for a test, put away when it ends, also when it fails.
import { openDatabase } from "../../../pkg/storage/sql.js";
import { freshDatabase } from "../../../scripts/databases.mjs";

/**
 * @param {Pick<import("node:test").TestContext, "after">} t a test's context, or `{ after }` of node:test for a whole file or suite
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
