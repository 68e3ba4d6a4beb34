/**
 * The site as tools of the agent runtime: reads run at once, writes wait for a person, `ask_choice` asks the user.
 *
 * @import { Tool, ToolContext } from "agent-turn/runtime/ai-sdk"
 * @import { Site } from "./site.js"
 * @import { SitePage } from "./schema.js"
 * @import { SiteWriter } from "./writer.js"
 * @import { Words } from "./words.js"
 */
import { written } from "agent-turn/runtime/ai-sdk";
import { askChoice } from "./ask-choice.js";
import { TEXT_LENGTH, TITLE_LENGTH } from "./input.js";
import { previewsFor } from "./previews.js";
import { PAGE_TABLE } from "./schema.js";
import { wordsFor } from "./words.js";

/** Members of this group approve what needs a second person (deleting a page). */
export const APPROVER_GROUP = 2;

/** Most pages one search result names. */
const SEARCH_LIMIT = 20;

const UID = { type: "integer", minimum: 1, description: "uid of a page" };
const TITLE = { type: "string", minLength: 1, maxLength: TITLE_LENGTH, pattern: "\\S" };
const TEXT = { type: "string", maxLength: TEXT_LENGTH };

/**
 * @param {Record<string, object>} properties
 * @param {string[]} [required]
 */
const objectSchema = (properties, required = []) => ({ type: "object", properties, required, additionalProperties: false });

/** @param {SitePage} page */
const summary = ({ uid, title, slug, parent, hidden, language }) => ({ uid, title, slug, parent, hidden, language });

/**
 * @param {Site} site
 * @param {ToolContext} context
 * @param {(writer: SiteWriter) => Promise<SitePage>} effect
 * @param {(page: SitePage) => { uid: number, [key: string]: string | number | boolean }} [report]
 */
async function writeOnce(site, { runUuid, toolCallId, signal }, effect, report = summary) {
  signal?.throwIfAborted();
  const result = await site.once(`${runUuid}/${toolCallId}`, async (writer) => report(await effect(writer)));
  return written(result, [{ table: PAGE_TABLE, uid: result.uid }]);
}

/**
 * @param {Site} site
 * @returns {Tool[]}
 */
function readingTools(site) {
  return [
    {
      name: "list_pages",
      description: "Lists the pages of the site: uid, title, slug, parent (0: top level), hidden, language.",
      inputSchema: objectSchema({ hidden: { type: "boolean", description: "true: only hidden pages, false: only visible ones, absent: all" } }),
      effect: "read",
      /** @param {{ hidden?: boolean }} input */
      execute: async ({ hidden }) => {
        const pages = await site.list(hidden === undefined ? {} : { hidden });
        return { total: pages.length, pages: pages.map(summary) };
      },
    },
    {
      name: "search_pages",
      description: `Finds pages by title, slug or text, the best match first, at most ${SEARCH_LIMIT}. \`total\` counts all of them.`,
      inputSchema: objectSchema({ query: { type: "string", minLength: 1, maxLength: 1000, pattern: "\\S" } }, ["query"]),
      effect: "read",
      /** @param {{ query: string }} input */
      execute: async ({ query }) => {
        const pages = await site.search(query);
        return { total: pages.length, pages: pages.slice(0, SEARCH_LIMIT).map(summary) };
      },
    },
    {
      name: "read_page",
      description: "Reads one page with its text and the number of pages directly below it.",
      inputSchema: objectSchema({ uid: UID }, ["uid"]),
      effect: "read",
      /** @param {{ uid: number }} input */
      execute: async ({ uid }) => {
        const page = await site.read(uid);
        return { ...summary(page), text: page.text, children: await site.children(uid) };
      },
    },
  ];
}

/**
 * Every call takes effect at most once, whatever dies in between: the site keeps the key of the call in the transaction of the write.
 *
 * @param {Site} site
 * @param {Words} words
 * @returns {Tool[]}
 */
function writingTools(site, words) {
  const previews = previewsFor(site, words);
  return [
    {
      name: "update_page",
      description: "Changes title or text of a page, or both. A new title gives the page a new slug.",
      inputSchema: { ...objectSchema({ uid: UID, title: TITLE, text: TEXT }, ["uid"]), minProperties: 2 },
      effect: "idempotentWrite",
      needsApproval: true,
      /** @param {{ title?: string, text?: string }} input */
      label: ({ title, text }) => (text === undefined ? words.rename : title === undefined ? words.changeText : words.changePage),
      preview: previews.update,
      /** @param {{ uid: number, title?: string, text?: string }} input @param {ToolContext} context */
      execute: ({ uid, title, text }, context) => writeOnce(site, context, (writer) => writer.update(uid, { title, text })),
    },
    {
      name: "create_draft_page",
      description: "Creates a hidden page below another one (parent 0: at the top level). Its language is the parent's unless given.",
      inputSchema: objectSchema(
        {
          parent: { type: "integer", minimum: 0, description: "uid of the page above, 0: top level" },
          title: TITLE,
          text: TEXT,
          language: { type: "string", pattern: "^[a-z]{2}$", description: "ISO 639-1" },
        },
        ["parent", "title"],
      ),
      effect: "idempotentWrite",
      needsApproval: true,
      label: () => words.createDraft,
      preview: previews.createDraft,
      /** @param {{ parent: number, title: string, text?: string, language?: string }} input @param {ToolContext} context */
      execute: (input, context) => writeOnce(site, context, (writer) => writer.createDraft(input)),
    },
    {
      name: "set_page_hidden",
      description: "Hides a page from visitors, or shows it again.",
      inputSchema: objectSchema({ uid: UID, hidden: { type: "boolean" } }, ["uid", "hidden"]),
      effect: "idempotentWrite",
      needsApproval: true,
      /** @param {{ hidden: boolean }} input */
      label: ({ hidden }) => (hidden ? words.hide : words.show),
      preview: previews.setHidden,
      /** @param {{ uid: number, hidden: boolean }} input @param {ToolContext} context */
      execute: ({ uid, hidden }, context) => writeOnce(site, context, (writer) => writer.setHidden(uid, hidden)),
    },
    {
      name: "delete_page",
      description: "Deletes a page for good; refused while there are pages below it. A second person has to approve it.",
      inputSchema: objectSchema({ uid: UID }, ["uid"]),
      effect: "idempotentWrite",
      needsApproval: true,
      mayApprove: (actor) => actor.groups.some((group) => String(group) === String(APPROVER_GROUP)),
      label: () => words.delete,
      preview: previews.remove,
      /** @param {{ uid: number }} input @param {ToolContext} context */
      execute: ({ uid }, context) =>
        writeOnce(
          site,
          context,
          (writer) => writer.remove(uid),
          (page) => ({ uid: page.uid, title: page.title, deleted: true }),
        ),
    },
  ];
}

/**
 * The tools of the site for the agent runtime.
 *
 * @param {Site} site
 * @param {{ locale?: string }} [options] language of labels and previews on the cards, default English
 * @returns {Tool[]}
 */
export function siteTools(site, { locale = "en" } = {}) {
  return [...readingTools(site), ...writingTools(site, wordsFor(locale)), askChoice];
}
