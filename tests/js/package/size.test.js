// Sizes: the reader of binaries, and what the budget admits.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { budget, CHAT_LIMIT, chatTogether, excesses, tooHeavy, unexplained } from "../../../scripts/lib/budget.mjs";
import { inRoot } from "../../../scripts/lib/project.mjs";
import { sizesOf } from "../../../scripts/lib/wasm-sections.mjs";

const size = (/** @type {number} */ raw, /** @type {number} */ brotli) => ({ raw, brotli });
const sizes = { wasm: size(1000, 500), glue: size(200, 100), pageWasm: size(300, 150), pageGlue: size(40, 20), chat: size(700, 300) };
const agreed = { why: "the start", ...sizes };

test("3 % more is within the budget, a byte beyond is not", () => {
  assert.deepEqual(excesses(agreed, { ...sizes, wasm: size(1030, 515) }), []);
  assert.deepEqual(excesses(agreed, { ...sizes, wasm: size(1031, 500), glue: size(200, 104), pageGlue: size(42, 20) }), [
    "wasm, raw: 1031 bytes, 1000 were agreed on",
    "glue, brotli: 104 bytes, 100 were agreed on",
    "pageGlue, raw: 42 bytes, 40 were agreed on",
  ]);
  assert.deepEqual(excesses(agreed, { wasm: size(1, 1), glue: size(1, 1), pageWasm: size(1, 1), pageGlue: size(1, 1), chat: size(1, 1) }), []);
});

test("a part that the last entry does not name has no limit yet", () => {
  assert.deepEqual(excesses({ why: "before there were two builds", wasm: sizes.wasm }, { ...sizes, pageWasm: size(9999, 9999) }), []);
});

test("the chat and its component have a limit that no entry raises", () => {
  const rest = sizes.pageWasm.brotli + sizes.pageGlue.brotli;
  const heavy = { ...sizes, chat: size(1, CHAT_LIMIT - rest) };
  assert.deepEqual([chatTogether(heavy), tooHeavy(heavy)], [120_000, []]);
  assert.deepEqual(tooHeavy({ ...heavy, pageGlue: size(1, sizes.pageGlue.brotli + 1) }), ["chat with its component: 120001 brotli, at most 120000"]);
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
