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

/**
 * A database that notes the statements it is sent and answers as if each had met one row.
 *
 * @param {keyof typeof DIALECTS} dialect
 */
function recorder(dialect) {
  const [Adapter, Compiler, Introspector] = DIALECTS[dialect];
  /** @type {string[]} */
  const statements = [];
  /** @type {import("kysely").DatabaseConnection} */
  const connection = {
    executeQuery: async ({ sql }) => {
      statements.push(sql.replaceAll('"', "").replaceAll("`", ""));
      return { numAffectedRows: 1n, insertId: 1n, rows: /** @type {never[]} */ (/** @type {unknown} */ (/^select|returning/.test(sql) ? [ROW] : [])) };
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

for (const dialect of /** @type {(keyof typeof DIALECTS)[]} */ (Object.keys(DIALECTS))) {
  describe(`SQL for ${dialect}`, () => {
    test("a swap with messages is one transaction that begins with the compare-and-swap (C1)", async () => {
      const { db, statements } = recorder(dialect);
      assert.equal(await createSqlStorage({ db }).swap(1, 0, { title: "x", messages: { keep: 2, append: transcript(2) } }), true);
      const shapes = statements.map((statement) => statement.split(" ").slice(0, 3).join(" "));
      assert.deepEqual(shapes, [
        "begin",
        "update agent_conversation set",
        "select message_count from",
        "delete from agent_message",
        "insert into agent_message",
        "update agent_conversation set",
        "commit",
      ]);
      assert.match(String(statements[1]), /where uid = \S+ and revision = \S+$/);
    });

    test("appending deletes nothing, a swap of fields is one statement", async () => {
      const { db, statements } = recorder(dialect);
      await createSqlStorage({ db }).swap(1, 0, { messages: { keep: 3, append: transcript(1) } });
      await createSqlStorage({ db }).swap(1, 0, { title: "x" });
      assert.deepEqual(
        statements.filter((statement) => statement.startsWith("delete")),
        [],
      );
      assert.equal(statements.slice(statements.indexOf("commit") + 1).length, 1);
    });

    test("only forms that every database has", async () => {
      const { db, statements } = recorder(dialect);
      const storage = createSqlStorage({ db });
      assert.equal(await storage.insert(conversation({ messages: transcript(2) })), 1);
      await storage.swap(1, 0, { messages: { keep: 2, append: transcript(2) } });
      await storage.touch(1, "c", 5, []);
      await storage.find({ statuses: ["processing"], owner: 7, archived: false, pinned: true, updatedBefore: 5, limit: 20 });
      await storage.remove(1, 0);
      await listConversations(db, { owners: [7], search: "100%", archived: false, limit: 5 });
      assert.ok(statements.length > 10);
      for (const statement of statements) assert.doesNotMatch(statement, /for update|skip locked|on conflict|on duplicate|^(update|delete)\b.* returning/);
      assert.equal(
        statements.some((statement) => / returning /.test(statement)),
        dialect !== "mysql",
      );
    });
  });
}
