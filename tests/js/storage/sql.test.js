// The storage kit on every database, each time with new connections to emptied tables.
import { fork } from "node:child_process";
import { once } from "node:events";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { migrate } from "../../../pkg/storage/sql.js";
import { storageKit } from "../../../pkg/testing/index.js";
import { DATABASE_KINDS } from "../../../scripts/databases.mjs";
import { emptyDatabase, forSuite } from "./databases.js";

/** @typedef {import("../../../pkg/testing/index.js").Claimed} Claimed */

const CLAIM_PROCESS = fileURLToPath(new URL("claim-process.js", import.meta.url));

for (const kind of DATABASE_KINDS) {
  describe(kind, () => {
    /** @type {Awaited<ReturnType<typeof emptyDatabase>>} */
    let database;
    /** @type {Awaited<ReturnType<typeof database.open>>} */
    let first;
    const suite = forSuite();
    before(async () => {
      database = await emptyDatabase(suite, kind);
      first = await database.open();
      await migrate(first.db);
    });

    storageKit({ it, name: kind, strict: true, outlives: true, processes: true, breaks: true, open: () => emptied(database, first) });
  });
}

/**
 * @param {Awaited<ReturnType<typeof emptyDatabase>>} database
 * @param {Awaited<ReturnType<Awaited<ReturnType<typeof emptyDatabase>>["open"]>>} first
 * @returns {Promise<import("../../../pkg/testing/index.js").OpenedStore>}
 */
async function emptied(database, { db, storage }) {
  for (const table of ["agent_message", "agent_conversation"]) await sql`delete from ${sql.table(table)}`.execute(db);
  /** @type {(() => Promise<void>)[]} */
  const closers = [];
  const connect = async () => {
    const opened = await database.open({ poolSize: 4 });
    closers.push(opened.close);
    return opened.storage;
  };
  return {
    storage,
    connect,
    reopen: connect,
    async breakDown() {
      await sql`alter table agent_conversation rename to hidden`.execute(db);
      return async () => void (await sql`alter table hidden rename to agent_conversation`.execute(db));
    },
    async inProcess(worker) {
      const child = fork(CLAIM_PROCESS, [database.url, worker]);
      /** @type {Claimed[]} */
      let claimed = [];
      child.once("message", (message) => {
        claimed = /** @type {Claimed[]} */ (message);
      });
      const [code] = await once(child, "exit");
      if (code !== 0) throw new Error(`the process of ${worker} ended with ${code}`);
      return claimed;
    },
    close: async () => void (await Promise.all(closers.map((close) => close()))),
  };
}
