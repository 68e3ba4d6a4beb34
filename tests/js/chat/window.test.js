import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText } from "../../../www/chat/clock-text.js";
import { addLanguage, LANGUAGES, pickLanguage, wordsFor } from "../../../www/chat/i18n/index.js";
import { createPanelMemory } from "../../../www/chat/panel.js";
import { adjusted, earlier, FIRST, LARGEST, later, newest, STEP } from "../../../www/chat/window.js";

test("a transcript begins with its newest messages", () => {
  assert.deepEqual(newest(10), { start: 0, end: 10 });
  assert.deepEqual(newest(10_000), { start: 10_000 - FIRST, end: 10_000 });
});

test("going up and down reaches every message, and never more than the largest part is drawn", () => {
  const total = 1000;
  let range = newest(total);
  const seen = new Set();
  const note = () => {
    assert.ok(range.end - range.start <= LARGEST);
    for (let at = range.start; at < range.end; at += 1) seen.add(at);
  };
  note();
  while (range.start > 0) {
    range = earlier(range);
    note();
  }
  assert.equal(seen.size, total);
  for (let step = 0; range.end < total && step <= total / STEP; step += 1) range = later(range, total);
  assert.deepEqual(range, { start: total - LARGEST, end: total });
});

test("who is at the end stays there, who reads further up is left alone, a cut transcript starts anew", () => {
  assert.deepEqual(adjusted({ start: 40, end: 100 }, 100, 103), { start: 40, end: 103 });
  assert.deepEqual(adjusted({ start: 0, end: LARGEST }, LARGEST, LARGEST + 2), { start: 2, end: LARGEST + 2 });
  assert.deepEqual(adjusted({ start: 10, end: 70 }, 100, 103), { start: 10, end: 70 });
  assert.deepEqual(adjusted({ start: 40, end: 100 }, 100, 60), { start: 40, end: 60 });
  assert.deepEqual(adjusted({ start: 40, end: 100 }, 100, 5), { start: 0, end: 5 });
  assert.deepEqual(adjusted({ start: 0, end: 0 }, 0, 4), { start: 0, end: 4 });
  assert.deepEqual(adjusted({ start: 0, end: 0 }, 0, 1000), newest(1000));
});

test("the clock of a long turn", () => {
  assert.equal(clockText(7_900), "0:07");
  assert.equal(clockText(750_000), "12:30");
  assert.equal(clockText(3_723_000), "1:02:03");
  assert.equal(clockText(-5), "0:00");
});

test("a panel remembers, and a broken memory closes it", () => {
  let kept = "";
  const memory = createPanelMemory({ getItem: () => kept, setItem: (_key, value) => void (kept = value) }, "/api");
  memory.write({ open: true, wide: false, uid: "12" });
  assert.deepEqual(memory.read(), { open: true, wide: false, uid: "12" });
  for (const broken of ["{", "null", '{"open":1,"wide":{},"uid":3}']) {
    kept = broken;
    assert.deepEqual(memory.read(), { open: false, wide: false, uid: null });
  }
  assert.deepEqual(createPanelMemory(null, "x").read(), { open: false, wide: false, uid: null });
});

test("a third language is one call; what it lacks is said in English, and it may be written from right to left", (t) => {
  t.after(() => void delete LANGUAGES.he);
  addLanguage("he", { "language.name": "עברית", "chat.retry": "שוב" });
  const words = wordsFor("he-IL");
  assert.equal(pickLanguage("he-IL"), "he");
  assert.deepEqual([words.lang, words.dir, words.t("chat.retry"), words.t("chat.end")], ["he", "rtl", "שוב", "End request"]);
  assert.equal(wordsFor("en").dir, "ltr");
});
