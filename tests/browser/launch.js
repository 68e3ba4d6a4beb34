// Both browsers, headless, behind the few calls that a test in a page needs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { chromiumPath, firefoxPath } from "../../scripts/tools.mjs";

/** For a browser that hangs, milliseconds. */
const LIMIT = 300_000;

/**
 * @typedef {object} Tab
 * @property {(text: string) => Promise<any>} evaluate the value, or what the promise brings, of an expression; as text, so that no policy is in its way
 * @property {() => Promise<void>} close
 *
 * @typedef {object} Launched
 * @property {string} name
 * @property {(address: string) => Promise<Tab>} open
 * @property {() => Promise<void>} close
 */

/** @typedef {{ quotaBytes?: number }} LaunchOptions what the browser gives a site at most */

/** @param {LaunchOptions} [options] @returns {Promise<Launched>} */
async function launchChromium({ quotaBytes } = {}) {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  // One context for all: its tabs share their databases.
  const context = await browser.newContext();
  return {
    name: "Chromium",
    async open(address) {
      const page = await context.newPage();
      await page.goto(address);
      if (quotaBytes !== undefined) {
        const devtools = await context.newCDPSession(page);
        await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(address).origin, quotaSize: quotaBytes });
      }
      return { evaluate: (text) => page.evaluate(text), close: () => page.close() };
    },
    close: () => browser.close(),
  };
}

/** @param {LaunchOptions} [options] @returns {Promise<Launched>} */
async function launchFirefox({ quotaBytes } = {}) {
  // A folder for one run, since a browser that ends can take a moment to leave it.
  const userDataDir = mkdtempSync(join(tmpdir(), "agent-turn-firefox-"));
  const extraPrefsFirefox = quotaBytes === undefined ? {} : { "dom.quotaManager.temporaryStorage.fixedLimit": Math.ceil(quotaBytes / 1024) };
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: firefoxPath(),
    headless: true,
    protocolTimeout: LIMIT,
    userDataDir,
    extraPrefsFirefox,
  });
  return {
    name: "Firefox",
    async open(address) {
      const page = await browser.newPage();
      await page.goto(address);
      return { evaluate: (text) => page.evaluate(text), close: () => page.close() };
    },
    async close() {
      await browser.close();
      rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** @type {readonly ((options?: LaunchOptions) => Promise<Launched>)[]} */
export const launchers = [launchChromium, launchFirefox];
