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

test("every test that is named is there", () => {
  for (const [threat, , , tests = ""] of rows) {
    for (const citation of tests.split("; `")) {
      const [file = "", name = ""] = quoted(citation.startsWith("`") ? citation : `\`${citation}`);
      assert.ok(name.length > 3, `${threat}: ${citation}`);
      assert.ok(existsSync(inRoot(file)), `${threat}: ${file}`);
      assert.ok(readFileSync(inRoot(file), "utf8").includes(name), `${threat}: ${file} has no ${name}`);
    }
  }
});
