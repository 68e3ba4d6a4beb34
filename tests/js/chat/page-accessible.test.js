/** WCAG 2.2 AA as far as axe can tell, in every state of scenes.mjs, and what only the keyboard does. */

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { sitDown } from "./desk.mjs";
import { states } from "./mock-states.mjs";
import { play, scenes } from "./scenes.mjs";

const desk = sitDown();
/** @type {import("playwright-core").Page} */
let page;
beforeEach(() => ({ page } = desk));

// Structure and names are the same in both colour schemes; only the contrast is not.
/** @type {{ colorScheme: "light" | "dark", width: number, choose: (axe: AxeBuilder) => AxeBuilder }[]} */
const CHECKS = [
  { colorScheme: "light", width: 1360, choose: (axe) => axe.withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]) },
  { colorScheme: "dark", width: 390, choose: (axe) => axe.withRules(["color-contrast", "target-size"]) },
];

for (const { colorScheme, width, choose } of CHECKS) {
  test(`no accessibility fault that axe finds in any state, ${colorScheme}, ${width} pixels wide`, async () => {
    for (const scene of scenes) {
      desk.host.conversations.clear();
      for (const state of states()) desk.host.conversations.set(String(state.uid), state);
      desk.host.setDown(false);
      // A tab of its own has a memory of its own.
      const tab = await page.context().newPage();
      await tab.setViewportSize({ width, height: 860 });
      await tab.emulateMedia({ colorScheme });
      await play(scene, { page: tab, host: desk.host, base: desk.base });
      // The page has no frames, so axe needs no second page to put their results together.
      const { violations } = await choose(new AxeBuilder({ page: tab }).setLegacyMode()).analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html, target }) => [String(target), html.slice(0, 120)])]),
        [],
        scene.name,
      );
      await tab.evaluate(() => localStorage.clear());
      await tab.close();
    }
  });
}

test("by keyboard alone: from the first Tab to an approved change and back to the message field", async () => {
  await page.goto(desk.base);
  await page.getByText("What would you like to change?").waitFor();
  const name = () =>
    page.evaluate(() => {
      let active = document.activeElement;
      while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
      return active?.getAttribute("aria-label") ?? active?.textContent?.trim() ?? "";
    });
  /** Tabs on until something with this name has the focus. @param {RegExp} wanted @param {number} [most] */
  const tabTo = async (wanted, most = 60) => {
    for (let step = 0; step < most; step += 1) {
      await page.keyboard.press("Tab");
      if (wanted.test(await name())) return;
    }
    assert.fail(`${wanted} is not reached`);
  };
  await page.keyboard.press("Tab");
  assert.equal(await name(), "Skip to the message field");
  await tabTo(/^Rename the page Team/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await tabTo(/^Approve$/);
  await page.keyboard.press("Space");
  await page.getByText("The page is now called About us.").waitFor();
  assert.equal(desk.bodies("POST", "/decision").length, 1);
  await page.waitForFunction(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.classList.contains("status");
  });
  await tabTo(/^Message$/, 5);
});
