// The example of docs/storage.md is what a host copies: it runs as it stands.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../../scripts/lib/project.mjs";

test("an adapter is proved in 25 lines (docs/storage.md)", () => {
  const snippets = [...readFileSync(inRoot("docs", "storage.md"), "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  const snippet = snippets.find((code) => code.includes("storageKit")) ?? "";
  assert.ok(snippet.trim().split("\n").length <= 25);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "--eval", snippet], { cwd: inRoot(), encoding: "utf8", env });
  assert.equal(status, 0, stderr + stdout);
  assert.ok(Number(/^(?:#|ℹ) pass (\d+)$/m.exec(stdout)?.[1]) > 35, stdout);
});
