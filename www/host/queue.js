/** What waits for a consumer, by the index that consumers look for work with. */

/** @typedef {import("agent-turn/storage/sql").AgentTables} AgentTables */

/** @param {import("kysely").Kysely<AgentTables>} db */
export function queueOf(db) {
  return {
    /** How many conversations wait, counted up to `limit`. @param {number} limit @returns {Promise<number>} */
    async waiting(limit) {
      const rows = await db.selectFrom("agent_conversation").select("uid").where("status", "=", "processing").limit(limit).execute();
      return rows.length;
    },
    /** @returns {Promise<import("./metrics.js").QueueState>} */
    async state() {
      const { length, oldest } = await db
        .selectFrom("agent_conversation")
        .select((select) => [select.fn.countAll().as("length"), select.fn.min("updated_at").as("oldest")])
        .where("status", "=", "processing")
        .executeTakeFirstOrThrow();
      // Times are stored in whole seconds, by processes whose clocks may differ.
      const ageSeconds = oldest === null ? 0 : Math.max(0, Math.floor(Date.now() / 1000) - Number(oldest));
      return { length: Number(length), ageSeconds };
    },
  };
}
