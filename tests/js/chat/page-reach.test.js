/** Who zooms in far, sees other colours than ours, touches instead of pointing, or reads German, reaches and sees everything as well. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { sitDown } from "./desk.mjs";
import { states } from "./mock-states.mjs";
import { play, scenes, settled } from "./scenes.mjs";

const desk = sitDown();
/** @type {import("playwright-core").Page} */
let page;
beforeEach(() => ({ page } = desk));

/** @param {string} name @param {import("playwright-core").Page} [tab] */
async function show(name, tab = page) {
  const scene = scenes.find((one) => one.name === name);
  assert.ok(scene, name);
  // The address alone changes otherwise, and what the scene before left open would stay.
  await tab.goto("about:blank");
  await play(scene, { page: tab, host: desk.host, base: desk.base });
}

const visible = { visible: true };
const controls = () => page.locator("agent-chat").locator("button, a, input:not([type=file]), select, textarea, summary").filter(visible);

// 1280 by 1024 pixels at 400 %.
test("zoomed to 400 %: nothing scrolls sideways, every control can be brought into view whole", async () => {
  await page.setViewportSize({ width: 320, height: 256 });
  for (const name of ["start", "answer", "approval", "approval-unreadable", "question-choice", "question-form", "failed", "instructions", "panel"]) {
    await show(name);
    const wide = await page.evaluate(() => {
      /** @type {(root: ParentNode) => Element[]} */
      const within = (root) => [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? within(element.shadowRoot) : [])]);
      const scrolls = within(document).filter(
        (element) => element.scrollWidth > element.clientWidth && ["auto", "scroll"].includes(getComputedStyle(element).overflowX),
      );
      // Tables and code scroll within themselves, which 1.4.10 allows.
      const own = scrolls.filter((element) => element.closest("table, pre") === null).map((element) => element.localName + element.className);
      return { own, page: document.documentElement.scrollWidth };
    });
    assert.deepEqual(wide, { own: [], page: 320 }, name);
    // The way back to the newest message comes and goes with scrolling, so the elements themselves are gone through.
    for (const handle of await controls().elementHandles()) {
      const control = /** @type {import("playwright-core").ElementHandle<HTMLElement>} */ (handle);
      if (await control.evaluate((element) => !element.isConnected || element.matches(".skip, .backdrop"))) continue;
      await control.evaluate((element) => element.scrollIntoView({ block: "center" }));
      const box = await control.boundingBox();
      const what = `${name}: ${(await control.getAttribute("aria-label")) ?? (await control.textContent())?.trim()}`;
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 320.5, `${what} stands in the window's width`);
      assert.ok(box.y + box.height > 0 && box.y < 256, `${what} can be scrolled to`);
      // Whatever lies above it would take the click.
      const hit = await control.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const root = /** @type {ShadowRoot} */ (element.getRootNode());
        const [x, y] = [left + width / 2, Math.min(Math.max(top + height / 2, 1), innerHeight - 1)];
        const found = root.elementFromPoint(x, y);
        return found !== null && (element.contains(found) || found.contains(element));
      });
      assert.ok(hit, `${what} is not covered`);
    }
  }
});

test("in forced colours controls keep a border, the focus an outline, and a state never is a background alone", async () => {
  await page.emulateMedia({ forcedColors: "active" });
  /** @param {import("playwright-core").Locator} locator @param {string} property */
  const style = (locator, property) => locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
  /** The border can be told from what it stands on. @param {import("playwright-core").Locator} locator @param {string} what */
  async function isFramed(locator, what) {
    assert.notEqual(await style(locator, "border-top-style"), "none", what);
    assert.notEqual(await style(locator, "border-top-width"), "0px", what);
    assert.notEqual(await style(locator, "border-top-color"), await style(locator, "background-color"), what);
  }
  await show("approval");
  for (const name of ["Approve", "Decline", "Skip", "Another variant", "End request"]) {
    await isFramed(page.locator("agent-chat-card").getByRole("button", { name, exact: true }).filter(visible), name);
  }
  await isFramed(page.locator("agent-chat-card .panel"), "the card");
  await isFramed(page.locator("agent-chat-composer .box"), "the message field");
  await isFramed(page.locator("agent-chat-composer .send"), "Send");
  await isFramed(page.locator("agent-chat-message .bubble").first(), "what the reader wrote");
  await isFramed(page.locator("agent-chat-transcript .notice").first(), "a notice");
  await isFramed(page.locator("agent-chat-list li.open"), "the open conversation");
  await isFramed(page.locator("agent-chat-list .filter [aria-pressed=true]"), "the chosen filter");
  assert.equal(
    await style(page.locator("agent-chat-list .filter [aria-pressed=false]"), "border-top-color"),
    await style(page.locator("agent-chat-list .filter"), "background-color"),
  );
  for (const dot of await page.locator("agent-chat-list .dot").all()) assert.equal(await style(dot, "forced-color-adjust"), "none", "a dot keeps its colour");
  // The keyboard's way: what has the focus has an outline.
  await page.getByRole("textbox", { name: "Message" }).focus();
  assert.notEqual(await style(page.locator("agent-chat-composer .box"), "outline-style"), "none");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  const outline = await page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active === null ? "" : getComputedStyle(active).outlineStyle;
  });
  assert.equal(outline, "solid");
});

test("whatever is touched is at least 24 pixels high and wide, or stands within a line of text", async () => {
  await page.setViewportSize({ width: 390, height: 780 });
  for (const name of ["answer", "approval-details", "question-form", "editing", "attachments", "list-rename", "instructions", "panel"]) {
    await show(name);
    for (const control of await controls().all()) {
      const small = await control.evaluate((element) => {
        // 2.5.8: links in sentences are exempt; of a labelled control the label is touched as well.
        if (element.matches(".markdown a")) return "";
        const { width, height } = (element.closest("label") ?? element).getBoundingClientRect();
        return width >= 24 && height >= 24 ? "" : `${element.localName}.${element.className} ${element.textContent?.trim()}: ${width} × ${height}`;
      });
      assert.equal(small, "", name);
    }
  }
});

test("no accessibility fault that axe finds in German, and the page says that it is German", async () => {
  await page.addInitScript(() => location.protocol.startsWith("http") && localStorage.setItem("agent-chat:lang", "de"));
  for (const uid of [1, 4, 6, 8, 9, 10]) {
    await page.goto("about:blank");
    await page.goto(`${desk.base}#/c/${uid}`);
    await settled(page, true);
    assert.equal(await page.locator("agent-chat .frame").getAttribute("lang"), "de");
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
    assert.deepEqual(
      violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]),
      [],
      `conversation ${uid}`,
    );
  }
  await page.evaluate(() => localStorage.clear());
});

test("N7: the request can be ended wherever it waits and the reader may write, by exactly one button, and nowhere else", async () => {
  for (const width of [1360, 390]) {
    await page.setViewportSize({ width, height: 860 });
    for (const { uid, status, view, title } of states()) {
      await desk.open(Number(uid));
      await settled(page, true);
      const { you } = await page.locator("agent-chat").evaluate((element) => /** @type {import("../../../www/chat/app.js").AgentChat} */ (element).chat);
      const allowed = status.startsWith("awaiting_") && !view.busy && you.mayWrite;
      assert.equal(await page.locator("[data-action=end]").filter(visible).count(), allowed ? 1 : 0, `${title}, ${width} pixels wide`);
    }
  }
});

/** Holds back whoever waits for it. */
function gate() {
  let open = () => {};
  /** @type {Promise<void>} */
  const opened = new Promise((done) => (open = done));
  return { opened, open };
}

test("a deep link waits for its conversation without showing the start, and waits for no list", async () => {
  const session = gate();
  const list = gate();
  await page.route("**/api/session", async (route) => {
    await session.opened;
    await route.continue();
  });
  await page.route("**/api/conversations?*", async (route) => {
    await list.opened;
    await route.continue();
  });
  await desk.open(1);
  await page.locator("agent-chat-transcript .skeleton").waitFor();
  assert.equal(await page.getByText("What would you like to change?").count(), 0);
  session.open();
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  list.open();
  await page.getByRole("link", { name: "Rename the page Team" }).waitFor();
});

test("what is to be decided is to be seen in the first frame of every animation", async () => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  for (const name of ["approval", "question-form", "panel"]) {
    await show(name);
    const unseen = await page.evaluate(() => {
      /** @type {(root: ParentNode) => Element[]} */
      const within = (root) => [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? within(element.shadowRoot) : [])]);
      return within(document)
        .filter((element) => element.matches(".panel"))
        .filter((element) => {
          // Started anew and held at the beginning.
          const { style } = /** @type {HTMLElement} */ (element);
          style.animationPlayState = "paused";
          style.animationName = "none";
          void getComputedStyle(element).opacity;
          style.animationName = "";
          return element.getAnimations().length === 0 || getComputedStyle(element).opacity !== "1";
        }).length;
    });
    assert.equal(unseen, 0, name);
  }
});
