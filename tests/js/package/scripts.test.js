// The parts of the build and test scripts that decide something: what differs, how many cases ran, which tool version is needed.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { differences } from "../../../scripts/build.mjs";
import { countCases } from "../../../scripts/lib/cases.mjs";
import { withFastTexts } from "../../../scripts/lib/glue.mjs";
import { inRoot, wasmBindgenVersion } from "../../../scripts/lib/project.mjs";
import { CommandFailed, run } from "../../../scripts/lib/run.mjs";
import { toolsFolder } from "../../../scripts/tools.mjs";

/** A folder with these files that goes away with the test. @param {import("node:test").TestContext} t @param {Record<string, string>} files */
function folderWith(t, files) {
  const folder = mkdtempSync(join(tmpdir(), "agent-turn-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test("differences: none between equal folders, below subfolders too", (t) => {
  const files = { "a.js": "1", "snippets/x/inline0.js": "2" };
  assert.deepEqual(differences(folderWith(t, files), folderWith(t, files)), []);
});

test("differences: other bytes, missing and superfluous files are each named", (t) => {
  const committed = folderWith(t, { "a.js": "1", "old.js": "x", "same.js": "s" });
  const built = folderWith(t, { "a.js": "2", "new/b.js": "y", "same.js": "s" });
  assert.deepEqual(differences(committed, built), ["a.js: has other bytes", "new/b.js: is not there", "old.js: is not built any more"]);
  assert.deepEqual(differences(join(committed, "nowhere"), folderWith(t, { "a.js": "1" })), ["a.js: is not there"]);
});

const outputs = /** @type {const} */ ([
  ["cargo", "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n", { passed: 12, failed: 0, skipped: 0 }],
  [
    "cargo",
    "\u001b[1mtest result: \u001b[32mok\u001b[0m. 3 passed; 0 failed; 2 ignored; 0 filtered out\ntest result: FAILED. 1 passed; 4 failed; 0 ignored; 0 filtered out\n",
    { passed: 4, failed: 4, skipped: 2 },
  ],
  ["node", "ℹ tests 9\nℹ suites 0\nℹ pass 5\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 1\nℹ duration_ms 3\n", { passed: 5, failed: 2, skipped: 2 }],
  ["node", "# tests 2\n# pass 2\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n", { passed: 2, failed: 0, skipped: 0 }],
  ["player", "chromium: 2.0 s\n545 passed, 0 failed\nfirefox: 3.0 s\n544 passed, 1 failed\n", { passed: 1089, failed: 1, skipped: 0 }],
  ["player", "said 3 passed, 0 failed in passing\n", { passed: 0, failed: 0, skipped: 0 }],
]);

for (const [runner, output, expected] of outputs) {
  test(`countCases: ${runner} ${JSON.stringify(output.slice(0, 40))}`, () => assert.deepEqual(countCases(runner, output), expected));
}

test("wasmBindgenVersion: of the crate itself, not of its relatives", () => {
  const relatives = '[[package]]\nname = "wasm-bindgen-macro"\nversion = "9.9.9"\n\n';
  assert.equal(wasmBindgenVersion(`version = 4\n\n${relatives}[[package]]\nname = "wasm-bindgen"\nversion = "0.2.130"\n`), "0.2.130");
  assert.throws(() => wasmBindgenVersion(relatives), /Cargo\.lock names no wasm-bindgen/);
});

test("toolsFolder: the named folder, else below the cache folder", () => {
  assert.equal(toolsFolder({ AGENT_TURN_TOOLS: "/opt/tools", XDG_CACHE_HOME: "/cache" }), "/opt/tools");
  assert.equal(toolsFolder({ XDG_CACHE_HOME: "/cache" }), join("/cache", "agent-turn", "tools"));
  assert.match(toolsFolder({}), /[\\/]\.cache[\\/]agent-turn[\\/]tools$/);
});

test("run: gives what was printed; a failure carries it too", async () => {
  const script = "console.log('out'); console.error('err');";
  const output = await run(process.execPath, ["-e", script], { quiet: true });
  assert.deepEqual(output.trim().split("\n").sort(), ["err", "out"]);
  await assert.rejects(run(process.execPath, ["-e", `${script} process.exitCode = 3;`], { quiet: true }), (error) => {
    assert.ok(error instanceof CommandFailed);
    assert.match(error.message, /ended with status 3$/);
    assert.match(error.output, /out/);
    return true;
  });
});

test("run: a command that is not there and one that hangs are errors", async () => {
  await assert.rejects(run("agent-turn-no-such-command", [], { quiet: true }), /agent-turn-no-such-command: .*ENOENT/);
  await assert.rejects(run(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { quiet: true, timeout: 300 }), /not done after 0\.3 s$/);
});

test("the loader script's loop over characters is found once, or the build stops", () => {
  const script = readFileSync(inRoot("pkg", "wasm", "agent_turn.js"), "utf8");
  assert.throws(() => withFastTexts(script), /in 0 places/, "it has been replaced");
  assert.throws(() => withFastTexts(""), /in 0 places/);
});
