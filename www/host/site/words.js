/**
 * What a card says about a change of the site, per language.
 *
 * @typedef {"en" | "de"} Locale
 * @typedef {typeof ENGLISH} Words
 */
const ENGLISH = {
  rename: "Rename page",
  changeText: "Change page text",
  changePage: "Change page",
  createDraft: "Create hidden page",
  hide: "Hide page",
  show: "Show page",
  delete: "Delete page",
  page: "Page",
  title: "Title",
  below: "Below",
  topLevel: "top level",
  hidden: "Hidden",
  yes: "yes",
  no: "no",
  empty: "(empty)",
  /** @param {number} count */
  textNow: (count) => `Text now (${count} characters)`,
  /** @param {number} count */
  textProposed: (count) => `Proposed text (${count} characters)`,
  /** @param {number} count */
  textLost: (count) => `Text that goes with it: ${count} characters`,
  /** @param {number} count */
  children: (count) => `Pages below it: ${count}; it cannot be deleted before those are`,
};

/** @type {Words} */
const GERMAN = {
  rename: "Seite umbenennen",
  changeText: "Seitentext ändern",
  changePage: "Seite ändern",
  createDraft: "Versteckte Seite anlegen",
  hide: "Seite verstecken",
  show: "Seite sichtbar machen",
  delete: "Seite löschen",
  page: "Seite",
  title: "Titel",
  below: "Unter",
  topLevel: "oberste Ebene",
  hidden: "Versteckt",
  yes: "ja",
  no: "nein",
  empty: "(leer)",
  textNow: (count) => `Text jetzt (${count} Zeichen)`,
  textProposed: (count) => `Vorgeschlagener Text (${count} Zeichen)`,
  textLost: (count) => `Text, der mit verschwindet: ${count} Zeichen`,
  children: (count) => `Seiten darunter: ${count}; vorher kann sie nicht gelöscht werden`,
};

/**
 * @param {string} locale a language tag; everything but German reads English
 * @returns {Words}
 */
export function wordsFor(locale) {
  return /^de\b/i.test(locale) ? GERMAN : ENGLISH;
}
