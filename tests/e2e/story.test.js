// What a person gets: the story of the main job, in a real browser, against the real host on a real database file.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { inRoot } from "../../scripts/lib/project.mjs";
import { Editor, launchBrowser, startHost, temporaryFolder } from "./desk.js";

mkdirSync(inRoot("tests", "artifacts"), { recursive: true });

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startHost>>} */
let host;
const place = temporaryFolder();

before(async () => {
  browser = await launchBrowser();
  host = await startHost(place.folder);
});
after(async () => {
  await browser?.close();
  await host?.stop();
  place.remove();
});

test("rename: looked up, proposed, approved, done, said", async () => {
  const edda = await Editor.at(browser, host.url);
  await edda.says("Rename the page Team to About us");
  assert.match(await edda.card(), /Team.*About us/);
  assert.ok((await edda.titles()).includes("Team"), "nothing is written before a person decides");
  await edda.photographs("card");
  await edda.decides("approve");
  await edda.reads(/now called|is now/i);
  assert.ok((await edda.titles()).includes("About us"));
  assert.ok(!(await edda.titles()).includes("Team"));
  await edda.photographs("renamed");
  assert.deepEqual(edda.complaints, []);
  await edda.leaves();
});

test("a question about the site is answered at once from a read", async () => {
  const edda = await Editor.at(browser, host.url);
  await edda.says("Which pages are hidden?");
  await edda.reads(/Old opening hours/);
  assert.equal(await edda.page.locator("agent-chat-card [data-decision]").count(), 0);
  assert.deepEqual(edda.complaints, []);
  await edda.leaves();
});

test("create: asks where, then proposes, then does it", async () => {
  const edda = await Editor.at(browser, host.url);
  await edda.says("Create a page about our summer party");
  const choice = edda.page.locator("agent-chat-question button", { hasText: "News" });
  await choice.waitFor();
  await edda.photographs("question");
  await choice.click();
  await edda.card();
  await edda.decides("approve");
  await edda.reads(/created/i);
  assert.ok((await edda.titles()).some((/** @type {string} */ title) => /summer party/i.test(title)));
  assert.deepEqual(edda.complaints, []);
  await edda.leaves();
});

test("declined, another variant, skipped: nothing is written, the model answers", async () => {
  const edda = await Editor.at(browser, host.url);
  await edda.says("Rename the page Contact to Get in touch");
  const first = await edda.card();
  await edda.decides("variant");
  await edda.reads(/another variant/i);
  assert.notEqual(await edda.card(), first, "another proposal");
  await edda.decides("skip");
  await edda.reads("Skipped. Everything stays as it is.");
  await edda.says("Rename the page Contact to Reach us");
  await edda.card();
  await edda.decides("decline");
  await edda.reads("All right, I leave everything as it is.");
  assert.ok((await edda.titles()).includes("Contact"));
  assert.deepEqual(edda.complaints, []);
  await edda.leaves();
});

test("a stale card in a second tab: decided once, the other tab follows", async () => {
  const edda = await Editor.at(browser, host.url);
  await edda.says("Rename the page Imprint to Legal notice");
  await edda.card();
  const second = await edda.page.context().newPage();
  await second.goto(edda.page.url());
  await second.locator("agent-chat-card [data-decision=approve]").waitFor();
  await edda.decides("approve");
  await edda.reads(/Legal notice/);
  await second
    .locator("agent-chat-card [data-decision=decline]")
    .click({ timeout: 2000 })
    .catch(() => {});
  await second.getByText("Legal notice").first().waitFor();
  const { messages } = await edda.api(`/api/conversations/${edda.conversation}?after=0`);
  assert.equal(messages.filter((/** @type {{ role: string }} */ m) => m.role === "user").length, 1, "the late click left nothing behind");
  assert.ok((await edda.titles()).includes("Legal notice"));
  await edda.leaves();
});

test("reload, closed browser, stopped host: the card is still there, and is carried out once", async () => {
  let edda = await Editor.at(browser, host.url);
  await edda.says("Rename the page News to Latest news");
  await edda.card();
  await edda.page.reload();
  await edda.card();
  const { conversation } = edda;
  await edda.leaves();
  await host.stop();
  host = await startHost(place.folder);
  edda = await Editor.at(browser, `${host.url}#/c/${conversation}`);
  await edda.card();
  await edda.decides("approve");
  await edda.reads(/Latest news/);
  assert.ok((await edda.titles()).includes("Latest news"));
  assert.deepEqual(edda.complaints, []);
  await edda.leaves();
});

test("deleting needs a second person: both sides of who may decide", async () => {
  const edda = await Editor.at(browser, host.url);
  await edda.says("Delete the page Old opening hours");
  await edda.page
    .getByText(/someone else|another person|second person/i)
    .first()
    .waitFor();
  assert.equal(await edda.page.locator("agent-chat-card [data-decision]").count(), 0);
  await edda.photographs("elsewhere");
  const { conversation } = edda;
  const alex = await Editor.at(browser, host.url);
  await alex.page.request.post(new URL("/api/session", host.url).href, { data: { uid: 2 }, headers: { "content-type": "application/json" } });
  await alex.page.goto(`${host.url}#/c/${conversation}`);
  await alex.page.reload();
  await alex.card();
  await alex.decides("approve");
  await alex.reads(/deleted/i);
  assert.ok(!(await alex.titles()).includes("Old opening hours"));
  await edda.leaves();
  await alex.leaves();
});

test("the same story in German, on a German host", async () => {
  await host.stop();
  host = await startHost(place.folder, { LOCALE: "de" });
  const edda = await Editor.at(browser, host.url, { locale: "de-DE", colorScheme: "dark" });
  await edda.says("Benenne die Seite Aktuelles in Neuigkeiten um");
  assert.match(await edda.card(), /Titel.*Aktuelles.*Neuigkeiten/);
  await edda.photographs("karte-dunkel");
  await edda.decides("approve");
  await edda.reads(/Neuigkeiten/);
  assert.ok((await edda.titles()).includes("Neuigkeiten"));
  assert.deepEqual(edda.complaints, []);
  await edda.leaves();
});
