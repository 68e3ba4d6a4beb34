// Texts on their way into the component's memory and out again: every length around the one from which the platform's encoder copies them.
import assert from "node:assert/strict";
import { test } from "node:test";
import init, { buildTranscript } from "agent-turn";

await init();

/** A text that the component reads and gives back: the system prompt. @param {string} systemPrompt */
function there(systemPrompt) {
  const conversation = /** @type {any} */ ({ uid: 1, status: "processing", messages: [{ role: "user", content: "x" }], systemPrompt: "" });
  const [system] = buildTranscript({ conversation, task: { uid: 1, promptTemplate: "", configuration: { uid: 1, name: "n", systemPrompt } } });
  return String(system?.content);
}

const KINDS = {
  ascii: "abcdefghij",
  "two bytes": "äöüß",
  "three bytes": "漢字仮名",
  "four bytes": "🎉👩‍🚀",
  "ascii and one of four bytes": "abcdefg🎉",
};

for (const [kind, unit] of Object.entries(KINDS)) {
  test(`${kind}: no character is lost or torn, whatever the length`, () => {
    const characters = [...unit.repeat(100)];
    for (let length = 1; length <= 420; length += length > 180 && length < 220 ? 1 : 13) {
      const text = characters.slice(0, length).join("");
      assert.ok(there(text).includes(text), `${length} characters`);
    }
  });
}

test("what is not ASCII may begin anywhere", () => {
  for (const at of [0, 1, 100, 198, 199, 200, 201, 300, 399]) {
    const text = `${"a".repeat(at)}é🎉${"z".repeat(400 - at)}`;
    assert.ok(there(text).includes(text), String(at));
  }
});

test("half a surrogate pair becomes U+FFFD, in a short and in a long text (N4)", () => {
  for (const filling of ["", "a".repeat(500), "ä".repeat(500)]) {
    assert.ok(there(`${filling}x\ud800y${filling}`).includes(`${filling}x\ufffdy${filling}`));
  }
});
