#!/usr/bin/env node
// Mutation testing of the rules: `node scripts/mutants.mjs [file-prefix…] [--jobs n] [--missed | --new]`, e.g. src/engine src/outcome.rs. docs/mutation.md.
// cargo-mutants lists the mutants; all are compiled into one binary and switched on one at a time, so that a mutant costs a run of the tests and no build.
// `--missed` runs those again that no test caught the last time, `--new` those that were never run. Exit 1 if any survives. Everything it makes is in target/mutation.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { switchable, switched, switchSource } from "./lib/mutants.mjs";
import { inRoot } from "./lib/project.mjs";
import { CommandFailed, run } from "./lib/run.mjs";

/** @typedef {import("./lib/mutants.mjs").Mutant} Mutant */
/** @typedef {"caught" | "timeout" | "missed" | "unviable"} Verdict */
/** @typedef {{ lib: string, tests: string }} Binaries unit tests, and tests/mutants or tests/redact */
/** @typedef {{ binary: string, args: string[], cases: string, seconds: number }} Stage a run of tests: random cases a property, seconds of the processor it may take */

const work = inRoot("target", "mutation");
const tree = join(work, "tree");
const verdictsFile = join(work, "verdicts.json");
const unviableFile = join(work, "unviable.json");

/** @param {string} file @returns {any} null: not there */
const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null);

/** @returns {Promise<Mutant[]>} */
async function listMutants() {
  const printed = await run("cargo", ["mutants", "--list", "--json", "--diff"], { quiet: true });
  return switchable(JSON.parse(printed.slice(printed.indexOf("["), printed.lastIndexOf("]") + 1)));
}

/** The crate with these mutants in it. @param {Mutant[]} mutants @returns {Map<string, Map<number, number>>} by file and line, which mutant stands there */
function writeTree(mutants) {
  mkdirSync(tree, { recursive: true });
  for (const name of ["src", "tests"]) rmSync(join(tree, name), { recursive: true, force: true });
  for (const name of ["Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "src", "tests"]) cpSync(inRoot(name), join(tree, name), { recursive: true });
  /** @type {Map<string, Map<number, number>>} */
  const places = new Map();
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const own = mutants.filter((mutant) => mutant.file === file);
    const { text, mutantAt } = switched(readFileSync(inRoot(file), "utf8"), own);
    writeFileSync(join(tree, file), text);
    places.set(file, mutantAt);
  }
  const lib = join(tree, "src", "lib.rs");
  writeFileSync(lib, readFileSync(lib, "utf8") + switchSource);
  return places;
}

/** @param {boolean} redaction @returns {Promise<{ errors: { file: string, line: number, text: string }[], binaries: Partial<Binaries> }>} */
async function compile(redaction) {
  const judge = ["--lib", "--test", redaction ? "redact" : "mutants"];
  const args = ["test", "--no-run", "--profile", "mutants", ...judge, "--message-format=json", "--target-dir", join(work, "target")];
  // Redaction is looked at by the byte, by thousands of texts a mutant: what the optimizer costs comes back.
  const env = { ...process.env, RUSTFLAGS: "--cap-lints=allow", ...(redaction && { CARGO_PROFILE_MUTANTS_OPT_LEVEL: "1" }) };
  const printed = await run("cargo", args, { cwd: tree, env, quiet: true }).catch((error) => {
    if (error instanceof CommandFailed) return error.output;
    throw error;
  });
  const messages = printed.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  const errors = messages.flatMap(({ reason, message }) => {
    if (reason !== "compiler-message" || message.level !== "error" || message.spans.length === 0) return [];
    const { file_name: file, line_start: line } = message.spans.find((/** @type {any} */ span) => span.is_primary);
    return [{ file, line, text: message.rendered }];
  });
  const built = messages.filter(({ reason, executable }) => reason === "compiler-artifact" && executable);
  const named = (/** @type {string} */ kind) => built.find(({ target }) => target.kind.includes(kind))?.executable;
  if (!errors.length && built.length < 2) throw new Error(`cargo built no tests\n${printed.slice(-2000)}`);
  return { errors, binaries: { lib: built.find(({ target }) => target.kind.includes("rlib"))?.executable, tests: named("test") } };
}

/** Builds until what is left compiles. @param {Mutant[]} mutants @param {boolean} redaction @returns {Promise<{ binaries: Binaries, unviable: Set<number> }>} */
async function build(mutants, redaction) {
  const known = new Set(readJson(unviableFile) ?? []);
  const unviable = new Set(mutants.filter(({ key }) => known.has(key)).map(({ id }) => id));
  for (;;) {
    const places = writeTree(mutants.filter(({ id }) => !unviable.has(id)));
    const { errors, binaries } = await compile(redaction);
    if (!errors.length) return { binaries: /** @type {Binaries} */ (binaries), unviable };
    const before = unviable.size;
    for (const { file, line, text } of errors) {
      const id = places.get(file)?.get(line);
      if (id) unviable.add(id);
      else console.error(text);
    }
    if (unviable.size === before) throw new Error("what does not compile is no mutant");
    console.log(`${unviable.size} do not compile`);
    writeFileSync(unviableFile, JSON.stringify(mutants.filter(({ id }) => unviable.has(id)).map(({ key }) => key)));
  }
}

/** Processor seconds and KiB that one run of the tests may take: a mutant that loops has been caught. @param {number} seconds */
const limits = (seconds) => `ulimit -t ${seconds}; ulimit -v 8388608; exec "$0" "$@"`;

/** @param {Stage} stage @param {number} id @returns {Promise<Verdict>} of one run */
function judge({ binary, args, cases, seconds }, id) {
  const env = { ...process.env, MUTANT: String(id), PROPTEST_CASES: cases, PROPTEST_DISABLE_FAILURE_PERSISTENCE: "true", RUST_MIN_STACK: "67108864" };
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", limits(seconds), binary, ...args], { cwd: tree, env, stdio: "ignore" });
    child.on("error", reject);
    child.on("close", (status, signal) => resolve(status === 0 ? "missed" : signal === "SIGXCPU" || signal === "SIGKILL" ? "timeout" : "caught"));
  });
}

/** Tests that measure time, and one that is slow by itself: they are for one file each, and not for thousands of runs. */
const slow = ["linear", "four_megabytes", "work_grows"].flatMap((name) => ["--skip", name]);

/** What judges a mutant, the likeliest first. @param {Mutant | undefined} mutant @param {Binaries} binaries @returns {Stage[]} */
function stages(mutant, { lib, tests }) {
  const module = /^src\/(\w+)/.exec(mutant?.file ?? "")?.[1] ?? "";
  const emoji = mutant?.file.endsWith("emoji.rs") ? [] : ["--skip", "ranges_are_those"];
  return [
    { binary: tests, args: ["scenarios::"], cases: "1", seconds: 30 },
    { binary: lib, args: [`${module}::`, ...slow, ...emoji], cases: "32", seconds: 30 },
    { binary: tests, args: [`${module}::`, "outcome::", ...slow], cases: "32", seconds: 30 },
    { binary: tests, args: slow, cases: "64", seconds: 30 },
    { binary: lib, args: [...slow, ...emoji], cases: "64", seconds: 30 },
  ];
}

/** What redaction answers shows in its own tests and vectors; other tests only pass it on. They take some hundredths of a second. @param {Binaries} binaries @returns {Stage[]} */
function redactionStages({ lib, tests }) {
  return [
    { binary: tests, args: ["the_vectors", "every_kind", "a_shape", "rules_begin", "bounded", "ordinary_text"], cases: "1", seconds: 1 },
    { binary: lib, args: ["redact::", ...slow], cases: "1", seconds: 1 },
    { binary: tests, args: slow, cases: "64", seconds: 10 },
  ];
}

/** @param {Mutant | undefined} mutant none: all tests have to pass @param {Binaries} binaries @param {boolean} redaction @returns {Promise<Verdict>} */
async function verdictOn(mutant, binaries, redaction) {
  for (const stage of redaction ? redactionStages(binaries) : stages(mutant, binaries)) {
    const verdict = await judge(stage, mutant?.id ?? 0);
    if (verdict !== "missed") return verdict;
  }
  return "missed";
}

/** @param {Map<string, Record<Verdict, number>>} table by file */
function print(table) {
  const line = (/** @type {string} */ file, /** @type {Record<Verdict, number>} */ n) =>
    `| ${file} | ${n.caught + n.timeout + n.missed + n.unviable} | ${n.caught} | ${n.timeout} | ${n.unviable} | ${n.missed} |`;
  console.log("\n| file | mutants | caught | time | do not compile | survive |\n|---|---|---|---|---|---|");
  for (const [file, counts] of table) console.log(line(file, counts));
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { jobs: { type: "string" }, missed: { type: "boolean" }, new: { type: "boolean" } },
});
const all = await listMutants();
/** @type {Record<string, Verdict>} by key */
const verdicts = readJson(verdictsFile) ?? {};
const wanted = positionals.length ? positionals.flatMap((prefix) => all.filter(({ file }) => file.startsWith(prefix))) : all;
const chosen = wanted.filter(({ key }) => (values.missed ? verdicts[key] === "missed" : !values.new || verdicts[key] === undefined));
console.log(`${chosen.length} of ${all.length} mutants`);

/** @param {Mutant[]} mutants all of redaction or none @param {boolean} redaction */
async function judgeAll(mutants, redaction) {
  const { binaries, unviable } = await build(mutants, redaction);
  if ((await verdictOn(undefined, binaries, redaction)) !== "missed") throw new Error("the tests fail without any mutant");
  const queue = [...mutants];
  const worker = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const verdict = unviable.has(mutant.id) ? "unviable" : await verdictOn(mutant, binaries, redaction);
      verdicts[mutant.key] = verdict;
      if (verdict === "missed" || verdict === "timeout") console.log(`${verdict}  ${mutant.name}`);
      if (verdict !== "unviable") writeFileSync(verdictsFile, JSON.stringify(verdicts));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs ?? 1) }, worker));
}

// Redaction has judges, and a build, of its own.
for (const redaction of [true, false]) {
  const mutants = chosen.filter(({ file }) => file.startsWith("src/redact") === redaction);
  if (mutants.length) await judgeAll(mutants, redaction);
}
writeFileSync(verdictsFile, JSON.stringify(verdicts));
/** @type {Map<string, Record<Verdict, number>>} */
const table = new Map();
for (const { file, key } of chosen) {
  const counts = table.get(file) ?? { caught: 0, timeout: 0, missed: 0, unviable: 0 };
  counts[verdicts[key]] += 1;
  table.set(file, counts);
}
print(table);
process.exit(chosen.some(({ key }) => verdicts[key] === "missed") ? 1 : 0);
