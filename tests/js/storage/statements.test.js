/** Compiled statements are kept, within a bound, and follow the schema. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Database from "better-sqlite3";
import { keepingStatements } from "../../../pkg/storage/sql/statements.js";

function opened() {
  const sqlite = keepingStatements(new Database(":memory:"));
  sqlite.exec("create table page (uid integer primary key, title text); insert into page values (1, 'Team'), (2, 'News')");
  return sqlite;
}

test("the same text is compiled once", () => {
  const sqlite = opened();
  const select = "select title from page where uid = ?";
  assert.equal(sqlite.prepare(select), sqlite.prepare(select));
  assert.deepEqual(
    [1, 2].map((uid) => sqlite.prepare(select).get(uid)),
    [{ title: "Team" }, { title: "News" }],
  );
});

test("a statement that is being read is not handed out again", () => {
  const sqlite = opened();
  const select = "select uid from page order by uid";
  const reading = sqlite.prepare(select).iterate();
  assert.deepEqual(reading.next().value, { uid: 1 });
  assert.deepEqual(sqlite.prepare(select).all(), [{ uid: 1 }, { uid: 2 }]);
  assert.deepEqual(reading.next().value, { uid: 2 });
  reading.return?.();
});

test("a kept statement sees a column that was added", () => {
  const sqlite = opened();
  const select = "select * from page where uid = 1";
  assert.deepEqual(sqlite.prepare(select).all(), [{ uid: 1, title: "Team" }]);
  sqlite.exec("alter table page add column slug text default 'team'");
  assert.deepEqual(sqlite.prepare(select).all(), [{ uid: 1, title: "Team", slug: "team" }]);
});

test("what is asked once does not stay for good, and a text that is none of SQL's is refused as before", () => {
  const sqlite = opened();
  const first = sqlite.prepare("select 0 as n");
  for (let n = 1; n <= 300; n += 1) sqlite.prepare(`select ${n} as n`);
  assert.notEqual(sqlite.prepare("select 0 as n"), first);
  assert.throws(() => sqlite.prepare("select from"), /syntax error/);
  assert.throws(() => sqlite.prepare("select from"), /syntax error/);
});
