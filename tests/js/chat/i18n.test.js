import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { LANGUAGES, pickLanguage, toMillis, wordsFor } from "../../../www/chat/i18n/index.js";

/** The rules with every table cell unpadded, whichever way the document is laid out. */
const rules = (await readFile(new URL("../../../docs/rules.md", import.meta.url), "utf8")).replace(/ {2,}/g, " ");
const chat = new URL("../../../www/chat/", import.meta.url);

/** The text of the rules from one mark to the next. @param {string} from @param {string} to */
function section(from, to) {
  const start = rules.indexOf(from);
  const end = rules.indexOf(to, start);
  assert.ok(start >= 0 && end > start, `${from} … ${to} stands in the rules`);
  return rules.slice(start, end);
}

/** Everything in backticks that fits. @param {string} text @param {RegExp} shape */
const quoted = (text, shape) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? "").filter((word) => shape.test(word));

const codes = () => {
  const handBacks = quoted(section("| reason | approval: code", "D8."), /^(handBack|stopped)\./);
  const others = quoted(section("E2.", "E3."), /^[a-zA-Z]+$/).filter((word) => !["code", "result", "error"].includes(word));
  const outcomes = quoted(rules, /^handBack\./);
  const refusals = section("| when | reply |", "N7.")
    .split("\n")
    .flatMap((row) => [...row.matchAll(/\b4\d\d `([a-zA-Z]+)`/g)].map(([, code]) => code ?? ""));
  return new Set([...handBacks, ...others, ...outcomes, ...refusals]);
};

test("every language has the same keys, each with words", () => {
  const keys = Object.keys(LANGUAGES.en ?? {}).sort();
  for (const [language, table] of Object.entries(LANGUAGES)) {
    assert.deepEqual(Object.keys(table).sort(), keys, language);
    for (const [key, sentence] of Object.entries(table)) assert.ok(sentence.trim() !== "", `${language}: ${key}`);
  }
});

test("every language puts the same arguments into a sentence", () => {
  const places = (/** @type {string} */ sentence) => [...new Set(sentence.match(/\{\d+\}/g) ?? [])].sort();
  for (const [language, table] of Object.entries(LANGUAGES)) {
    for (const [key, sentence] of Object.entries(table)) assert.deepEqual(places(sentence), places(LANGUAGES.en?.[key] ?? ""), `${language}: ${key}`);
  }
});

test("every code of the rules has words (D7, E2, N6)", () => {
  const found = codes();
  assert.ok(found.size >= 45, `the rules name ${found.size} codes`);
  for (const code of found)
    for (const [language, table] of Object.entries(LANGUAGES)) assert.ok(Object.hasOwn(table, `error.${code}`), `${language}: error.${code}`);
});

test("every label key of the rules has words (V2)", () => {
  const keys = quoted(section("V2.", "V3."), /^chat\.[a-zA-Z]+$/);
  assert.ok(keys.length >= 6);
  for (const key of keys) assert.ok(Object.hasOwn(LANGUAGES.en ?? {}, key), key);
});

test("every key the page asks for exists, and no key is left over", async () => {
  const files = (await readdir(chat)).filter((name) => name.endsWith(".js"));
  const source = (await Promise.all(files.map((name) => readFile(new URL(name, chat), "utf8")))).join("\n");
  const wanted = [
    ...source.matchAll(/"((?:app|list|chat|message|card|question|composer|activity|pages|language|attach|instructions|export|panel)\.[a-zA-Z0-9.]+)"/g),
  ].map(([, key]) => key ?? "");
  const known = Object.keys(LANGUAGES.en ?? {});
  for (const key of wanted)
    assert.ok(
      known.some((name) => name === key || name.startsWith(`${key}.`)),
      key,
    );
  const composed =
    /^(status|error|app\.role|card\.display|question\.invalid)\.|\.(one|other)$|^chat\.(approvalPending|inputPending|questionUnsupported|failed)/;
  for (const key of known) assert.ok(composed.test(key) || wanted.includes(key), `${key} is not used`);
});

test("sentences take their arguments, unknown codes are named", () => {
  const { t, reason, count } = wordsFor("en");
  assert.equal(t("list.ownedBy", "Ada"), "by Ada");
  assert.equal(t("list.ownedBy", "{0}"), "by {0}", "an argument is never read as a place");
  assert.match(reason("somethingNew"), /somethingNew/);
  assert.match(reason("__proto__"), /__proto__/);
  assert.equal(count("activity.steps", 1), "1 step");
  assert.equal(count("activity.steps", 4), "4 steps");
});

test("the nearest language is taken", () => {
  assert.equal(pickLanguage("de-AT"), "de");
  assert.equal(pickLanguage("fr"), "en");
  assert.equal(pickLanguage(null), "en");
  assert.equal(pickLanguage("constructor"), "en");
});

test("times are read as seconds, milliseconds or RFC 3339", () => {
  assert.equal(toMillis(1_700_000_000), 1_700_000_000_000);
  assert.equal(toMillis(1_700_000_000_000), 1_700_000_000_000);
  assert.equal(toMillis("2023-11-14T22:13:20Z"), 1_700_000_000_000);
  assert.equal(toMillis("soon"), null);
  assert.equal(toMillis(undefined), null);
});
