// The main job in Firefox: against the real host in two languages, and without a host.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startHost, temporaryFolder } from "./desk.js";
import { FirefoxEditor, launchFirefox } from "./firefox-desk.js";
import { serveExample } from "./static-site.js";

const place = temporaryFolder();
/** @type {Awaited<ReturnType<typeof launchFirefox>>} */
let firefox;
/** @type {Awaited<ReturnType<typeof startHost>>} */
let host;

before(async () => {
  [firefox, host] = await Promise.all([launchFirefox("en-GB"), startHost(place.folder)]);
});
after(async () => {
  await firefox?.close();
  await host?.stop();
  place.remove();
});

test("rename: proposed, approved, written; a reload in between changes nothing", async () => {
  const edda = await FirefoxEditor.at(firefox.browser, host.url);
  await edda.says("Rename the page Team to About us");
  await edda.card();
  assert.ok(!(await edda.titles()).includes("About us"), "nothing is written before a person decides");
  await edda.page.reload();
  await edda.card();
  await edda.decides("approve");
  await edda.reads("About us");
  await edda.until("the new title", async () => (await edda.titles()).includes("About us"));
  await edda.leaves();
});

test("declined and skipped: nothing is written; a question is answered by its button", async () => {
  const edda = await FirefoxEditor.at(firefox.browser, host.url);
  await edda.says("Rename the page Contact to Get in touch");
  await edda.card();
  await edda.decides("skip");
  await edda.reads("Skipped. Everything stays as it is.");
  await edda.says("Create a page about our summer party");
  await edda.clicks("agent-chat-question button", "News");
  await edda.card();
  await edda.decides("decline");
  await edda.reads("All right, I leave everything as it is.");
  const titles = await edda.titles();
  assert.ok(titles.includes("Contact") && !titles.some((/** @type {string} */ title) => /party/i.test(title)));
  await edda.leaves();
});

test("the same in German, chosen in the page", async () => {
  const edda = await FirefoxEditor.at(firefox.browser, host.url);
  const choice = await edda.sees("label.choice select", "Deutsch");
  await choice.select("de");
  await edda.sees("button", "Neue Unterhaltung");
  await edda.says("Benenne die Seite Imprint in Impressum um");
  await edda.sees("[data-decision=approve]", "Freigeben");
  await edda.decides("approve");
  await edda.until("the new title", async () => (await edda.titles()).includes("Impressum"));
  await choice.select("en");
  await edda.leaves();
});

test("without a host: approve, answer, deny, reload in the middle", async () => {
  const site = await serveExample();
  const edda = await FirefoxEditor.at(firefox.browser, site.url);
  await edda.says("Rename the page Team to About us");
  await edda.card();
  await edda.page.reload();
  await edda.card();
  await edda.decides("approve");
  await edda.reads("The page is now called About us.");
  await edda.says("Create a page about bees");
  await edda.clicks("agent-chat-question button", "News");
  await edda.card();
  await edda.decides("decline");
  await edda.reads("All right, I leave everything as it is.");
  await edda.says("How many pages are there, slowly");
  await edda.until("a run", () => edda.page.evaluate(() => (localStorage.getItem("agent-turn-example") ?? "").includes('"status":"running"')));
  await edda.page.reload();
  await edda.clicks("[data-action=retry]");
  await edda.reads("There are 4 pages.");
  await edda.leaves();
  await site.close();
});
