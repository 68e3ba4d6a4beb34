// The component against the reference (tests/reference): random scenarios through both engines. SEED and CASES choose others and more.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as component from "../../../pkg/node.js";
import * as reference from "../../reference/index.js";
import { difference, shrink } from "./differ.js";
import { plan, Random } from "./random.js";
import { scenario } from "./scenarios.js";

const { seed, cases } = plan(2400);
const PARTS = 6;

before(() => component.default());

/** @param {number} number */
async function check(number) {
  const made = scenario(new Random(number));
  const found = await difference(reference, component, made, "actors");
  if (!found) return;
  const fails = (/** @type {Record<string, any>} */ candidate) => difference(reference, component, candidate, "actors");
  const small = await shrink(made, fails);
  const parted = await fails(small);
  assert.fail(
    `SEED=${number} CASES=1: the engines part at ${parted?.path}\nreference: ${JSON.stringify(parted?.ours)}\ncomponent: ${JSON.stringify(parted?.theirs)}\n${JSON.stringify(small)}`,
  );
}

for (let part = 0; part < PARTS; part++) {
  test(`random scenarios, part ${part + 1}: replies, reports, rows and the calls of the host are the same`, async (t) => {
    t.diagnostic(`SEED=${seed} CASES=${cases}`);
    for (let i = part; i < cases; i += PARTS) await check(seed + i);
  });
}
