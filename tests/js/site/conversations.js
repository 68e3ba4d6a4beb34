/** Conversations as prompts: what the rehearsal model is shown, and what it has to do next. */
import { assistant, called, denied, failed, page, user } from "./support.js";

const TEAM = page(3, "Team", { parent: 2 });
const NEWS = page(6, "News");
const PAGES = [
  page(1, "Home"),
  page(2, "Our school"),
  TEAM,
  NEWS,
  page(7, "Draft", { parent: 6, hidden: true }),
  page(10, "Hidden section", { hidden: true }),
  page(11, "In it", { parent: 10, hidden: true }),
  page(8, "Deutsch", { language: "de" }),
  page(9, "Aktuelles", { language: "de", parent: 8 }),
];
const LISTED = called("list_pages", {}, { total: PAGES.length, pages: PAGES });

/**
 * @param {string} query
 * @param {object[]} pages
 */
export const searched = (query, ...pages) => called("search_pages", { query }, { total: pages.length, pages });

const WHERE = {
  question: "Where should the page “Our summer party” go?",
  allowFreeText: true,
  options: [
    { value: 2, title: "Our school" },
    { value: 6, title: "News" },
    { value: 1, title: "Home" },
    { value: 3, title: "Team" },
    { value: 0, title: "At the top level" },
  ],
};
const WHERE_DE = {
  question: "Wohin soll die Seite „Unser Sommerfest“?",
  allowFreeText: true,
  options: [
    { value: 8, title: "Deutsch" },
    { value: 9, title: "Aktuelles" },
    { value: 0, title: "Auf der obersten Ebene" },
  ],
};
const DRAFT = { parent: 6, title: "Our summer party", text: "This page is about our summer party. The details follow soon." };
export const RENAME = user("Rename the page Team to About us");
const RENAME_DE = user("Benenne die Seite Team in Über uns um");
const CREATE = user("Create a page about our summer party");
const HOURS = [page(4, "Opening hours"), page(5, "Old opening hours", { hidden: true })];
const DELETE = user("Delete the page Draft");

/**
 * What the model is shown, and the call or the words it has to answer with.
 *
 * @type {[string, object[], { call: string, input: object, text?: RegExp } | { answer: RegExp }][]}
 */
export const CONVERSATIONS = [
  ["rename: looks the page up", [RENAME], { call: "search_pages", input: { query: "Team" }, text: /look the page “Team” up/ }],
  ["rename: proposes", [RENAME, ...searched("Team", TEAM)], { call: "update_page", input: { uid: 3, title: "About us" }, text: /“About us”/ }],
  [
    "rename: says that it is done",
    [RENAME, ...searched("Team", TEAM), ...called("update_page", { uid: 3, title: "About us" }, page(3, "About us"))],
    { answer: /^Renamed: “Team” is now called “About us” \(\/about-us\)/ },
  ],
  ["rename: declined", [RENAME, ...searched("Team", TEAM), ...denied("update_page", { uid: 3, title: "About us" })], { answer: /leave everything as it is/ }],
  ["rename: skipped", [RENAME, ...searched("Team", TEAM), ...denied("update_page", { uid: 3, title: "About us" }, "skip")], { answer: /^Skipped/ }],
  [
    "rename: another variant",
    [RENAME, ...searched("Team", TEAM), ...denied("update_page", { uid: 3, title: "About us" }, "variant")],
    { call: "update_page", input: { uid: 3, title: "About us at a glance" }, text: /Another wording/ },
  ],
  [
    "rename: a variant after a variant",
    [
      RENAME,
      ...searched("Team", TEAM),
      ...denied("update_page", { uid: 3, title: "About us" }, "variant"),
      ...denied("update_page", { uid: 3, title: "About us at a glance" }, "variant"),
    ],
    { call: "update_page", input: { uid: 3, title: "About us – what you should know" } },
  ],
  [
    "rename: no variant is left",
    [
      RENAME,
      ...searched("Team", TEAM),
      ...["About us", "About us at a glance", "About us – what you should know", "All about: About us"].flatMap((title) =>
        denied("update_page", { uid: 3, title }, "variant"),
      ),
    ],
    { answer: /no other proposal/ },
  ],
  [
    "rename: the site refuses",
    [RENAME, ...searched("Team", TEAM), ...failed("update_page", { uid: 3, title: "About us" }, "The tool update_page failed: no.")],
    { answer: /did not work: The tool update_page failed/ },
  ],
  ["rename: called that already", [RENAME, ...searched("Team", page(3, "About us", { slug: "team" }))], { answer: /there is nothing to do/ }],
  ["rename: no such page", [RENAME, ...searched("Team")], { answer: /no page called “Team”/ }],
  ["rename: only in a text", [RENAME, ...searched("Team", page(1, "Home"))], { answer: /no page called “Team”.*\n- “Home”/ }],
  [
    "rename: the only page whose title contains the name",
    [RENAME, ...searched("Team", page(4, "Our team"))],
    { call: "update_page", input: { uid: 4, title: "About us" } },
  ],
  ["rename: the exact title wins", [RENAME, ...searched("Team", page(4, "Our team"), TEAM)], { call: "update_page", input: { uid: 3, title: "About us" } }],
  ["umbenennen: sucht", [RENAME_DE], { call: "search_pages", input: { query: "Team" }, text: /suche die Seite „Team“/ }],
  [
    "umbenennen: schlägt vor",
    [RENAME_DE, ...searched("Team", TEAM)],
    { call: "update_page", input: { uid: 3, title: "Über uns" }, text: /schlage den Titel „Über uns“ vor/ },
  ],
  [
    "umbenennen: andere Variante",
    [RENAME_DE, ...searched("Team", TEAM), ...denied("update_page", { uid: 3, title: "Über uns" }, "variant")],
    { call: "update_page", input: { uid: 3, title: "Über uns auf einen Blick" } },
  ],
  ["umbenennen: abgelehnt", [RENAME_DE, ...searched("Team", TEAM), ...denied("update_page", { uid: 3, title: "Über uns" })], { answer: /ich lasse alles/ }],

  [
    "several pages: asks which",
    [user("Hide the page hours"), ...searched("hours", ...HOURS)],
    {
      call: "ask_choice",
      input: {
        question: "Several pages fit “hours”. Which one do you mean?",
        allowFreeText: false,
        options: [
          { value: 4, title: "Opening hours (/opening-hours)" },
          { value: 5, title: "Old opening hours (/old-opening-hours)" },
        ],
      },
    },
  ],
  [
    "several pages: goes on with the answer",
    [
      user("Show the page hours again"),
      ...searched("hours", ...HOURS),
      ...called(
        "ask_choice",
        {
          question: "Several pages fit “hours”. Which one do you mean?",
          allowFreeText: false,
          options: [
            { value: 4, title: "Opening hours (/opening-hours)" },
            { value: 5, title: "Old opening hours (/old-opening-hours)" },
          ],
        },
        { choice: 5 },
      ),
    ],
    { call: "set_page_hidden", input: { uid: 5, hidden: false } },
  ],
  [
    "a reading that names a page exactly wins",
    [user("Rename How to get here to Directions"), ...searched("How", page(8, "How to get here")), ...searched("How to get here", page(8, "How to get here"))],
    { call: "update_page", input: { uid: 8, title: "Directions" } },
  ],

  ["hidden pages: lists", [user("Which pages are hidden?")], { call: "list_pages", input: { hidden: true } }],
  [
    "hidden pages: answers",
    [user("Which pages are hidden?"), ...called("list_pages", { hidden: true }, { total: 1, pages: [PAGES[4]] })],
    { answer: /^One page is hidden:\n- “Draft” \(\/draft, hidden\)$/ },
  ],
  [
    "versteckte Seiten: keine",
    [user("Welche Seiten sind versteckt?"), ...called("list_pages", { hidden: true }, { total: 0, pages: [] })],
    { answer: /^Keine Seite ist versteckt\.$/ },
  ],
  ["counting", [user("How many pages are there?"), ...LISTED], { answer: /^There are 9 pages, 3 of them hidden\.$/ }],
  ["zählen", [user("Wie viele Seiten gibt es?"), ...LISTED], { answer: /^Es gibt 9 Seiten, 3 davon versteckt\.$/ }],
  ["finding", [user("Find pages about the library"), ...searched("library", page(1, "Home"))], { answer: /fit “library”:\n- “Home”/ }],
  ["reading: looks up", [user("Was steht auf der Seite Team?")], { call: "search_pages", input: { query: "Team" } }],
  ["reading: reads", [user("Show me the page Team"), ...searched("Team", TEAM)], { call: "read_page", input: { uid: 3 } }],
  [
    "reading: answers",
    [user("Show me the page Team"), ...searched("Team", TEAM), ...called("read_page", { uid: 3 }, { ...TEAM, text: "Nineteen teachers.", children: 0 })],
    { answer: /“Team” \(\/team\):\n\nNineteen teachers\.$/ },
  ],

  ["create: lists the places", [CREATE], { call: "list_pages", input: {} }],
  ["create: asks where", [CREATE, ...LISTED], { call: "ask_choice", input: WHERE }],
  [
    "create: proposes below the choice",
    [CREATE, ...LISTED, ...called("ask_choice", WHERE, { choice: 6 })],
    { call: "create_draft_page", input: DRAFT, text: /below “News”/ },
  ],
  [
    "create: at the top level",
    [CREATE, ...LISTED, ...called("ask_choice", WHERE, { choice: 0 })],
    { call: "create_draft_page", input: { ...DRAFT, parent: 0, language: "en" } },
  ],
  [
    "create: a typed place is looked up",
    [CREATE, ...LISTED, ...called("ask_choice", WHERE, { text: "Team" })],
    { call: "search_pages", input: { query: "Team" } },
  ],
  [
    "create: a typed place is used",
    [CREATE, ...LISTED, ...called("ask_choice", WHERE, { text: "Team" }), ...searched("Team", TEAM)],
    { call: "create_draft_page", input: { ...DRAFT, parent: 3 } },
  ],
  [
    "create: answers",
    [CREATE, ...LISTED, ...called("ask_choice", WHERE, { choice: 6 }), ...called("create_draft_page", DRAFT, page(20, "Our summer party"))],
    { answer: /^Created: the page “Our summer party” \(\/our-summer-party\)/ },
  ],
  [
    "create: another variant",
    [CREATE, ...LISTED, ...called("ask_choice", WHERE, { choice: 6 }), ...denied("create_draft_page", DRAFT, "variant")],
    { call: "create_draft_page", input: { ...DRAFT, title: "Our summer party at a glance" } },
  ],
  ["create: a named place is not asked for", [user("Create a page about our summer party below News")], { call: "search_pages", input: { query: "News" } }],
  [
    "create: below the named place",
    [user("Create a page about our summer party below News"), ...searched("News", NEWS)],
    { call: "create_draft_page", input: DRAFT },
  ],
  ["create: the named place is unknown", [user("Create a page about our summer party below Shop"), ...searched("Shop")], { answer: /no page called “Shop”/ }],
  ["anlegen: fragt, wohin", [user("Lege eine Seite über unser Sommerfest an"), ...LISTED], { call: "ask_choice", input: WHERE_DE }],
  [
    "anlegen: schlägt vor",
    [user("Lege eine Seite über unser Sommerfest an"), ...LISTED, ...called("ask_choice", WHERE_DE, { choice: 9 })],
    { call: "create_draft_page", input: { parent: 9, title: "Unser Sommerfest", text: "Hier geht es um unser Sommerfest. Die Einzelheiten folgen in Kürze." } },
  ],

  ["text: reads first", [user('Set the text of the page Team to "We."'), ...searched("Team", TEAM)], { call: "read_page", input: { uid: 3 } }],
  [
    "text: proposes",
    [user('Set the text of the page Team to "We."'), ...searched("Team", TEAM), ...called("read_page", { uid: 3 }, { ...TEAM, text: "Old" })],
    { call: "update_page", input: { uid: 3, text: "We." } },
  ],
  [
    "text: the same already",
    [user('Set the text of the page Team to "We."'), ...searched("Team", TEAM), ...called("read_page", { uid: 3 }, { ...TEAM, text: "We." })],
    { answer: /exactly this text/ },
  ],
  [
    "text: a dictated text has no variant",
    [
      user('Set the text of the page Team to "We."'),
      ...searched("Team", TEAM),
      ...called("read_page", { uid: 3 }, { ...TEAM, text: "Old" }),
      ...denied("update_page", { uid: 3, text: "We." }, "variant"),
    ],
    { answer: /no other proposal/ },
  ],
  ["hide: proposes", [user("Hide the page Team"), ...searched("Team", TEAM)], { call: "set_page_hidden", input: { uid: 3, hidden: true } }],
  ["hide: hidden already", [user("Hide the page Draft"), ...searched("Draft", PAGES[4] ?? {})], { answer: /is hidden as it is/ }],
  ["delete: reads first", [DELETE, ...searched("Draft", PAGES[4] ?? {})], { call: "read_page", input: { uid: 7 } }],
  [
    "delete: proposes",
    [DELETE, ...searched("Draft", PAGES[4] ?? {}), ...called("read_page", { uid: 7 }, { ...PAGES[4], text: "", children: 0 })],
    { call: "delete_page", input: { uid: 7 }, text: /second person/ },
  ],
  [
    "delete: not with pages below",
    [DELETE, ...searched("Draft", PAGES[4] ?? {}), ...called("read_page", { uid: 7 }, { ...PAGES[4], text: "", children: 2 })],
    { answer: /2 pages below it/ },
  ],

  [
    "a read that fails",
    [user("Which pages are hidden?"), ...failed("list_pages", { hidden: true }, "The tool list_pages failed: disk.")],
    { answer: /did not work: The tool list_pages failed: disk/ },
  ],
  ["hello", [user("Hello")], { answer: /rehearsal model/ }],
  ["danke", [user("Danke!")], { answer: /Gern geschehen/ }],
  [
    "anything else: what it is, and what it understands",
    [user("What is the weather like?")],
    { answer: /do not understand.*\n?.*no real AI[\s\S]*Rename the page Team to About us/ },
  ],
  ["irgendetwas anderes", [user("Wie wird das Wetter?")], { answer: /verstehe ich nicht[\s\S]*keine echte KI/ }],
  ["nothing at all", [], { answer: /no request/ }],

  [
    "only the last request counts",
    [user("Delete the page Home"), assistant("All right, I leave everything as it is."), ...[RENAME]],
    { call: "search_pages", input: { query: "Team" } },
  ],
  ["earlier tool calls do not count", [RENAME, ...searched("Team", TEAM), assistant("Done."), RENAME], { call: "search_pages", input: { query: "Team" } }],
  [
    "a correction behind an earlier answer",
    [user("Hide Team"), assistant("Hidden.\n\n(Correction: nothing was saved in that turn.)"), user("Which pages are hidden?")],
    { call: "list_pages", input: { hidden: true } },
  ],
  [
    "a note about an earlier turn does not count",
    [user("Hide Team"), user("An earlier run already changed site_page:3."), assistant("All right."), RENAME],
    { call: "search_pages", input: { query: "Team" } },
  ],

  [
    "already written: looks at the record",
    [RENAME, user("Note: an earlier run of this turn has already written these records: site_page:3.")],
    { call: "read_page", input: { uid: 3 } },
  ],
  [
    "already written: says so and writes nothing",
    [
      RENAME,
      user("Note: an earlier run of this turn has already written these records: site_page:3."),
      ...called("read_page", { uid: 3 }, { ...page(3, "About us"), text: "" }),
    ],
    { answer: /site_page:3\. The page is called “About us” \(\/about-us\) now\. I will not do it a second time/ },
  ],
  [
    "already written: the record is gone",
    [DELETE, user("An earlier run already wrote site_page:7."), ...failed("read_page", { uid: 7 }, "There is no page with uid 7.")],
    { answer: /site_page:7\. I will not do it a second time/ },
  ],
  [
    "already written: several records",
    [RENAME, user("These records were already changed: site_page:3, tt_content:5.")],
    { answer: /site_page:3, tt_content:5/ },
  ],
  [
    "already written, joined to the request (repeatedRoles)",
    [user("Rename the page Team to About us\n\nAn earlier run already wrote pages:3.")],
    { call: "read_page", input: { uid: 3 } },
  ],
  [
    "already written does not stop a read",
    [user("Which pages are hidden?"), user("An earlier run already wrote site_page:3.")],
    { call: "list_pages", input: { hidden: true } },
  ],
  [
    "unknown writes: looks first",
    [RENAME, user("An earlier run was interrupted; it is unknown what it has written. Check before you write.")],
    { call: "search_pages", input: { query: "Team" }, text: /not known what it did/ },
  ],
  [
    "unknown writes: done already, so it seems",
    [RENAME, user("An earlier run was interrupted; it is unknown what it has written."), ...searched("Team")],
    { answer: /possible that the earlier run/ },
  ],
  [
    "unknown writes: a page of that title is not made twice",
    [CREATE, user("It is not known what the previous run has written."), ...searched("Our summer party", page(20, "Our summer party"))],
    { answer: /There is a page “Our summer party”/ },
  ],
  [
    "unknown writes: there is none, so it goes on",
    [CREATE, user("It is not known what the previous run has written."), ...searched("Our summer party")],
    { call: "list_pages", input: {} },
  ],

  [
    "a retry behind an answer: the answer counts",
    [CREATE, assistant("Where should the page “Our summer party” go?"), user("News"), ...LISTED],
    { call: "create_draft_page", input: DRAFT },
  ],
  [
    "a retry behind a typed answer",
    [CREATE, assistant("Where should the page “Our summer party” go?"), user("Events"), ...LISTED],
    { call: "search_pages", input: { query: "Events" } },
  ],
  [
    "a retry behind a denial with a variant",
    [RENAME, assistant("I will look the page “Team” up."), user("Another variant, please"), ...searched("Team", TEAM)],
    { call: "update_page", input: { uid: 3, title: "About us at a glance" } },
  ],
  ["a question about earlier changes is no note", [RENAME, assistant("Renamed."), user("What have you changed already?")], { answer: /do not understand/ }],
  ["nor is a remark about them", [RENAME, assistant("Renamed."), user("I changed that record before the run myself")], { answer: /do not understand/ }],
  [
    "already written, behind the texts of the run before",
    [RENAME, assistant("I will look the page “Team” up."), user("An earlier run of this turn already wrote site_page:3; do not write it again.")],
    { call: "read_page", input: { uid: 3 } },
  ],
  [
    "already written, behind an answer that was given to a question",
    [CREATE, assistant("Where should the page “Our summer party” go?"), user("News"), user("Already written by an earlier run: site_page:20.")],
    { call: "read_page", input: { uid: 20 } },
  ],
];
