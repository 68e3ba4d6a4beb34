// Sizes: the reader of binaries, and what the budget admits.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { budget, excesses, unexplained } from "../../../scripts/lib/budget.mjs";
import { inRoot } from "../../../scripts/lib/project.mjs";
import { sizesOf } from "../../../scripts/lib/wasm-sections.mjs";

const agreed = { why: "the start", wasm: { raw: 1000, brotli: 500 }, glue: { raw: 200, brotli: 100 } };

test("3 % more is within the budget, a byte beyond is not", () => {
  assert.deepEqual(excesses(agreed, { ...agreed, wasm: { raw: 1030, brotli: 515 } }), []);
  assert.deepEqual(excesses(agreed, { wasm: { raw: 1031, brotli: 500 }, glue: { raw: 200, brotli: 104 } }), [
    "wasm, raw: 1031 bytes, 1000 were agreed on",
    "glue, brotli: 104 bytes, 100 were agreed on",
  ]);
  assert.deepEqual(excesses(agreed, { wasm: { raw: 1, brotli: 1 }, glue: { raw: 1, brotli: 1 } }), []);
});

test("every entry says why, in words of its own", () => {
  assert.deepEqual(unexplained([agreed, { ...agreed, why: "forms" }]), []);
  assert.deepEqual(unexplained([]), ["size-budget.json has no entry"]);
  assert.deepEqual(unexplained([agreed, { ...agreed, why: " " }, agreed]), [
    "size-budget.json, entry 2: no why of its own",
    "size-budget.json, entry 3: no why of its own",
  ]);
  assert.deepEqual(unexplained(budget()), []);
});

test("a binary is read to its end: sections, and functions by their names", () => {
  const text = (/** @type {string} */ value) => [value.length, ...Buffer.from(value)];
  const section = (/** @type {number} */ id, /** @type {number[]} */ body) => [id, body.length, ...body];
  const binary = Buffer.from([
    ...Buffer.from("\0asm"),
    ...[1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, [2, ...text("m"), ...text("memory"), 2, 0, 1, ...text("m"), ...text("f"), 0, 0]),
    ...section(3, [2, 0, 0]),
    ...section(10, [2, 2, 0, 0x0b, 3, 0, 0x01, 0x0b]),
    ...section(0, [...text("name"), 1, 6, 1, 1, ...text("one"), 0]),
  ]);
  const { sections, functions } = sizesOf(binary);
  assert.deepEqual(
    sections.map(({ name }) => name),
    ["type", "import", "function", "code", "custom name"],
  );
  assert.deepEqual(functions, [
    { size: 2, name: "one" },
    { size: 3, name: "without a name" },
  ]);
  const { sections: ours } = sizesOf(readFileSync(inRoot("pkg", "wasm", "agent_turn_bg.wasm")));
  assert.ok(!ours.some(({ name }) => name === "custom name"), "what is shipped has no names");
});
