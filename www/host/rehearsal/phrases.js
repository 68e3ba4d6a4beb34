/**
 * What the model says, per language. Answers of turns that wrote nothing avoid the words by which a reader would take them for a change (V7).
 *
 * @import { Language, PageSummary } from "./types.js"
 *
 * @typedef {typeof ENGLISH} Phrases
 */

/**
 * @param {PageSummary[]} pages
 * @param {(page: PageSummary) => string} line
 */
const bullets = (pages, line) => pages.map((page) => `- ${line(page)}`).join("\n");

const ENGLISH = {
  topLevel: "At the top level",
  /** @param {string} name */
  lookUp: (name) => `I will look the page “${name}” up.`,
  unknownWrites: "An earlier run of this request broke off, and it is not known what it did; I check the site first.",
  readFirst: "I read the page first.",
  where: /** @param {string} title */ (title) => `Where should the page “${title}” go?`,
  which: /** @param {string} name */ (name) => `Several pages fit “${name}”. Which one do you mean?`,
  page: /** @param {PageSummary} page */ ({ title, slug, hidden }) => `“${title}” (/${slug}${hidden ? ", hidden" : ""})`,
  option: /** @param {PageSummary} page */ ({ title, slug }) => `${title} (/${slug})`,
  notFound: /** @param {string} name */ (name) => `I found no page called “${name}”.`,
  notFoundNow: /** @param {string} name */ (name) =>
    `I found no page called “${name}”. It is possible that the earlier run has dealt with it; please have a look at the site.`,
  /** @param {PageSummary[]} pages */
  similar: (pages) => `Its text has a hit on:\n${bullets(pages, ENGLISH.page)}`,
  sameTitle: /** @param {PageSummary} page */ ({ title }) => `The page is called “${title}” as it is; there is nothing to do.`,
  sameText: /** @param {PageSummary} page */ ({ title }) => `The page “${title}” has exactly this text; there is nothing to do.`,
  sameHidden: /** @param {PageSummary} page */ ({ title, hidden }) =>
    `The page “${title}” is ${hidden ? "hidden" : "visible"} as it is; there is nothing to do.`,
  hasChildren: /** @param {PageSummary} page @param {number} count */ ({ title }, count) =>
    `“${title}” has ${count === 1 ? "one page" : `${count} pages`} below it. A page can go only when nothing is below it, so I propose nothing.`,
  proposeTitle: /** @param {PageSummary} page @param {string} title */ (page, title) => `I found “${page.title}” and propose the title “${title}”.`,
  proposeText: /** @param {PageSummary} page */ (page) => `I propose the new text for “${page.title}”.`,
  proposeDraft: /** @param {string} title @param {string} parent */ (title, parent) =>
    `I propose the page “${title}”${parent ? ` below “${parent}”` : " at the top level"}, hidden for now.`,
  proposeHidden: /** @param {PageSummary} page @param {boolean} hidden */ (page, hidden) =>
    `I propose to ${hidden ? "hide" : "show"} the page “${page.title}”.`,
  proposeDelete: /** @param {PageSummary} page */ (page) => `I propose to delete the page “${page.title}”. A second person has to approve that.`,
  anotherTitle: /** @param {string} title */ (title) => `Another wording, then: “${title}”.`,
  renamed: /** @param {string} before @param {string} after @param {string} slug */ (before, after, slug) =>
    `Renamed: “${before}” is now called “${after}” (/${slug}).`,
  textReplaced: /** @param {string} title */ (title) => `The text of “${title}” is replaced.`,
  draftCreated: /** @param {string} title @param {string} slug */ (title, slug) =>
    `Created: the page “${title}” (/${slug}). It is hidden until somebody shows it.`,
  hiddenSet: /** @param {string} title @param {boolean} hidden */ (title, hidden) => `Updated: the page “${title}” is ${hidden ? "hidden" : "visible"} now.`,
  deleted: /** @param {string} title */ (title) => `Deleted: the page “${title}” is gone.`,
  leave: "All right, I leave everything as it is.",
  skipped: "Skipped. Everything stays as it is.",
  noVariant: "I have no other proposal, so everything stays as it is.",
  waiting: "That is still open; please decide first.",
  failed: /** @param {string} reason */ (reason) => `That did not work${reason ? `: ${reason}` : "."}`,
  toolMissing: /** @param {string} name */ (name) => `For that I need the tool \`${name}\`, and I cannot use it at this point.`,
  lost: "I took too many steps without getting anywhere, so I stop here.",
  alreadyWritten: /** @param {string[]} records @param {string} state */ (records, state) =>
    `An earlier run of this request has taken care of it: ${records.join(", ")}.${state ? ` ${state}` : ""} I will not do it a second time.`,
  stateNow: /** @param {PageSummary} page */ (page) => `The page is called ${ENGLISH.page(page)} now.`,
  pageExists: /** @param {PageSummary} page */ (page) =>
    `There is a page ${ENGLISH.page(page)}, most likely from the earlier run. I propose nothing, so that it does not happen twice.`,
  /** @param {PageSummary[]} pages @param {boolean | null} hidden */
  list: (pages, hidden) => {
    const what = hidden === null ? "on the site" : hidden ? "hidden" : "visible";
    if (pages.length === 0) return `No page is ${what}.`;
    return `${pages.length === 1 ? "One page is" : `${pages.length} pages are`} ${what}:\n${bullets(pages, ENGLISH.page)}`;
  },
  /** @param {PageSummary[]} pages @param {boolean | null} hidden */
  count: (pages, hidden) => {
    if (hidden !== null) return `${pages.length} ${pages.length === 1 ? "page is" : "pages are"} ${hidden ? "hidden" : "visible"}.`;
    return `There are ${pages.length} pages, ${pages.filter((page) => page.hidden).length} of them hidden.`;
  },
  /** @param {PageSummary[]} pages @param {string} query */
  found: (pages, query) => (pages.length === 0 ? `I found nothing for “${query}”.` : `These pages fit “${query}”:\n${bullets(pages, ENGLISH.page)}`),
  /** @param {PageSummary} page @param {string} text */
  content: (page, text) => `${ENGLISH.page(page)}:\n\n${text || "The page has no text."}`,
  /** @param {string} topic */
  draftText: (topic) => (topic ? `This page is about ${topic}. The details follow soon.` : ""),
  /** @param {string} title */
  variants: (title) => [`${title} at a glance`, `${title} – what you should know`, `All about: ${title}`],
  greeting: "Hello. I am the built-in rehearsal model: a small set of rules, no real AI. Say “help” to see what I understand.",
  thanks: "You are welcome.",
  nothing: "There is no request I could answer.",
  tooLong: "This message is too long for me.",
  unknown: "I do not understand that.",
  help: `I am the built-in rehearsal model: a small set of rules for trying this chat, no real AI. I understand requests about pages, in English and German:
- Which pages are hidden? How many pages are there?
- Find pages about the library
- Show me the page Contact
- Rename the page Team to About us
- Create a page about our summer party (below News)
- Set the text of the page Contact to "…"
- Hide the page Events, show the page Events again
- Delete the page Old opening hours

Whatever writes is shown to you first, and nothing happens before it is approved.`,
};

/** @type {Phrases} */
const GERMAN = {
  topLevel: "Auf der obersten Ebene",
  lookUp: (name) => `Ich suche die Seite „${name}“.`,
  unknownWrites: "Ein früherer Lauf dieser Anfrage ist abgebrochen, und es ist nicht bekannt, was er getan hat; ich sehe erst nach.",
  readFirst: "Ich lese die Seite erst.",
  where: (title) => `Wohin soll die Seite „${title}“?`,
  which: (name) => `Mehrere Seiten passen zu „${name}“. Welche ist gemeint?`,
  page: ({ title, slug, hidden }) => `„${title}“ (/${slug}${hidden ? ", versteckt" : ""})`,
  option: ({ title, slug }) => `${title} (/${slug})`,
  notFound: (name) => `Ich finde keine Seite namens „${name}“.`,
  notFoundNow: (name) => `Ich finde keine Seite namens „${name}“. Vielleicht hat sich schon der frühere Lauf darum gekümmert; bitte auf der Website nachsehen.`,
  similar: (pages) => `Im Text kommt es vor auf:\n${bullets(pages, GERMAN.page)}`,
  sameTitle: ({ title }) => `Die Seite heißt schon „${title}“; es gibt nichts zu tun.`,
  sameText: ({ title }) => `Die Seite „${title}“ hat genau diesen Text; es gibt nichts zu tun.`,
  sameHidden: ({ title, hidden }) => `Die Seite „${title}“ ist schon ${hidden ? "versteckt" : "sichtbar"}; es gibt nichts zu tun.`,
  hasChildren: ({ title }, count) =>
    `Unter „${title}“ ${count === 1 ? "liegt eine Seite" : `liegen ${count} Seiten`}. Eine Seite kann nur weg, wenn nichts darunter liegt, darum schlage ich nichts vor.`,
  proposeTitle: (page, title) => `Gefunden: „${page.title}“. Ich schlage den Titel „${title}“ vor.`,
  proposeText: (page) => `Ich schlage den neuen Text für „${page.title}“ vor.`,
  proposeDraft: (title, parent) => `Ich schlage die Seite „${title}“ ${parent ? `unter „${parent}“` : "auf der obersten Ebene"} vor, zunächst versteckt.`,
  proposeHidden: (page, hidden) => `Ich schlage vor, die Seite „${page.title}“ ${hidden ? "zu verstecken" : "sichtbar zu machen"}.`,
  proposeDelete: (page) => `Ich schlage vor, die Seite „${page.title}“ zu löschen. Das muss eine zweite Person freigeben.`,
  anotherTitle: (title) => `Dann ein anderer Wortlaut: „${title}“.`,
  renamed: (before, after, slug) => `Umbenannt: „${before}“ heißt jetzt „${after}“ (/${slug}).`,
  textReplaced: (title) => `Der Text von „${title}“ ist ersetzt.`,
  draftCreated: (title, slug) => `Angelegt: die Seite „${title}“ (/${slug}). Sie ist versteckt, bis jemand sie sichtbar macht.`,
  hiddenSet: (title, hidden) => `Geändert: die Seite „${title}“ ist jetzt ${hidden ? "versteckt" : "sichtbar"}.`,
  deleted: (title) => `Gelöscht: die Seite „${title}“ gibt es nicht mehr.`,
  leave: "Gut, ich lasse alles, wie es ist.",
  skipped: "Übersprungen. Alles bleibt, wie es ist.",
  noVariant: "Einen anderen Vorschlag habe ich nicht, also bleibt alles, wie es ist.",
  waiting: "Das ist noch offen; bitte erst entscheiden.",
  failed: (reason) => `Das hat nicht geklappt${reason ? `: ${reason}` : "."}`,
  toolMissing: (name) => `Dafür brauche ich das Werkzeug \`${name}\`, und das steht mir hier nicht zur Verfügung.`,
  lost: "Ich habe zu viele Schritte gebraucht, ohne voranzukommen, und höre hier auf.",
  alreadyWritten: (records, state) =>
    `Darum hat sich schon ein früherer Lauf dieser Anfrage gekümmert: ${records.join(", ")}.${state ? ` ${state}` : ""} Ich mache es nicht noch einmal.`,
  stateNow: (page) => `Die Seite heißt jetzt ${GERMAN.page(page)}.`,
  pageExists: (page) => `Es gibt eine Seite ${GERMAN.page(page)}, vermutlich aus dem früheren Lauf. Ich schlage nichts vor, damit es nicht doppelt geschieht.`,
  list: (pages, hidden) => {
    const what = hidden === null ? "gibt es" : hidden ? "versteckt" : "sichtbar";
    if (hidden === null) return pages.length === 0 ? "Es gibt keine Seiten." : `Es gibt ${pages.length} Seiten:\n${bullets(pages, GERMAN.page)}`;
    if (pages.length === 0) return `Keine Seite ist ${what}.`;
    return `${pages.length === 1 ? "Eine Seite ist" : `${pages.length} Seiten sind`} ${what}:\n${bullets(pages, GERMAN.page)}`;
  },
  count: (pages, hidden) => {
    if (hidden !== null) return `${pages.length} ${pages.length === 1 ? "Seite ist" : "Seiten sind"} ${hidden ? "versteckt" : "sichtbar"}.`;
    return `Es gibt ${pages.length} Seiten, ${pages.filter((page) => page.hidden).length} davon versteckt.`;
  },
  found: (pages, query) => (pages.length === 0 ? `Zu „${query}“ finde ich nichts.` : `Diese Seiten passen zu „${query}“:\n${bullets(pages, GERMAN.page)}`),
  content: (page, text) => `${GERMAN.page(page)}:\n\n${text || "Die Seite hat keinen Text."}`,
  draftText: (topic) => (topic ? `Hier geht es um ${topic}. Die Einzelheiten folgen in Kürze.` : ""),
  variants: (title) => [`${title} auf einen Blick`, `${title} – das Wichtigste`, `Alles über: ${title}`],
  greeting: "Hallo. Ich bin das eingebaute Probemodell: ein paar Regeln, keine echte KI. Mit „Hilfe“ sage ich, was ich verstehe.",
  thanks: "Gern geschehen.",
  nothing: "Da ist keine Anfrage, die ich beantworten könnte.",
  tooLong: "Diese Nachricht ist mir zu lang.",
  unknown: "Das verstehe ich nicht.",
  help: `Ich bin das eingebaute Probemodell: ein paar Regeln zum Ausprobieren dieses Chats, keine echte KI. Ich verstehe Anfragen zu Seiten, auf Deutsch und Englisch:
- Welche Seiten sind versteckt? Wie viele Seiten gibt es?
- Suche Seiten über die Bücherei
- Was steht auf der Seite Kontakt?
- Benenne die Seite Team in Über uns um
- Lege eine Seite über unser Sommerfest an (unter Aktuelles)
- Ersetze den Text der Seite Kontakt durch „…“
- Verstecke die Seite Events, mach die Seite Events sichtbar
- Lösche die Seite Old opening hours

Was schreibt, wird erst gezeigt, und ohne Freigabe geschieht nichts.`,
};

/**
 * @param {Language} language
 * @returns {Phrases}
 */
export function phrasesOf(language) {
  return language === "de" ? GERMAN : ENGLISH;
}
