#!/usr/bin/env node
// Finds or installs what building and testing need beyond Node, npm and rustup: `node scripts/tools.mjs [build|test]`, default test.
// Nothing is installed that is there in the right version, so a second run takes a moment.
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inRoot, wasmBindgenVersion, wasmTarget } from "./lib/project.mjs";
import { CommandFailed, run, which } from "./lib/run.mjs";

/** Something that is missing and cannot be installed by this script; the message says what to do. */
export class ToolMissing extends Error {
  /** @param {string} message @param {{ cause?: unknown }} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = "ToolMissing";
  }
}

/**
 * Programs from crates.io: crate, version, the programs that must be there afterwards.
 * @typedef {{ crate: string, version: string, programs: string[] }} CargoTool
 */

/** @returns {CargoTool} */
const wasmBindgen = () => ({ crate: "wasm-bindgen-cli", version: wasmBindgenVersion(), programs: ["wasm-bindgen", "wasm-bindgen-test-runner"] });

/** @type {CargoTool} */
const wasmPack = { crate: "wasm-pack", version: "0.15.1", programs: ["wasm-pack"] };

/** @type {CargoTool} */
const geckodriver = { crate: "geckodriver", version: "0.37.1", programs: ["geckodriver"] };

/**
 * Folder of the programs built from crates.io, shared by all clones. `AGENT_TURN_TOOLS` names it outright; else it lies in the user's cache folder.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function toolsFolder(env = process.env) {
  if (env.AGENT_TURN_TOOLS) return resolve(env.AGENT_TURN_TOOLS);
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "agent-turn", "tools");
}

/** Path of a program in the tools folder. @param {string} program */
export const tool = (program) => join(toolsFolder(), "bin", program);

/** The environment for commands that look for the tools on PATH. @returns {NodeJS.ProcessEnv} */
export function toolsEnvironment() {
  return { ...process.env, PATH: [join(toolsFolder(), "bin"), inRoot("node_modules", ".bin"), process.env.PATH].filter(Boolean).join(delimiter) };
}

/** Path of wasm-opt (a Node script of the package binaryen). @throws {ToolMissing} */
export function wasmOpt() {
  const script = inRoot("node_modules", "binaryen", "bin", "wasm-opt");
  if (!existsSync(script)) throw new ToolMissing("wasm-opt is missing: run `npm ci`, which installs the package binaryen.");
  return script;
}

/* ---------------------------------------------------------------- Rust */

/** The toolchain of rust-toolchain.toml with its components and the wasm target. @throws {ToolMissing} */
async function ensureRust() {
  if (!which("rustup")) throw new ToolMissing("rustup is missing: install Rust as https://rustup.rs says, and open a new shell.");
  const installed = await run("rustup", ["component", "list", "--installed"], { quiet: true }).catch(() => "");
  const wanted = [`rust-std-${wasmTarget}`, "rustfmt", "clippy"];
  const missing = wanted.filter((part) => !installed.split("\n").some((line) => line === part || line.startsWith(`${part}-`)));
  if (missing.length === 0) return;
  try {
    // without a name: the toolchain, components and targets that rust-toolchain.toml names
    if (!installed) await run("rustup", ["toolchain", "install"]);
    if (missing.includes(wanted[0] ?? "")) await run("rustup", ["target", "add", wasmTarget]);
    const components = missing.filter((part) => part !== wanted[0]);
    if (components.length) await run("rustup", ["component", "add", ...components]);
  } catch (cause) {
    throw new ToolMissing(`rustup could not install ${missing.join(", ")} of the toolchain in rust-toolchain.toml: check its network, then run this again.`, {
      cause,
    });
  }
}

/** @param {string} program @param {string} version */
async function hasVersion(program, version) {
  const path = tool(program);
  if (!existsSync(path)) return false;
  const said = await run(path, ["--version"], { quiet: true }).catch(() => "");
  return said.split(/\s+/).includes(version);
}

/** Environment for cargo outside of the project: its flags and target folder are not for the tools. @returns {NodeJS.ProcessEnv} */
function withoutProjectSettings() {
  const { CARGO_TARGET_DIR, RUSTFLAGS, CARGO_ENCODED_RUSTFLAGS, ...rest } = process.env;
  return rest;
}

/** @param {CargoTool} wanted @throws {ToolMissing} */
async function ensureCargoTool({ crate, version, programs }) {
  const present = await Promise.all(programs.map((program) => hasVersion(program, version)));
  if (present.every(Boolean)) return;
  console.log(`installing ${crate} ${version} (built from source, a few minutes)`);
  const folder = toolsFolder();
  mkdirSync(folder, { recursive: true });
  try {
    // not --locked: the lock file inside wasm-bindgen-cli names releases that not every mirror of crates.io holds
    await run("cargo", ["install", "--root", folder, "--version", version, "--force", crate], { env: withoutProjectSettings() });
  } catch (cause) {
    throw new ToolMissing(`${crate} ${version} could not be built: see cargo's message above, or put it into ${folder} by hand.`, { cause });
  }
}

/* ---------------------------------------------------------------- browsers */

/**
 * @typedef {{ label: string, variable: string, programs: string[], packages: string[] }} Browser
 * `variable` is the environment variable that names the program's path instead.
 */

/** @type {Browser} */
const chromium = {
  label: "Chromium",
  variable: "CHROMIUM",
  programs: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  packages: ["chromium"],
};

/** @type {Browser} */
const chromedriver = { label: "chromedriver", variable: "CHROMEDRIVER", programs: ["chromedriver"], packages: ["chromium-driver"] };

/** @type {Browser} */
const firefox = { label: "Firefox", variable: "FIREFOX", programs: ["firefox-esr", "firefox"], packages: ["firefox-esr"] };

/** @param {Browser} wanted @returns {string | null} */
function find({ variable, programs }) {
  const named = process.env[variable];
  if (named) return existsSync(named) ? named : null;
  for (const program of programs) {
    const found = which(program);
    if (found) return found;
  }
  return null;
}

/** @param {Browser} wanted @returns {string} @throws {ToolMissing} */
function required(wanted) {
  const found = find(wanted);
  if (found) return found;
  const named = process.env[wanted.variable];
  throw new ToolMissing(
    named
      ? `${wanted.label} is not at ${named}, where ${wanted.variable} says it is: correct or unset the variable.`
      : `${wanted.label} is missing: install it (on Debian and Ubuntu as root: apt-get install ${wanted.packages.join(" ")}), or name its path in ${wanted.variable}.`,
  );
}

/** Path of Chromium. @throws {ToolMissing} */
export const chromiumPath = () => required(chromium);

/** Path of the WebDriver of Chromium. @throws {ToolMissing} */
export const chromedriverPath = () => required(chromedriver);

/** Path of Firefox. @throws {ToolMissing} */
export const firefoxPath = () => required(firefox);

/** Path of the WebDriver of Firefox. */
export const geckodriverPath = () => tool("geckodriver");

/** Chromium, its driver and Firefox; installed where this process may do so, an error that says what to do otherwise. @throws {ToolMissing} */
async function ensureBrowsers() {
  const browsers = [chromium, chromedriver, firefox];
  const packages = browsers.filter((browser) => !find(browser) && !process.env[browser.variable]).flatMap((browser) => browser.packages);
  if (packages.length && which("apt-get") && process.getuid?.() === 0) {
    console.log(`installing ${packages.join(", ")}`);
    const apt = ["-y", "-q", "-o", "DPkg::Lock::Timeout=600"];
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    try {
      await run("apt-get", [...apt, "update"], { env });
      await run("apt-get", [...apt, "install", "--no-install-recommends", ...packages], { env });
    } catch (cause) {
      throw new ToolMissing(`apt-get could not install ${packages.join(", ")}: see its message above.`, { cause });
    }
  }
  for (const browser of browsers) required(browser);
}

/* ---------------------------------------------------------------- */

/**
 * Makes sure that everything is there: for `build` the wasm target, wasm-bindgen and wasm-opt; for `test` also wasm-pack, both browsers and their drivers.
 * @param {"build" | "test"} [purpose]
 * @throws {ToolMissing}
 */
export async function ensureTools(purpose = "test") {
  await ensureRust();
  wasmOpt();
  await ensureCargoTool(wasmBindgen());
  if (purpose === "build") return;
  await ensureCargoTool(wasmPack);
  await ensureCargoTool(geckodriver);
  await ensureBrowsers();
}

/** Whether this file is what Node was started with. */
const started = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);

if (started) {
  const purpose = process.argv[2] ?? "test";
  if (purpose !== "build" && purpose !== "test") {
    console.error("usage: node scripts/tools.mjs [build|test]");
    process.exit(2);
  }
  try {
    await ensureTools(purpose);
    console.log(`tools for ${purpose}: ${toolsFolder()}`);
  } catch (error) {
    if (!(error instanceof ToolMissing || error instanceof CommandFailed)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
