// The first turn in the README is what a newcomer copies: it runs as it stands.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../../scripts/lib/project.mjs";

test("the first turn of the README runs and says what it should", () => {
  const snippet = /```js\n([\s\S]*?)```/.exec(readFileSync(inRoot("README.md"), "utf8"))?.[1] ?? "";
  assert.ok(snippet.split("\n").length <= 26, "at most 25 lines");
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", snippet], { cwd: inRoot(), encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), "[\n  'user: Which pages are hidden?',\n  'assistant: You said: Which pages are hidden?'\n]");
});
