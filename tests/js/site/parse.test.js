import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRequest } from "../../../www/host/rehearsal/parse.js";

/** @typedef {import("../../../www/host/rehearsal/types.js").Intent} Intent */

/** @type {(page: string, value: string) => Intent} */
const rename = (page, value) => ({ kind: "rename", readings: [{ page, value }] });
/** @type {(page: string, value: string) => Intent} */
const setText = (page, value) => ({ kind: "setText", readings: [{ page, value }] });
/** @type {(page: string, hidden: boolean) => Intent} */
const setHidden = (page, hidden) => ({ kind: "setHidden", page, hidden });
/** @type {(hidden: boolean | null, count?: boolean) => Intent} */
const list = (hidden, count = false) => ({ kind: "list", hidden, count });
/** @type {(title: string, rest?: Partial<Extract<Intent, { kind: "create" }>>) => Intent} */
const create = (title, rest = {}) => ({ kind: "create", title, topic: "", parent: "", text: "", ...rest });

/** @type {[string, "en" | "de", Intent][]} */
const REQUESTS = [
  ["Rename the page Team to About us", "en", rename("Team", "About us")],
  ["rename team to About us.", "en", rename("team", "About us")],
  ["Could you rename the Team page to 'About us', please?", "en", rename("Team", "About us")],
  ["Change the title of the page Team to “About us”", "en", rename("Team", "About us")],
  ["Change the title of Team to About us", "en", rename("Team", "About us")],
  ["Give the page Team the title About us", "en", rename("Team", "About us")],
  ["Hello, please rename „How to get here“ into «Directions»!", "en", rename("How to get here", "Directions")],
  ["Rename the page Kid's corner to Children’s corner", "en", rename("Kid's corner", "Children’s corner")],
  ['Rename the page "Way to us" to "Way in, and out"', "en", rename("Way to us", "Way in, and out")],
  [
    "Rename How to get here to Directions",
    "en",
    {
      kind: "rename",
      readings: [
        { page: "How", value: "get here to Directions" },
        { page: "How to get here", value: "Directions" },
      ],
    },
  ],
  ["Benenne die Seite Team in Über uns um", "de", rename("Team", "Über uns")],
  ["Benenne „Team“ um in „Über uns“!", "de", rename("Team", "Über uns")],
  ["Kannst du bitte die Seite Team in Über uns umbenennen?", "de", rename("Team", "Über uns")],
  ["Ändere den Titel der Seite »Team« zu «Über uns»", "de", rename("Team", "Über uns")],
  ["Könnten Sie den Titel der Seite Team auf Über uns ändern?", "de", rename("Team", "Über uns")],
  ["Gib der Seite Team den Titel Über uns", "de", rename("Team", "Über uns")],

  ["Which pages are hidden?", "en", list(true)],
  ["Show me all hidden pages", "en", list(true)],
  ["Are there any hidden pages?", "en", list(true)],
  ["Which pages are visible?", "en", list(false)],
  ["List all pages", "en", list(null)],
  ["How many pages are there?", "en", list(null, true)],
  ["How many pages are hidden?", "en", list(true, true)],
  ["Welche Seiten sind versteckt?", "de", list(true)],
  ["Zeige mir alle versteckten Seiten", "de", list(true)],
  ["Gibt es versteckte Seiten?", "de", list(true)],
  ["Liste alle Seiten auf", "de", list(null)],
  ["Wie viele Seiten gibt es?", "de", list(null, true)],
  ["Wie viele Seiten sind sichtbar?", "de", list(false, true)],

  ["Find pages about the library", "en", { kind: "find", query: "library" }],
  ["Which pages mention “open day”?", "en", { kind: "find", query: "open day" }],
  ["Is there a page Contact?", "en", { kind: "find", query: "Contact" }],
  ["Suche Seiten über die Bücherei", "de", { kind: "find", query: "Bücherei" }],
  ["Gibt es eine Seite Kontakt?", "de", { kind: "find", query: "Kontakt" }],

  ["Show me the page Contact", "en", { kind: "show", page: "Contact" }],
  ["What does the page Contact say?", "en", { kind: "show", page: "Contact" }],
  ["What is on the Contact page?", "en", { kind: "show", page: "Contact" }],
  ["Open “Contact”", "en", { kind: "show", page: "Contact" }],
  ["Was steht auf der Seite Kontakt?", "de", { kind: "show", page: "Kontakt" }],
  ["Zeig mir die Seite „Öffnungszeiten“ an", "de", { kind: "show", page: "Öffnungszeiten" }],
  ["Lies die Kontakt-Seite vor", "de", { kind: "show", page: "Kontakt" }],

  ["Create a page about our summer party", "en", create("Our summer party", { topic: "our summer party" })],
  ["Please create a new page about the summer party below News.", "en", create("Summer party", { topic: "the summer party", parent: "News" })],
  ['Create a page called "Parents to help" under Events', "en", create("Parents to help", { parent: "Events" })],
  ["Add a page “Menu” with the text: Soup on Monday. Rice on Tuesday.", "en", create("Menu", { text: "Soup on Monday. Rice on Tuesday." })],
  ["Create a page below News about trees", "en", create("Trees", { topic: "trees", parent: "News" })],
  ["Create a page about trees with the text Oak\n\nAsh", "en", create("Trees", { topic: "trees", text: "Oak\n\nAsh" })],
  ["Lege eine Seite über unser Sommerfest an", "de", create("Unser Sommerfest", { topic: "unser Sommerfest" })],
  ["Lege bitte eine Seite zum Sommerfest unter Aktuelles an.", "de", create("Sommerfest", { topic: "Sommerfest", parent: "Aktuelles" })],
  ["Erstelle eine neue Seite mit dem Titel „Elternabend“ unter Aktuelles", "de", create("Elternabend", { parent: "Aktuelles" })],
  ["Kannst du eine Seite über das Sommerfest anlegen?", "de", create("Sommerfest", { topic: "das Sommerfest" })],

  ['Set the text of the page Contact to "Call us: 123."', "en", setText("Contact", "Call us: 123.")],
  ["Replace the text of Contact with Call us. Any time!", "en", setText("Contact", "Call us. Any time!")],
  ["Set the text of the page Contact to: One\nTwo", "en", setText("Contact", "One\nTwo")],
  ["Ersetze den Text der Seite Kontakt durch „Ruft an.“", "de", setText("Kontakt", "Ruft an.")],
  ["Ändere den Inhalt der Seite Kontakt in Ruft an!", "de", setText("Kontakt", "Ruft an!")],
  ["Kannst du den Text der Seite Kontakt durch „Ruft an.“ ersetzen?", "de", setText("Kontakt", "Ruft an.")],

  ["Hide the page Events", "en", setHidden("Events", true)],
  ["Make the page Events invisible", "en", setHidden("Events", true)],
  ["Show the page Events again", "en", setHidden("Events", false)],
  ["Publish Draft: winter timetable", "en", setHidden("Draft: winter timetable", false)],
  ["Verstecke die Seite Events bitte", "de", setHidden("Events", true)],
  ["Blende die Seite Events aus", "de", setHidden("Events", true)],
  ["Mach die Seite Events wieder sichtbar", "de", setHidden("Events", false)],
  ["Delete the page Old opening hours", "en", { kind: "delete", page: "Old opening hours" }],
  ["Lösche die Seite „Old opening hours“", "de", { kind: "delete", page: "Old opening hours" }],
  ["Könntest du die Seite Impressum löschen?", "de", { kind: "delete", page: "Impressum" }],

  ["Hello!", "en", { kind: "greeting" }],
  ["Guten Tag", "de", { kind: "greeting" }],
  ["Thank you very much!", "en", { kind: "thanks" }],
  ["Vielen Dank", "de", { kind: "thanks" }],
  ["What can you do?", "en", { kind: "help" }],
  ["Was kannst du?", "de", { kind: "help" }],
  ["What is the weather like?", "en", { kind: "unknown" }],
  ["Show me the weather", "en", { kind: "unknown" }],
  ["Rename the page Team", "en", { kind: "unknown" }],
  ["Wie wird das Wetter?", "de", { kind: "unknown" }],
  ["Übersetze mir das", "de", { kind: "unknown" }],
  ["", "en", { kind: "nothing" }],
  [" \n ", "en", { kind: "nothing" }],
  ["x".repeat(20_001), "en", { kind: "tooLong" }],
  // Lines about attached files follow the request (M6).
  ["Rename the page Team to About us\nFile: photo.png (uid 7)", "en", rename("Team", "About us")],
];

for (const [request, language, intent] of REQUESTS) {
  test(`${language} ${intent.kind}: ${JSON.stringify(request.slice(0, 80))}`, () => assert.deepEqual(parseRequest(request), { language, intent }));
}

const QUOTES = ["“Team”", "„Team“", "„Team”", "»Team«", "«Team»", '"Team"', "'Team'", "‘Team’", "‚Team‘", "‹Team›", "« Team »"];

test("every kind of quotation mark names a page in both languages", () => {
  for (const quoted of QUOTES) {
    assert.deepEqual(parseRequest(`Rename the page ${quoted} to ${quoted}`).intent, rename("Team", "Team"), quoted);
    assert.deepEqual(parseRequest(`Benenne die Seite ${quoted} in ${quoted} um.`).intent, rename("Team", "Team"), quoted);
  }
});

test("a request as long as it may be, made of words the patterns split at, is read like any other", () => {
  for (const piece of ["to ", "rename ", '"', " about ", " in ", "seite ", "with the text ", "please "]) {
    const long = `Rename the page ${piece.repeat(20_000)}`.slice(0, 20_000);
    assert.ok(["rename", "unknown"].includes(parseRequest(long).intent.kind), piece);
  }
});
