#!/usr/bin/env node
/**
 * `npm run page-speed`: how soon the chat is seen, and how soon a typed character is, in headless Chromium; `--slower 4` slows its processor down. Figures
 * for docs/embedding.md, not a test: run it on a machine that does nothing else.
 *
 * - first paint: from the moment the module is evaluated to the first contentful paint, everything from the browser's cache
 * - conversation: to the frame in which the messages of the open conversation stand
 * - typing: from the key's own time stamp to the end of the frame that shows the character, in a conversation of 10 000 messages, at rest and while a turn
 *   is polled every 150 ms; with the processor time of the page's thread per key, which other programs do not change
 */

import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { createMockHost } from "../tests/js/chat/mock-host.mjs";
import { busyView, stateOf } from "../tests/js/chat/mock-states.mjs";
import { longTranscript, settled } from "../tests/js/chat/scenes.mjs";
import { chromiumPath } from "./tools.mjs";

const LOADS = 15;
const KEYS = 200;
const MESSAGES = 10_000;
/** Between two keys, milliseconds: a fast typist. */
const PAUSE = 40;

const { values } = parseArgs({ options: { slower: { type: "string", default: "1" } } });
const slower = Number(values.slower);

/** @typedef {import("playwright-core").Page} Page */

/** The value below which a share of the values lies. @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** @param {string} what @param {number[]} values milliseconds */
function row(what, values) {
  const shown = [0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(1).padStart(7));
  console.log(`${what.padEnd(44)}${shown.join("")}  (${values.length})`);
}

/** Notes in the page when its module was there and when a message was. */
function watch() {
  const seen = /** @type {{ module?: number, messages?: number }} */ (Object.assign(globalThis, { seen: {} }).seen);
  void customElements.whenDefined("agent-chat").then(() => {
    seen.module = performance.now();
    const look = () => {
      const transcript = document.querySelector("agent-chat")?.shadowRoot?.querySelector("agent-chat-transcript");
      if (transcript?.shadowRoot?.querySelector("agent-chat-message")?.shadowRoot?.querySelector(".bubble")) {
        requestAnimationFrame(() => setTimeout(() => Object.assign(seen, { messages: performance.now() })));
      } else requestAnimationFrame(look);
    };
    look();
  });
}

/** @param {Page} page @param {string} base */
async function loads(page, base) {
  await page.addInitScript(watch);
  const [paints, conversations, requested] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  // The first load fills the cache.
  for (let load = 0; load <= LOADS; load += 1) {
    await page.goto("about:blank");
    await page.goto(`${base}#/c/9`);
    await page.waitForFunction(() => /** @type {any} */ (globalThis).seen.messages !== undefined);
    const { paint, module, messages, fetched } = await page.evaluate(() => ({
      .../** @type {any} */ (globalThis).seen,
      paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
      fetched: performance
        .getEntriesByType("resource")
        .filter((entry) => /** @type {PerformanceResourceTiming} */ (entry).transferSize > 0 && !entry.name.includes("/api/")).length,
    }));
    if (load === 0) continue;
    paints.push(paint - module);
    conversations.push(messages - module);
    requested.push(fetched);
  }
  return { paints, conversations, fetched: Math.max(...requested) };
}

/** Processor time of the page's main thread so far, milliseconds. @param {import("playwright-core").CDPSession} session */
async function threadTime(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
}

/** Types, and measures every key in the page. @param {Page} page @returns {Promise<number[]>} milliseconds */
async function typing(page) {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.click();
  await page.evaluate(() => {
    const delays = Object.assign(globalThis, { delays: /** @type {number[]} */ ([]) }).delays;
    const { port1, port2 } = new MessageChannel();
    /** @type {number[]} */
    const waiting = [];
    // A message that is posted in a frame arrives when the frame is done.
    port1.onmessage = () => delays.push(performance.now() - (waiting.shift() ?? Number.NaN));
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        waiting.push(timeStamp);
        requestAnimationFrame(() => port2.postMessage(null));
      },
      { capture: true },
    );
  });
  for (let key = 0; key < KEYS; key += 1) await page.keyboard.press(key % 9 === 8 ? "Space" : "abcdefgh".charAt(key % 9), { delay: PAUSE });
  await page.waitForFunction((keys) => /** @type {any} */ (globalThis).delays.length === keys, KEYS);
  return page.evaluate(() => /** @type {any} */ (globalThis).delays);
}

const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--disable-dev-shm-usage", "--no-sandbox"] });
const host = createMockHost({ cached: true });
try {
  const base = await host.listen();
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, locale: "en-GB" });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  console.log(`${"milliseconds".padEnd(44)}${["median", "p95", "max"].map((word) => word.padStart(7)).join("")}`);
  host.conversations.set("9", stateOf(9));
  const { paints, conversations, fetched } = await loads(page, base);
  row("first paint after the module", paints);
  row("conversation after the module", conversations);
  if (fetched > 0) console.log(`  up to ${fetched} files of a load did not come from the cache`);
  for (const [what, state] of /** @type {const} */ ([
    ["", stateOf(9)],
    [", a turn goes on", { ...stateOf(10), uid: 9, view: busyView }],
  ])) {
    host.conversations.set("9", { ...state, messages: longTranscript(MESSAGES) });
    await page.goto("about:blank");
    await page.goto(`${base}#/c/9`);
    await settled(page, true);
    const before = await threadTime(session);
    row(`typing, ${MESSAGES} messages${what}`, await typing(page));
    console.log(`  ${(((await threadTime(session)) - before) / KEYS).toFixed(1)} of the thread's processor time per key`);
  }
} finally {
  await browser.close();
  await host.close();
}
