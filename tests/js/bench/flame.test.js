// The flame graph of `npm run profile`: how a profile becomes stacks, and stacks a picture.
import assert from "node:assert/strict";
import { test } from "node:test";
import { flameGraph } from "../../bench/flame.js";
import { shares, stacks } from "../../bench/stacks.js";

/** @param {number} id @param {string} functionName @param {string} url @param {number[]} [children] */
const node = (id, functionName, url, children) => ({
  id,
  callFrame: { functionName, url, scriptId: "0", lineNumber: 0, columnNumber: 0 },
  children,
});

const profile = {
  nodes: [
    node(1, "(root)", "", [2, 5, 6]),
    node(2, "step", "node:internal/process/task_queues", [3]),
    node(3, "swap", "file:///somewhere/pkg/storage/sql.js", [4]),
    node(4, "run", ""),
    node(5, "(idle)", ""),
    node(6, "present", "wasm://wasm/1234"),
  ],
  samples: [4, 4, 3, 5, 5, 5, 6],
  startTime: 0,
  endTime: 1,
};

test("a profile is stacks without what Node does between tasks and without idle time, and no folder of the machine is named", () => {
  assert.deepEqual(
    stacks(profile).map(({ frames, count }) => [frames.map(({ name, part }) => `${name}: ${part}`).join(" > "), count]),
    [
      ["swap pkg/storage/sql.js: storage (Kysely, adapter) > run: SQLite (native)", 2],
      ["swap pkg/storage/sql.js: storage (Kysely, adapter)", 1],
      ["present wasm: component (wasm)", 1],
    ],
  );
  assert.deepEqual(shares(profile), [
    ["SQLite (native)", 0.5],
    ["storage (Kysely, adapter)", 0.25],
    ["component (wasm)", 0.25],
  ]);
});

test("the picture is as wide as the time: callers below what they call, equal stacks together, names escaped", () => {
  const frame = (/** @type {string} */ name, /** @type {string} */ part) => ({ name, part });
  const picture = flameGraph(
    [
      { frames: [frame("a<b", "x"), frame("c", "y")], count: 1 },
      { frames: [frame("a<b", "x"), frame("c", "y")], count: 1 },
      { frames: [frame("d", "y")], count: 2 },
      { frames: [frame("e", "y")], count: 0 },
    ],
    {
      title: "T & T",
      shares: [
        ["x", 0.5],
        ["y", 0.5],
      ],
    },
  );
  const boxes = [...picture.matchAll(/<title>([^<]*)<\/title><rect x="([\d.]+)" y="(\d+)" width="([\d.]+)"/g)].map(([, ...box]) => box);
  assert.deepEqual(boxes, [
    ["a&lt;b: 50.0 %", "0.0", "80", "599.5"],
    ["c: 50.0 %", "0.0", "64", "599.5"],
    ["d: 50.0 %", "600.0", "80", "599.5"],
  ]);
  assert.match(picture, /T &amp; T/);
  assert.doesNotMatch(picture, /<script/);
});
