/**
 * @import { SitePage } from "./schema.js"
 */

/** @param {string} text */
const folded = (text) => text.normalize("NFKC").toLowerCase();

/**
 * How well a page fits, 0: not at all. A title that is the query comes before one that begins with it, contains it, and before a text that does.
 *
 * @param {SitePage} page
 * @param {string} query folded
 * @returns {number}
 */
function fit(page, query) {
  const title = folded(page.title);
  if (title === query) return 4;
  if (title.startsWith(query)) return 3;
  if (title.includes(query) || page.slug === query) return 2;
  return folded(page.text).includes(query) ? 1 : 0;
}

/**
 * The pages that contain the query in title, slug or text, best first. Letters compare after Unicode folding, which SQLite's own LIKE does for ASCII only;
 * the site is small enough to be read whole.
 *
 * @param {SitePage[]} pages
 * @param {string} query
 * @returns {SitePage[]}
 */
export function searchPages(pages, query) {
  const wanted = folded(query);
  return pages
    .map((page) => ({ page, fit: fit(page, wanted) }))
    .filter((hit) => hit.fit > 0)
    .sort((a, b) => b.fit - a.fit || a.page.uid - b.page.uid)
    .map((hit) => hit.page);
}
