#!/usr/bin/env node
// Plays the vectors in real browsers, headless: node tests/browser/vectors.mjs [chromium] [firefox] [--package folder]
// Default: both, with pkg/. Exit 1 if any vector fails in any of them. One line "N passed, M failed" per browser.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";
import { chromiumPath, firefoxPath } from "../../scripts/tools.mjs";
import { serveVectors } from "./server.js";

/** @typedef {import("./page.js").PageResult} PageResult */

/** All vectors together take seconds; this is for a browser that hangs, milliseconds. */
const limit = 300_000;

/** In the page: waits for the result that page.js leaves. Sent as text, so that the page's policy is not in its way. */
const result = "globalThis.vectors";

/** @type {Record<string, (address: string) => Promise<PageResult>>} */
const browsers = {
  async chromium(address) {
    const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
    try {
      const page = await browser.newPage();
      await page.goto(address);
      return /** @type {PageResult} */ (await page.evaluate(result));
    } finally {
      await browser.close();
    }
  },
  async firefox(address) {
    const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefoxPath(), headless: true, protocolTimeout: limit });
    try {
      const page = await browser.newPage();
      await page.goto(address);
      return /** @type {PageResult} */ (await page.evaluate(result));
    } finally {
      await browser.close();
    }
  },
};

/** @param {string} name @param {string} address @returns {Promise<boolean>} whether everything passed */
async function playIn(name, address) {
  const start = performance.now();
  const { passed, failed, failures, faults } = await (browsers[name]?.(address) ?? Promise.reject(new Error(`no browser ${name}`)));
  for (const line of [...failures, ...faults]) console.log(line);
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  console.log(`${passed} passed, ${failed + faults.length} failed`);
  return passed > 0 && failed === 0 && faults.length === 0;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { package: { type: "string" } } });
const unknown = positionals.filter((name) => !Object.hasOwn(browsers, name));
if (unknown.length) {
  console.error(`usage: vectors.mjs [chromium] [firefox] [--package folder] (not known: ${unknown.join(", ")})`);
  process.exit(2);
}
const timer = setTimeout(() => {
  console.error(`no result after ${limit / 1000} s`);
  process.exit(1);
}, limit);
const packageFolder = resolve(values.package ?? join(dirname(fileURLToPath(import.meta.url)), "..", "..", "pkg"));
const server = await serveVectors(packageFolder);
let allPassed = true;
try {
  for (const name of positionals.length ? positionals : Object.keys(browsers)) allPassed = (await playIn(name, server.address)) && allPassed;
} finally {
  await server.close();
  clearTimeout(timer);
}
process.exit(allPassed ? 0 : 1);
