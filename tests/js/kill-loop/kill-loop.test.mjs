/** The short form of `npm run kill-loop`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { killLoop } from "./loop.mjs";

test("ten kills at random points of the story: no write is lost, none is made twice", async (t) => {
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  const { kills, stories } = await killLoop(t, { points: 10, seed });
  assert.ok(kills.length >= 10);
  assert.ok(
    stories.some(({ pages, notes }) => pages === 1 && notes === 1),
    JSON.stringify(stories),
  );
});
