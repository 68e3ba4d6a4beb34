/**
 * German requests.
 *
 * @import { Grammar, Intent, MaskedText } from "./types.js"
 */
import { clauses, createIntent, pairIntent, splits } from "./grammar.js";
import { isQuotation } from "./quotes.js";

const PAGE_WORD =
  /^(?:(?:die|der|den|das|eine|einer|unsere|unserer|meine|meiner|diese|dieser) )?(?:unter|web)?seite (?:namens |mit dem titel |mit dem namen )?(?=\S)/iu;
const CREATE_CLAUSES =
  /(?:^|[\s,]+)(?:(?<topic>über|zum thema|zum|zur|zu|für)|(?<title>namens|mit dem (?:titel|namen))|(?<below>unterhalb (?:von|der)|unter|in der rubrik|im bereich|im abschnitt|in der seite)|(?<text>mit dem (?:text|inhalt)|und dem text)):?\s+/giu;

/** @param {string} part */
function pageName(part) {
  const trimmed = part.trim().replace(/\s+/g, " ");
  if (PAGE_WORD.test(trimmed)) return trimmed.replace(PAGE_WORD, "");
  const trailing = /^(?:(?:die|der|den|unsere|unserer) )?(.+)[- ]seite$/iu.exec(trimmed);
  return trailing?.[1] ?? trimmed.replace(/^(?:die|der|den|das|unsere|unserer) /u, "");
}

/**
 * @param {string} part
 * @param {MaskedText} text
 */
function certainPage(part, text) {
  const certain = isQuotation(part) || PAGE_WORD.test(part) || /\S[- ]seite$/iu.test(part);
  return certain ? text.plain(pageName(part)) : "";
}

/**
 * @param {string} pages
 * @returns {boolean | null}
 */
function hiddenFilter(pages) {
  if (/(?:versteckt|verborgen|unsichtbar|ausgeblendet|nicht sichtbar|unveröffentlicht|entw[uü]rf)/iu.test(pages)) return true;
  return /(?:sichtbar|öffentlich|veröffentlicht|eingeblendet)/iu.test(pages) ? false : null;
}

/**
 * @param {string} page
 * @param {MaskedText} text
 * @param {boolean} hidden
 * @returns {Intent | null}
 */
function hiding(page, text, hidden) {
  const name = text.plain(pageName(page.replace(/ wieder$/iu, "")));
  return name ? { kind: "setHidden", page: name, hidden } : null;
}

/**
 * @param {string} page
 * @param {MaskedText} text
 * @returns {Intent | null}
 */
function showing(page, text) {
  const name = certainPage(page, text);
  return name ? { kind: "show", page: name } : null;
}

/**
 * @param {string} rest
 * @param {MaskedText} text
 */
const renaming = (rest, text) => pairIntent("rename", splits(rest, / (?:in|zu|auf) /giu), text, pageName);

/**
 * @param {string} rest
 * @param {MaskedText} text
 */
const creating = (rest, text) => createIntent(clauses(rest, CREATE_CLAUSES), text, (topic) => topic.replace(/^(?:das|den|die|dem|der|ein|eine|einen) /iu, ""));

/**
 * @param {string} rest
 * @param {MaskedText} text
 */
const rewriting = (rest, text) => pairIntent("setText", splits(rest, /\s+(?:durch|in|zu|auf|gegen)\s*:?\s+/giu), text, pageName);

/** @type {Grammar} */
export const german = {
  language: "de",
  opening:
    /^(?:(?:bitte|hallo|hi|hey|moin|ok|okay|jetzt|nun|so|und|dann|also)\b[,.!]*\s+|(?:kannst|könntest|würdest|magst) du (?:bitte |mal |mir )*|(?:können|könnten|würden) sie (?:bitte |mir )*|ich (?:möchte|will),? dass du )/iu,
  closing: /[\s,]+(?:bitte|danke|mal)$/iu,
  typical: /(?:\b(?:der|die|das|ist|sind|was|welche|wie|wieviele|du|und|bitte|seite|seiten|kannst|mit|nicht|ein|eine|von|zu|ich|mir|auf|den|dem)\b|[äöüß])/giu,
  rules: [
    {
      pattern: /^(?:ersetze?|ändere?|setze?|tausche?|überschreibe?) (?:den |die |das )?(?:text|inhalt) (?:der|von|auf|auf der|für) (?<rest>.+?)(?:\s+aus)?$/isu,
      keepsLines: true,
      intent: ({ rest = "" }, text) => rewriting(rest, text),
    },
    {
      pattern: /^(?:den |die |das )?(?:text|inhalt) (?:der|von|auf der) (?<rest>.+) (?:ersetzen|ändern|setzen)$/isu,
      keepsLines: true,
      intent: ({ rest = "" }, text) => rewriting(rest, text),
    },
    { pattern: /^(?:benenne?|nenne?) (?<rest>.+) um$/iu, intent: ({ rest = "" }, text) => renaming(rest, text) },
    {
      pattern: /^(?:benenne?|nenne?) (?<page>.+) um (?:in|zu|auf) (?<title>.+)$/iu,
      intent: ({ page = "", title = "" }, text) => pairIntent("rename", [[page, title]], text, pageName),
    },
    { pattern: /^(?<rest>.+) umbenennen$/iu, intent: ({ rest = "" }, text) => renaming(rest, text) },
    { pattern: /^(?:ändere?|setze?) (?:den )?(?:titel|namen) (?:der |von )?(?<rest>.+)$/iu, intent: ({ rest = "" }, text) => renaming(rest, text) },
    { pattern: /^(?:den )?(?:titel|namen) (?:der |von )?(?<rest>.+) (?:ändern|setzen)$/iu, intent: ({ rest = "" }, text) => renaming(rest, text) },
    {
      pattern: /^gib (?<rest>.+)$/iu,
      intent: ({ rest = "" }, text) => pairIntent("rename", splits(rest, / (?:den|einen) (?:neuen )?(?:titel|namen):? /giu), text, pageName),
    },
    {
      pattern:
        /^(?:lege?|erstelle?|erzeuge?|schreibe?|mache?|füge?) (?:mir |uns )?(?:bitte )?(?:eine |noch eine )?(?:neue |versteckte |kurze )*(?:unter)?seite(?<rest>[\s,].+?)(?:\s+(?:an|hinzu))?$/isu,
      keepsLines: true,
      intent: ({ rest = "" }, text) => creating(rest, text),
    },
    {
      pattern: /^(?:eine |noch eine )?(?:neue |versteckte |kurze )*(?:unter)?seite(?<rest>[\s,].+?)\s+(?:anlegen|erstellen|erzeugen|schreiben|hinzufügen)$/isu,
      keepsLines: true,
      intent: ({ rest = "" }, text) => creating(rest, text),
    },
    { pattern: /^(?:lösche?|entferne?) (?<page>.+)$/iu, intent: ({ page = "" }, text) => ({ kind: "delete", page: text.plain(pageName(page)) }) },
    {
      pattern: /^(?<page>(?:die |der )?(?:unter|web)?seite .+) (?:löschen|entfernen)$/iu,
      intent: ({ page = "" }, text) => ({ kind: "delete", page: text.plain(pageName(page)) }),
    },
    { pattern: /^(?:verstecke?|verberge?) (?<page>.+)$/iu, intent: ({ page = "" }, text) => hiding(page, text, true) },
    { pattern: /^(?:blende?|schalte?) (?<page>.+) (?:aus|ab)$/iu, intent: ({ page = "" }, text) => hiding(page, text, true) },
    { pattern: /^(?:blende?|schalte?) (?<page>.+) (?:ein|an|frei)$/iu, intent: ({ page = "" }, text) => hiding(page, text, false) },
    { pattern: /^(?:mache?|setze?) (?<page>.+) (?:unsichtbar|versteckt)$/iu, intent: ({ page = "" }, text) => hiding(page, text, true) },
    { pattern: /^(?:mache?|setze?) (?<page>.+) (?:sichtbar|öffentlich)$/iu, intent: ({ page = "" }, text) => hiding(page, text, false) },
    { pattern: /^veröffentliche? (?<page>.+)$/iu, intent: ({ page = "" }, text) => hiding(page, text, false) },
    { pattern: /^zeige? (?<page>.+) wieder(?: an)?$/iu, intent: ({ page = "" }, text) => hiding(page, text, false) },
    {
      pattern: /^(?<page>(?:die |der )?(?:unter|web)?seite .+) (?:verstecken|ausblenden|verbergen)$/iu,
      intent: ({ page = "" }, text) => hiding(page, text, true),
    },
    {
      pattern: /^(?<page>(?:die |der )?(?:unter|web)?seite .+) (?:einblenden|veröffentlichen|sichtbar machen)$/iu,
      intent: ({ page = "" }, text) => hiding(page, text, false),
    },
    {
      pattern:
        /^(?:(?:finde?|suche?)(?: mir)?(?: nach)? |gibt es |welche )(?:alle |die |eine )?seiten? (?:über|mit|zu|zum|zur|die|namens|enthalten|erwähnen) (?<query>.+?)(?: (?:enthalten|erwähnen|enthält))?$/iu,
      intent: ({ query = "" }, text) => ({ kind: "find", query: text.plain(query.replace(/^(?:dem wort|der|die|das|den|dem|unser(?:e|en)?|eine?n?) /iu, "")) }),
    },
    {
      pattern: /^(?:gibt es|haben wir) (?<query>(?:eine|die) seite .+)$/iu,
      intent: ({ query = "" }, text) => ({ kind: "find", query: text.plain(pageName(query)) }),
    },
    {
      pattern: /^(?:finde?|suche?|wo ist|wo steht)(?: mir)?(?: nach)? (?<query>.+)$/iu,
      intent: ({ query = "" }, text) => ({ kind: "find", query: text.plain(pageName(query)) }),
    },
    {
      pattern: /^(?<head>welche|was für|liste?|zeige?|wie ?viele|zähle?|gibt es|nenne?|gib)(?![\p{L}])(?<rest>.*(?<!\p{L})seiten(?!\p{L}).*|.*entwürfe.*)$/iu,
      intent: ({ head = "", rest = "" }) => ({ kind: "list", hidden: hiddenFilter(rest), count: /^(?:wie ?viele|zähle?)$/iu.test(head) }),
    },
    {
      pattern: /^(?:zeige?|öffne?|lies|lese?)(?: mir)?(?: den (?:text|inhalt) (?:der|von))? (?<page>.+?)(?: (?:an|vor))?$/iu,
      intent: ({ page = "" }, text) => showing(page, text),
    },
    {
      pattern: /^(?:was (?:steht|ist) (?:auf|in)|was sagt|was enthält|wie lautet der text) (?<page>.+)$/iu,
      intent: ({ page = "" }, text) => showing(page, text),
    },
    { pattern: /^(?:hallo|hi|moin|servus|grüß gott|guten (?:morgen|tag|abend))(?: zusammen)?$/iu, intent: () => ({ kind: "greeting" }) },
    {
      pattern: /^(?:danke|dankeschön|vielen dank|besten dank|super|prima|toll|perfekt|sehr gut)(?: (?:dir|ihnen|sehr|schön))*[,!. ]*(?:danke)?$/iu,
      intent: () => ({ kind: "thanks" }),
    },
    {
      pattern: /^(?:hilfe|was kannst du(?: alles)?|was verstehst du|wer bist du|was bist du|wie funktioniert (?:das|es)|bist du (?:ein|eine|echt).*)$/iu,
      intent: () => ({ kind: "help" }),
    },
    { pattern: /^(?:nein|nicht|lass es|lass das|überspringen|abbrechen|stopp|vergiss es)(?:[,. ].*)?$/iu, intent: () => ({ kind: "left" }) },
  ],
};
