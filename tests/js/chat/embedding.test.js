/** docs/embedding.md names everything a backend can set, call and hear. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const read = (/** @type {string} */ path) => readFile(new URL(`../../../${path}`, import.meta.url), "utf8");
const docs = await read("docs/embedding.md");
const sources = (await Promise.all(["www/chat/app.js", "www/chat/connected.js"].map(read))).join("\n");

/** @param {string} text @param {RegExp} pattern */
const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ""))];

test("every custom property is listed", async () => {
  const styles = (await Promise.all(["www/chat/styles/tokens.js", "www/chat/styles/app.js"].map(read))).join("\n");
  const names = found(styles, /var\(--agent-chat-([a-z-]+)/g);
  assert.ok(names.length >= 25);
  for (const name of names) assert.ok(docs.includes(`\`${name}\``), name);
});

test("every attribute, public method and event is listed", () => {
  const attributes = [...found(sources, /attribute: "([a-z-]+)"/g), "api", "lang", "conversation", "mode", "theme", "open"];
  for (const name of attributes) assert.match(docs, new RegExp(`\\| \`${name}\` `), name);
  const events = found(sources, /announce\("([a-z]+)"/g);
  assert.deepEqual(events.sort(), ["open", "ready", "settled", "toggle"]);
  for (const name of events) assert.ok(docs.includes(`\`agent-chat-${name}\``), name);
  for (const name of ["show", "hide", "toggle", "openConversation", "newConversation", "prefill"]) {
    assert.match(sources, new RegExp(`^  (?:async )?${name}\\(`, "m"), name);
    assert.ok(docs.includes(`\`${name}(`), name);
  }
});
