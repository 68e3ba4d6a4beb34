/**
 * @import { Kysely } from "kysely"
 * @import { SiteDatabase, SitePage } from "./schema.js"
 *
 * @typedef {object} SiteWriter the writes of the site inside one transaction
 * @property {(uid: number | string, change: { title?: string, text?: string }) => Promise<SitePage>} update
 * @property {(draft: { parent: number | string, title: string, text?: string, language?: string }) => Promise<SitePage>} createDraft
 * @property {(uid: number | string, hidden: boolean) => Promise<SitePage>} setHidden
 * @property {(uid: number | string) => Promise<SitePage>} remove
 */
import { insertedUid } from "../schema.js";
import { SiteError } from "./errors.js";
import { checkHidden, checkLanguage, checkParent, checkText, checkTitle, checkUid } from "./input.js";
import { pageOf } from "./schema.js";
import { freeSlug, slugOf } from "./slug.js";

/**
 * Makes a transaction the only one that writes the site until it ends: free slugs and once-only calls are looked up before they are written. It is its first
 * statement, so that a transaction of SQLite never reads before it writes (which fails with SQLITE_BUSY_SNAPSHOT as soon as another process wrote in
 * between), and one of MariaDB sees what the one before it left.
 *
 * @param {Kysely<SiteDatabase>} trx
 */
export async function lockForWriting(trx) {
  await trx
    .updateTable("site_lock")
    .set(({ eb }) => ({ taken: eb("taken", "+", 1) }))
    .where("uid", "=", 1)
    .execute();
}

/**
 * @param {Kysely<SiteDatabase>} db
 * @param {number} uid
 * @returns {Promise<SitePage>}
 */
export async function readPage(db, uid) {
  const row = await db.selectFrom("site_page").selectAll().where("uid", "=", uid).executeTakeFirst();
  if (!row) throw new SiteError("pageNotFound", `There is no page with uid ${uid}.`);
  return pageOf(row);
}

/**
 * @param {Kysely<SiteDatabase>} db
 * @param {number} uid
 * @returns {Promise<number>} pages directly below
 */
export async function countChildren(db, uid) {
  const row = await db
    .selectFrom("site_page")
    .select((select) => select.fn.countAll().as("count"))
    .where("parent", "=", uid)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/**
 * @param {Kysely<SiteDatabase>} trx a transaction that holds the write lock (`lockForWriting`)
 * @param {number} now Unix seconds
 * @returns {SiteWriter}
 */
export function siteWriter(trx, now) {
  /**
   * @param {string} title
   * @param {number} exceptUid the page that is renamed may keep its own slug
   */
  async function slugFor(title, exceptUid) {
    const slug = slugOf(title);
    const rows = await trx.selectFrom("site_page").select("slug").where("uid", "!=", exceptUid).where("slug", "like", `${slug}%`).execute();
    return freeSlug(
      slug,
      rows.map((row) => row.slug),
    );
  }

  return {
    async update(uid, { title, text }) {
      const page = await readPage(trx, checkUid(uid));
      if (title === undefined && text === undefined) throw new SiteError("nothingToUpdate", "Neither a title nor a text was given.");
      const renamed = title === undefined ? {} : { title: checkTitle(title) };
      const slug = renamed.title === undefined || renamed.title === page.title ? {} : { slug: await slugFor(renamed.title, page.uid) };
      const rewritten = text === undefined ? {} : { text: checkText(text) };
      await trx
        .updateTable("site_page")
        .set({ ...renamed, ...slug, ...rewritten, updated_at: now })
        .where("uid", "=", page.uid)
        .execute();
      return readPage(trx, page.uid);
    },

    async createDraft({ parent, title, text = "", language }) {
      const above = checkParent(parent);
      const parentRow = above === 0 ? null : await trx.selectFrom("site_page").select("language").where("uid", "=", above).executeTakeFirst();
      if (parentRow === undefined) throw new SiteError("parentNotFound", `There is no page with uid ${above} to put the new page below.`);
      const checkedTitle = checkTitle(title);
      const values = {
        parent: above,
        title: checkedTitle,
        slug: await slugFor(checkedTitle, 0),
        hidden: 1,
        text: checkText(text),
        language: checkLanguage(language ?? parentRow?.language ?? "en"),
        updated_at: now,
      };
      return readPage(trx, await insertedUid(trx, "site_page", values));
    },

    async setHidden(uid, hidden) {
      const page = await readPage(trx, checkUid(uid));
      await trx
        .updateTable("site_page")
        .set({ hidden: checkHidden(hidden) ? 1 : 0, updated_at: now })
        .where("uid", "=", page.uid)
        .execute();
      return readPage(trx, page.uid);
    },

    async remove(uid) {
      const page = await readPage(trx, checkUid(uid));
      const children = await countChildren(trx, page.uid);
      if (children > 0) throw new SiteError("pageHasChildren", `The page ${page.uid} has ${children} pages below it; move or delete those first.`);
      await trx.deleteFrom("site_page").where("uid", "=", page.uid).execute();
      return page;
    },
  };
}
