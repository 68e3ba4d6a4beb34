/** A real Chromium at a mock host of its own per test, whose console must stay empty. */

import assert from "node:assert/strict";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { after, afterEach, before, beforeEach } from "node:test";
import { chromium } from "playwright-core";
import { createMockHost } from "./mock-host.mjs";

/** The browser named by CHROMIUM, or the first one on the PATH. */
export function chromiumPath() {
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

/** What the tests of one file share; filled anew for each of them. */
export class Desk {
  /** @type {import("./mock-host.mjs").MockHost} */ // @ts-expect-error filled by `sitDown`
  host;
  /** @type {import("playwright-core").Page} */ // @ts-expect-error filled by `sitDown`
  page;
  base = "";
  /** What the console complained about. @type {string[]} */
  problems = [];

  /** The conversation; where the page is already there, without loading it anew. @param {number} uid */
  open = (uid) => this.page.goto(`${this.base}#/c/${uid}`);

  /** @param {string} method @param {string} part */
  sent = (method, part) => this.host.requests.filter((request) => request.method === method && request.path.includes(part));

  /** What was sent with the requests of this kind. @param {string} method @param {string} part */
  bodies = (method, part) => this.sent(method, part).map(({ body }) => body);

  /** The conversation as the host has it. @param {number} uid */
  stored(uid) {
    const row = this.host.conversations.get(String(uid));
    assert.ok(row, `conversation ${uid}`);
    return row;
  }

  /** The browser notes every refused request by itself. @param {string} status */
  expectRefusal(status) {
    this.problems = this.problems.filter((text) => !text.includes(status));
  }
}

/** Registers what happens around every test of a file. @returns {Desk} */
export function sitDown() {
  const desk = new Desk();
  /** @type {import("playwright-core").Browser} */
  let browser;
  /** One for all tests: every test has a host of its own, so an origin and a storage of its own. @type {import("playwright-core").BrowserContext} */
  let context;

  before(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--disable-dev-shm-usage", "--no-sandbox"] });
    context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: "en-GB", reducedMotion: "reduce" });
  });
  after(() => browser?.close());

  beforeEach(async () => {
    desk.host = createMockHost({ turnTime: 60 });
    desk.base = await desk.host.listen();
    desk.page = await context.newPage();
    desk.problems = [];
    desk.page.on("console", (message) => ["error", "warning"].includes(message.type()) && desk.problems.push(message.text()));
    desk.page.on("pageerror", (error) => desk.problems.push(String(error)));
  });

  afterEach(async () => {
    await desk.page.close();
    await desk.host.close();
    assert.deepEqual(desk.problems, [], "the console stays empty and the policy is kept");
  });
  return desk;
}
