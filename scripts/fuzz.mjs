#!/usr/bin/env node
// Fuzzing of the rules and of the engine: every target of fuzz/, two at a time (docs/proof.md).
//   npm run fuzz -- --seconds 60            all targets, a minute each
//   npm run fuzz -- --only redact,form      these alone
//   npm run fuzz -- --seed 7                the same inputs again (a driver's; libFuzzer's as far as timing allows)
//   npm run fuzz -- --install               installs nightly and cargo-fuzz where they are missing
//   npm run fuzz -- --stable                the driver even where libFuzzer is there
//   npm run fuzz -- --keep                  afterwards writes the smallest inputs that reach everything to fuzz/corpus
// With a nightly toolchain and cargo-fuzz, libFuzzer looks for inputs that reach new code; without, the driver draws and changes inputs on stable. Both
// run the same functions and begin with fuzz/corpus. Which one ran is printed. The last line is "N passed, M failed", a case for each target.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inRoot } from "./lib/project.mjs";
import { CommandFailed, run, which } from "./lib/run.mjs";

const usage = "usage: npm run fuzz -- [--seconds 60] [--only target,target] [--seed number] [--jobs 2] [--install] [--stable] [--keep]";

/** The version that is installed where there is none; any that is there will do. */
const cargoFuzz = "0.13.2";

/** Inputs longer than this show nothing that shorter ones do not. */
const longest = 1024;

/** How much of a minimized corpus is kept, per target, in bytes of its file. */
const corpusSize = 14_000;

/** No input takes that long. */
const secondsPerInput = 30;

const folder = inRoot("fuzz");
const targets = readdirSync(join(folder, "fuzz_targets")).map((file) => file.replace(/\.rs$/, ""));

/** @param {string} target */
const corpusFile = (target) => join(folder, "corpus", `${target}.txt`);

/** What earlier runs on this machine have found, beside the committed corpus. @param {string} target */
const foundFolder = (target) => join(folder, "target", "found", target);

/** @typedef {{ name: "libFuzzer" | "stable driver", command: (target: string) => string }} Fuzzer */

/** Whether a command succeeds. @param {string} command @param {string[]} args */
const succeeds = (command, args) =>
  run(command, args, { quiet: true }).then(
    () => true,
    () => false,
  );

/** @param {boolean} install @returns {Promise<boolean>} whether libFuzzer can be built */
async function hasLibFuzzer(install) {
  if (!which("rustup")) return false;
  const nightly = () => succeeds("cargo", ["+nightly", "--version"]);
  const fuzz = () => succeeds("cargo", ["fuzz", "--version"]);
  if (install && !(await nightly())) await run("rustup", ["toolchain", "install", "nightly", "--profile", "minimal"]);
  if (install && !(await fuzz())) await run("cargo", ["install", "--locked", "--version", cargoFuzz, "cargo-fuzz"]);
  return (await nightly()) && (await fuzz());
}

/** Builds what can be built. @param {{ install: boolean, stable: boolean }} wanted @returns {Promise<Fuzzer>} */
async function build({ install, stable }) {
  if (stable) console.log("fuzz: the stable driver was asked for");
  else if (!(await hasLibFuzzer(install))) console.log("fuzz: no nightly toolchain or no cargo-fuzz here (--install gets both), so the stable driver runs");
  else {
    // Nothing here is unsafe code, so an address sanitizer would only cost time.
    const args = ["+nightly", "fuzz", "build", "--sanitizer", "none", "--features", "libfuzzer"];
    const said = await run("cargo", args, { quiet: true }).catch((error) => error);
    const built = join(folder, "target");
    const triple = said instanceof CommandFailed ? undefined : readdirSync(built).find((name) => existsSync(join(built, name, "release", targets[0] ?? "")));
    if (triple) return { name: "libFuzzer", command: (target) => join(built, triple, "release", target) };
    console.log(`fuzz: libFuzzer could not be built, so the stable driver runs: ${said instanceof Error ? said.message : "no program"}`);
  }
  await run("cargo", ["build", "--locked", "--release", "--features", "driver", "--bin", "driver", "--manifest-path", join(folder, "Cargo.toml")], {
    quiet: true,
  });
  return { name: "stable driver", command: () => join(folder, "target", "release", "driver") };
}

/** The committed inputs as files, one a line in base64. @param {string} target @returns {string} their folder */
function unpack(target) {
  const unpacked = join(folder, "target", "corpus", target);
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  mkdirSync(foundFolder(target), { recursive: true });
  const lines = existsSync(corpusFile(target)) ? readFileSync(corpusFile(target), "utf8").split("\n").filter(Boolean) : [];
  lines.forEach((line, index) => {
    writeFileSync(join(unpacked, String(index).padStart(4, "0")), Buffer.from(line, "base64"));
  });
  return unpacked;
}

/** @param {Fuzzer} fuzzer @param {string} target @param {number} seconds @param {number} seed */
function invocation(fuzzer, target, seconds, seed) {
  const corpus = unpack(target);
  if (fuzzer.name === "stable driver") return [target, "--seconds", String(seconds), "--seed", String(seed), "--corpus", corpus];
  const artifacts = join(folder, "artifacts");
  mkdirSync(artifacts, { recursive: true });
  const limits = [`-max_total_time=${seconds}`, `-max_len=${longest}`, `-timeout=${secondsPerInput}`, "-rss_limit_mb=2048"];
  return [...limits, `-seed=${seed}`, "-print_final_stats=1", `-artifact_prefix=${join(artifacts, `${target}-`)}`, foundFolder(target), corpus];
}

/** How many inputs ran, from what was printed. @param {string} output */
function inputs(output) {
  const found = /number_of_executed_units:\s*(\d+)/.exec(output) ?? /(\d+) inputs in/.exec(output);
  return Number(found?.[1] ?? 0);
}

/** @param {Fuzzer} fuzzer @param {string} target @param {number} seconds @param {number} seed @returns {Promise<boolean>} whether everything held */
async function fuzz(fuzzer, target, seconds, seed) {
  const start = performance.now();
  const args = invocation(fuzzer, target, seconds, seed);
  const timeout = (seconds + 20 * secondsPerInput) * 1000;
  try {
    const count = inputs(await run(fuzzer.command(target), args, { quiet: true, timeout }));
    if (count === 0) throw new CommandFailed(`${target}: no input ran`, "");
    console.log(`${target.padEnd(11)} ${String(count).padStart(9)} inputs, ${((performance.now() - start) / 1000).toFixed(0)} s, seed ${seed}: holds`);
    return true;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    console.error(`${error.output.slice(-6000)}\n${target}: ${error.message}; the input is in fuzz/artifacts, seed ${seed}`);
    return false;
  }
}

/** The smallest inputs that reach everything that is known, as far as they fit. @param {Fuzzer} fuzzer @param {string} target */
async function keep(fuzzer, target) {
  const merged = join(folder, "target", "merged", target);
  rmSync(merged, { recursive: true, force: true });
  mkdirSync(merged, { recursive: true });
  const corpus = unpack(target);
  const timeout = 30 * 60_000;
  await run(fuzzer.command(target), ["-set_cover_merge=1", `-max_len=${longest}`, merged, foundFolder(target), corpus], { quiet: true, timeout });
  const smallest = readdirSync(merged)
    .map((file) => readFileSync(join(merged, file)))
    .filter((bytes) => bytes.length > 0)
    .sort((a, b) => a.length - b.length || Buffer.compare(a, b));
  let left = corpusSize;
  const lines = smallest.map((bytes) => bytes.toString("base64")).filter((line) => (left -= line.length + 1) >= 0);
  writeFileSync(corpusFile(target), `${lines.join("\n")}\n`);
  console.log(`${target}: ${lines.length} of ${smallest.length} inputs kept`);
}

/** Runs the targets, so many at a time. @param {string[]} chosen @param {number} jobs @param {(target: string) => Promise<boolean>} one */
async function all(chosen, jobs, one) {
  const waiting = [...chosen];
  let failed = 0;
  const work = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) failed += Number(!(await one(target)));
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return failed;
}

/** @returns {Promise<number>} exit status */
async function main() {
  const text = /** @type {const} */ ({ type: "string" });
  const flag = /** @type {const} */ ({ type: "boolean", default: false });
  const options = { seconds: text, only: text, seed: text, jobs: text, install: flag, stable: flag, keep: flag };
  /** @type {ReturnType<typeof parseArgs<{ options: typeof options }>>["values"]} */
  let asked;
  try {
    asked = parseArgs({ options }).values;
  } catch {
    console.error(usage);
    return 2;
  }
  const chosen = asked.only?.split(",") ?? targets;
  const [seconds, jobs, seed] = [Number(asked.seconds ?? 60), Number(asked.jobs ?? 2), Number(asked.seed ?? 1 + (Date.now() % 1_000_000))];
  if (![seconds, jobs, seed].every((value) => Number.isInteger(value) && value > 0) || !chosen.every((target) => targets.includes(target))) {
    console.error(`${usage}\ntargets: ${targets.join(" ")}`);
    return 2;
  }
  const fuzzer = await build(asked);
  console.log(`fuzz: ${fuzzer.name}, ${chosen.length} targets, ${seconds} s each, ${jobs} at a time`);
  const failed = await all(chosen, jobs, (target) => fuzz(fuzzer, target, seconds, seed));
  if (asked.keep && fuzzer.name === "libFuzzer") await all(chosen, jobs, async (target) => keep(fuzzer, target).then(() => true));
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  return failed ? 1 : 0;
}

process.exit(await main());
