/**
 * Every state a reader can meet, set up in a page at the mock host: photographed by `npm run screenshots`, checked by axe in the tests.
 *
 * @typedef {object} Stage
 * @property {import("playwright-core").Page} page
 * @property {import("./mock-host.mjs").MockHost} host
 * @property {string} base
 *
 * @typedef {object} Scene
 * @property {string} name
 * @property {number} [uid] the conversation to open; the start without
 * @property {string} [backend] attributes of the chat in a page of its own, instead of the host's page
 * @property {(stage: Stage) => unknown} [before] before the page is loaded
 * @property {(stage: Stage) => Promise<unknown>} [act]
 */

import { idleView, stateOf } from "./mock-states.mjs";

const button = (/** @type {Stage} */ { page }, /** @type {string} */ name) => page.getByRole("button", { name, exact: true });

/** @param {number} length */
const longTranscript = (length) =>
  Array.from({ length }, (_, index) => ({
    role: /** @type {"user" | "assistant"} */ (index % 2 === 0 ? "user" : "assistant"),
    content:
      index % 2 === 0 ? `What about page ${index / 2 + 1}?` : `Page ${(index + 1) / 2} is **visible** and was changed on 3 May. Nothing needs to be done.`,
  }));

/** @type {Scene[]} */
export const scenes = [
  { name: "start" },
  {
    name: "start-empty",
    before: ({ host }) => host.conversations.clear(),
    act: ({ page }) => page.getByText("No conversations yet").waitFor({ state: "attached" }),
  },
  { name: "approval", uid: 1 },
  {
    name: "approval-details",
    uid: 1,
    act: async ({ page }) => {
      await page.locator("agent-chat-card summary").click();
      await page.locator("agent-chat-activity summary").click();
    },
  },
  { name: "approval-stale", uid: 2 },
  { name: "approval-expired", uid: 3 },
  { name: "approval-unreadable", uid: 4 },
  { name: "approval-elsewhere", uid: 11 },
  { name: "approval-handed-back", uid: 14 },
  {
    name: "approval-refused",
    uid: 1,
    act: async (stage) => {
      await button(stage, "Approve").waitFor();
      Object.assign(stage.host.conversations.get("1") ?? {}, { status: "idle", view: idleView });
      await button(stage, "Approve").click();
      await stage.page.getByText("it was decided or answered elsewhere").waitFor();
    },
  },
  { name: "question-choice", uid: 5 },
  { name: "question-form", uid: 6 },
  {
    name: "question-form-problems",
    uid: 6,
    act: async (stage) => {
      await stage.page.getByLabel("Seats").fill("many");
      await button(stage, "Send answer").click();
      await stage.page.getByText("Please enter a whole number.").waitFor();
    },
  },
  { name: "question-unsupported", uid: 7 },
  { name: "failed", uid: 8 },
  { name: "failed-elsewhere", uid: 13 },
  {
    name: "answer",
    uid: 9,
    act: ({ page }) => page.locator("agent-chat-transcript").evaluate((element) => element.scrollTo(0, 0)),
  },
  { name: "notes", uid: 9 },
  { name: "working", uid: 10 },
  {
    name: "stopping",
    uid: 10,
    act: async (stage) => {
      await button(stage, "Stop").click();
      await stage.page.getByText("Stopping …").waitFor();
    },
  },
  { name: "read-only", uid: 12 },
  {
    name: "offline",
    uid: 9,
    act: async (stage) => {
      stage.host.setDown(true);
      await stage.page.getByRole("textbox", { name: "Message" }).fill("Show the summer party again");
      await stage.page.keyboard.press("Enter");
      await stage.page.getByText("The connection is lost.").waitFor();
    },
  },
  {
    name: "attachments",
    uid: 9,
    act: async ({ page }) => {
      await page.getByText("What?").waitFor();
      const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 120, height: 120 } });
      await page.locator("input[type=file]").setInputFiles([
        { name: "photo of the summer party.png", mimeType: "image/png", buffer: picture },
        { name: "programme.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(240_000, 1) },
        { name: "budget.xlsm", mimeType: "application/vnd.ms-excel", buffer: Buffer.from("x") },
      ]);
      await page.getByText("This kind of file cannot be attached.").waitFor();
      await page.locator(".chip.ready", { hasText: "programme.pdf" }).waitFor();
    },
  },
  {
    name: "instructions",
    uid: 9,
    act: async (stage) => {
      await button(stage, "Instructions for this conversation").click();
      await stage.page.keyboard.type("Answer briefly. Page titles have at most 40 characters.");
    },
  },
  {
    name: "editing",
    uid: 1,
    before: ({ host }) => host.conversations.set("1", { ...stateOf(9), uid: 1, title: "Which pages are hidden?", messages: stateOf(9).messages.slice(0, 2) }),
    act: async (stage) => {
      await stage.page.locator("agent-chat-message").first().hover();
      await button(stage, "Edit message").click();
    },
  },
  {
    name: "list-rename",
    act: async ({ page }) => {
      const show = page.getByRole("button", { name: "Show conversations" });
      if (await show.count()) await show.click();
      await page.getByRole("link", { name: "Translate all news" }).hover();
      await page.getByRole("button", { name: "Rename: Translate all news" }).click();
    },
  },
  {
    name: "long-transcript",
    uid: 9,
    before: ({ host }) => host.conversations.set("9", { ...stateOf(9), messages: longTranscript(10_000) }),
    act: async ({ page }) => {
      await page.getByText("Page 5000 is").waitFor();
      await page.locator("agent-chat-transcript").evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
      await page.getByRole("button", { name: "To the newest message" }).waitFor();
    },
  },
  {
    name: "not-found",
    before: ({ host }) => host.conversations.delete("9"),
    uid: 9,
  },
  {
    name: "start-failed",
    before: ({ page }) => page.route("**/api/session", (route) => route.fulfill({ status: 200, json: { ok: false, code: "internal" } })),
    act: ({ page }) => page.getByText("could not be started").waitFor(),
  },
  { name: "panel-closed", backend: "id=p" },
  { name: "panel", backend: "open conversation=1" },
  { name: "panel-list", backend: "open", act: (stage) => button(stage, "Show conversations").click() },
  {
    name: "panel-wide",
    backend: "open conversation=5",
    act: async (stage) => {
      // Where the panel fills the window there is nothing to enlarge.
      if (await button(stage, "Enlarge").isVisible()) await button(stage, "Enlarge").click();
    },
  },
];

/**
 * Until what was asked for is there and drawn: the session, the conversation where one is expected, every part rendered, nothing scrolling by itself.
 * The start stands in the document before any of it, so an element alone tells nothing.
 * @param {import("playwright-core").Page} page @param {boolean} expects whether a conversation is opened
 */
export async function settled(page, expects) {
  await page.waitForFunction((conversation) => {
    const app = /** @type {import("../../../www/chat/app.js").AgentChat | null} */ (document.querySelector("agent-chat"));
    if (!app?.hasUpdated || app.isUpdatePending) return false;
    const { session, sessionError, loading, list, openUid, missing } = app.chat;
    if (!app.isShown || sessionError !== "") return true;
    if (session === null || loading || !list.loaded || (conversation && openUid === null && missing === "")) return false;
    /** @type {(root: ParentNode) => Element[]} */
    const within = (root) => [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? within(element.shadowRoot) : [])]);
    return within(app.renderRoot).every((element) => !("isUpdatePending" in element && element.isUpdatePending)) && app.transcript?.settling === false;
  }, expects);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Plays a scene up to the moment that counts. @param {Scene} scene @param {Stage} stage */
export async function play(scene, stage) {
  const { page, base } = stage;
  await scene.before?.(stage);
  const hash = scene.uid === undefined ? "#/" : `#/c/${scene.uid}`;
  const expects = scene.uid !== undefined || scene.backend?.includes("conversation=") === true;
  await page.goto(scene.backend === undefined ? `${base}${hash}` : `${base}backend.html?${new URLSearchParams({ attributes: scene.backend })}`);
  await settled(page, expects);
  await scene.act?.(stage);
  await settled(page, expects);
}
