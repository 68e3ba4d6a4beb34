// What the committed component gives away, and what it asks of its surroundings.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const folder = join(root, "pkg", "wasm");

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.path, entry.name));
const binaries = files.filter((file) => file.endsWith(".wasm"));

/** What rustc leaves in panic messages unless it is remapped: folders of a machine, of cargo and of a registry. */
const machineFolders = ["home", "root", "Users", "tmp", "var", "opt", "builds"].map((name) => `/${name}/`);
const buildPaths = [
  ...machineFolders,
  "C:\\",
  ".cargo",
  ".rustup",
  "registry/src",
  "index.crates",
  "toolchains",
  ...[homedir(), root].filter((path) => path.length > 1),
];

test("two binaries, no file that makes npm drop the folder, no second manifest", () => {
  assert.deepEqual(binaries.map((file) => relative(folder, file)).sort(), ["agent_turn_bg.wasm", "page_bg.wasm"]);
  const hidden = files.filter((file) =>
    relative(folder, file)
      .split("/")
      .some((part) => part.startsWith(".")),
  );
  assert.deepEqual(hidden, []);
  const manifests = files.filter((file) => basename(file) === "package.json");
  assert.deepEqual(manifests, [], "it would change how Node reads the scripts beside it");
});

test("no path of a building machine and no host of a registry stands in what is built", () => {
  for (const file of files) {
    const text = readFileSync(file, "latin1");
    const found = buildPaths.filter((path) => text.includes(path));
    assert.deepEqual(found, [], relative(root, file));
  }
  // the loader's script may speak of a FinalizationRegistry, the binary of none
  for (const file of binaries) assert.equal(readFileSync(file, "latin1").match(/registry/i), null);
});

test("the loader's scripts generate no code from text (W2)", () => {
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const found = readFileSync(file, "utf8").match(/\beval\s*\(|\bnew\s+Function\b/g);
    assert.equal(found, null, relative(root, file));
  }
});

test("the binary is valid, imports from its loader alone and starts nothing by itself", async () => {
  for (const file of binaries) {
    const module = await WebAssembly.compile(readFileSync(file));
    const sources = new Set(WebAssembly.Module.imports(module).map((one) => one.module));
    assert.deepEqual([...sources], [`./${basename(file, ".wasm")}.js`]);
    const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.ok(exported.includes("memory"), "the loader needs the memory");
    assert.deepEqual(
      ["name", "producers", "sourceMappingURL"].filter((section) => WebAssembly.Module.customSections(module, section).length),
      [],
    );
  }
});
