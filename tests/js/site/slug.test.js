import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { freeSlug, slugOf } from "../../../www/host/site/slug.js";

/** @type {[string, string][]} */
const SLUGS = [
  ["About us", "about-us"],
  ["Öffnungszeiten", "oeffnungszeiten"],
  ["Größe & Maß", "groesse-and-mass"],
  ["Crème brûlée", "creme-brulee"],
  ["Łódź, Smørrebrød, Æther", "lodz-smorrebrod-aether"],
  ["Kid's corner", "kids-corner"],
  ["Draft: winter timetable", "draft-winter-timetable"],
  ["  –  ", "page"],
  ["日本語", "page"],
  ["Straße 7", "strasse-7"],
];

for (const [title, slug] of SLUGS) {
  test(`the slug of “${title}” is ${slug}`, () => assert.equal(slugOf(title), slug));
}

test("a slug is taken with the first free number", () => {
  assert.equal(freeSlug("team", []), "team");
  assert.equal(freeSlug("team", ["team"]), "team-2");
  assert.equal(freeSlug("team", ["team", "team-2", "team-4"]), "team-3");
  assert.equal(freeSlug("team", ["team-2"]), "team");
});

test("any title has a slug of lower-case letters, digits and single hyphens, short enough to take a number", () => {
  const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
  console.log(`slug property: seed ${seed}`);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (title) => {
      assert.match(slugOf(title), /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
      assert.ok(slugOf(title).length <= 80);
    }),
    { seed, numRuns: 500 },
  );
});
