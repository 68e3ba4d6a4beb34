#!/usr/bin/env node
// Plays vectors against a build in Node: node tests/play.mjs <package-entry.js> <folder-or-file.jsonl>... [--only id-prefix] [--part] [--quiet]
// `--part`: the package is a part of the whole (agent-turn/page), and only the calls that it has are played.
// Format: tests/vectors/README.md. Exit 1 if any vector fails. Last line: "N passed, M failed".
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { failureText, playFiles } from "./player/play.js";

/** @returns {{ only: string, part: boolean, quiet: boolean, entry: string, places: string[] } | null} null: the arguments make no sense */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { only: { type: "string" }, part: { type: "boolean" }, quiet: { type: "boolean" } },
    });
    const [entry, ...places] = positionals;
    return entry && places.length ? { only: values.only ?? "", part: values.part ?? false, quiet: values.quiet ?? false, entry, places } : null;
  } catch {
    return null;
  }
}

/** The vector files of a folder by name, or the one file. @param {string} place */
function vectorFiles(place) {
  if (!statSync(place).isDirectory()) return [place];
  const names = readdirSync(place).filter((name) => name.endsWith(".jsonl"));
  return names.sort().map((name) => join(place, name));
}

const options = readArguments();
if (!options) {
  console.error("usage: play.mjs <package-entry.js> <folder-or-file>... [--only id-prefix] [--part] [--quiet]");
  process.exit(2);
}
const pkg = await import(pathToFileURL(resolve(options.entry)).href);
await pkg.default();
const files = options.places.flatMap(vectorFiles).map((name) => ({ name, text: readFileSync(name, "utf8") }));
const { passed, failed } = await playFiles(pkg, files, {
  only: options.only,
  part: options.part,
  onFailure: (failure) => {
    if (!options.quiet) console.log(failureText(failure));
  },
});
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
