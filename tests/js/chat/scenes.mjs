/**
 * Every state a reader can meet, set up in a page at the mock host: photographed by `npm run screenshots`, checked by axe in the tests.
 *
 * @typedef {object} Stage
 * @property {import("playwright-core").Page} page
 * @property {import("./mock-host.mjs").MockHost} host
 * @property {string} base
 * @property {import("../../../www/chat/i18n/index.js").Words} words of the language the page is in
 *
 * @typedef {object} Scene
 * @property {string} name
 * @property {number} [uid] the conversation to open; the start without
 * @property {string} [backend] attributes of the chat in a page of its own, instead of the host's page
 * @property {(stage: Stage) => unknown} [before] before the page is loaded
 * @property {(stage: Stage) => Promise<unknown>} [act]
 */

import { wordsFor } from "../../../www/chat/i18n/index.js";
import { idleView, stateOf } from "./mock-states.mjs";

/** @param {Stage} stage @param {string} key of its label */
const button = ({ page, words }, key) => page.getByRole("button", { name: words.t(key), exact: true });

/** @param {Stage} stage @param {string} key of a sentence */
const sentence = ({ page, words }, key) => page.getByText(words.t(key));

/** @param {number} length */
export const longTranscript = (length) =>
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
    act: (stage) => sentence(stage, "list.empty").waitFor({ state: "attached" }),
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
      await button(stage, "card.approve").waitFor();
      Object.assign(stage.host.conversations.get("1") ?? {}, { status: "idle", view: idleView });
      await button(stage, "card.approve").click();
      await sentence(stage, "error.notAwaiting").waitFor();
    },
  },
  { name: "question-choice", uid: 5 },
  { name: "question-form", uid: 6 },
  {
    name: "question-form-problems",
    uid: 6,
    act: async (stage) => {
      await stage.page.getByLabel("Seats").fill("many");
      await stage.page.locator("agent-chat-question [type=submit]").click();
      await sentence(stage, "question.invalid.integer").waitFor();
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
    // It stays so for as long as it is looked at.
    before: ({ page }) => page.route("**/api/conversations/10/stop", (route) => route.fulfill({ status: 202, json: { ok: true } })),
    act: async (stage) => {
      await button(stage, "chat.stop").click();
      await sentence(stage, "chat.stopping").waitFor();
    },
  },
  { name: "read-only", uid: 12 },
  {
    name: "offline",
    uid: 9,
    act: async (stage) => {
      stage.host.setDown(true);
      await stage.page.locator("agent-chat-composer textarea").fill("Show the summer party again");
      await stage.page.keyboard.press("Enter");
      await sentence(stage, "chat.connectionLost").waitFor();
    },
  },
  {
    name: "attachments",
    uid: 9,
    act: async (stage) => {
      const { page } = stage;
      await page.getByText("What?").waitFor();
      const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 120, height: 120 } });
      await page.locator("input[type=file]").setInputFiles([
        { name: "photo of the summer party.png", mimeType: "image/png", buffer: picture },
        { name: "programme.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(240_000, 1) },
        { name: "budget.xlsm", mimeType: "application/vnd.ms-excel", buffer: Buffer.from("x") },
      ]);
      await sentence(stage, "attach.wrongType").waitFor();
      await page.locator(".chip.ready", { hasText: "programme.pdf" }).waitFor();
    },
  },
  {
    name: "instructions",
    uid: 9,
    act: async (stage) => {
      await button(stage, "instructions.button").click();
      await stage.page.keyboard.type("Answer briefly. Page titles have at most 40 characters.");
    },
  },
  {
    name: "editing",
    uid: 1,
    before: ({ host }) => host.conversations.set("1", { ...stateOf(9), uid: 1, title: "Which pages are hidden?", messages: stateOf(9).messages.slice(0, 2) }),
    act: async (stage) => {
      await stage.page.locator("agent-chat-message").first().hover();
      await button(stage, "message.edit").click();
    },
  },
  {
    name: "list-rename",
    act: async (stage) => {
      const { page, words } = stage;
      const show = button(stage, "app.showList");
      if (await show.count()) await show.click();
      await page.getByRole("link", { name: "Translate all news" }).hover();
      await page.getByRole("button", { name: `${words.t("list.rename")}: Translate all news` }).click();
    },
  },
  {
    name: "long-transcript",
    uid: 9,
    before: ({ host }) => host.conversations.set("9", { ...stateOf(9), messages: longTranscript(10_000) }),
    act: async (stage) => {
      await stage.page.getByText("Page 5000 is").waitFor();
      await stage.page.locator("agent-chat-transcript").evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
      await button(stage, "chat.toNewest").waitFor();
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
    act: (stage) => sentence(stage, "app.startFailed").waitFor(),
  },
  { name: "panel-closed", backend: "id=p" },
  { name: "panel", backend: "open conversation=1" },
  { name: "panel-list", backend: "open", act: (stage) => button(stage, "app.showList").click() },
  {
    name: "panel-wide",
    backend: "open conversation=5",
    act: async (stage) => {
      // Where the panel fills the window there is nothing to enlarge.
      if (await button(stage, "panel.wide").isVisible()) await button(stage, "panel.wide").click();
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

/** Plays a scene up to the moment that counts. @param {Scene} scene @param {Omit<Stage, "words">} at @param {string} [language] of the browser */
export async function play(scene, at, language = "en") {
  const stage = { ...at, words: wordsFor(language) };
  const { page, base } = stage;
  await scene.before?.(stage);
  const hash = scene.uid === undefined ? "#/" : `#/c/${scene.uid}`;
  const expects = scene.uid !== undefined || scene.backend?.includes("conversation=") === true;
  await page.goto(scene.backend === undefined ? `${base}${hash}` : `${base}backend.html?${new URLSearchParams({ attributes: scene.backend })}`);
  await settled(page, expects);
  await scene.act?.(stage);
  await settled(page, expects);
}
