#!/usr/bin/env node
/**
 * `npm run screenshots`: every state of the chat, light and dark, wide and narrow, into tests/artifacts/screenshots/.
 * `npm run screenshots -- approval panel` takes those whose name begins so, `--german` those of the German page; `--docs` also renews the pictures of the
 * README.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { createMockHost } from "../tests/js/chat/mock-host.mjs";
import { play, scenes } from "../tests/js/chat/scenes.mjs";
import { inRoot } from "./lib/project.mjs";
import { chromiumPath } from "./tools.mjs";

const folder = inRoot("tests", "artifacts", "screenshots");
const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const german = process.argv.includes("--german");
const launch = { executablePath: chromiumPath(), args: ["--disable-dev-shm-usage", "--no-sandbox"] };

/** @type {{ look: string, colorScheme: "light" | "dark", width: number, height: number }[]} */
const LOOKS = [
  { look: "light-wide", colorScheme: "light", width: 1360, height: 860 },
  { look: "dark-wide", colorScheme: "dark", width: 1360, height: 860 },
  { look: "light-narrow", colorScheme: "light", width: 390, height: 780 },
  { look: "dark-narrow", colorScheme: "dark", width: 390, height: 780 },
];

/** The pictures of the README. */
const DOCS = [
  { file: "approval", scene: "approval", colorScheme: /** @type {const} */ ("light"), width: 1280, height: 760 },
  { file: "question-dark", scene: "question-form", colorScheme: /** @type {const} */ ("dark"), width: 1280, height: 760 },
  { file: "panel", scene: "panel", colorScheme: /** @type {const} */ ("light"), width: 1280, height: 760 },
];

/**
 * @param {import("playwright-core").Browser} browser @param {import("../tests/js/chat/scenes.mjs").Scene} scene
 * @param {{ colorScheme: "light" | "dark", width: number, height: number, scale?: number, locale?: string }} look
 * @returns {Promise<Buffer>}
 */
async function photograph(browser, scene, { colorScheme, width, height, scale = 1, locale = "en-GB" }) {
  const host = createMockHost();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: "reduce", locale, deviceScaleFactor: scale });
  try {
    const base = await host.listen();
    const page = await context.newPage();
    await play(scene, { page, host, base }, locale);
    return await page.screenshot();
  } finally {
    await context.close();
    await host.close();
  }
}

/** The picture as WebP, made by the browser: a fraction of the PNG. @param {import("playwright-core").Browser} browser @param {Buffer} png */
async function toWebp(browser, png) {
  const page = await browser.newPage();
  const address = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
      canvas.getContext("2d")?.drawImage(image, 0, 0);
      return canvas.toDataURL("image/webp", 0.86);
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  await page.close();
  return Buffer.from(address.slice(address.indexOf(",") + 1), "base64");
}

const browser = await chromium.launch(launch);
try {
  await mkdir(folder, { recursive: true });
  const wanted = scenes.filter(({ name }) => names.length === 0 || names.some((word) => name.startsWith(word)));
  for (const scene of wanted) {
    for (const look of LOOKS) {
      const picture = await photograph(browser, scene, { ...look, locale: german ? "de-DE" : "en-GB" });
      await writeFile(join(folder, `${scene.name}.${look.look}${german ? ".de" : ""}.png`), picture);
    }
  }
  console.log(`${wanted.length * LOOKS.length} pictures in tests/artifacts/screenshots`);
  if (process.argv.includes("--docs")) {
    await mkdir(inRoot("docs", "images"), { recursive: true });
    for (const { file, scene: name, ...look } of DOCS) {
      const scene = scenes.find((one) => one.name === name);
      if (scene === undefined) throw new RangeError(`there is no scene ${name}`);
      const picture = await toWebp(browser, await photograph(browser, scene, { ...look, scale: 1.5 }));
      await writeFile(inRoot("docs", "images", `${file}.webp`), picture);
      console.log(`docs/images/${file}.webp: ${Math.round(picture.length / 1024)} kB`);
    }
  }
} finally {
  await browser.close();
}
