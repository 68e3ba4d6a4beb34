/**
 * What stands in for a model: it understands three sentences.
 *
 * @typedef {object} Plan
 * @property {string} text the answer where nothing else is to be done
 * @property {boolean} slow
 * @property {import("./site.js").Call} [call]
 * @property {{ schema: { [key: string]: import("agent-turn").Json }, notes: { [name: string]: string } }} [question]
 */

const HELP = "I can rename a page (“Rename Team to About us”), create one (“Create a page about bees”) and count them (“How many pages are there?”).";

/**
 * @param {string} said
 * @param {Pick<import("./site.js").Site, "pages" | "find">} site
 * @returns {Plan}
 */
export function plan(said, site) {
  const slow = /\bslowly\b/i.test(said);
  const text = said.replace(/\s*\bslowly\b/i, "").trim();
  const rename = /^rename (?:the page )?(.+?) to (.+?)[.!]?$/i.exec(text);
  if (rename) {
    const page = site.find(rename[1] ?? "");
    if (page === null) return { text: `There is no page ${rename[1]}.`, slow };
    return { text: "", slow, call: { name: "rename_page", arguments: { uid: Number(page.uid), title: rename[2] ?? "" } } };
  }
  const create = /^create a page about (.+?)[.!]?$/i.exec(text);
  if (create) return { text: "", slow, question: { schema: placeQuestion(site), notes: { title: capital(create[1] ?? "") } } };
  if (/how many/i.test(text)) return { text: `There are ${site.pages().length} pages.`, slow };
  return { text: HELP, slow };
}

/** @param {Pick<import("./site.js").Site, "pages">} site */
function placeQuestion(site) {
  const parents = site.pages().map(({ uid, title }) => ({ const: Number(uid), title }));
  return { type: "object", title: "Below which page?", required: ["parent"], properties: { parent: { oneOf: parents } } };
}

const capital = (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1);
