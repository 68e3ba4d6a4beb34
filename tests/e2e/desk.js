// The real host as a process, and editors with real browsers at it.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { inRoot } from "../../scripts/lib/project.mjs";
import { chromiumPath } from "../../scripts/tools.mjs";

const artifacts = inRoot("tests", "artifacts");

/**
 * A host on a database file of its own.
 * @param {string} folder @param {NodeJS.ProcessEnv} [env]
 */
export async function startHost(folder, env) {
  const process_ = spawn(process.execPath, [inRoot("scripts", "start.mjs")], {
    env: { ...process.env, PORT: "0", DATABASE_FILE: join(folder, "chat.sqlite"), MODEL_URL: "", MODEL_NAME: "", MODEL_KEY: "", ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await new Promise((resolve, reject) => {
    let printed = "";
    process_.stdout.on("data", (chunk) => {
      printed += chunk;
      const ready = /http:\/\/\S+/.exec(printed);
      if (ready) resolve(ready[0]);
    });
    process_.once("exit", (code) => reject(new Error(`the host ended with ${code}: ${printed}`)));
  });
  const ended = new Promise((resolve) => process_.once("exit", resolve));
  return {
    url,
    /** @param {NodeJS.Signals} [signal] */
    async stop(signal = "SIGTERM") {
      process_.kill(signal);
      await ended;
    },
  };
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "agent-turn-e2e-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function launchBrowser() {
  return chromium.launch({ executablePath: chromiumPath(), args: ["--disable-dev-shm-usage", "--no-sandbox"] });
}

/** One person at the page: what they do, in their words. */
export class Editor {
  /** @param {import("playwright-core").Page} page */
  constructor(page) {
    this.page = page;
    /** Everything the console complained about: there must be nothing. */
    this.complaints = /** @type {string[]} */ ([]);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  /** @param {import("playwright-core").Browser} browser @param {string} url @param {import("playwright-core").BrowserContextOptions} [options] */
  static async at(browser, url, options) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: "en-GB", reducedMotion: "reduce", ...options });
    const editor = new Editor(await context.newPage());
    await editor.page.goto(url);
    await editor.field.waitFor();
    return editor;
  }

  get field() {
    return this.page.locator("agent-chat-composer textarea");
  }

  /** Writes, and sends as soon as the page says that it may. @param {string} text */
  async says(text) {
    await this.field.fill(text);
    await this.page.locator("agent-chat-composer button.send:enabled").waitFor();
    await this.field.press("Enter");
  }

  /** @param {string | RegExp} text */
  async reads(text) {
    await this.page.locator("agent-chat-message").filter({ hasText: text }).last().waitFor();
  }

  /** Waits for a card that can be decided, and reads it. */
  async card() {
    await this.page.locator("agent-chat-card [data-decision=approve]").waitFor();
    return ((await this.page.locator("agent-chat-card section").textContent()) ?? "").replace(/\s+/g, " ");
  }

  /** @param {"approve" | "variant" | "skip" | "decline"} decision */
  async decides(decision) {
    await this.page.locator(`agent-chat-card [data-decision=${decision}]`).click();
  }

  /** The conversation this page shows. */
  get conversation() {
    return Number(/#\/c\/(\d+)/.exec(this.page.url())?.[1]);
  }

  /** @param {string} path */
  async api(path) {
    return (await this.page.request.get(new URL(path, this.page.url()).href)).json();
  }

  async titles() {
    return (await this.api("/api/pages")).pages.map((/** @type {{ title: string }} */ page) => page.title);
  }

  /** @param {string} name */
  async photographs(name) {
    await this.page.screenshot({ path: join(artifacts, `${name}.png`) });
  }

  async leaves() {
    await this.page.context().close();
  }
}
