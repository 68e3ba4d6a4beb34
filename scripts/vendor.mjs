#!/usr/bin/env node
/**
 * Bundles the page's third-party modules into www/vendor/, and the one library of the package that browsers load into pkg/, so that neither needs a
 * build step or an import map (which a strict Content-Security-Policy refuses).
 * `--check` writes nothing and fails when what is committed differs from what the installed versions give.
 */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const wwwFolder = "www/vendor";
const packageFolder = "pkg/storage/indexeddb";
const require = createRequire(join(root, "package.json"));

const LIT_DIRECTIVES = {
  "if-defined": "ifDefined",
  "class-map": "classMap",
  keyed: "keyed",
  live: "live",
  ref: "ref, createRef",
  repeat: "repeat",
  "unsafe-html": "unsafeHTML",
};

/** @typedef {{ folder: string, packages: string[], source: string, types?: string }} Module what a vendored module exports, and which types besides */

/** @type {Record<string, Module>} */
const MODULES = {
  lit: {
    folder: wwwFolder,
    packages: ["lit", "lit-html", "lit-element", "@lit/reactive-element"],
    source: [
      'export { LitElement, html, svg, css, nothing } from "lit";',
      ...Object.entries(LIT_DIRECTIVES).map(([file, names]) => `export { ${names} } from "lit/directives/${file}.js";`),
    ].join("\n"),
    types: 'export type { PropertyDeclarations, SVGTemplateResult, TemplateResult } from "lit";',
  },
  marked: { folder: wwwFolder, packages: ["marked"], source: 'export { Marked } from "marked";' },
  dompurify: { folder: wwwFolder, packages: ["dompurify"], source: 'export { default } from "dompurify";' },
  idb: { folder: packageFolder, packages: ["idb"], source: 'export { openDB } from "idb";' },
};

/** The manifest of an installed package, also where its exports hide it. @param {string} name */
async function packageOf(name) {
  const folder = require.resolve.paths(name)?.map((path) => join(path, name)) ?? [];
  for (const path of folder) {
    const text = await readFile(join(path, "package.json"), "utf8").catch(() => null);
    if (text !== null) return { path, manifest: JSON.parse(text) };
  }
  throw new Error(`${name} is not installed; run npm ci first`);
}

/** @param {string} source @param {string} banner */
async function bundle(source, banner) {
  const result = await build({
    stdin: { contents: source, resolveDir: root, loader: "js" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
    banner: { js: banner },
    logLevel: "warning",
  });
  const [file] = result.outputFiles;
  if (file === undefined) throw new Error("esbuild gave no output");
  return file.text;
}

/** All vendored files as path and text. @returns {Promise<Map<string, string>>} */
async function vendored() {
  const files = new Map();
  /** @type {Map<string, string[]>} */
  const licences = new Map();
  for (const [name, { folder, packages, source, types }] of Object.entries(MODULES)) {
    const installed = await Promise.all(packages.map(packageOf));
    const credit = installed.map(({ manifest }) => `${manifest.name} ${manifest.version} (${manifest.license})`).join(", ");
    files.set(`${folder}/${name}.js`, await bundle(source, `/*! ${credit}; licence texts in LICENSES.txt. Built by scripts/vendor.mjs. */`));
    files.set(`${folder}/${name}.d.ts`, `${source}\n${types === undefined ? "" : `${types}\n`}`);
    for (const { path, manifest } of installed) {
      const licence = await readFile(join(path, "LICENSE"), "utf8");
      licences.set(folder, [...(licences.get(folder) ?? []), `${manifest.name} ${manifest.version} (${manifest.license})\n\n${licence.trim()}\n`]);
    }
  }
  for (const [folder, texts] of licences) files.set(`${folder}/LICENSES.txt`, texts.join(`\n${"-".repeat(80)}\n\n`));
  return files;
}

const files = await vendored();
if (process.argv.includes("--check")) {
  const stale = [];
  for (const [name, text] of files) {
    if ((await readFile(join(root, name), "utf8").catch(() => null)) !== text) stale.push(name);
  }
  if (stale.length > 0) {
    console.error(`The vendored modules differ from the installed packages: ${stale.join(", ")}. Run npm run build:vendor and commit the result.`);
    process.exitCode = 1;
  } else {
    console.log(`vendored modules: ${files.size} files are up to date`);
  }
} else {
  for (const [name, text] of files) {
    await mkdir(join(root, dirname(name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  console.log(`vendored modules: ${[...files].map(([name, text]) => `${name} ${Buffer.byteLength(text)} B`).join(", ")}`);
}
