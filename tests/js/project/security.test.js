// docs/security.md names places and tests that exist.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../../scripts/lib/project.mjs";

/** One row of a table: cells without the bars. @param {string} line */
const cells = (line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** @param {string} text @returns {string[]} what stands between backticks */
const quoted = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");

const rows = readFileSync(inRoot("docs", "security.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| threat"))
  .map(cells);

test("every threat has a control, a place and a test", () => {
  assert.ok(rows.length >= 35, `${rows.length} threats`);
  for (const [threat, control, place, tests, ...rest] of rows) {
    assert.ok(threat && control && place && tests && rest.length === 0, threat);
  }
});

test("every place is there", () => {
  for (const [threat, , place = ""] of rows) {
    const files = quoted(place);
    assert.ok(files.length > 0, threat);
    for (const file of files) assert.ok(existsSync(inRoot(file)), `${threat}: ${file}`);
  }
});

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What a vector says must come out. @param {string} line */
const isExpectant = (line) => /"(?:expect|throws|then)":/.test(line);

/**
 * Whether a file has a test of this name that is run and expects something: a title in JavaScript, a vector's id or its code, and in Rust a
 * test function, a scenario of the explorer, or what an assertion says.
 * @param {string} file @param {string} text @param {string} name
 */
function hasTest(file, text, name) {
  const quotedName = escaped(name);
  if (/\.m?js$/.test(file)) return new RegExp(`\\b(?:test|it)\\(\\s*["'\`]${quotedName}["'\`]`).test(text);
  if (file.endsWith(".jsonl")) return text.split("\n").some((line) => line.includes(`"${name}"`) && isExpectant(line));
  const isFunction = new RegExp(`#\\[test\\]\\s*(?:#\\[.*\\]\\s*)*fn ${quotedName}\\(`).test(text);
  return isFunction || new RegExp(`"[^"\n]*${quotedName}[^"\n]*"`).test(text);
}

test("every test that is named is there, and can fail", () => {
  for (const [threat, , , tests = ""] of rows) {
    for (const citation of tests.split("; `")) {
      const [file = "", name = ""] = quoted(citation.startsWith("`") ? citation : `\`${citation}`);
      assert.ok(name.length > 3, `${threat}: ${citation}`);
      assert.ok(existsSync(inRoot(file)), `${threat}: ${file}`);
      assert.ok(hasTest(file, readFileSync(inRoot(file), "utf8"), name), `${threat}: ${file} has no ${name}`);
    }
  }
});

test("a test that is only mentioned, skipped or expects nothing is none", () => {
  assert.equal(hasTest("a.js", 'test("holds", () => {});', "holds"), true);
  for (const text of ["// holds", 'test.skip("holds", () => {});', 'it.todo("holds");', 'test("holds not", () => {});']) {
    assert.equal(hasTest("a.test.js", text, "holds"), false, text);
  }
  assert.equal(hasTest("a.jsonl", '{"id":"a-001","steps":[],"then":{}}', "a-001"), true);
  assert.equal(hasTest("a.jsonl", '{"id":"a-001","steps":[]}', "a-001"), false);
  assert.equal(hasTest("a.rs", "#[test]\nfn holds() {}", "holds"), true);
  assert.equal(hasTest("a.rs", "fn holds() {}", "holds"), false);
});
