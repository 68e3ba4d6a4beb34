// An editor with a real Firefox: the verbs of desk.js, for the browser that Playwright cannot drive.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { firefoxPath } from "../../scripts/tools.mjs";

/** How long something may take to be seen, milliseconds. */
const PATIENCE = 40_000;

/** @param {string} language of the reader @returns {Promise<{ browser: import("puppeteer-core").Browser, close: () => Promise<void> }>} */
export async function launchFirefox(language) {
  const userDataDir = mkdtempSync(join(tmpdir(), "agent-turn-firefox-"));
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: firefoxPath(),
    headless: true,
    userDataDir,
    protocolTimeout: 2 * PATIENCE,
    defaultViewport: { width: 1280, height: 860 },
    extraPrefsFirefox: { "intl.accept_languages": language, "ui.prefersReducedMotion": 1 },
  });
  return {
    browser,
    async close() {
      await browser.close();
      rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * In the page: the elements that fit, in the order of the document.
 * @param {string} selector simple ones with a space between, each of which may lie in a shadow root of the one before @param {string} text what they contain
 */
function findAll(selector, text) {
  const [last = "*", ...around] = selector.split(" ").reverse();
  /** @param {Element} element @returns {Element[]} */
  const above = (element) => {
    const root = element.getRootNode();
    const parent = element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    return parent ? [parent, ...above(parent)] : [];
  };
  /** @param {Document | ShadowRoot} root @returns {HTMLElement[]} */
  const within = (root) =>
    [...root.querySelectorAll("*")].flatMap((element) => [
      ...(element.matches(last) ? [/** @type {HTMLElement} */ (element)] : []),
      ...(element.shadowRoot ? within(element.shadowRoot) : []),
    ]);
  /** @param {Node} node @returns {string} */
  const textOf = (node) =>
    node.nodeType === Node.TEXT_NODE
      ? (node.nodeValue ?? "")
      : [...(node instanceof Element && node.shadowRoot ? node.shadowRoot.childNodes : []), ...node.childNodes].map(textOf).join(" ");
  return within(document).filter(
    (element) =>
      element.checkVisibility() &&
      textOf(element).replace(/\s+/g, " ").includes(text) &&
      around.every((wanted) => above(element).some((outer) => outer.matches(wanted))),
  );
}

/** One person at the page. */
export class FirefoxEditor {
  /** @param {import("puppeteer-core").Page} page */
  constructor(page) {
    this.page = page;
    /** Everything the console complained about: there must be nothing. @type {string[]} */
    this.complaints = [];
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  /** @param {import("puppeteer-core").Browser} browser @param {string} url */
  static async at(browser, url) {
    const editor = new FirefoxEditor(await browser.newPage());
    await editor.page.evaluateOnNewDocument(() => {
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => console.error(`policy: ${violatedDirective} by ${blockedURI}`));
    });
    await editor.goes(url);
    return editor;
  }

  /** @param {string} url */
  async goes(url) {
    await this.page.goto(url);
    await this.sees("agent-chat-composer textarea");
  }

  /** Waits for the newest element that fits. @param {string} selector @param {string} [text] @returns {Promise<import("puppeteer-core").ElementHandle<HTMLElement>>} */
  async sees(selector, text = "") {
    const element = await this.until(`${selector} “${text}”`, async () => {
      const handle = await this.page.evaluateHandle(`(${findAll})(${JSON.stringify(selector)}, ${JSON.stringify(text)}).at(-1) ?? null`);
      return handle.asElement();
    });
    return /** @type {import("puppeteer-core").ElementHandle<HTMLElement>} */ (element);
  }

  /** @param {string} selector @param {string} [text] @returns {Promise<number>} how many there are now */
  async count(selector, text = "") {
    return Number(await this.page.evaluate(`(${findAll})(${JSON.stringify(selector)}, ${JSON.stringify(text)}).length`));
  }

  /** @template T @param {string} what @param {() => Promise<T | null | false>} look @returns {Promise<T>} */
  async until(what, look) {
    for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
      // The page may be between two documents.
      const found = await look().catch(() => null);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`not seen in ${PATIENCE} ms: ${what} (console: ${this.complaints.join(" | ")})`);
  }

  /** @param {string} selector @param {string} [text] */
  async clicks(selector, text = "") {
    await (await this.sees(selector, text)).click();
  }

  /** Writes, and sends as soon as the page says that it may. @param {string} text */
  async says(text) {
    const field = await this.sees("agent-chat-composer textarea");
    await field.click();
    await this.page.keyboard.type(text);
    await this.sees("button.send:enabled");
    await this.page.keyboard.press("Enter");
  }

  /** @param {string} text */
  reads(text) {
    return this.sees("agent-chat-message", text);
  }

  card() {
    return this.sees("[data-decision=approve]");
  }

  /** @param {"approve" | "variant" | "skip" | "decline"} decision */
  decides(decision) {
    return this.clicks(`[data-decision=${decision}]`);
  }

  /** @param {string} path @returns {Promise<any>} */
  api(path) {
    return this.page.evaluate((address) => fetch(address).then((response) => response.json()), path);
  }

  async titles() {
    return (await this.api("/api/pages")).pages.map((/** @type {{ title: string }} */ page) => page.title);
  }

  async leaves() {
    assert.deepEqual(this.complaints, [], "no word in the console, the policy is kept");
    await this.page.close();
  }
}
