/**
 * What the card of a pending change shows. The runtime compares these lines again before it carries the change out (O7), so they hold all of what the
 * change replaces: nothing is shortened here.
 *
 * @import { Site } from "./site.js"
 * @import { SitePage } from "./schema.js"
 * @import { Words } from "./words.js"
 *
 * @typedef {{ lines: string[], target?: { table: string, uid: number, title: string } }} Preview
 */
import { PAGE_TABLE } from "./schema.js";

/** @param {string} text */
const characters = (text) => [...text].length;

/** @param {SitePage} page */
const targetOf = (page) => ({ table: PAGE_TABLE, uid: page.uid, title: page.title });

/**
 * @param {string} caption
 * @param {string} text
 * @param {Words} words
 * @returns {string[]} one line per line of the text, the caption before the first
 */
function captioned(caption, text, words) {
  const [first, ...rest] = (text === "" ? words.empty : text).split("\n");
  return [`${caption}: ${first}`, ...rest];
}

/**
 * @param {Site} site
 * @param {Words} words
 */
export function previewsFor(site, words) {
  return {
    /**
     * @param {{ uid: number, title?: string, text?: string }} input
     * @returns {Promise<Preview>}
     */
    async update({ uid, title, text }) {
      const page = await site.read(uid);
      const lines = title === undefined ? [`${words.page}: ${page.title}`] : [`${words.title}: ${page.title} → ${title}`];
      if (text !== undefined) {
        lines.push(...captioned(words.textNow(characters(page.text)), page.text, words));
        lines.push(...captioned(words.textProposed(characters(text)), text, words));
      }
      return { lines, target: targetOf(page) };
    },

    /**
     * @param {{ parent: number, title: string, text?: string }} input
     * @returns {Promise<Preview>} without a target: the record does not exist yet
     */
    async createDraft({ parent, title, text = "" }) {
      const above = parent === 0 ? words.topLevel : (await site.read(parent)).title;
      const lines = [`${words.below}: ${above}`, `${words.title}: ${title}`, ...captioned(words.textProposed(characters(text)), text, words)];
      return { lines: [...lines, `${words.hidden}: ${words.yes}`] };
    },

    /**
     * @param {{ uid: number, hidden: boolean }} input
     * @returns {Promise<Preview>}
     */
    async setHidden({ uid, hidden }) {
      const page = await site.read(uid);
      const [now, then] = [page.hidden, hidden].map((value) => (value ? words.yes : words.no));
      return { lines: [`${words.page}: ${page.title}`, `${words.hidden}: ${now} → ${then}`], target: targetOf(page) };
    },

    /**
     * @param {{ uid: number }} input
     * @returns {Promise<Preview>}
     */
    async remove({ uid }) {
      const page = await site.read(uid);
      const children = await site.children(uid);
      const lines = [`${words.title}: ${page.title}`, words.textLost(characters(page.text))];
      if (children > 0) lines.push(words.children(children));
      return { lines, target: targetOf(page) };
    },
  };
}
