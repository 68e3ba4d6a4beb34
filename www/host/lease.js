/**
 * A lease: of all processes on one database, one holds it. A row in the database, moved by compare-and-swap, so that it works on every database. Nobody's
 * clock is compared with another's: who waits for the lease watches whether its version still moves, and takes it over when it has stood still for
 * longer than a living holder leaves it.
 */

/**
 * @typedef {object} Lease
 * @property {() => Promise<boolean>} acquire Takes or renews it; false: another process holds it.
 * @property {() => Promise<void>} release Gives it up, so that nobody has to wait until it counts as abandoned.
 *
 * @typedef {{ agent_lease: { name: string, holder: string, version: number } }} LeaseTables
 */

/**
 * @param {import("kysely").Kysely<any>} database
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.holder Unique among all processes.
 * @param {number} options.abandonedMs How long the version must have stood still; several times the interval at which a holder renews.
 * @param {() => number} [options.now] A monotonic clock, in milliseconds.
 * @returns {Lease}
 */
export function openLease(database, { name, holder, abandonedMs, now = () => performance.now() }) {
  /** @type {import("kysely").Kysely<LeaseTables>} */
  const db = database;
  /** What was seen last of another holder, and since when. @type {{ version: number, since: number } | null} */
  let watched = null;

  const read = () => db.selectFrom("agent_lease").select(["holder", "version"]).where("name", "=", name).executeTakeFirst();

  /** @param {number} version @param {string} to */
  async function move(version, to) {
    const { numUpdatedRows } = await db
      .updateTable("agent_lease")
      .set({ holder: to, version: version + 1 })
      .where("name", "=", name)
      .where("version", "=", version)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** The row is there before anybody holds it. Two processes may make it at once: the second meets the first one's. */
  async function create() {
    try {
      await db.insertInto("agent_lease").values({ name, holder: "", version: 0 }).execute();
    } catch (error) {
      if (!(await read())) throw error;
    }
  }

  return {
    async acquire() {
      let row = await read();
      if (!row) {
        await create();
        row = await read();
      }
      if (!row) return false;
      const version = Number(row.version);
      if (row.holder === holder || row.holder === "") return move(version, holder);
      if (watched?.version !== version) watched = { version, since: now() };
      return now() - watched.since >= abandonedMs && move(version, holder);
    },
    async release() {
      const row = await read();
      if (row?.holder === holder) await move(Number(row.version), "");
    },
  };
}
