/** The chat as a floating panel, in other colours, from right to left, and with a very long transcript. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { sitDown } from "./desk.mjs";
import { stateOf } from "./mock-states.mjs";

const desk = sitDown();
const { open, sent, bodies } = desk;
/** @type {import("playwright-core").Page} */
let page;
beforeEach(() => ({ page } = desk));

/** A backend page of its own with the chat as a panel in it. @param {string} [attributes] */
async function backend(attributes = "") {
  await page.goto(`${desk.base}backend.html?${new URLSearchParams({ attributes })}`);
  await page.locator("agent-chat .launcher, agent-chat .panel").waitFor();
}

/** What has the focus, through every shadow root. */
const focused = () =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active === null ? "" : `${active.localName}.${active.className}`;
  });

test("a panel asks nothing before it is opened; it opens, closes, keeps the focus in order and remembers", async () => {
  await backend();
  assert.deepEqual(desk.host.requests, [], "a closed panel costs the backend no request");
  const launcher = page.getByRole("button", { name: "Ask the assistant" });
  await launcher.press("Enter");
  const panel = page.getByRole("dialog", { name: "Page assistant" });
  await panel.waitFor();
  await panel.getByText("What would you like to change?").waitFor();
  assert.equal(await focused(), "textarea.");
  await panel.getByRole("button", { name: "Show conversations" }).click();
  await panel.getByRole("link", { name: "Rename the page Team" }).click();
  await panel.getByRole("button", { name: "Approve", exact: true }).waitFor();
  assert.equal(new URL(page.url()).hash, "", "the backend's own address is left alone");
  await page.getByRole("textbox", { name: "Message" }).focus();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  assert.equal(await focused(), "button.launcher");
  await launcher.getByText("Approval needed").waitFor();
  await launcher.click();
  await page.reload();
  await panel.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await panel.getByRole("button", { name: "Enlarge" }).click();
  await panel.getByRole("button", { name: "Make smaller" }).waitFor();
  await panel.getByRole("button", { name: "Close", exact: true }).click();
  await page.reload();
  await launcher.waitFor();
  assert.equal(await panel.count(), 0);
});

test("Escape in an editor of the panel closes the editor, not the panel", async () => {
  await backend("open conversation=9");
  const panel = page.getByRole("dialog", { name: "Page assistant" });
  await panel.getByRole("button", { name: "Instructions for this conversation" }).click();
  await page.keyboard.press("Escape");
  assert.equal(await panel.getByRole("heading", { name: "Instructions for this conversation" }).count(), 0);
  await panel.getByRole("button", { name: "Show conversations" }).click();
  await page.keyboard.press("Escape");
  assert.equal(await panel.getByRole("button", { name: "Show conversations" }).count(), 1);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
});

test("methods, events and the view of the page around it", async () => {
  await backend();
  await page.evaluate(() => {
    const heard = /** @type {typeof window & { heard: unknown[] }} */ (window);
    heard.heard = [];
    for (const name of ["ready", "open", "settled", "toggle"])
      document.addEventListener(`agent-chat-${name}`, (event) => heard.heard.push([name, /** @type {CustomEvent} */ (event).detail]));
    const chat = /** @type {import("../../../www/chat/app.js").AgentChat} */ (document.querySelector("agent-chat"));
    chat.viewContext = { pageId: 12 };
    void chat.show();
  });
  await page.getByText("What would you like to change?").waitFor();
  await page.evaluate(() =>
    /** @type {import("../../../www/chat/app.js").AgentChat} */ (document.querySelector("agent-chat")).newConversation("Shorten this page"),
  );
  await page.getByRole("textbox", { name: "Message" }).press("Enter");
  await page.getByText("You wrote:").waitFor();
  const [body] = bodies("POST", "/messages");
  assert.deepEqual([body?.content, body?.viewContext], ["Shorten this page", { pageId: 12 }]);
  assert.deepEqual(await page.evaluate(() => /** @type {typeof window & { heard: unknown[] }} */ (window).heard), [
    ["toggle", { open: true }],
    ["ready", { user: 1 }],
    ["open", { uid: 100 }],
    ["settled", { uid: 100, status: "idle" }],
  ]);
  assert.equal(sent("GET", "/pages").length, 0, "only a host that has pages is asked for them");
});

test("colours follow the attribute and the backend's own properties", async () => {
  await backend("open theme=dark");
  const colours = () =>
    page.locator(".frame").evaluate((frame) => {
      const { color, fontFamily } = getComputedStyle(/** @type {Element} */ (frame.querySelector("agent-chat-composer")));
      return [color, fontFamily, getComputedStyle(/** @type {Element} */ (frame.parentElement)).borderRadius];
    });
  assert.equal((await colours())[0], "rgb(230, 235, 242)");
  await page.locator("agent-chat").evaluate((chat) => {
    chat.setAttribute("theme", "light");
    /** @type {HTMLElement} */ for (const [name, value] of [
      ["text", "rgb(1, 2, 3)"],
      ["font", "monospace"],
      ["radius", "0px"],
    ])
      chat.style.setProperty(`--agent-chat-${name}`, value ?? "");
  });
  assert.deepEqual(await colours(), ["rgb(1, 2, 3)", "monospace", "0px"]);
});

test("from right to left: the list stands on the right, nothing is wider than the window", async () => {
  await page.goto(`${desk.base}backend.html?${new URLSearchParams({ attributes: "mode=page lang=he", language: "he" })}`);
  const list = page.locator("agent-chat-list");
  await list.getByRole("link").first().waitFor();
  assert.ok(((await list.boundingBox())?.x ?? 0) > 1000);
  await page.evaluate(() => {
    location.hash = "#/c/1";
  });
  const message = page.locator("agent-chat-message .user .bubble").first();
  await message.waitFor();
  const [bubble, frame] = [await message.boundingBox(), await page.locator("agent-chat-transcript").boundingBox()];
  const middle = (/** @type {typeof frame} */ box) => (box?.x ?? 0) + (box?.width ?? 0) / 2;
  assert.ok(middle(bubble) < middle(frame), "own messages stand at the end of the line");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});

test("ten thousand messages: the document stays small, every message can be reached, the newest is shown", async () => {
  const messages = Array.from({ length: 10_000 }, (_, index) => ({
    role: /** @type {"user" | "assistant"} */ (index % 2 === 0 ? "user" : "assistant"),
    content: `Message number ${index}.`,
  }));
  desk.host.conversations.set("9", { ...stateOf(9), messages });
  await open(9);
  await page.getByText("Message number 9999.").waitFor();
  const count = () => page.locator("agent-chat-message").count();
  assert.equal(await count(), 60);
  const transcript = page.locator("agent-chat-transcript");
  for (let step = 0; step < 4; step += 1) {
    const first = await page.locator("agent-chat-message").first().textContent();
    await page.getByRole("button", { name: "Show earlier messages" }).click();
    await page.waitForFunction((text) => {
      const log = document.querySelector("agent-chat")?.shadowRoot?.querySelector("agent-chat-transcript")?.shadowRoot?.querySelector("agent-chat-message");
      return log?.shadowRoot?.textContent !== text;
    }, first);
    assert.ok((await count()) <= 180);
  }
  assert.ok((await transcript.evaluate((element) => element.querySelectorAll("*").length)) < 4000);
  await page.getByRole("button", { name: "To the newest message" }).click();
  await page.getByText("Message number 9999.").waitFor();
  assert.equal(await count(), 60);
  const near = await transcript.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  assert.ok(near < 40, `${near} pixels from the end`);
});
