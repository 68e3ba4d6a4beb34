/** The page in a real Chromium against the mock host: what a reader does, under the strict policy, without a word in the console. */

import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { chromium } from "playwright-core";
import { createMockHost } from "./mock-host.mjs";

/** The browser named by CHROMIUM, or the first one on the PATH. */
function chromiumPath() {
  const named = process.env.CHROMIUM;
  const candidates = named
    ? [named]
    : (process.env.PATH ?? "").split(delimiter).flatMap((folder) => ["chromium", "chromium-browser", "google-chrome"].map((name) => join(folder, name)));
  for (const path of candidates) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one may be there.
    }
  }
  throw new Error("No Chromium found: install the package chromium, or name its path in the environment variable CHROMIUM.");
}

let browser;
let host;
let base;
let context;
let page;
let problems;

before(async () => {
  browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--disable-dev-shm-usage", "--no-sandbox"] });
});
after(() => browser?.close());

beforeEach(async () => {
  host = createMockHost({ stub: true });
  base = await host.listen();
  context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: "en-GB" });
  page = await context.newPage();
  problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
});

afterEach(async () => {
  await context.close();
  await host.close();
  assert.deepEqual(problems, [], "the console stays empty and the policy is kept");
});

const open = (uid) => page.goto(`${base}#/c/${uid}`);
const sent = (method, part) => host.requests.filter((request) => request.method === method && request.path.includes(part));

test("approve: the digest goes back once, the focus goes to the status, the site shows the change", async () => {
  await open(1);
  await page.getByRole("button", { name: "Approve", exact: true }).dblclick();
  await page.waitForFunction(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.classList.contains("status");
  });
  await page.getByText("The page is now called About us.").waitFor();
  await page.locator("agent-chat-pages .changed", { hasText: "About us" }).waitFor();
  assert.deepEqual(
    sent("POST", "/decision").map(({ body }) => body),
    [{ approve: true, turnDigest: "d1" }],
  );
  assert.equal(await page.getByRole("button", { name: "Approve", exact: true }).count(), 0);
});

test("another variant, skip and decline are denials with the reader's words", async () => {
  for (const [name, reason] of [
    ["Another variant", "variant"],
    ["Skip", "skip"],
    ["Decline", undefined],
  ]) {
    host.requests.length = 0;
    host.conversations.set("1", structuredClone({ ...(await import("./mock-states.mjs")).states()[0] }));
    await page.goto(base);
    await open(1);
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByText("All right, nothing was changed.").waitFor();
    const [{ body }] = sent("POST", "/decision");
    assert.equal(body.approve, false);
    assert.equal(body.denyReason, reason);
    assert.ok(body.display.length > 0);
  }
});

test("a card decided elsewhere: the reason as words, the card is gone", async () => {
  await open(1);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  Object.assign(host.conversations.get("1"), {
    status: "idle",
    view: { busy: false, maySend: true, mayRetry: false, notices: [], card: null, form: null, pointsToRun: false, pollAfter: 0 },
  });
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("alert").getByText("it was decided or answered elsewhere").waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve", exact: true }).count(), 0);
  // The browser notes every refused request by itself.
  problems = problems.filter((text) => !text.includes("409 (Conflict)"));
});

test("expired and unreadable cards offer no decision, only the end", async () => {
  for (const uid of [3, 4]) {
    await open(uid);
    await page.locator("agent-chat-card").getByRole("button", { name: "End request" }).waitFor();
    assert.equal(await page.locator("[data-decision]").count(), 0);
  }
  await page.locator("agent-chat-card").getByRole("button", { name: "End request" }).click();
  await page.locator("agent-chat-card").waitFor({ state: "detached" });
});

test("a choice is answered by its value, by button or in own words", async () => {
  await open(5);
  await page.getByRole("button", { name: "News / Events" }).click();
  await page.getByText("Thank you.").waitFor();
  assert.deepEqual(sent("POST", "/answer")[0].body, { turnDigest: "i1", choice: 31 });
});

test("typed text is the answer where the question takes one", async () => {
  await open(5);
  const field = page.getByRole("textbox", { name: "Message" });
  await page.getByRole("button", { name: "News / Events" }).waitFor();
  await field.fill("below Team, please");
  await field.press("Enter");
  await page.getByText("Thank you.").waitFor();
  assert.deepEqual(sent("POST", "/answer")[0].body, { turnDigest: "i1", freeText: "below Team, please" });
});

test("a form says what is missing before anything is sent, and keeps what was typed", async () => {
  await open(6);
  await page.getByLabel("Place").fill("Market Square 1");
  await page.getByLabel("Seats").fill("many");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Please enter a whole number.").waitFor();
  await page.getByText("Please fill this in.").waitFor();
  assert.equal(sent("POST", "/answer").length, 0);
  assert.equal(await page.getByLabel("Place").inputValue(), "Market Square 1");
  await page.getByLabel("Seats").fill("120");
  await page.getByLabel("No", { exact: true }).check();
  await page.getByLabel("Month").selectOption({ label: "July" });
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Thank you.").waitFor();
  assert.deepEqual(
    sent("POST", "/answer").map(({ body }) => body),
    [{ turnDigest: "i2", fields: { place: "Market Square 1", seats: "120", public: false, month: "july" } }],
  );
});

test("Enter sends, Shift+Enter does not; the answer arrives by polling, then polling stops", async () => {
  await page.clock.install();
  await open(9);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.click();
  await page.keyboard.type("one");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await page.keyboard.press("Enter");
  await page.getByText("You wrote:").waitFor();
  const [{ body }] = sent("POST", "/messages");
  assert.equal(body.content, "one\ntwo");
  assert.match(body.clientId, /^[0-9a-f-]{36}$/);
  const polls = sent("GET", "/conversations/9").length;
  await page.clock.fastForward(60_000);
  await page.evaluate(() => fetch("/api/pages"));
  assert.equal(sent("GET", "/conversations/9").length, polls, "a settled conversation is not polled");
});

test("a message that did not arrive is sent again under its id", async () => {
  await open(9);
  await page.getByText("Three pages are").waitFor();
  host.setDown(true);
  await page.getByRole("textbox", { name: "Message" }).fill("hello");
  await page.keyboard.press("Enter");
  await page.getByText("Not sent: the connection failed.").waitFor();
  await page.getByText("The connection is lost.").waitFor();
  host.setDown(false);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("You wrote:").waitFor();
  const ids = sent("POST", "/messages").map(({ body }) => body.clientId);
  assert.ok(ids.length >= 2);
  assert.equal(new Set(ids).size, 1);
  assert.equal(await page.getByText("The connection is lost.").count(), 0);
  assert.ok(
    problems.every((text) => text.includes("net::ERR_")),
    problems.join(),
  );
  problems = [];
});

test("own messages are edited; Escape leaves the editor", async () => {
  await open(9);
  const first = page.locator("agent-chat-message").first();
  await first.hover();
  await first.getByRole("button", { name: "Edit message" }).click();
  await page.keyboard.press("Escape");
  assert.equal(await page.getByLabel("Your message").count(), 0);
  await first.getByRole("button", { name: "Edit message" }).click();
  await page.getByLabel("Your message").fill("Which pages are visible?");
  await page.getByRole("button", { name: "Save and send" }).click();
  await page.getByText("Edited.").waitFor();
  assert.deepEqual(sent("PUT", "/messages/0")[0].body, { content: "Which pages are visible?", expectedContent: "Which pages are hidden?", messageCount: 9 });
  assert.equal(await page.locator("agent-chat-message").count(), 2);
});

test("retry runs the turn again", async () => {
  await open(8);
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("It worked this time.").waitFor();
});

test("the list: search, rename, pin, archive; a new conversation begins with its first message", async () => {
  await page.goto(base);
  const list = page.locator("agent-chat-list");
  await list.getByRole("searchbox").fill("translate");
  await page.waitForFunction(
    () => document.querySelector("agent-chat").shadowRoot.querySelector("agent-chat-list").shadowRoot.querySelectorAll("li").length === 1,
  );
  await list.getByRole("link").hover();
  await list.getByRole("button", { name: "Rename" }).click();
  await page.keyboard.type("Translate everything");
  await page.keyboard.press("Enter");
  await list.getByRole("link", { name: "Translate everything" }).waitFor();
  await list.getByRole("button", { name: "Pin: Translate everything" }).click();
  await list.getByRole("button", { name: "Unpin: Translate everything" }).waitFor();
  await list.getByRole("button", { name: /^Move to the archive/ }).click();
  await list.getByText("Nothing found").waitFor();
  assert.deepEqual(
    sent("PATCH", "/8").map(({ body }) => body),
    [{ title: "Translate everything" }, { pinned: true }, { archived: true }],
  );
  await list.getByRole("button", { name: "New conversation" }).click();
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  await page.getByText("You wrote:").waitFor();
  assert.equal(new URL(page.url()).hash, "#/c/100");
});

test("unsent text is kept per conversation and over a reload", async () => {
  await open(9);
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("half a thought");
  await page.getByRole("link", { name: "Translate all news" }).click();
  await page.getByRole("heading", { name: "Translate all news" }).waitFor();
  assert.equal(await field.inputValue(), "");
  await page.goBack();
  await page.getByRole("heading", { name: "Which pages are hidden?" }).waitFor();
  assert.equal(await field.inputValue(), "half a thought");
  await page.reload();
  await page.getByRole("heading", { name: "Which pages are hidden?" }).waitFor();
  assert.equal(await field.inputValue(), "half a thought");
});

test("language and user are switched; a conversation of someone else is read only", async () => {
  await open(12);
  await page.getByText("Only Ada Approver can write in it.").waitFor();
  await page.getByLabel("Language").selectOption("de");
  await page.getByText("Schreiben kann darin nur Ada Approver.").waitFor();
  await page.getByLabel("Angemeldet als").selectOption({ label: "Ada Approver (Freigabe)" });
  await page.getByRole("textbox", { name: "Nachricht" }).waitFor();
  assert.deepEqual(sent("POST", "/session")[0].body, { uid: 2 });
  await page.reload();
  await page.getByText("Unterhaltungen").first().waitFor();
});

test("what a model writes is shown, not run or loaded", async () => {
  await open(9);
  await page.getByText("Three pages are").waitFor();
  const answer = page.locator("agent-chat-message .markdown").first();
  assert.deepEqual(await answer.locator("a").evaluateAll((links) => links.map((link) => [link.href, link.rel, link.target])), [
    ["https://example.org/guide", "noopener noreferrer nofollow", "_blank"],
    ["https://example.org/pixel.png", "noopener noreferrer nofollow", "_blank"],
  ]);
  assert.equal(await answer.locator("img, b, script").count(), 0);
});

test("a narrow page: the list is a drawer and nothing is wider than the window", async () => {
  await page.setViewportSize({ width: 360, height: 720 });
  for (const uid of [1, 2, 5, 6, 8, 9]) {
    await page.goto(base);
    await open(uid);
    await page.locator("agent-chat-message").first().waitFor();
    const wide = await page.evaluate(() => {
      const found = [];
      const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
          if (element.shadowRoot) walk(element.shadowRoot);
          if (element.getBoundingClientRect().right > innerWidth + 1 && !element.closest("pre, table, .visually-hidden"))
            found.push(element.outerHTML.slice(0, 80));
        }
      };
      walk(document);
      return found;
    });
    assert.deepEqual(wide, [], `conversation ${uid}`);
  }
  await page.getByRole("button", { name: "Show conversations" }).click();
  await page.getByRole("link", { name: "Translate all news" }).click();
  await page.getByRole("button", { name: "Show conversations" }).waitFor();
});

for (const colorScheme of ["light", "dark"]) {
  test(`no accessibility fault that axe finds, ${colorScheme}`, async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const place of ["", ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12].map((uid) => `#/c/${uid}`)]) {
      await page.goto(base);
      await page.goto(base + place);
      await page
        .locator(place ? "agent-chat-message" : ".examples")
        .first()
        .waitFor();
      const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html, target }) => [String(target), html.slice(0, 120)])]),
        [],
        place,
      );
    }
  });
}
