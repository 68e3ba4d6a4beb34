import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../www/chat/api-error.js";
import { createAttachments, filesIn, problemOf, typeOf } from "../../../www/chat/attachments.js";
import { createDrafts } from "../../../www/chat/drafts.js";
import { createStore } from "../../../www/chat/store.js";
import { messageOf, pollOf, sessionOf } from "./builders.mjs";

/** @typedef {import("../../../www/chat/upload.js").UploadOptions} UploadOptions */

const LIMITS = { maxFileBytes: 100, fileTypes: ["image/png", "text/plain", "text/markdown"] };
const png = (name = "a.png", size = 10) => new File([new Uint8Array(size)], name, { type: "image/png" });

/** A storage in memory, as `sessionStorage` is one. */
function memory() {
  /** @type {Map<string, string>} */
  const map = new Map();
  return {
    getItem: (/** @type {string} */ key) => map.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void map.set(key, value),
    removeItem: (/** @type {string} */ key) => void map.delete(key),
  };
}

/** @param {(name: string, options: UploadOptions) => Promise<import("../../../www/chat/types.js").FileReference>} upload */
function desk(upload, storage = memory()) {
  const store = createStore();
  store.dispatch({ type: "session", session: { ...sessionOf(1), limits: { maxMessageLength: 100, maxFiles: 3, ...LIMITS } } });
  let last = 0;
  /** @type {string[]} */
  const dropped = [];
  const attachments = createAttachments({
    store,
    api: { upload: (_file, options) => upload(options.name, options) },
    drafts: createDrafts(storage),
    newId: () => `id${(last += 1)}`,
    preview: (file) => `blob:${/** @type {File} */ (file).name}`,
    dropPreview: (address) => void dropped.push(address),
  });
  /** @param {import("../../../www/chat/types.js").Uid | null} uid */
  const chips = (uid) => (store.state.attachments[String(uid ?? "")] ?? []).map(({ name, state, problem }) => [name, state, problem]);
  return { store, attachments, chips, dropped, storage };
}
const accept = async (/** @type {string} */ name) => ({ fileUid: `f-${name}`, fileName: name, fileMimeType: "image/png" });

test("a file is checked before anything is sent: room, emptiness, type, size", () => {
  assert.equal(problemOf(png(), LIMITS, 1), "");
  assert.equal(problemOf(png(), LIMITS, 0), "attach.tooMany");
  assert.equal(problemOf(png("a.png", 0), LIMITS, 1), "attach.empty");
  assert.equal(problemOf(png("a.png", 101), LIMITS, 1), "attach.tooLarge");
  assert.equal(problemOf(new File(["x"], "a.exe", { type: "application/x-msdownload" }), LIMITS, 1), "attach.wrongType");
  assert.equal(typeOf({ name: "READ.ME.MD", type: "" }), "text/markdown");
  assert.equal(typeOf({ name: "a.txt", type: "Text/Plain; charset=utf-8" }), "text/plain");
  assert.equal(typeOf({ name: "archive", type: "" }), "");
});

test("files of the conversation count, also in the older form of one (N8)", () => {
  const reference = { fileUid: 1, fileName: "a", fileMimeType: "image/png" };
  assert.equal(filesIn([messageOf("x"), messageOf("y", { files: [reference, reference] }), messageOf("z", { fileUid: 3 })]), 3);
});

test("files are uploaded at once, taken with the message, and the field is empty then", async () => {
  const { attachments, chips, dropped } = desk(accept);
  const done = attachments.add(7, [png("a.png"), png("b.png")]);
  assert.deepEqual(chips(7), [
    ["a.png", "uploading", ""],
    ["b.png", "uploading", ""],
  ]);
  await done;
  assert.deepEqual(chips(7), [
    ["a.png", "ready", ""],
    ["b.png", "ready", ""],
  ]);
  assert.deepEqual(
    attachments.take(7).map(({ fileUid }) => fileUid),
    ["f-a.png", "f-b.png"],
  );
  assert.deepEqual(chips(7), []);
  assert.deepEqual(dropped, ["blob:a.png", "blob:b.png"], "the addresses of the pictures are let go of");
});

test("the one that is too many says so, the others go", async () => {
  const { store, attachments, chips } = desk(accept);
  store.dispatch({ type: "opened", uid: 7 });
  store.dispatch({ type: "polled", uid: 7, after: 0, poll: pollOf([messageOf("x", { files: [{ fileUid: 1, fileName: "a", fileMimeType: "image/png" }] })]) });
  await attachments.add(7, [png("a.png"), png("b.png"), png("c.png")]);
  assert.deepEqual(
    chips(7).map(([, state, problem]) => [state, problem]),
    [
      ["ready", ""],
      ["ready", ""],
      ["failed", "attach.tooMany"],
    ],
  );
});

test("a failed upload says why and may be tried again; a file that is not taken may not", async () => {
  let down = true;
  const { attachments, chips } = desk((name) => (down ? Promise.reject(new ApiError("network", 0)) : accept(name)));
  await attachments.add(7, [png("a.png"), png("big.png", 101)]);
  assert.deepEqual(chips(7), [
    ["a.png", "failed", "error.network"],
    ["big.png", "failed", "attach.tooLarge"],
  ]);
  assert.equal(attachments.mayRepeat("id1"), true);
  assert.equal(attachments.mayRepeat("id2"), false);
  down = false;
  await attachments.again(7, "id1");
  assert.deepEqual(chips(7)[0], ["a.png", "ready", ""]);
});

test("a file that is taken away while it is uploaded is given up, and its late answer is dropped", async () => {
  /** @type {UploadOptions | null} */
  let seen = null;
  /** @type {(reference: import("../../../www/chat/types.js").FileReference) => void} */
  let finish = () => {};
  const { attachments, chips } = desk((_name, options) => {
    seen = options;
    return new Promise((resolve) => (finish = resolve));
  });
  const done = attachments.add(7, [png("a.png")]);
  const options = /** @type {UploadOptions} */ (/** @type {unknown} */ (seen));
  options.onProgress?.(0.5);
  attachments.remove(7, "id1");
  assert.equal(options.signal?.aborted, true);
  finish({ fileUid: 1, fileName: "a.png", fileMimeType: "image/png" });
  await done;
  assert.deepEqual(chips(7), []);
});

test("what is uploaded is kept over a reload, moves to the conversation it begins, and comes back when the message is refused", async () => {
  const before = desk(accept);
  await before.attachments.add(null, [png("a.png")]);
  const { attachments, chips } = desk(accept, before.storage);
  attachments.restore(null);
  assert.deepEqual(chips(null), [["a.png", "ready", ""]]);
  attachments.adopt(9);
  assert.deepEqual([chips(null), chips(9)], [[], [["a.png", "ready", ""]]]);
  const files = attachments.take(9);
  attachments.giveBack(9, files);
  assert.deepEqual(chips(9), [["a.png", "ready", ""]]);
});

test("stored nonsense is no attachment", () => {
  const storage = memory();
  storage.setItem("agent-chat:files:1:7", JSON.stringify([{ fileUid: {}, fileName: "a", fileMimeType: "b" }, null, 3]));
  const { attachments, chips } = desk(accept, storage);
  attachments.restore(7);
  assert.deepEqual(chips(7), []);
});
