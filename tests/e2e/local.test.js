// The chat without a host, in Chromium: files from a static server, everything else in the page. Reloads, closed tabs, two tabs at once.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { Editor, launchBrowser } from "./desk.js";
import { serveExample } from "./static-site.js";

/** @type {import("playwright-core").Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof serveExample>>} */
let site;
/** @type {Editor} */
let edda;

before(async () => {
  [browser, site] = await Promise.all([launchBrowser(), serveExample()]);
});
after(async () => {
  await browser?.close();
  await site?.close();
});
beforeEach(async () => {
  edda = await Editor.at(browser, site.url);
});
afterEach(async () => {
  assert.deepEqual(edda.complaints, [], "no word in the console, the policy is kept");
  await edda.leaves();
});

/** Titles of the site as it is stored. @param {Editor} editor @returns {Promise<string[]>} */
const titles = (editor) =>
  editor.page.evaluate(() =>
    (JSON.parse(localStorage.getItem("agent-turn-example") ?? "null")?.pages ?? []).map((/** @type {{ title: string }} */ page) => page.title),
  );

/** Another tab of the same browser, at the same conversation. */
async function secondTab() {
  const other = new Editor(await edda.page.context().newPage());
  await other.page.goto(edda.page.url());
  await other.field.waitFor();
  return other;
}

/** Waits until the runtime has begun, or taken up, a run. @param {Editor} editor */
const aRunGoesOn = (editor) => editor.page.waitForFunction(() => (localStorage.getItem("agent-turn-example") ?? "").includes('"status":"running"'));

test("send, approve: looked at, proposed, approved, written, said, shown among the pages", async () => {
  await edda.says("Rename the page Team to About us");
  assert.match(await edda.card(), /Title CurrentTeam ProposedAbout us/);
  assert.ok(!(await titles(edda)).includes("About us"), "nothing is written before a person decides");
  await edda.decides("approve");
  await edda.reads("The page is now called About us.");
  assert.ok((await titles(edda)).includes("About us"));
  await edda.page.locator("agent-chat-pages .changed", { hasText: "About us" }).waitFor();
  assert.equal(await edda.page.locator("agent-chat-composer button.attach").count(), 0, "a page without files offers none");
});

test("question, answer, reload in the middle, approve: the card is still there and carried out once", async () => {
  await edda.says("Create a page about bees");
  await edda.page.locator("agent-chat-question button", { hasText: "News" }).waitFor();
  await edda.page.reload();
  await edda.page.locator("agent-chat-question button", { hasText: "News" }).click();
  assert.match(await edda.card(), /New page: Bees/);
  await edda.page.reload();
  await edda.card();
  await edda.page.locator("agent-chat-card [data-decision=approve]").dblclick();
  await edda.reads("I have created the page Bees.");
  assert.equal((await titles(edda)).filter((title) => title === "Bees").length, 1);
});

test("declined, skipped: nothing is written, and the reader's words stand in the transcript", async () => {
  await edda.says("Rename Contact to Reach us");
  await edda.card();
  await edda.decides("decline");
  await edda.reads("All right, I leave everything as it is.");
  await edda.says("Rename Contact to Reach us");
  await edda.card();
  await edda.decides("skip");
  await edda.reads("Skipped. Everything stays as it is.");
  assert.ok((await titles(edda)).includes("Contact"));
});

test("a renamed conversation is so after a reload, an archived one leaves the list", async () => {
  await edda.says("How many pages are there?");
  await edda.reads("There are 4 pages.");
  const list = edda.page.locator("agent-chat-list");
  await list
    .getByRole("button", { name: /rename/i })
    .first()
    .click();
  await list.locator("input:not([type=search])").fill("Counted");
  await list.locator("input:not([type=search])").press("Enter");
  await list.getByText("Counted").waitFor();
  await edda.page.reload();
  await list.getByText("Counted").waitFor();
  await list
    .getByRole("button", { name: /archive/i })
    .last()
    .click();
  await list.getByText("Counted").waitFor({ state: "detached" });
});

test("two tabs: what one sends the other sees, decides, and the first one follows", async () => {
  await edda.says("How many pages are there?");
  await edda.reads("There are 4 pages.");
  const other = await secondTab();
  await other.reads("There are 4 pages.");
  await edda.says("Rename Home to Start");
  await other.card();
  await other.decides("approve");
  await edda.reads("The page is now called Start.");
  await other.reads("The page is now called Start.");
  assert.equal(await edda.page.locator("agent-chat-card [data-decision]").count(), 0);
  // A new conversation of one tab stands in the list of the other.
  await other.page.getByRole("button", { name: "New conversation" }).first().click();
  await other.says("Rename News to Journal");
  await other.card();
  await edda.page.locator("agent-chat-list").getByText("Rename News to Journal").waitFor();
  assert.deepEqual(other.complaints, []);
});

test("the tab that carries out a turn is closed: the other one finds out, and Retry answers", async () => {
  await edda.says("How many pages are there?");
  await edda.reads("There are 4 pages.");
  const other = await secondTab();
  await other.reads("There are 4 pages.");
  await edda.says("How many pages are there, slowly");
  await other.page.locator("agent-chat-message", { hasText: "slowly" }).waitFor();
  await aRunGoesOn(other);
  const { complaints } = edda;
  await edda.page.close();
  assert.deepEqual(complaints, []);
  edda = other;
  await edda.page.locator("[data-action=retry]").click();
  await edda.page.locator("agent-chat-message").filter({ hasText: "There are 4 pages." }).nth(1).waitFor();
});

test("the only tab is closed while an approved change is carried out: nothing half done, and the next load says so", async () => {
  await edda.says("Rename Team to Slow people");
  await edda.card();
  await edda.decides("approve");
  await edda.page.locator("agent-chat-card [data-decision=approve]").waitFor({ state: "detached" });
  await aRunGoesOn(edda);
  const address = edda.page.url();
  const context = edda.page.context();
  const page = await context.newPage();
  const { complaints } = edda;
  await edda.page.close();
  assert.deepEqual(complaints, []);
  edda = new Editor(page);
  await page.goto(address);
  await page.locator("[data-action=retry]").waitFor();
  assert.ok((await titles(edda)).includes("Team"));
  await page.locator("[data-action=retry]").click();
  await edda.card();
  await edda.decides("approve");
  await edda.reads("The page is now called Slow people.");
  assert.equal((await titles(edda)).filter((title) => title === "Slow people").length, 1);
});

test("a message queued by a tab that was closed at once is carried out by the next page", async () => {
  const uid = await edda.page.evaluate(async () => {
    const { createIndexedDbStorage } = await import(new URL("../agent-turn/storage/indexeddb.js", location.href).href);
    const storage = createIndexedDbStorage({ name: "agent-turn-example" });
    const messages = [{ role: "user", content: "How many pages are there?" }];
    const queued = await storage.insert({ owner: 1, title: "Left behind", status: "processing", messages });
    await storage.close();
    return queued;
  });
  await edda.page.goto(`${site.url}#/c/${uid}`);
  await edda.page.reload();
  await edda.reads("There are 4 pages.");
});

test("faults of the storage are refusals with their own code, and words", async () => {
  const seen = await edda.page.evaluate(async () => {
    const here = (/** @type {string} */ path) => import(new URL(path, location.href).href);
    const { createLocalApi } = await here("../chat/local/api.js");
    const { StorageError } = await here("../agent-turn/storage/memory.js");
    const found = [];
    for (const code of ["storageFull", "schemaTooNew", "storageUnavailable", "storageBusy", "unheardOf"]) {
      const fault = async () => {
        throw new StorageError(code, "no");
      };
      const storage = { load: fault, insert: fault, swap: fault, touch: fault, find: async () => [], remove: fault, list: fault };
      const api = createLocalApi({ storage, runtime: { run: fault, approve: fault, submitInput: fault, status: fault }, name: `faults-${code}` });
      const codes = [];
      for (const request of [() => api.list({ search: "", archived: false }), () => api.create(), () => api.send(1, { content: "x", clientId: "c" })]) {
        codes.push(await request().then(String, (/** @type {{ code: string, httpStatus: number }} */ error) => `${error.code} ${error.httpStatus}`));
      }
      codes.push(await api.upload(new Blob(["x"]), { name: "x", type: "text/plain" }).then(String, (/** @type {{ code: string }} */ error) => error.code));
      await api.close();
      found.push([...new Set(codes)].join(", "));
    }
    return found;
  });
  assert.deepEqual(seen, [
    "storageFull 413, unsupportedMediaType",
    "schemaTooNew 400, unsupportedMediaType",
    "storageUnavailable 503, unsupportedMediaType",
    "storageBusy 503, unsupportedMediaType",
    "internal 500, unsupportedMediaType",
  ]);
});

test("requests that make no sense are refused as the host refuses them", async () => {
  const seen = await edda.page.evaluate(async () => {
    const here = (/** @type {string} */ path) => import(new URL(path, location.href).href);
    const { createLocalApi } = await here("../chat/local/api.js");
    const { createIndexedDbStorage } = await here("../agent-turn/storage/indexeddb.js");
    const storage = createIndexedDbStorage({ name: "refusals" });
    const runtime = { run: () => null, approve: () => null, submitInput: () => null, status: () => null };
    const api = createLocalApi({ storage, runtime, name: "refusals", settings: { maxMessageLength: 5 } });
    const { uid } = await api.create();
    const foreign = await storage.insert({ owner: 2, title: "Not yours" });
    const requests = [
      () => api.poll(foreign, 0),
      () => api.poll(4711, 0),
      () => api.change(foreign, { title: "x" }),
      () => api.change(uid, {}),
      () => api.change(uid, { title: " \u0007 " }),
      () => api.change(uid, { title: "x".repeat(256) }),
      () => api.change(uid, { systemPrompt: "x".repeat(10_001) }),
      () => api.send(uid, { content: " ", clientId: "a" }),
      () => api.send(uid, { content: "too long", clientId: "b" }),
      () => api.send(uid, { content: 7, clientId: "c" }),
      () => api.decide(uid, { approve: true, turnDigest: "d" }),
      () => api.retry(uid),
      () => api.end(uid),
    ];
    const codes = [];
    for (const request of requests)
      codes.push(await request().then(JSON.stringify, (/** @type {{ code: string, httpStatus: number }} */ error) => `${error.code} ${error.httpStatus}`));
    const { conversations } = await api.list({ search: "", archived: false });
    await api.close();
    await storage.close();
    return [...codes, `${conversations.length} listed`];
  });
  assert.deepEqual(seen, [
    "notFound 404",
    "notFound 404",
    "notFound 404",
    "badRequest 400",
    "badRequest 400",
    "badRequest 400",
    "promptTooLong 400",
    "messageEmpty 400",
    "messageTooLong 400",
    "invalidArgument 400",
    "notAwaiting 409",
    "nothingToRetry 400",
    "notAwaiting 409",
    "1 listed",
  ]);
});
