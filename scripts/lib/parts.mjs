// The parts of `npm test`, in the order they run. Each is a function that runs to its end or throws.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { withDatabaseServers } from "../databases.mjs";
import { chromedriverPath, ensureTools, geckodriverPath, toolsEnvironment } from "../tools.mjs";
import { ensureInstalled } from "./install.mjs";
import { playPacked } from "./packed.mjs";
import { inRoot, root, wasmTarget } from "./project.mjs";
import { run } from "./run.mjs";

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} about one line for `--list`
 * @property {import("./cases.mjs").Runner} [cases] whose closing lines tell the cases; absent: it has none
 * @property {() => Promise<string | void>} run resolves to what it printed
 */

const minute = 60_000;

/** No part takes that long, unless it hangs. */
const timeout = 20 * minute;

/**
 * The seeds of what draws its cases. One for every run, so that it tells about the sources and not about luck; others come from the environment, or from
 * the clock where a test file is run by itself.
 */
const seeds = { SEED: "1", FUZZ_SEED: "1", PROPTEST_RNG_SEED: "1" };

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [extra] */
const command = (command, args, extra = {}) => run(command, args, { timeout, env: { ...seeds, ...toolsEnvironment(), ...extra } });

/** @param {string[]} args */
const node = (...args) => command(process.execPath, args);

/** Test files of `wasm-pack test`: those of Node and those that run in a browser. */
const wasmTests = { node: "wasm_node", browser: "wasm_browser" };

/** A browser on a busy machine needs longer than the runner's default of 20 s. */
const browserTimeout = { WASM_BINDGEN_TEST_TIMEOUT: "120" };

/** @param {string[]} where @param {string} test */
const wasmPack = (where, test) => command("wasm-pack", ["test", "--mode", "no-install", ...where, "--", "--locked", "--test", test], browserTimeout);

/** The module Node loads, from the package's own manifest. @param {"." | "./page"} name */
const nodeEntry = (name) => join("pkg", JSON.parse(readFileSync(inRoot("pkg", "package.json"), "utf8")).exports[name].node);

const vectors = ["tests/vectors", "tests/vectors-own"];

/** With the whole component, and with the build for pages what that has. */
async function playVectors() {
  const whole = await node("tests/play.mjs", nodeEntry("."), ...vectors);
  return whole + (await node("tests/play.mjs", nodeEntry("./page"), ...vectors, "--part"));
}

/** Files `*.test.js` and `*.test.mjs` below a folder. @param {string} folder */
function testFiles(folder) {
  if (!existsSync(folder)) throw new Error(`${relative(root, folder)} is not there`);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.test\.m?js$/.test(entry.name)).map((entry) => relative(root, join(entry.path, entry.name)));
  if (files.length === 0) throw new Error(`${relative(root, folder)} holds no test`);
  return files.sort();
}

/** Runs tests that share one PostgreSQL and one MariaDB. @param {string} folder @param {number} concurrency how many files at a time */
const nodeTests = (folder, concurrency) =>
  withDatabaseServers((env) => command(process.execPath, ["--test", "--test-reporter=spec", `--test-concurrency=${concurrency}`, ...testFiles(folder)], env));

async function lint() {
  await command("cargo", ["fmt", "--all", "--check"]);
  await command("cargo", ["clippy", "--locked", "--all-targets", "--", "-D", "warnings"]);
  const onWasm = ["--lib", ...Object.values(wasmTests).flatMap((test) => ["--test", test])];
  await command("cargo", ["clippy", "--locked", "--target", wasmTarget, ...onWasm, "--", "-D", "warnings"]);
  await command("cargo", ["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"]);
  await command("cargo", ["clippy", "--locked", "--target", wasmTarget, "--lib", "--no-default-features", "--", "-D", "warnings"]);
  await command("cargo", ["clippy", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--features", "driver", "--", "-D", "warnings"]);
  await command("cargo", ["doc", "--locked", "--no-deps"], { RUSTDOCFLAGS: "-D warnings" });
  await command("biome", ["ci", "--error-on-warnings", `--colors=${process.stdout.isTTY ? "force" : "off"}`, "."]);
}

/** @type {Part[]} */
export const parts = [
  { name: "install", about: "npm packages of package-lock.json", run: ensureInstalled },
  { name: "tools", about: "Rust target, wasm-bindgen, wasm-pack, browsers and their drivers", run: () => ensureTools("test") },
  { name: "lint", about: "cargo fmt, clippy (native and wasm), cargo doc, biome", run: lint },
  { name: "types", about: "tsc over the JavaScript", run: () => command("tsc", ["--project", "tsconfig.json"]) },
  {
    name: "audit",
    about: "dependencies: integrity, origin, licences, install scripts; advisories where a database answers",
    cases: "player",
    run: () => node("scripts/audit.mjs"),
  },
  { name: "build", about: "pkg/wasm is what the sources build, byte for byte", run: () => node("scripts/build.mjs", "--check") },
  { name: "size", about: "binary and glue keep to size-budget.json", run: () => node("scripts/size.mjs", "--check") },
  { name: "vendor", about: "www/vendor is what the installed packages give", run: () => node("scripts/vendor.mjs", "--check") },
  {
    name: "rules",
    about: "every rule has a place and a test, and docs/rule-table.md is true",
    cases: "player",
    run: () => node("scripts/rules.mjs", "--check"),
  },
  { name: "rust", about: "cargo test: the rules, natively", cases: "cargo", run: () => command("cargo", ["test", "--locked"]) },
  { name: "wasm-node", about: "the boundary in Node", cases: "cargo", run: () => wasmPack(["--node"], wasmTests.node) },
  {
    name: "wasm-chrome",
    about: "the boundary in headless Chromium",
    cases: "cargo",
    run: () => wasmPack(["--headless", "--chrome", "--chromedriver", chromedriverPath()], wasmTests.browser),
  },
  {
    name: "wasm-firefox",
    about: "the boundary in headless Firefox",
    cases: "cargo",
    run: () => wasmPack(["--headless", "--firefox", "--geckodriver", geckodriverPath()], wasmTests.browser),
  },
  {
    name: "fuzz",
    about: "every target a minute: libFuzzer where nightly and cargo-fuzz are there, else the driver on stable",
    cases: "player",
    run: () => node("scripts/fuzz.mjs", "--seconds", "60", "--seed", seeds.SEED),
  },
  {
    name: "vectors",
    about: "the vectors through the package in Node",
    cases: "player",
    run: playVectors,
  },
  {
    name: "vectors-browsers",
    about: "the same in headless Chromium and Firefox, strict policy",
    cases: "player",
    run: () => node("tests/browser/vectors.mjs"),
  },
  { name: "packed", about: "the same with the packed archive, installed alone", cases: "player", run: playPacked },
  { name: "js", about: "tests/js: package, storage, runtime, host, page modules", cases: "node", run: () => nodeTests(inRoot("tests", "js"), 2) },
  { name: "bench", about: "the bench, few rounds: that it runs and that outputs agree", run: () => node("tests/bench/run.mjs", "--quick") },
  {
    name: "soak",
    about: "tests/soak: people, processes killed with -9, and an audit, on each database",
    cases: "node",
    run: () => nodeTests(inRoot("tests", "soak"), 1),
  },
  { name: "e2e", about: "tests/e2e: the whole in headless Chromium and Firefox", cases: "node", run: () => nodeTests(inRoot("tests", "e2e"), 1) },
];
