/**
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
 * @typedef {{ site_page: SitePageTable, site_call: SiteCallTable }} SiteDatabase
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

/** The name the site's records carry in tool results and events (`site_page:3`). */
export const PAGE_TABLE = "site_page";

/**
 * Creates what is missing; running it again changes nothing.
 *
 * @param {Kysely<SiteDatabase>} db
 */
export async function migrateSite(db) {
  await db.schema
    .createTable("site_page")
    .ifNotExists()
    .addColumn("uid", "integer", (column) => column.primaryKey().autoIncrement())
    .addColumn("parent", "integer", (column) => column.notNull())
    .addColumn("title", "varchar(255)", (column) => column.notNull())
    .addColumn("slug", "varchar(120)", (column) => column.notNull().unique())
    .addColumn("hidden", "integer", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .addColumn("language", "varchar(2)", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("site_page_parent").ifNotExists().on("site_page").column("parent").execute();
  await db.schema
    .createTable("site_call")
    .ifNotExists()
    .addColumn("call_key", "varchar(255)", (column) => column.primaryKey())
    .addColumn("result", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
}

/**
 * @param {Selectable<SitePageTable>} row
 * @returns {SitePage}
 */
export function pageOf(row) {
  const { uid, parent, title, slug, hidden, text, language, updated_at } = row;
  return { uid, parent, title, slug, hidden: hidden !== 0, text, language, updatedAt: updated_at };
}
