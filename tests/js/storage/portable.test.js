import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as kysely from "kysely";
import { createSqlStorage, listConversations } from "../../../pkg/storage/sql.js";
import { conversation, transcript } from "../../../pkg/testing/fixtures.js";

const DIALECTS = /** @type {const} */ ({
  sqlite: [kysely.SqliteAdapter, kysely.SqliteQueryCompiler, kysely.SqliteIntrospector],
  postgres: [kysely.PostgresAdapter, kysely.PostgresQueryCompiler, kysely.PostgresIntrospector],
  mysql: [kysely.MysqlAdapter, kysely.MysqlQueryCompiler, kysely.MysqlIntrospector],
});

/** What every select finds; 64-bit integers come as text from some drivers. */
const ROW = { uid: "1", message_count: "3", pending_input: null, view_context: null, activity: "[]" };

/** The swap that depends on the length of the stored transcript. */
const APPENDS = / and message_count = /;

/**
 * A database that notes the statements it is sent and answers as if each had met one row.
 *
 * @param {keyof typeof DIALECTS} dialect
 * @param {{ cut?: boolean }} [options] `cut`: more messages are stored than swaps keep
 */
function recorder(dialect, { cut = false } = {}) {
  const [Adapter, Compiler, Introspector] = DIALECTS[dialect];
  /** @type {string[]} */
  const statements = [];
  /** @type {import("kysely").DatabaseConnection} */
  const connection = {
    executeQuery: async ({ sql }) => {
      statements.push(sql.replaceAll('"', "").replaceAll("`", ""));
      const met = !(cut && APPENDS.test(String(statements.at(-1))));
      const rows = /^with/.test(sql) ? (met ? [ROW] : []) : /^select|returning/.test(sql) ? [ROW] : [];
      return { numAffectedRows: met ? 1n : 0n, insertId: 1n, rows: /** @type {never[]} */ (rows) };
    },
    streamQuery: () => {
      throw new Error("nothing is streamed");
    },
  };
  const note = (/** @type {string} */ word) => async () => void statements.push(word);
  const db = new kysely.Kysely({
    dialect: {
      createAdapter: () => new Adapter(),
      createQueryCompiler: () => new Compiler(),
      createIntrospector: (database) => new Introspector(database),
      createDriver: () => ({
        init: async () => {},
        destroy: async () => {},
        acquireConnection: async () => connection,
        releaseConnection: async () => {},
        beginTransaction: note("begin"),
        commitTransaction: note("commit"),
        rollbackTransaction: note("rollback"),
      }),
    },
  });
  return { db, statements };
}

/** @param {string} statement */
const shape = (statement) => statement.split(" ").slice(0, 3).join(" ");

for (const dialect of /** @type {(keyof typeof DIALECTS)[]} */ (Object.keys(DIALECTS))) {
  describe(`SQL for ${dialect}`, () => {
    const inOne = dialect === "postgres";

    test("a swap that cuts is one transaction that begins with the compare-and-swap (C1)", async () => {
      const { db, statements } = recorder(dialect, { cut: true });
      assert.equal(await createSqlStorage({ db }).swap(1, 0, { title: "x", messages: { keep: 2, append: transcript(2) } }), true);
      assert.deepEqual(statements.map(shape), [
        ...(inOne ? ["with swapped as", "begin"] : ["begin", "update agent_conversation set"]),
        "update agent_conversation set",
        "select message_count from",
        "delete from agent_message",
        "insert into agent_message",
        "update agent_conversation set",
        "commit",
      ]);
      assert.match(String(statements[2]), /where uid = \S+ and revision = \S+$/);
    });

    test("appending is one statement where the database can, and a transaction of two elsewhere; a swap of fields is one statement (C1)", async () => {
      const { db, statements } = recorder(dialect);
      await createSqlStorage({ db }).swap(1, 0, { messages: { keep: 3, append: transcript(1) } });
      assert.deepEqual(statements.map(shape), inOne ? ["with swapped as"] : ["begin", "update agent_conversation set", "insert into agent_message", "commit"]);
      const [swap] = statements.filter((statement) => APPENDS.test(statement));
      assert.match(String(swap), /where uid = \S+ and revision = \S+ and message_count = \S+/);
      statements.length = 0;
      await createSqlStorage({ db }).swap(1, 0, { title: "x" });
      await createSqlStorage({ db }).insert(conversation());
      assert.deepEqual(statements.map(shape), ["update agent_conversation set", "insert into agent_conversation"]);
    });

    test("only forms that every database has", async () => {
      const { db, statements } = recorder(dialect, { cut: true });
      const storage = createSqlStorage({ db });
      assert.equal(await storage.insert(conversation({ messages: transcript(2) })), 1);
      await storage.swap(1, 0, { messages: { keep: 2, append: transcript(2) } });
      await storage.touch(1, "c", 5, []);
      await storage.find({ statuses: ["processing"], owner: 7, archived: false, pinned: true, updatedBefore: 5, limit: 20 });
      await storage.remove(1, 0);
      await listConversations(db, { owners: [7], search: "100%", archived: false, limit: 5 });
      assert.ok(statements.length > 10);
      for (const statement of statements.filter((statement) => !/^with/.test(statement)))
        assert.doesNotMatch(statement, /for update|skip locked|on conflict|on duplicate|^(update|delete)\b.* returning/);
      assert.equal(
        statements.some((statement) => / returning /.test(statement)),
        dialect !== "mysql",
      );
    });
  });
}
