/**
 * The tables of the site.
 *
 * @import { Generated, Kysely, Selectable } from "kysely"
 *
 * @typedef {object} SitePageTable
 * @property {Generated<number>} uid never used a second time
 * @property {number} parent uid of the page above, 0: top level
 * @property {string} title
 * @property {string} slug unique in the site
 * @property {number} hidden 0 or 1
 * @property {string} text
 * @property {string} language ISO 639-1
 * @property {number} updated_at Unix seconds
 *
 * @typedef {object} SiteCallTable one row per carried out tool call, so that a call that is repeated after a crash takes effect once
 * @property {string} call_key
 * @property {string} result JSON
 * @property {number} created_at Unix seconds
 *
 * @typedef {{ uid: number, taken: number }} SiteLockTable one row; who has written it writes the site alone
 *
 * @typedef {{ site_page: SitePageTable, site_call: SiteCallTable, site_lock: SiteLockTable }} SiteDatabase
 *
 * @typedef {object} SitePage
 * @property {number} uid
 * @property {number} parent uid of the page above, 0: top level
 * @property {string} title
 * @property {string} slug
 * @property {boolean} hidden
 * @property {string} text
 * @property {string} language
 * @property {number} updatedAt Unix seconds
 */
import { MysqlAdapter } from "kysely";
import { columnTypes, runMigrations } from "../schema.js";

/** The name the site's records carry in tool results and events (`site_page:3`). */
export const PAGE_TABLE = "site_page";

/** @type {Record<string, import("kysely").Migration>} */
const MIGRATIONS = {
  "001_pages": {
    // Databases of before these migrations have the tables already.
    async up(db) {
      const { key, word, text } = columnTypes(db);
      await db.schema
        .createTable("site_page")
        .ifNotExists()
        .addColumn("uid", key)
        .addColumn("parent", "integer", (column) => column.notNull())
        .addColumn("title", text, (column) => column.notNull())
        .addColumn("slug", word, (column) => column.notNull().unique())
        .addColumn("hidden", "integer", (column) => column.notNull())
        .addColumn("text", text, (column) => column.notNull())
        .addColumn("language", word, (column) => column.notNull())
        .addColumn("updated_at", "bigint", (column) => column.notNull())
        .execute();
      const index = db.schema.createIndex("site_page_parent").on("site_page").column("parent");
      // MySQL does not know IF NOT EXISTS for an index; there the migration lock keeps a second process out.
      await (db.getExecutor().adapter instanceof MysqlAdapter ? index : index.ifNotExists()).execute();
      await db.schema
        .createTable("site_call")
        .ifNotExists()
        .addColumn("call_key", word, (column) => column.notNull().primaryKey())
        .addColumn("result", text, (column) => column.notNull())
        .addColumn("created_at", "bigint", (column) => column.notNull())
        .execute();
      await db.schema
        .createTable("site_lock")
        .ifNotExists()
        .addColumn("uid", "integer", (column) => column.notNull().primaryKey())
        .addColumn("taken", "bigint", (column) => column.notNull())
        .execute();
      if (!(await db.selectFrom("site_lock").select("uid").executeTakeFirst())) await db.insertInto("site_lock").values({ uid: 1, taken: 0 }).execute();
    },
  },
};

/**
 * Creates what is missing; running it again changes nothing.
 *
 * @param {Kysely<SiteDatabase>} db
 */
export const migrateSite = (db) => runMigrations(db, "site_migration", MIGRATIONS);

/**
 * @param {Selectable<SitePageTable>} row
 * @returns {SitePage}
 */
export function pageOf(row) {
  const { uid, parent, title, slug, hidden, text, language, updated_at } = row;
  return { uid, parent, title, slug, hidden: hidden !== 0, text, language, updatedAt: Number(updated_at) };
}
