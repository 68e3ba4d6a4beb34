/**
 * The pages a fresh site starts with: the site of a small school, mostly English, with a German section.
 *
 * @import { Kysely } from "kysely"
 * @import { SiteDatabase } from "./schema.js"
 *
 * @typedef {{ title: string, text: string, hidden?: true, language?: string, below?: SeedPage[] }} SeedPage
 */
import { insertedUid } from "../schema.js";
import { freeSlug, slugOf } from "./slug.js";

/** @type {SeedPage[]} */
const PAGES = [
  {
    title: "Home",
    text: "Welcome to Lindenfeld School. We are a small school at the edge of the old town, with 240 pupils in twelve classes and a garden that everybody looks after.",
  },
  {
    title: "Our school",
    text: "Lindenfeld School opened in 1954. Today children learn here in small groups, in the workshop, in the school garden and on many days out of doors.",
    below: [
      {
        title: "Team",
        text: "Head of school: Miriam Vogt. Deputy: Jonas Adeyemi. Office: Karin Lüders. 19 teachers, two social workers and our caretaker Emil Brandt make up the team.",
      },
      { title: "Opening hours", text: "The school office is open Monday to Friday from 7.30 to 12.30, on Thursday also from 14.00 to 16.00." },
      { title: "Old opening hours", text: "Monday to Thursday from 8.00 to 12.00. Closed on Friday.", hidden: true },
    ],
  },
  {
    title: "News",
    text: "What happens at our school, newest first.",
    below: [
      {
        title: "The new library room",
        text: "Since September our library has a room of its own on the first floor. It is open during both long breaks; older pupils look after the desk.",
      },
      { title: "Draft: winter timetable", text: "Lessons begin at 8.15 from November to February. The bus company still has to agree.", hidden: true },
    ],
  },
  {
    title: "Events",
    text: "Dates for families and friends of the school.",
    below: [
      {
        title: "Open day",
        text: "On the second Saturday in March all classrooms are open from 10.00 to 14.00. Guided tours start every half hour at the main entrance.",
      },
    ],
  },
  { title: "Contact", text: "Lindenfeld School, 7 Garden Lane, Lindenfeld. Telephone 0555 0142, office@lindenfeld.example. We answer within two school days." },
  { title: "Imprint", text: "Responsible for this site: Lindenfeld School, represented by the head of school, 7 Garden Lane, Lindenfeld." },
  {
    title: "Deutsch",
    language: "de",
    text: "Willkommen an der Lindenfeldschule. Auf diesen Seiten steht das Wichtigste auf Deutsch.",
    below: [
      { title: "Aktuelles", language: "de", text: "Die Bücherei hat jetzt einen eigenen Raum im ersten Stock. In beiden großen Pausen ist sie offen." },
      {
        title: "Öffnungszeiten",
        language: "de",
        text: "Das Sekretariat ist montags bis freitags von 7.30 bis 12.30 Uhr offen, donnerstags auch von 14 bis 16 Uhr.",
      },
      {
        title: "Kontakt",
        language: "de",
        text: "Lindenfeldschule, Gartenweg 7, Lindenfeld. Telefon 0555 0142, office@lindenfeld.example. Wir melden uns innerhalb von zwei Schultagen.",
      },
    ],
  },
];

/**
 * Inserts the pages if there is none yet.
 *
 * @param {Kysely<SiteDatabase>} trx a transaction that holds the write lock
 * @param {number} now Unix seconds
 * @returns {Promise<boolean>} false: the site was not empty
 */
export async function seedPages(trx, now) {
  if (await trx.selectFrom("site_page").select("uid").limit(1).executeTakeFirst()) return false;
  /** @type {string[]} */
  const slugs = [];
  /**
   * @param {SeedPage[]} pages
   * @param {number} parent
   */
  async function insert(pages, parent) {
    for (const { title, text, hidden, language = "en", below = [] } of pages) {
      const slug = freeSlug(slugOf(title), slugs);
      slugs.push(slug);
      const row = { parent, title, slug, hidden: hidden ? 1 : 0, text, language, updated_at: now };
      await insert(below, await insertedUid(trx, "site_page", row));
    }
  }
  await insert(PAGES, 0);
  return true;
}
