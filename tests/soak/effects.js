/** An account of every change of a page, kept by the database itself: nothing of the host's own bookkeeping is trusted. */
import { sql } from "kysely";
import { markOf } from "./journal.js";

/** @typedef {import("kysely").Kysely<any>} Database */

const COLUMNS = "(op, page, title_before, title_after, text_before, text_after)";
const ON_UPDATE = "('update', new.uid, old.title, new.title, old.text, new.text)";
const ON_INSERT = "('insert', new.uid, '', new.title, '', new.text)";

/** @type {Record<import("agent-turn/storage/sql").SqlDialect, string[]>} */
const TRIGGERS = {
  sqlite: [
    "create table soak_effect (seq integer primary key autoincrement, op text, page integer, title_before text, title_after text, text_before text, text_after text)",
    `create trigger soak_update after update on site_page begin insert into soak_effect ${COLUMNS} values ${ON_UPDATE}; end`,
    `create trigger soak_insert after insert on site_page begin insert into soak_effect ${COLUMNS} values ${ON_INSERT}; end`,
  ],
  postgres: [
    "create table soak_effect (seq serial primary key, op text, page integer, title_before text, title_after text, text_before text, text_after text)",
    `create function soak_update() returns trigger language plpgsql as $$ begin insert into soak_effect ${COLUMNS} values ${ON_UPDATE}; return new; end $$`,
    `create function soak_insert() returns trigger language plpgsql as $$ begin insert into soak_effect ${COLUMNS} values ${ON_INSERT}; return new; end $$`,
    "create trigger soak_update after update on site_page for each row execute function soak_update()",
    "create trigger soak_insert after insert on site_page for each row execute function soak_insert()",
  ],
  mysql: [
    "create table soak_effect (seq integer auto_increment primary key, op varchar(16), page integer, title_before longtext, title_after longtext, text_before longtext, text_after longtext) character set utf8mb4",
    `create trigger soak_update after update on site_page for each row insert into soak_effect ${COLUMNS} values ${ON_UPDATE}`,
    `create trigger soak_insert after insert on site_page for each row insert into soak_effect ${COLUMNS} values ${ON_INSERT}`,
  ],
};

/** Begins the account. @param {Database} db @param {import("agent-turn/storage/sql").SqlDialect} dialect */
export async function watchEffects(db, dialect) {
  for (const statement of TRIGGERS[dialect]) await sql.raw(statement).execute(db);
}

/**
 * How often each write took place, by its key (`update:m7x`).
 *
 * @param {Database} db
 * @returns {Promise<Map<string, number>>}
 */
export async function effectsOf(db) {
  const rows = await db.selectFrom("soak_effect").selectAll().orderBy("seq").execute();
  /** @type {Map<string, number>} */
  const effects = new Map();
  for (const row of rows) {
    // Where nothing changed, the same write was carried out again.
    const mark = row.title_after === row.title_before && row.text_after !== row.text_before ? markOf(row.text_after) : markOf(row.title_after);
    const key = `${row.op}:${mark ?? `page ${row.page}`}`;
    effects.set(key, (effects.get(key) ?? 0) + 1);
  }
  return effects;
}
