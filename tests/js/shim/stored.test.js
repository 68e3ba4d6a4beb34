// A stored row as it crosses the boundary: what is read of it (W4, W6), and what a patch makes of it (O11).
import assert from "node:assert/strict";
import test from "node:test";
import { conversation, flat, made, messages, patch, patched, row, shown } from "../../../src/wasm/flat.js";

const stored = () => ({
  uid: 7,
  status: "idle",
  revision: 3,
  title: "",
  archived: false,
  decidedBy: null,
  activity: [],
  messages: [{ role: "user", content: "a" }],
});

/** @param {unknown} written */
const written = (written) => flat(written) ?? "";

test("of a row only what a rule looks at is read, and nothing that is empty", () => {
  assert.deepEqual(made(row({ ...stored(), owner: "x", runUuid: "r", host: { secret: 1 }, pendingInput: "" }) ?? ""), {
    status: "idle",
    revision: 3,
    uid: 7,
    owner: "x",
    runUuid: "r",
    activity: [],
    pendingInput: "",
  });
});

test("what is no row is none", () => {
  for (const value of [null, 1, [], {}, { ...stored(), messages: {} }, { ...stored(), status: 1 }, { ...stored(), revision: "3" }])
    assert.equal(row(value), undefined);
  assert.equal(conversation([], false), undefined);
  assert.equal(conversation({}, true), undefined);
  assert.equal(conversation({ messages: "x" }, false), undefined);
  assert.deepEqual(made(conversation({ status: "idle" }, false) ?? ""), { status: "idle" });
  assert.deepEqual(messages({}), []);
});

test("a patch names what is appended, and a changed message keeps what nobody names", () => {
  const before = [{ role: "user", content: "b", notice: "n", host: { kept: true } }];
  const text = written({
    status: "failed",
    messages: {
      keep: 2,
      append: [{ index: 2, set: { content: "c" }, remove: ["notice"] }, { set: { role: "assistant", content: "d" } }],
    },
  });
  assert.deepEqual(patch(before, 2, text), {
    status: "failed",
    messages: {
      keep: 2,
      append: [
        { role: "user", content: "c", host: { kept: true } },
        { role: "assistant", content: "d" },
      ],
    },
  });
  assert.deepEqual(before, [{ role: "user", content: "b", notice: "n", host: { kept: true } }], "what is stored stays as it is");
});

test("the row after a patch: messages that stay are the host's own, and so is every field of its own", () => {
  const own = { ...stored(), host: Symbol("own") };
  const after = patched(own, 0, written({ status: "locked", messages: { keep: 1, append: [{ set: { role: "user", content: "b" } }] } }));
  assert.equal(after.messages[0], own.messages[0]);
  assert.deepEqual([after.status, after.host, after.messages.length], ["locked", own.host, 2]);
  assert.equal(patched(own, 0, written({ status: "locked" })).messages, own.messages);
  assert.deepEqual(patched(own, 5, written({ messages: { keep: 3, append: [] } })).messages, [], "fewer stay than were not read");
});

test("a reader gets no messages, no claim, and the technical message only as an administrator (E3)", () => {
  const own = { ...stored(), claimId: "c", errorMessage: "e", messageCount: 9 };
  const { messages: _, ...rest } = stored();
  assert.deepEqual(shown(own, false), { ...rest, claimId: "", errorMessage: "" });
  assert.equal(shown(own, true).errorMessage, "e");
});
