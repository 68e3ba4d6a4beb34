import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openSite, SiteError } from "../../../www/host/site/index.js";
import { freshSite, openDatabase, pageCalled, START } from "./support.js";

const PROCESS = fileURLToPath(new URL("process.js", import.meta.url));

/**
 * Three processes that do the same at once.
 *
 * @param {string} file
 * @param {"seed" | "once" | "drafts"} what
 */
async function inProcesses(file, what) {
  const runs = Array.from({ length: 3 }, () => promisify(execFile)(process.execPath, [PROCESS, file, what]));
  return (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout));
}

/** @param {string} code */
const refusal = (code) => (/** @type {unknown} */ error) => error instanceof SiteError && error.code === code && error.message !== "";

test("the seed is a tree with the pages the stories need, and is planted once", async (t) => {
  const { site } = await freshSite(t);
  const pages = await site.list();
  assert.ok(pages.length >= 14 && pages.length <= 18, `${pages.length} pages`);
  assert.equal(pages.filter(({ title }) => title === "Team").length, 1);
  assert.equal(pages.filter(({ title }) => title === "About us").length, 0);
  assert.deepEqual(
    (await site.list({ hidden: true })).map(({ title }) => title),
    ["Old opening hours", "Draft: winter timetable"],
  );
  for (const title of ["Home", "News", "Events", "Contact", "Imprint", "Aktuelles", "Öffnungszeiten", "Kontakt"]) await pageCalled(site, title);
  const german = await pageCalled(site, "Öffnungszeiten");
  assert.equal(german.language, "de");
  assert.equal(german.slug, "oeffnungszeiten");
  const uids = new Set(pages.map(({ uid }) => uid));
  for (const page of pages) assert.ok(page.parent === 0 || uids.has(page.parent), `${page.title} hangs in the air`);
  assert.equal(new Set(pages.map(({ slug }) => slug)).size, pages.length);
  assert.equal(pages[0]?.updatedAt, START / 1000);

  await site.remove((await pageCalled(site, "Imprint")).uid);
  assert.equal(await site.seed(), false);
  assert.equal((await site.list()).length, pages.length - 1);
});

test("migrate and seed of three processes at once leave one set of pages", async (t) => {
  const { site, file } = await freshSite(t, { seed: false });
  const planted = await inProcesses(file, "seed");
  assert.deepEqual(planted.sort(), [false, false, true]);
  assert.equal((await site.list()).filter(({ title }) => title === "Team").length, 1);
});

test("what was written is there when the file is opened again", async (t) => {
  const { site, file } = await freshSite(t);
  const team = await pageCalled(site, "Team");
  await site.update(team.uid, { title: "About us" });
  const again = openDatabase(file);
  t.after(() => again.destroy());
  assert.equal((await openSite(again).read(team.uid)).title, "About us");
});

test("a new title gives a new slug, a new text leaves it", async (t) => {
  const { site, clock } = await freshSite(t);
  const team = await pageCalled(site, "Team");
  clock.now = START + 5_999;
  const renamed = await site.update(team.uid, { title: "  Über \n uns " });
  assert.deepEqual([renamed.title, renamed.slug, renamed.updatedAt], ["Über uns", "ueber-uns", START / 1000 + 5]);
  assert.equal(renamed.text, team.text);
  const rewritten = await site.update(String(team.uid), { text: "Neu.\r\nZeile zwei" });
  assert.deepEqual([rewritten.title, rewritten.slug, rewritten.text], ["Über uns", "ueber-uns", "Neu.\nZeile zwei"]);
  assert.equal((await site.update(team.uid, { text: "" })).text, "");
});

test("slugs stay unique, and a page keeps its own when its title changes in writing only", async (t) => {
  const { site } = await freshSite(t);
  const events = await pageCalled(site, "Events");
  const first = await site.createDraft({ parent: events.uid, title: "Summer party" });
  const second = await site.createDraft({ parent: events.uid, title: "Summer Party" });
  assert.deepEqual([first.slug, second.slug], ["summer-party", "summer-party-2"]);
  assert.equal((await site.update(first.uid, { title: "SUMMER PARTY" })).slug, "summer-party");
  assert.equal((await site.update(second.uid, { title: "summer party!" })).slug, "summer-party-2");
  await site.remove(first.uid);
  assert.equal((await site.update(second.uid, { title: "summer party!", text: "x" })).slug, "summer-party-2", "an unchanged title leaves the address alone");
});

test("a draft is hidden and speaks its parent's language", async (t) => {
  const { site } = await freshSite(t);
  const news = await pageCalled(site, "Aktuelles");
  const draft = await site.createDraft({ parent: news.uid, title: "Sommerfest" });
  assert.deepEqual([draft.hidden, draft.language, draft.parent, draft.text], [true, "de", news.uid, ""]);
  assert.equal((await site.createDraft({ parent: 0, title: "Shop" })).language, "en");
  assert.equal((await site.createDraft({ parent: news.uid, title: "Visite", language: "fr" })).language, "fr");
  assert.equal((await site.setHidden(draft.uid, false)).hidden, false);
});

test("search folds case and umlauts' case, and puts the best match first", async (t) => {
  const { site } = await freshSite(t);
  assert.deepEqual(
    (await site.search("opening hours")).map(({ title }) => title),
    ["Opening hours", "Old opening hours"],
  );
  assert.deepEqual(
    (await site.search("team")).map(({ title }) => title),
    ["Team"],
  );
  await site.createDraft({ parent: 0, title: "A note", text: "Ask the imprint." });
  await site.createDraft({ parent: 0, title: "The imprint of old" });
  await site.createDraft({ parent: 0, title: "Imprint, short" });
  await site.setHidden((await site.createDraft({ parent: 0, title: "IMPRINT" })).uid, false);
  assert.deepEqual(
    (await site.search("imprint")).map(({ title }) => title),
    ["Imprint", "IMPRINT", "Imprint, short", "The imprint of old", "A note"],
  );
  await site.remove((await pageCalled(site, "Imprint")).uid);
  assert.equal((await site.search("imprint"))[0]?.title, "IMPRINT");
  assert.equal((await site.search("ÖFFNUNGS"))[0]?.title, "Öffnungszeiten");
  assert.deepEqual(await site.search("nothing of that kind"), []);
  assert.deepEqual((await site.search("100% _")).length, 0);
});

test("removing", async (t) => {
  const { site } = await freshSite(t);
  const school = await pageCalled(site, "Our school");
  await assert.rejects(site.remove(school.uid), refusal("pageHasChildren"));
  assert.equal((await site.read(school.uid)).title, "Our school");
  const imprint = await pageCalled(site, "Imprint");
  assert.equal((await site.remove(imprint.uid)).title, "Imprint");
  await assert.rejects(site.read(imprint.uid), refusal("pageNotFound"));
  const next = await site.createDraft({ parent: 0, title: "Imprint" });
  assert.ok(next.uid > imprint.uid, "a uid is never used a second time");
});

/** @type {[string, string, (site: import("../../../www/host/site/site.js").Site) => Promise<unknown>][]} */
const REFUSALS = [
  ["an unknown page cannot be read", "pageNotFound", (site) => site.read(999)],
  ["an unknown page cannot be changed", "pageNotFound", (site) => site.update(999, { title: "x" })],
  ["an unknown page cannot be hidden", "pageNotFound", (site) => site.setHidden(999, true)],
  ["an unknown page cannot be removed", "pageNotFound", (site) => site.remove(999)],
  ["a uid is positive", "uidInvalid", (site) => site.read(0)],
  ["a uid is an integer", "uidInvalid", (site) => site.read(1.5)],
  ["a uid is no other text", "uidInvalid", (site) => site.read("1 or 1=1")],
  ["a title is not blank", "titleBlank", (site) => site.update(3, { title: " \u200B\t" })],
  ["a title is at most 255 characters", "titleTooLong", (site) => site.update(3, { title: "x".repeat(256) })],
  ["a title has no control characters", "titleInvalid", (site) => site.update(3, { title: "a\u0000b" })],
  ["a title has no half characters", "titleInvalid", (site) => site.update(3, { title: "a\uD800b" })],
  ["a title is text", "titleInvalid", (site) => site.update(3, { title: /** @type {string} */ (/** @type {unknown} */ (7)) })],
  ["a text is text", "textInvalid", (site) => site.update(3, { text: /** @type {string} */ (/** @type {unknown} */ (null)) })],
  ["a text is at most 20000 characters", "textTooLong", (site) => site.update(3, { text: "x".repeat(20_001) })],
  ["a change names what changes", "nothingToUpdate", (site) => site.update(3, {})],
  ["a parent exists", "parentNotFound", (site) => site.createDraft({ parent: 999, title: "x" })],
  ["a parent is a uid", "uidInvalid", (site) => site.createDraft({ parent: -1, title: "x" })],
  ["a draft has a title", "titleBlank", (site) => site.createDraft({ parent: 0, title: "" })],
  ["a language is two letters", "languageInvalid", (site) => site.createDraft({ parent: 0, title: "x", language: "english" })],
  ["hidden is true or false", "hiddenInvalid", (site) => site.setHidden(3, /** @type {boolean} */ (/** @type {unknown} */ ("yes")))],
  ["a search is not blank", "queryBlank", (site) => site.search("  ")],
  ["a search is at most 1000 characters", "queryTooLong", (site) => site.search("x".repeat(1_001))],
  ["a call key is not empty", "callKeyInvalid", (site) => site.once("", async () => 1)],
];

for (const [what, code, attempt] of REFUSALS) {
  test(`${what}: ${code}, and nothing is written`, async (t) => {
    const { site } = await freshSite(t);
    const before = await site.list();
    await assert.rejects(attempt(site), refusal(code));
    assert.deepEqual(await site.list(), before);
  });
}

test("a title of 255 characters, of any plane, is taken", async (t) => {
  const { site } = await freshSite(t);
  const title = "😀".repeat(255);
  assert.equal((await site.update(3, { title })).title, title);
});

test("a call that is repeated, also by other processes, takes effect once and gives the first result", async (t) => {
  const { site, file } = await freshSite(t);
  const before = (await site.list()).length;
  const results = await inProcesses(file, "once");
  results.push(await site.once("run/call", (writer) => writer.createDraft({ parent: 0, title: "Again" })));
  assert.equal(new Set(results.map((result) => JSON.stringify(result))).size, 1);
  assert.equal((await site.list()).length, before + 1);
  assert.equal((await site.once("run/other", (writer) => writer.createDraft({ parent: 0, title: "Again" }))).title, "Again");
});

test("an effect that fails leaves neither a write nor a note that it happened", async (t) => {
  const { site } = await freshSite(t);
  const before = await site.list();
  const failing = site.once("run/call", async (writer) => {
    await writer.createDraft({ parent: 0, title: "Half" });
    return writer.update(999, { title: "x" });
  });
  await assert.rejects(failing, refusal("pageNotFound"));
  assert.deepEqual(await site.list(), before);
  assert.equal((await site.once("run/call", (writer) => writer.createDraft({ parent: 0, title: "Whole" }))).title, "Whole");
});

test("processes that write at the same moment all succeed, each with slugs of its own", async (t) => {
  const { file } = await freshSite(t);
  const slugs = (await inProcesses(file, "drafts")).flat();
  assert.equal(slugs.length, 75);
  assert.equal(new Set(slugs).size, 75);
});
