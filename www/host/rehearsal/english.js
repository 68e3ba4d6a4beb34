/**
 * English requests.
 *
 * @import { Grammar, Intent, MaskedText } from "./types.js"
 */
import { clauses, createIntent, pairIntent, splits } from "./grammar.js";
import { isQuotation } from "./quotes.js";

const PAGE_WORD = /^(?:(?:the|a|an|my|our|this|that) )?(?:web ?|sub)?page (?:called |named |titled |entitled |with the title )?(?=\S)/iu;
const CREATE_CLAUSES =
  /(?:^|[\s,]+)(?:(?<topic>about|on|regarding|concerning|for)|(?<title>called|named|titled|entitled|with the (?:title|name))|(?<below>below|under|underneath|beneath|inside|(?:with)?in the (?:section|page)|in section|as a (?:child|subpage) of)|(?<text>with the (?:text|content)|and the text|saying)):?\s+/giu;

/** @param {string} part */
function pageName(part) {
  const trimmed = part.trim().replace(/\s+/g, " ");
  if (PAGE_WORD.test(trimmed)) return trimmed.replace(PAGE_WORD, "");
  const trailing = /^(?:(?:the|my|our|this|that) )?(.+) page$/iu.exec(trimmed);
  return trailing?.[1] ?? trimmed.replace(/^(?:the|my|our) /u, "");
}

/**
 * The page of a request that would also fit something else: it has to say "page", or to name one in quotation marks.
 *
 * @param {string} part
 * @param {MaskedText} text
 */
function certainPage(part, text) {
  const certain = isQuotation(part) || PAGE_WORD.test(part) || /\S page$/iu.test(part);
  return certain ? text.plain(pageName(part)) : "";
}

/**
 * @param {string} pages the words around "pages" in a question about all of them
 * @returns {boolean | null}
 */
function hiddenFilter(pages) {
  if (/\b(?:hidden|invisible|unpublished|drafts?|not visible)\b/iu.test(pages)) return true;
  return /\b(?:visible|public|published|shown)\b/iu.test(pages) ? false : null;
}

/** @param {string} title */
const newTitle = (title) => title.replace(/^(?:the (?:new )?)?(?:title|name) (?=\S)/iu, "");

/**
 * @param {string} page
 * @param {MaskedText} text
 * @param {boolean} hidden
 * @returns {Intent | null}
 */
function hiding(page, text, hidden) {
  const name = text.plain(pageName(page));
  return name ? { kind: "setHidden", page: name, hidden } : null;
}

/** @type {Grammar} */
export const english = {
  language: "en",
  opening:
    /^(?:(?:please|hi|hello|hey|ok|okay|now|so|well|and|then)\b[,.!]*\s+|(?:can|could|would|will) you (?:please )?|i (?:want|would like|need) you to |i'd like you to |let's |kindly )/iu,
  closing: /[\s,]+(?:please|for me|thanks|thank you|now)$/iu,
  typical: /\b(?:the|is|are|what|which|how|you|and|please|page|pages|can|with|this|that|my|of|to|for|do|does)\b/giu,
  rules: [
    {
      pattern: /^(?:set|change|replace|update|rewrite) (?:the )?(?:text|content|body) (?:of|on|for) (?<rest>.+)$/isu,
      keepsLines: true,
      intent: ({ rest = "" }, text) => pairIntent("setText", splits(rest, /\s+(?:to|with|by|into)\s*:?\s+/giu), text, pageName),
    },
    {
      pattern: /^(?:rename|retitle) (?<rest>.+)$/iu,
      intent: ({ rest = "" }, text) =>
        pairIntent(
          "rename",
          splits(rest, / (?:to|into|as) /giu).map(([page, title]) => [page, newTitle(title)]),
          text,
          pageName,
        ),
    },
    {
      pattern: /^(?:change|set|update) (?:the )?(?:title|name|heading) (?:of )?(?<rest>.+)$/iu,
      intent: ({ rest = "" }, text) => pairIntent("rename", splits(rest, / (?:to|into|as) /giu), text, pageName),
    },
    {
      pattern: /^give (?<rest>.+)$/iu,
      intent: ({ rest = "" }, text) => pairIntent("rename", splits(rest, / (?:the|a) (?:new )?(?:title|name):? /giu), text, pageName),
    },
    {
      pattern:
        /^(?:create|add|make|write|draft|start|set up) (?:me |us )?(?:an? |one |another )?(?:new |draft |hidden |short )*(?:sub)?page(?<rest>[\s,].+)$/isu,
      keepsLines: true,
      intent: ({ rest = "" }, text) => createIntent(clauses(rest, CREATE_CLAUSES), text, (topic) => topic.replace(/^(?:the|a|an) /iu, "")),
    },
    { pattern: /^(?:delete|remove|erase|get rid of) (?<page>.+)$/iu, intent: ({ page = "" }, text) => ({ kind: "delete", page: text.plain(pageName(page)) }) },
    { pattern: /^(?:make|set) (?<page>.+?) (?:to )?(?:hidden|invisible|unpublished)$/iu, intent: ({ page = "" }, text) => hiding(page, text, true) },
    { pattern: /^(?:make|set) (?<page>.+?) (?:to )?(?:visible|public|published)(?: again)?$/iu, intent: ({ page = "" }, text) => hiding(page, text, false) },
    { pattern: /^(?:hide|unpublish) (?<page>.+)$/iu, intent: ({ page = "" }, text) => hiding(page, text, true) },
    { pattern: /^(?:unhide|un-hide|publish|reveal) (?<page>.+)$/iu, intent: ({ page = "" }, text) => hiding(page, text, false) },
    { pattern: /^show (?<page>.+) again$/iu, intent: ({ page = "" }, text) => hiding(page, text, false) },
    {
      pattern:
        /^(?:(?:find|search|look)(?: for)? |are there |is there |which |what )(?:me )?(?:all |any |the |an? )?(?:pages? )(?:that |which )?(?:about|with|on|for|containing|contains?|mentions?|mentioning|called|named) (?<query>.+)$/iu,
      intent: ({ query = "" }, text) => ({ kind: "find", query: text.plain(query.replace(/^(?:the word|the|our|an?) /iu, "")) }),
    },
    {
      pattern: /^(?:is there|do we have) (?<query>(?:a|the) page .+)$/iu,
      intent: ({ query = "" }, text) => ({ kind: "find", query: text.plain(pageName(query)) }),
    },
    {
      pattern: /^(?:find|search for|search|look for|where is) (?<query>.+)$/iu,
      intent: ({ query = "" }, text) => ({ kind: "find", query: text.plain(pageName(query)) }),
    },
    {
      pattern: /^(?<head>which|what|list|show|how many|count|are there|give|tell)\b(?<rest>.*\bpages\b.*|.* drafts\b.*)$/iu,
      intent: ({ head = "", rest = "" }) => ({ kind: "list", hidden: hiddenFilter(rest), count: /^(?:how many|count)$/iu.test(head) }),
    },
    {
      pattern: /^(?:show|open|read|display|view|print)(?: me)?(?: the (?:text|content) of)? (?<page>.+)$/iu,
      intent: ({ page = "" }, text) => {
        const name = certainPage(page, text);
        return name ? { kind: "show", page: name } : null;
      },
    },
    {
      pattern: /^(?:what(?:'s|’s| is| does| stands)(?: written)?(?: on| in)?|tell me about|what is the text of) (?<page>.+?)(?: (?:say|contain|about))?$/iu,
      intent: ({ page = "" }, text) => {
        const name = certainPage(page, text);
        return name ? { kind: "show", page: name } : null;
      },
    },
    { pattern: /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: there| everybody)?$/iu, intent: () => ({ kind: "greeting" }) },
    {
      pattern: /^(?:thanks|thank you|thx|cheers|great|perfect|well done|nice)(?: (?:a lot|very much|so much|you|thanks))*[,!. ]*(?:thanks|thank you)?$/iu,
      intent: () => ({ kind: "thanks" }),
    },
    {
      pattern: /^(?:help|what can you do|what do you (?:do|understand)|who are you|what are you|how does (?:this|it) work|are you (?:a|an|real).*)$/iu,
      intent: () => ({ kind: "help" }),
    },
    { pattern: /^(?:no|don't|do not|leave it|skip|skip it|cancel|stop|never mind)(?:[,. ].*)?$/iu, intent: () => ({ kind: "left" }) },
  ],
};
