/** The page in a real Chromium against the mock host: what a reader does, under the strict policy, without a word in the console. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sitDown } from "./desk.mjs";
import { idleView, stateOf } from "./mock-states.mjs";

const desk = sitDown();
const { open, sent, bodies } = desk;
const stored = (/** @type {number} */ uid) => desk.stored(uid);
/** @type {import("playwright-core").Page} */
let page;
/** @type {string} */
let base;
beforeEach(() => ({ page, base } = desk));

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
  assert.deepEqual(bodies("POST", "/decision"), [{ approve: true, turnDigest: "d1" }]);
  assert.equal(await page.getByRole("button", { name: "Approve", exact: true }).count(), 0);
});

test("another variant, skip and decline are denials with the reader's words", async () => {
  for (const { name, reason } of [
    { name: "Another variant", reason: "variant" },
    { name: "Skip", reason: "skip" },
    { name: "Decline", reason: undefined },
  ]) {
    desk.host.requests.length = 0;
    desk.host.conversations.set("1", stateOf(1));
    await page.goto(`${base}#/`);
    await page.locator(".examples").waitFor();
    await open(1);
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByText("All right, nothing was changed.").waitFor();
    const [body] = bodies("POST", "/decision");
    assert.equal(body?.approve, false);
    assert.equal(body?.denyReason, reason);
    assert.match(String(body?.display), /\S/);
  }
});

test("a card decided elsewhere: the reason as words, the card is gone", async () => {
  await open(1);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  Object.assign(stored(1), { status: "idle", view: idleView });
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByRole("alert").getByText("it was decided or answered elsewhere").waitFor();
  assert.equal(await page.getByRole("button", { name: "Approve", exact: true }).count(), 0);
  desk.expectRefusal("409 (Conflict)");
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

test("a card expires on the screen by itself, by the component in the page", async () => {
  await page.clock.install();
  const now = Date.now() + 3_600_000;
  const row = stored(1);
  const { card } = row.view;
  Object.assign(row, {
    runUuid: "r",
    now,
    waiting: { runUuid: "r", mode: "approval", turnDigest: "d1", pendingCalls: card?.calls, expiresAt: Math.ceil(now / 1000) + 5 },
  });
  await open(1);
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await page.evaluate(async () => {
    // @ts-expect-error an address of the server
    await (await import("/chat/component.js")).loadRules();
  });
  await page.clock.runFor(2000);
  assert.equal(await page.getByRole("button", { name: "Approve", exact: true }).count(), 1);
  const polls = sent("GET", "/conversations/1").length;
  await page.clock.runFor(4500);
  await page.getByText("The time to decide has run out. End the request").waitFor();
  assert.equal(await page.locator("[data-decision]").count(), 0);
  assert.equal(sent("GET", "/conversations/1").length, polls, "no poll was needed");
});

test("a choice is answered by its value, by button or in own words", async () => {
  await open(5);
  await page.getByRole("button", { name: "News / Events" }).click();
  await page.getByText("Thank you.").waitFor();
  assert.deepEqual(bodies("POST", "/answer")[0], { turnDigest: "i1", choice: 31 });
});

test("typed text is the answer where the question takes one", async () => {
  await open(5);
  const field = page.getByRole("textbox", { name: "Message" });
  await page.getByRole("button", { name: "News / Events" }).waitFor();
  await field.fill("below Team, please");
  await field.press("Enter");
  await page.getByText("Thank you.").waitFor();
  assert.deepEqual(bodies("POST", "/answer")[0], { turnDigest: "i1", freeText: "below Team, please" });
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
  assert.deepEqual(bodies("POST", "/answer"), [{ turnDigest: "i2", fields: { place: "Market Square 1", seats: "120", public: false, month: "july" } }]);
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
  const [body] = bodies("POST", "/messages");
  assert.equal(body?.content, "one\ntwo");
  assert.match(String(body?.clientId), /^[0-9a-f-]{36}$/);
  const polls = sent("GET", "/conversations/9").length;
  await page.clock.fastForward(60_000);
  await page.evaluate(() => fetch("/api/pages"));
  assert.equal(sent("GET", "/conversations/9").length, polls, "a settled conversation is not polled");
});

test("a message that did not arrive is sent again under its id", async () => {
  await open(9);
  await page.getByText("Three pages are").waitFor();
  desk.host.setDown(true);
  await page.getByRole("textbox", { name: "Message" }).fill("hello");
  await page.keyboard.press("Enter");
  await page.getByText("Not sent: the connection failed.").waitFor();
  await page.getByText("The connection is lost.").waitFor();
  desk.host.setDown(false);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("You wrote:").waitFor();
  const ids = sent("POST", "/messages").map(({ body }) => body.clientId);
  assert.ok(ids.length >= 2);
  assert.equal(new Set(ids).size, 1);
  assert.equal(await page.getByText("The connection is lost.").count(), 0);
  assert.ok(
    desk.problems.every((text) => text.includes("net::ERR_")),
    desk.problems.join(),
  );
  desk.problems = [];
});

test("the editor of a message stays in sight, also in a conversation as high as the window", async () => {
  await page.setViewportSize({ width: 390, height: 780 });
  stored(9).messages.splice(2);
  await open(9);
  const first = page.locator("agent-chat-message").first();
  await first.hover();
  await first.getByRole("button", { name: "Edit message" }).click();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  const { top, bottom } = await page.getByLabel("Your message").evaluate((field) => field.getBoundingClientRect());
  const area = await page.locator("agent-chat-transcript").evaluate((element) => element.getBoundingClientRect());
  assert.ok(top >= area.top && bottom <= area.bottom, `${top} to ${bottom}`);
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
  assert.deepEqual(bodies("PUT", "/messages/0")[0], { content: "Which pages are visible?", expectedContent: "Which pages are hidden?", messageCount: 9 });
  assert.equal(await page.locator("agent-chat-message").count(), 2);
});

test("a turn that is worked on is stopped; the page says that it is stopping, then that it was", async () => {
  await open(10);
  await page.getByRole("button", { name: "Stop", exact: true }).dblclick();
  await page.getByText("Stopping …").waitFor();
  assert.equal(await page.getByRole("button", { name: "Stop", exact: true }).count(), 0);
  await page.getByText("The request was cancelled.").waitFor();
  assert.equal(bodies("POST", "/stop").length, 1);
  await page.getByRole("button", { name: "Retry" }).waitFor();
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
  await list.getByRole("link", { name: "Which pages are hidden?" }).waitFor({ state: "detached" });
  await list.getByRole("link").hover();
  await list.getByRole("button", { name: "Rename" }).click();
  await page.keyboard.type("Translate everything");
  await page.keyboard.press("Enter");
  await list.getByRole("link", { name: "Translate everything" }).waitFor();
  await list.getByRole("button", { name: "Pin: Translate everything" }).click();
  await list.getByRole("button", { name: "Unpin: Translate everything" }).waitFor();
  await list.getByRole("button", { name: /^Move to the archive/ }).click();
  await list.getByText("Nothing found").waitFor();
  assert.deepEqual(bodies("PATCH", "/8"), [{ title: "Translate everything" }, { pinned: true }, { archived: true }]);
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
  assert.deepEqual(bodies("POST", "/session")[0], { uid: 2 });
  await page.reload();
  await page.getByText("Unterhaltungen").first().waitFor();
});

test("what a model writes is shown, not run or loaded", async () => {
  await open(9);
  await page.getByText("Three pages are").waitFor();
  const answer = page.locator("agent-chat-message .markdown").first();
  assert.deepEqual(await answer.locator("a").evaluateAll((links) => links.map((link) => ["href", "rel", "target"].map((name) => link.getAttribute(name)))), [
    ["https://example.org/guide", "noopener noreferrer nofollow", "_blank"],
    ["https://example.org/pixel.png", "noopener noreferrer nofollow", "_blank"],
  ]);
  assert.equal(await answer.locator("img, b, script").count(), 0);
});

/** The elements that reach beyond the right edge of the window, except inside what scrolls by itself. */
const tooWide = () =>
  page.evaluate(() => {
    /** @type {string[]} */
    const found = [];
    const walk = (/** @type {ParentNode} */ root) => {
      for (const element of root.querySelectorAll("*")) {
        if (element.shadowRoot) walk(element.shadowRoot);
        if (element.getBoundingClientRect().right > innerWidth + 1 && !element.closest("pre, table, .visually-hidden"))
          found.push(element.outerHTML.slice(0, 80));
      }
    };
    walk(document);
    return found;
  });

test("a narrow page: the list is a drawer and nothing is wider than the window", async () => {
  await page.setViewportSize({ width: 360, height: 720 });
  for (const uid of [1, 2, 5, 6, 8, 9]) {
    await open(uid);
    await page.getByRole("heading", { name: stored(uid).title, exact: true }).waitFor();
    await page.locator("agent-chat-message").first().waitFor();
    assert.deepEqual(await tooWide(), [], `conversation ${uid}`);
  }
  await page.getByRole("button", { name: "Show conversations" }).click();
  await page.getByRole("link", { name: "Translate all news" }).click();
  await page.getByRole("button", { name: "Show conversations" }).waitFor();
});

test("a card higher than the window begins at its top and stays where the reader scrolled it", async () => {
  await page.setViewportSize({ width: 360, height: 480 });
  await open(2);
  const card = page.locator("agent-chat-card");
  await card.waitFor();
  const transcript = page.locator("agent-chat-transcript");
  const below = async () =>
    (await card.evaluate((element) => element.getBoundingClientRect().top)) - (await transcript.evaluate((element) => element.getBoundingClientRect().top));
  await page.waitForFunction(
    ([inner, outer]) => {
      const distance = (inner?.getBoundingClientRect().top ?? 0) - (outer?.getBoundingClientRect().top ?? 0);
      return distance > 0 && distance < 40;
    },
    [await card.elementHandle(), await transcript.elementHandle()],
  );
  await transcript.evaluate((element) => element.scrollTo(0, element.scrollHeight - element.clientHeight - 60));
  const scrolled = await below();
  assert.ok(scrolled < 0, "the card is higher than the window");
  const polled = page.waitForResponse((response) => response.url().includes("/conversations/2?"));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await polled;
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await below(), scrolled);
});

test("an API of the page's own: set as an object it is asked instead, tells of changes elsewhere, and is let go", async () => {
  await page.goto(base);
  await page.locator(".examples").waitFor();
  await page.evaluate(() => {
    const seen = /** @type {typeof window & { tell?: ((uid: number) => void) | null, answer?: string }} */ (window);
    seen.answer = "From the page itself.";
    const element = /** @type {import("../../../www/chat/app.js").AgentChat} */ (document.querySelector("agent-chat"));
    const user = { uid: 5, name: "Local Lena", isAdmin: false, groups: [], role: "" };
    const view = { busy: false, maySend: true, mayRetry: false, notices: [], card: null, form: null, pointsToRun: false, pollAfter: 0 };
    const conversation = { uid: 3, title: "Mine", status: "idle", revision: 1, owner: 5, activity: [], errorCode: "" };
    element.api = /** @type {import("../../../www/chat/api.js").Api} */ (
      /** @type {unknown} */ ({
        session: async () => ({ user, users: [user], model: { name: "", rehearsal: false }, limits: { maxMessageLength: 9, maxFiles: 0, maxFileBytes: 0 } }),
        list: async () => ({ conversations: [] }),
        pages: async () => ({ pages: [] }),
        poll: async () => ({
          conversation,
          messages: [{ role: "assistant", content: seen.answer }],
          messageCount: 1,
          truncated: false,
          view,
          you: { mayWrite: true, mayDecide: true },
        }),
        watch(/** @type {(uid: number) => void} */ tell) {
          seen.tell = tell;
          return () => {
            seen.tell = null;
          };
        },
      })
    );
  });
  await page.evaluate(() => {
    location.hash = "#/c/3";
  });
  await page.getByText("From the page itself.").waitFor();
  desk.host.requests.length = 0;
  await page.evaluate(() => {
    const seen = /** @type {typeof window & { tell?: (uid: number) => void, answer?: string }} */ (window);
    seen.answer = "Changed in another tab.";
    seen.tell?.(3);
  });
  await page.getByText("Changed in another tab.").waitFor();
  assert.deepEqual(desk.host.requests, []);
  await page.evaluate(() => document.querySelector("agent-chat")?.remove());
  assert.equal(await page.evaluate(() => /** @type {typeof window & { tell?: unknown }} */ (window).tell), null);
});

test("a page that nobody sees polls nothing, and catches up when it is seen again", async () => {
  await open(10);
  await page.getByText("Working on it").waitFor();
  const polls = () => sent("GET", "/conversations/10").length;
  const pause = () => page.evaluate(() => new Promise((done) => setTimeout(done, 700)));
  const hide = (/** @type {boolean} */ now) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, now);
  const before = polls();
  await pause();
  assert.ok(polls() > before, "a turn that goes on is polled");
  await hide(true);
  const hidden = polls();
  await pause();
  assert.ok(polls() <= hidden + 1, "at most the poll that was under way");
  const still = polls();
  await pause();
  assert.equal(polls(), still);
  await hide(false);
  await page.waitForResponse(/conversations\/10/);
});

test("a network that is back is tried at once", async () => {
  await open(9);
  await page.getByText("Three pages are").waitFor();
  desk.host.setDown(true);
  await page.getByRole("textbox", { name: "Message" }).fill("hello");
  await page.keyboard.press("Enter");
  await page.getByText("The connection is lost.").waitFor();
  // The poll that is due goes wrong, and no other one is due after it.
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/conversations/9?"));
  await page.evaluate(() => void Object.assign(globalThis, { setTimeout: () => 0 }));
  await failed;
  desk.host.setDown(false);
  await page.evaluate(() => void dispatchEvent(new Event("online")));
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector("agent-chat")).chat.connectionLost === false);
  desk.problems = desk.problems.filter((text) => !text.includes("net::ERR_"));
});

/** Name of what has the focus, in whatever shadow root. */
const focused = () =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.getAttribute("aria-label") ?? active?.className ?? "";
  });

test("no focus is lost with the button that was pressed: sent, edited, tried again, pinned, put into the archive", async () => {
  const settledAt = (/** @type {string} */ name) =>
    page.waitForFunction((text) => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return (active?.getAttribute("aria-label") ?? active?.className ?? "").startsWith(text);
    }, name);
  await open(9);
  await page.getByRole("textbox", { name: "Message" }).fill("hello");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("You wrote:").waitFor();
  assert.equal(await focused(), "Message");

  const first = page.locator("agent-chat-message").first();
  await first.hover();
  await first.getByRole("button", { name: "Edit message" }).click();
  await page.getByLabel("Your message").fill("Which pages are visible?");
  await page.getByRole("button", { name: "Save and send" }).click();
  await page.getByText("Edited.").waitFor();
  await settledAt("status");

  await page.locator("agent-chat-list a", { hasText: "Translate all news" }).click();
  await page.getByRole("button", { name: "Retry" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("It worked this time.").waitFor();
  await settledAt("status");
  // The focus stands on something that is seen, also when there is nothing more to say.
  await page.locator("agent-chat-transcript .rest").getByText("Ready").waitFor();

  await page.getByRole("button", { name: "Pin: Translate all news" }).click();
  await page.getByRole("button", { name: "Unpin: Translate all news" }).waitFor();
  await settledAt("Unpin: Translate all news");
  await page.getByRole("button", { name: "Move to the archive: Translate all news" }).click();
  await page.locator("agent-chat-list a", { hasText: "Translate all news" }).waitFor({ state: "detached" });
  await page.waitForFunction(
    () => document.querySelector("agent-chat")?.shadowRoot?.querySelector("agent-chat-list")?.shadowRoot?.activeElement?.matches("a") === true,
  );
});
