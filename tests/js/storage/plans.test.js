/** With many conversations nothing that the host asks reads all of them, and nothing sorts more than a few: what the databases say of their plans. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSqlStorage, listConversations, migrate } from "../../../pkg/storage/sql.js";
import { DATABASE_KINDS } from "../../../scripts/databases.mjs";
import { queueOf } from "../../../www/host/queue.js";
import { emptyDatabase } from "./databases.js";
import { fill, MIDDLE } from "./many.js";

/**
 * @typedef {{ indexes: string[], scans: boolean, sorts: boolean }} Plan
 * @typedef {import("../../../pkg/storage/sql.js").OpenedDatabase} Opened
 */

/** How each database tells its plan: the statement before the query, and what the rows of the answer say. */
const READERS = {
  sqlite: {
    explain: "explain query plan",
    /** @param {any[]} rows @returns {Plan} */
    plan(rows) {
      const lines = rows.map(({ detail }) => detail);
      return {
        indexes: names(lines.join("\n")),
        scans: lines.some((line) => line.startsWith("SCAN")),
        sorts: lines.some((line) => line.includes("TEMP B-TREE")),
      };
    },
  },
  postgres: {
    explain: "explain",
    /** @param {any[]} rows @returns {Plan} */
    plan(rows) {
      const text = rows.map((row) => row["QUERY PLAN"]).join("\n");
      return { indexes: names(text), scans: text.includes("Seq Scan"), sorts: text.includes("Sort") };
    },
  },
  mysql: {
    explain: "explain",
    /** @param {any[]} rows @returns {Plan} */
    plan(rows) {
      return {
        indexes: names(rows.map(({ key }) => key).join("\n")),
        scans: rows.some(({ type }) => type === "ALL" || type === "index"),
        sorts: rows.some(({ Extra }) => Extra.includes("filesort")),
      };
    },
  },
};

/** The indexes a text names. @param {string} text */
const names = (text) => [...new Set(text.match(/agent_conversation_\w+/g))];

const QUEUE = "agent_conversation_queue";
const LIST = "agent_conversation_list";
const OWNER = "agent_conversation_owner_list";

/**
 * Each with the indexes that serve it. `some`: what the index finds may be sorted, since it is little: the rows of an owner or those that are busy.
 *
 * @type {[string, (of: { storage: import("../../../pkg/storage/sql.js").SqlStorage, db: Opened["db"] }) => Promise<unknown>, string[], "some" | "none"][]}
 */
const QUESTIONS = [
  ["an owner's list", ({ db }) => listConversations(db, { owners: [7], archived: false, limit: 200 }), [OWNER], "some"],
  ["the list of several owners", ({ db }) => listConversations(db, { owners: [7, 8, 9], archived: false, limit: 200 }), [OWNER], "some"],
  ["an owner's search", ({ db }) => listConversations(db, { owners: [7], search: "99", archived: false, limit: 200 }), [OWNER], "some"],
  ["everybody's list", ({ db }) => listConversations(db, { archived: false, limit: 200 }), [LIST], "none"],
  ["everybody's archive", ({ db }) => listConversations(db, { archived: true, limit: 200 }), [LIST], "none"],
  ["everybody's search", ({ db }) => listConversations(db, { search: "page", archived: false, limit: 200 }), [LIST], "none"],
  ["a consumer's look for work (C3)", async ({ storage }) => storage.find({ statuses: ["processing"], limit: 20 }), [QUEUE], "none"],
  ["a sleeping worker's look for work", ({ db }) => queueOf(db).waiting(4), [QUEUE], "none"],
  ["the length of the queue", ({ db }) => queueOf(db).state(), [QUEUE], "none"],
  ["stuck turns (G1)", async ({ storage }) => storage.find({ statuses: ["processing", "locked"], updatedBefore: MIDDLE, limit: 1000 }), [QUEUE], "some"],
  [
    "what is to be archived (G2)",
    async ({ storage }) => storage.find({ statuses: ["idle"], archived: false, pinned: false, updatedBefore: MIDDLE, limit: 1000 }),
    [LIST, QUEUE],
    "none",
  ],
  [
    "what is to be removed (G2)",
    async ({ storage }) => storage.find({ statuses: ["idle", "failed"], archived: true, pinned: false, updatedBefore: MIDDLE, limit: 1000 }),
    [LIST],
    "none",
  ],
  ["an owner's busy ones (N6)", async ({ storage }) => storage.find({ owner: 7, statuses: ["processing", "locked"], limit: 3 }), [OWNER, QUEUE], "some"],
];

/**
 * The plan of the one query that a question asks.
 *
 * @param {Opened} opened
 * @param {(typeof QUESTIONS)[number][1]} ask
 */
async function planOf({ db, dialect }, ask) {
  /** @type {import("kysely").RootOperationNode[]} */
  const asked = [];
  const noting = db.withPlugin({
    transformQuery({ node }) {
      asked.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await ask({ db: noting, storage: createSqlStorage({ db: noting, dialect }) });
  assert.equal(asked.length, 1);
  const query = db.getExecutor().compileQuery(/** @type {import("kysely").RootOperationNode} */ (asked[0]), { queryId: "plan" });
  const { explain, plan } = READERS[dialect];
  const { rows } = await db.executeQuery({ ...query, sql: `${explain} ${query.sql}` });
  return plan(rows);
}

for (const kind of DATABASE_KINDS) {
  describe(`plans of ${kind}`, () => {
    test("go by index", async (t) => {
      const opened = await (await emptyDatabase(t, kind)).open();
      await migrate(opened.db);
      await fill(opened.db, opened.dialect);
      for (const [name, ask, indexes, sorted] of QUESTIONS) {
        const plan = await planOf(opened, ask);
        const told = `${name}: ${JSON.stringify(plan)}`;
        assert.equal(plan.scans, false, told);
        assert.ok(plan.indexes.length > 0 && plan.indexes.every((index) => indexes.includes(index)), told);
        if (sorted === "none") assert.equal(plan.sorts, false, told);
      }
    });
  });
}
