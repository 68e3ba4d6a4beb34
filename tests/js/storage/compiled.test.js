/** A query is written once for each of its shapes and gets the values of every call; a host's plugins still see every call. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { execute, whole } from "../../../pkg/storage/sql/compiled.js";
import { createSqlStorage, migrate, openSqlite } from "../../../pkg/storage/sql.js";
import { conversation } from "../../../pkg/testing/fixtures.js";
import { emptyDatabase } from "./databases.js";

/** @param {import("node:test").TestContext} t */
async function opened(t) {
  const { db, close } = openSqlite(":memory:");
  t.after(close);
  await migrate(db);
  return db;
}

/** Finds titles, and counts how often that query is written. @param {Awaited<ReturnType<typeof opened>>} database */
function finder(database) {
  const counted = {
    written: 0,
    /** @param {{ owners?: string[], archived?: number | null }} wanted @param {typeof database} [db] */
    async titles(wanted, db = database) {
      const { rows } = await execute(db, "titles", wanted, ({ owners, archived }) => {
        counted.written += 1;
        let select = db.selectFrom("agent_conversation").select("title").orderBy("uid");
        if (owners) select = select.where("owner", "in", owners);
        if (archived !== undefined) select = select.where("archived", "=", archived);
        return select;
      });
      return rows.map(({ title }) => title);
    },
  };
  return counted;
}

test("one writing serves all calls of a shape, also those inside a transaction", async (t) => {
  const db = await opened(t);
  const storage = createSqlStorage({ db });
  for (const owner of [1, 2, 3]) await storage.insert(conversation({ title: `of ${owner}`, owner, archived: owner === 3 }));
  const finds = finder(db);
  assert.deepEqual(await finds.titles({ owners: ["1"] }), ["of 1"]);
  assert.deepEqual(await finds.titles({ owners: ["2"] }), ["of 2"]);
  assert.deepEqual(await db.transaction().execute((trx) => finds.titles({ owners: ["3"] }, trx)), ["of 3"]);
  assert.equal(finds.written, 1);
});

test("another length of a list, an absent value and one that is present are other shapes; null is a value", async (t) => {
  const db = await opened(t);
  const storage = createSqlStorage({ db });
  for (const owner of [1, 2, 3]) await storage.insert(conversation({ title: `of ${owner}`, owner, archived: owner === 3 }));
  const finds = finder(db);
  assert.deepEqual(await finds.titles({ owners: ["1"] }), ["of 1"]);
  assert.deepEqual(await finds.titles({ owners: ["1", "3"] }), ["of 1", "of 3"]);
  assert.deepEqual(await finds.titles({ owners: ["1", "3"], archived: 1 }), ["of 3"]);
  assert.deepEqual(await finds.titles({ owners: ["1", "3"], archived: 0 }), ["of 1"]);
  assert.deepEqual(await finds.titles({ owners: ["1", "3"], archived: null }), []);
  assert.deepEqual(await finds.titles({ archived: 1 }), ["of 3"]);
  assert.deepEqual(await finds.titles({ owners: undefined, archived: undefined }), ["of 1", "of 2", "of 3"]);
  assert.equal(finds.written, 5);
});

test("a whole list is one parameter", async (t) => {
  const { db } = await (await emptyDatabase(t, "postgres")).open();
  for (const list of [["a"], ["b", "{c}"], []]) {
    const { rows } = await execute(db, "whole", { list: whole(list) }, ({ list }) => ({ compile: () => sql`select ${list}::text[] as list`.compile(db) }));
    assert.deepEqual(rows, [{ list }]);
  }
});

test("with a plugin of the host's every query is written for its own call", async (t) => {
  const db = await opened(t);
  const storage = createSqlStorage({ db });
  for (const owner of [1, 2]) await storage.insert(conversation({ title: `of ${owner}`, owner }));
  let calls = 0;
  const finds = finder(
    db.withPlugin({
      transformQuery({ node }) {
        calls += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
  );
  assert.deepEqual(await finds.titles({ owners: ["1"] }), ["of 1"]);
  assert.deepEqual(await finds.titles({ owners: ["2"] }), ["of 2"]);
  assert.deepEqual([calls, finds.written], [2, 2]);
});
