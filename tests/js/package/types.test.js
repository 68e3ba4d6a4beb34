// The public types change only on purpose: index.d.ts is compared with a golden copy, and exports with what the types promise.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as agentTurn from "agent-turn";
import { inRoot } from "../../../scripts/lib/project.mjs";

/** Declarations without comments and layout: what a program can see. @param {string} text */
const seen = (text) =>
  text
    .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{}()[\]|&;:,<>=?]) ?/g, "$1")
    .trim();

test("index.d.ts says what the golden copy says", () => {
  const [now, golden] = ["pkg/index.d.ts", "tests/types/contract.d.ts"].map((file) => seen(readFileSync(inRoot(file), "utf8")));
  assert.equal(now, golden);
});

test("every value that the types promise is exported, and nothing else", () => {
  const text = readFileSync(inRoot("pkg/index.d.ts"), "utf8");
  const promised = [...text.matchAll(/^export (?:default function|function|class) (\w+)/gm)].map(([line, name]) =>
    line.includes("default") ? "default" : name,
  );
  assert.deepEqual(Object.keys(agentTurn).sort(), promised.sort());
});
