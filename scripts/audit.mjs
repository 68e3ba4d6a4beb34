#!/usr/bin/env node
// `npm run audit`: what the project depends on, from its lock files. Offline: integrity, origin, licences, install scripts. Advisories need a database:
// npm's where the registry answers, RustSec's where cargo-audit is installed and can fetch it; a line says where one was not checked.
import { readFileSync } from "node:fs";
import { cargoFaults, licenceFaults, npmFaults } from "./lib/locks.mjs";
import { inRoot } from "./lib/project.mjs";
import { CommandFailed, run } from "./lib/run.mjs";

/** Crates of this project. */
const own = new Set(["agent-turn", "agent-turn-fuzz"]);

/** Advisories of this severity or a higher one, in what the project needs to run, fail the audit. */
const severe = ["high", "critical"];

/** @param {string} file */
const read = (file) => readFileSync(inRoot(file), "utf8");

/** @param {string} file @returns {string[]} */
const npmLock = (file) => npmFaults(JSON.parse(read(file)));

/** Licences as the manifests of the crates name them. @param {string} manifest @returns {Promise<string[]>} */
async function crateLicences(manifest) {
  const said = await run("cargo", ["metadata", "--locked", "--format-version", "1", "--manifest-path", inRoot(manifest)], { quiet: true });
  /** @type {{ packages: { name: string, license: string | null }[] }} */
  const { packages } = JSON.parse(said.slice(said.indexOf("{")));
  return packages.filter(({ name }) => !own.has(name)).flatMap(({ name, license }) => licenceFaults(name, license));
}

/** Advisories about what is needed to run. @returns {Promise<string[] | null>} null: the registry does not answer such questions */
async function npmAdvisories() {
  const said = await run("npm", ["audit", "--omit=dev", "--json"], { quiet: true, timeout: 60_000 }).catch((error) => {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  });
  try {
    /** @type {{ vulnerabilities?: Record<string, { name: string, severity: string, range: string }> }} */
    const { vulnerabilities } = JSON.parse(said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1));
    if (!vulnerabilities) return null;
    const found = Object.values(vulnerabilities);
    for (const { name, severity, range } of found) console.log(`   ${severity}: ${name} ${range}`);
    return found.filter(({ severity }) => severe.includes(severity)).map(({ name, severity }) => `${name}: ${severity} advisory`);
  } catch {
    return null;
  }
}

/** @returns {Promise<string[] | null>} null: cargo-audit or its database is not there */
async function crateAdvisories() {
  const said = await run("cargo", ["audit", "--json"], { quiet: true, timeout: 120_000 }).catch((error) => {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  });
  try {
    /** @type {{ vulnerabilities: { list: { advisory: { id: string }, package: { name: string } }[] } }} */
    const { vulnerabilities } = JSON.parse(said.slice(said.indexOf("{"), said.lastIndexOf("}") + 1));
    return vulnerabilities.list.map((found) => `${found.package.name}: ${found.advisory.id}`);
  } catch {
    return null;
  }
}

/** @type {{ about: string, check: () => string[] | null | Promise<string[] | null> }[]} */
const checks = [
  { about: "package-lock.json: integrity, origin, licences, install scripts", check: () => npmLock("package-lock.json") },
  { about: "the same of the peers in the benchmark", check: () => npmLock("tests/bench/peers/package-lock.json") },
  { about: "Cargo.lock: every crate from crates.io, with its checksum", check: () => cargoFaults(read("Cargo.lock"), own) },
  { about: "the same of fuzz/", check: () => cargoFaults(read("fuzz/Cargo.lock"), own) },
  { about: "licences of the crates", check: () => crateLicences("Cargo.toml") },
  { about: "licences of the crates of fuzz/", check: () => crateLicences("fuzz/Cargo.toml") },
  { about: "advisories about npm packages", check: npmAdvisories },
  { about: "advisories about crates", check: crateAdvisories },
];

let passed = 0;
let failed = 0;
for (const { about, check } of checks) {
  const faults = await check();
  if (faults === null) {
    console.log(`-- ${about}: NOT CHECKED, the database cannot be reached or its tool is not installed`);
    continue;
  }
  for (const fault of faults) console.log(`   ${fault}`);
  console.log(`${faults.length ? "!!" : "ok"} ${about}`);
  if (faults.length) failed += 1;
  else passed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
