#!/usr/bin/env node
// Builds the component into pkg/wasm: `npm run build`. With `--check` it builds elsewhere and compares byte for byte with what is committed.
// The result depends on the sources, Cargo.lock, the pinned toolchain and tools alone: not on the folder, the machine or its environment.
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { withFastTexts } from "./lib/glue.mjs";
import { inRoot, libraryName, pageName, root, wasmTarget } from "./lib/project.mjs";
import { CommandFailed, run } from "./lib/run.mjs";
import { ensureTools, ToolMissing, tool, wasmOpt } from "./tools.mjs";

const output = inRoot("pkg", "wasm");

/**
 * The names and the producers section say nothing to users. The types it writes are for the package's own modules: what users see is pkg/index.d.ts, by hand.
 * The reset function is what `init({fresh: true})` recovers with after a panic (W5).
 */
const bindgenFlags = ["--target", "web", "--experimental-reset-state-function", "--remove-producers-section"];

/**
 * The binaries: the whole component, and what a reader's page asks of it (the feature `engine` in Cargo.toml). Both import the same snippets.
 * @typedef {{ name: string, features: string[] }} Build `name` is that of its files
 */
/** @type {{ whole: Build, page: Build }} */
export const builds = { whole: { name: libraryName, features: [] }, page: { name: pageName, features: ["--no-default-features"] } };

/** What every engine of Node 20 and of the browsers of that time has, and what rustc assumes for the target. */
const optimizerFlags = [
  "-Oz",
  "--enable-bulk-memory",
  "--enable-nontrapping-float-to-int",
  "--enable-reference-types",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-multivalue",
];

/** Settings from outside that would change the bytes. */
const disturbing = /^(RUSTFLAGS|RUSTC_BOOTSTRAP|RUSTC_WRAPPER|CARGO_INCREMENTAL|CARGO_(ENCODED|PROFILE|BUILD|TARGET_WASM32)_.*)$/;

/** @returns {NodeJS.ProcessEnv} */
const cleanEnvironment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !disturbing.test(name)));

/**
 * Facts of the build, from cargo itself.
 * @returns {Promise<{ target: string, registries: string[] }>} the target folder, and the folders that hold the sources of dependencies
 */
async function metadata() {
  const args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", wasmTarget];
  // its messages go to standard error and may stand before or after: the JSON is the one line that begins with a brace
  const printed = await run("cargo", args, { env: cleanEnvironment(), quiet: true });
  const facts = JSON.parse(printed.split("\n").find((line) => line.startsWith("{")) ?? "{}");
  const registries = new Set();
  for (const { source, manifest_path } of facts.packages) if (source) registries.add(dirname(dirname(manifest_path)));
  return { target: facts.target_directory, registries: [...registries].sort() };
}

/**
 * rustc leaves source paths in panic messages. They are rewritten to names that mean the same everywhere: no path of the building machine and no name of a
 * registry's host (cargo's folder carries it) gets into the binary. The last fitting rule wins.
 * @param {{ target: string, registries: string[] }} facts
 */
async function remapping({ target, registries }) {
  const sysroot = (await run("rustc", ["--print", "sysroot"], { quiet: true })).trim();
  const commit = /commit-hash: (\w+)/.exec(await run("rustc", ["-vV"], { quiet: true }))?.[1] ?? "unknown";
  const rules = [
    [sysroot, "/toolchain"],
    // where the precompiled standard library says its sources are; only with the component rust-src does rustc find them on this machine
    [join(sysroot, "lib", "rustlib", "src", "rust"), `/rustc/${commit}`],
    [root, "/agent-turn"],
    [target, "/target"],
    ...registries.map((folder) => [folder, "/crates"]),
  ];
  return rules.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}

/** What rustc makes of the sources; the next build takes its place. @param {Build} build @returns {Promise<string>} the file */
async function compile({ features }) {
  const facts = await metadata();
  const env = { ...cleanEnvironment(), CARGO_ENCODED_RUSTFLAGS: (await remapping(facts)).join("\x1f") };
  // of the crate's types only this one: where an rlib is made in the same run, cargo leaves out the optimization over all crates, which is 8 % of the size
  await run("cargo", ["rustc", "--release", "--locked", "--lib", "--crate-type", "cdylib", "--target", wasmTarget, ...features], { env });
  return join(facts.target, wasmTarget, "release", `${libraryName}.wasm`);
}

/**
 * The same binary with the names of its functions, for a report of sizes. Nothing else differs: names are a section of their own.
 * @param {string} folder receives it @param {Build} build
 * @returns {Promise<string>} the file
 */
export async function buildWithNames(folder, build) {
  await run(tool("wasm-bindgen"), [...bindgenFlags, "--out-dir", folder, "--out-name", build.name, await compile(build)]);
  const named = join(folder, "named.wasm");
  await run(process.execPath, [wasmOpt(), ...optimizerFlags, "--debuginfo", join(folder, `${build.name}_bg.wasm`), "-o", named]);
  return named;
}

/**
 * Builds one binary and its loader script.
 * @param {string} folder receives them @param {Build} build
 */
async function buildOne(folder, build) {
  await run(tool("wasm-bindgen"), [...bindgenFlags, "--remove-name-section", "--out-dir", folder, "--out-name", build.name, await compile(build)]);
  const wasm = join(folder, `${build.name}_bg.wasm`);
  const small = `${wasm}.optimized`;
  await run(process.execPath, [wasmOpt(), ...optimizerFlags, wasm, "-o", small]);
  renameSync(small, wasm);
  const script = join(folder, `${build.name}.js`);
  writeFileSync(script, withFastTexts(readFileSync(script, "utf8")));
}

/**
 * Builds the component.
 * @param {string} folder receives the loader scripts and the wasm files; what is in it goes away, once there is something to take its place
 */
export async function build(folder) {
  const temporary = mkdtempSync(join(tmpdir(), "agent-turn-wasm-"));
  const fresh = join(temporary, "wasm");
  try {
    for (const one of Object.values(builds)) await buildOne(fresh, one);
    // wasm-bindgen copies the dependencies of the package.json beside Cargo.toml: those of the workspace, and without `"type": "module"`
    rmSync(join(fresh, "package.json"), { force: true });
    rmSync(folder, { recursive: true, force: true });
    cpSync(fresh, folder, { recursive: true });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Files below a folder, relative and sorted; none when there is no such folder. @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.path, entry.name)))
      .sort();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return [];
    throw error;
  }
}

/**
 * Which files differ between two folders, with the way they do.
 * @param {string} expected @param {string} actual
 * @returns {string[]}
 */
export function differences(expected, actual) {
  const before = new Set(filesBelow(expected));
  const after = new Set(filesBelow(actual));
  return [...new Set([...before, ...after])].sort().flatMap((name) => {
    if (!after.has(name)) return [`${name}: is not built any more`];
    if (!before.has(name)) return [`${name}: is not there`];
    return readFileSync(join(expected, name)).equals(readFileSync(join(actual, name))) ? [] : [`${name}: has other bytes`];
  });
}

/** Builds beside pkg/wasm and compares. @returns {Promise<string[]>} the files that differ */
async function check() {
  const folder = mkdtempSync(join(tmpdir(), "agent-turn-build-"));
  try {
    await build(join(folder, "wasm"));
    return differences(output, join(folder, "wasm"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string[]} args @returns {Promise<number>} exit status */
async function main(args) {
  if (args.some((arg) => arg !== "--check")) {
    console.error("usage: npm run build [-- --check]");
    return 2;
  }
  await ensureTools("build");
  if (!args.includes("--check")) {
    await build(output);
    console.log(`built ${relative(root, output)}: ${filesBelow(output).join(", ")}`);
    return 0;
  }
  const differing = await check();
  if (differing.length === 0) {
    console.log("pkg/wasm is what the sources build, byte for byte");
    return 0;
  }
  console.error(`pkg/wasm is not what the sources build (run \`npm run build\` and commit the result):\n${differing.map((line) => `  ${line}`).join("\n")}`);
  return 1;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof ToolMissing || error instanceof CommandFailed)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
