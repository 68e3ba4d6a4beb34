/**
 * The small real site the chat works on: pages in a tree, in the chat's own database file.
 *
 * @import { Kysely } from "kysely"
 * @import { SiteDatabase, SitePage } from "./schema.js"
 * @import { SiteWriter } from "./writer.js"
 *
 * @typedef {object} Site
 * @property {() => Promise<void>} migrate creates the tables that are missing
 * @property {() => Promise<boolean>} seed fills an empty site; false: there were pages already
 * @property {(filter?: { hidden?: boolean }) => Promise<SitePage[]>} list every page, ordered by uid
 * @property {(query: string) => Promise<SitePage[]>} search pages with the query in title, slug or text, best first
 * @property {(uid: number | string) => Promise<SitePage>} read
 * @property {(uid: number | string) => Promise<number>} children number of pages directly below
 * @property {SiteWriter["update"]} update a new title gives a new slug
 * @property {SiteWriter["createDraft"]} createDraft a hidden page; its language is the parent's unless given
 * @property {SiteWriter["setHidden"]} setHidden
 * @property {SiteWriter["remove"]} remove returns the page as it was; refused (`pageHasChildren`) while pages are below it
 * @property {<T>(callKey: string, effect: (writer: SiteWriter) => Promise<T>) => Promise<T>} once carries the effect out at most once per key
 */
import { SiteError } from "./errors.js";
import { checkHidden, checkQuery, checkUid } from "./input.js";
import { migrateSite, pageOf } from "./schema.js";
import { searchPages } from "./search.js";
import { seedPages } from "./seed.js";
import { countChildren, lockForWriting, readPage, siteWriter } from "./writer.js";

/**
 * Opens the site in a database. Every method that refuses throws `SiteError` with a code and has written nothing.
 *
 * @template DB
 * @param {Kysely<DB>} database the chat's own handle; the site only touches its tables `site_page` and `site_call`
 * @param {{ now?: () => number }} [options] `now`: Unix milliseconds, default `Date.now`
 * @returns {Site}
 */
export function openSite(database, { now = Date.now } = {}) {
  const db = /** @type {Kysely<SiteDatabase>} */ (/** @type {unknown} */ (database));
  const seconds = () => Math.floor(now() / 1000);

  /**
   * @template T
   * @param {(writer: SiteWriter, trx: Kysely<SiteDatabase>) => Promise<T>} effect
   * @returns {Promise<T>}
   */
  const write = (effect) =>
    db.transaction().execute(async (trx) => {
      await lockForWriting(trx);
      return effect(siteWriter(trx, seconds()), trx);
    });

  /** @param {{ hidden?: boolean }} [filter] */
  async function list({ hidden } = {}) {
    let rows = db.selectFrom("site_page").selectAll().orderBy("uid");
    if (hidden !== undefined) rows = rows.where("hidden", "=", checkHidden(hidden) ? 1 : 0);
    return (await rows.execute()).map(pageOf);
  }

  return {
    migrate: () => migrateSite(db),
    seed: () => write((_, trx) => seedPages(trx, seconds())),
    list,
    search: async (query) => {
      const wanted = checkQuery(query);
      return searchPages(await list(), wanted);
    },
    read: async (uid) => readPage(db, checkUid(uid)),
    children: async (uid) => countChildren(db, checkUid(uid)),
    update: (uid, change) => write((writer) => writer.update(uid, change)),
    createDraft: (draft) => write((writer) => writer.createDraft(draft)),
    setHidden: (uid, hidden) => write((writer) => writer.setHidden(uid, hidden)),
    remove: (uid) => write((writer) => writer.remove(uid)),

    /**
     * The effect and the note that it happened are one transaction: a tool call that is carried out again (the process died between the write and the
     * moment the run noted it) gets the stored result and writes nothing.
     */
    once: async (callKey, effect) => {
      if (typeof callKey !== "string" || callKey === "" || callKey.length > 255) throw new SiteError("callKeyInvalid", "A call key has 1 to 255 characters.");
      return write(async (writer, trx) => {
        const earlier = await trx.selectFrom("site_call").select("result").where("call_key", "=", callKey).executeTakeFirst();
        if (earlier) return JSON.parse(earlier.result);
        const result = await effect(writer);
        await trx
          .insertInto("site_call")
          .values({ call_key: callKey, result: JSON.stringify(result), created_at: seconds() })
          .execute();
        return result;
      });
    },
  };
}
