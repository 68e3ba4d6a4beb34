// The shim that reads and makes the host's objects (M6, M10, W6): the same inputs as Rust gives it, and everything a host may do to it.
import assert from "node:assert/strict";
import test from "node:test";
import { change, finish, made } from "../../../src/wasm/flat.js";
import * as row from "../../../src/wasm/row.js";

const { hasParts, mark, scan, text, weave } = row;

/* what crosses the boundary as one text, as Rust reads it */
/** @param {readonly unknown[]} messages @param {number} index @returns {any} */
const head = (messages, index) => made(row.head(messages, index) ?? "z");
/** @param {readonly unknown[]} messages @param {number} index @returns {any} */
const provider = (messages, index) => made(row.provider(messages, index) ?? "z");
/** @param {any} files @param {string} uid @returns {any} */
const fileInfo = (files, uid) => made(row.fileInfo(files, uid) ?? "z");

const PLAIN = 8;
const MARKED = 16;
const PROVIDER = 32;
const FILES = 64;
const CLIENT_ID = 128;

/** Words of a plan, as `Plan::encode` writes them. */
const copy = (/** @type {number} */ start, count = 1) => [(count << 3) | 0, start];
const join = (/** @type {number} */ index) => [(index << 3) | 1];
const more = (/** @type {number} */ value) => [(value << 3) | 2];
const insert = (/** @type {number} */ value) => [(value << 3) | 3];
const fields = (/** @type {number} */ index, /** @type {number} */ value) => [(index << 3) | 4, value];
const parts = (/** @type {number} */ value) => [(value << 3) | 5];

/** @param {unknown[]} messages @param {number[][]} ops @param {unknown[]} [values] @param {Record<string, unknown> | Map<string, unknown> | null} [files] */
const woven = (messages, ops, values = [], files = null) => weave(messages, files, Uint32Array.from(ops.flat()), values);

/** An object whose every property throws. */
const hostile = () =>
  new Proxy(
    {},
    {
      get() {
        throw new RangeError("not yours");
      },
    },
  );

test("one byte says what makes a rule look closer", () => {
  const cases = [
    [{ role: "user", content: "a" }, 0 | PLAIN],
    [{ role: "assistant", content: "\n\n👍" }, 1 | PLAIN],
    [{ role: "system", content: "中" }, 2 | PLAIN],
    [{ role: "tool", content: "" }, 3],
    [{ role: "developer", content: "a" }, 4 | PLAIN],
    [{ role: 7, content: ["a"] }, 4],
    [{}, 4],
    [null, 7],
    [undefined, 7],
    ["user", 7],
    [[], 7],
    [() => {}, 7],
    [{ role: "user", content: "\u200b" }, 0],
    [{ role: "user", content: "\u00a0a" }, 0],
    [{ role: "user", content: " \t\n" }, 0],
    [{ role: "user", content: "\udb40\udc01" }, 0],
    [{ role: "user", content: "a", notice: "x" }, 0 | PLAIN | MARKED],
    [{ role: "user", content: "a", notice: "", besideToolCall: 1 }, 0 | PLAIN],
    [{ role: "assistant", content: "a", besideToolCall: true }, 1 | PLAIN | MARKED],
    [{ role: "assistant", tool_calls: [] }, 1 | PROVIDER],
    [{ role: "tool", tool_call_id: "", name: null }, 3 | PROVIDER],
    [{ role: "user", name: null, tool_calls: undefined }, 0],
    [{ role: "user", files: [{}] }, 0 | FILES],
    [{ role: "user", files: [], fileUid: 3 }, 0],
    [{ role: "user", fileUid: 0 }, 0 | FILES],
    [{ role: "user", fileUid: 2n ** 60n }, 0 | FILES],
    [{ role: "user", fileUid: "" }, 0],
    [{ role: "user", fileUid: Number.NaN, clientId: 5 }, 0],
    [{ role: "user", clientId: "c" }, 0 | CLIENT_ID],
  ];
  const flags = scan(cases.map(([message]) => message));
  assert.deepEqual(
    [...flags],
    cases.map(([, expected]) => expected),
  );
});

test("keys of the host are data, never prototypes (W6)", () => {
  const message = JSON.parse('{"role":"user","content":"Hi","__proto__":{"notice":"guardrail","polluted":true},"constructor":{"prototype":{"polluted":true}}}');
  assert.equal(scan([message])[0], PLAIN);
  assert.deepEqual(head([message], 0), { role: "user" });
  assert.deepEqual(woven([message], [copy(0)]), [{ role: "user", content: "Hi" }]);

  const changed = change(message, JSON.parse('{"content":"Ho","__proto__":5,"toString":6}'), ["constructor"]);
  assert.equal(Object.getPrototypeOf(changed), Object.prototype);
  assert.deepEqual(Object.entries(changed), [
    ["role", "user"],
    ["content", "Ho"],
    ["__proto__", 5],
    ["toString", 6],
  ]);
  assert.equal(/** @type {Record<string, unknown>} */ ({}).polluted, undefined);
});

test("a head holds the known fields where they are of their type", () => {
  const list = [
    {
      role: "user",
      content: "long",
      notice: 5,
      noticeArgs: ["a", 1, null, "b"],
      besideToolCall: "yes",
      clientId: "c",
      decisionLine: "d",
      other: 1,
      files: [{ fileUid: 1, fileName: "a", fileMimeType: 3, more: 1 }, null, "x"],
    },
    { role: "assistant", besideToolCall: true, fileUid: "f", fileName: "n", fileMimeType: "m" },
    null,
  ];
  assert.deepEqual(head(list, 0), { role: "user", clientId: "c", decisionLine: "d", noticeArgs: ["a", "b"], files: [{ fileUid: 1, fileName: "a" }, {}, {}] });
  assert.deepEqual(head(list, 1), { role: "assistant", besideToolCall: true, fileUid: "f", fileName: "n", fileMimeType: "m" });
  assert.deepEqual(head(list, 2), {});
  assert.deepEqual(head([{ fileUid: 2n ** 60n }], 0), { fileUid: 2n ** 60n });
  assert.deepEqual(head([{ fileUid: 2n ** 70n }], 0), { fileUid: "1180591620717411303424" });
  assert.deepEqual(head(list, 99), {});
});

test("a mark is one byte (M5, O6)", () => {
  const notices = ["nothingSaved", "noAnswer", "runFinishedOutside", "alreadyWritten", "guardrail", "other", "", 7, undefined, "constructor"];
  const list = notices.map((notice) => ({ notice }));
  assert.deepEqual(
    list.map((_, i) => mark(list, i)),
    [1, 2, 3, 4, 5, 0, 0, 0, 0, 0],
  );
  assert.deepEqual([mark([{ besideToolCall: true, notice: "nothingSaved" }], 0), mark([{ besideToolCall: 1 }], 0), mark([null], 0)], [9, 0, 0]);
});

test("text and parts are told apart", () => {
  const list = [{ content: "a" }, { content: [] }, { content: [0] }, { content: null }, null];
  assert.deepEqual(
    list.map((_, i) => [text(list, i), hasParts(list, i)]),
    [
      ["a", false],
      [undefined, false],
      [undefined, true],
      [undefined, false],
      [undefined, false],
    ],
  );
});

test("of a tool call Rust sees the id, and arguments only where they are no text (M8, M10)", () => {
  const calls = [
    { id: "a", function: { name: "f", arguments: "{}" } },
    { id: "b", function: { arguments: { x: 1 } } },
    { id: 5, arguments: null },
    { id: "d", function: {} },
    null,
  ];
  assert.deepEqual(provider([{ tool_calls: calls, tool_call_id: "t", name: 7 }], 0), {
    tool_calls: [{ id: "a" }, { id: "b", arguments: { x: 1 } }, { arguments: null }, { id: "d" }, {}],
    tool_call_id: "t",
  });
  assert.deepEqual(provider([{ tool_calls: "x", name: "n" }], 0), { tool_calls: [], name: "n" });
});

test("a plan is carried out", () => {
  const array = [{ type: "text", text: "p" }];
  const messages = [
    { role: "user", content: "a", clientId: "c" },
    null,
    { role: "assistant", content: "b" },
    { role: "assistant", content: "c" },
    { role: "user", content: array },
  ];
  const out = woven(messages, [insert(0), copy(0), copy(2), join(3), more(1), copy(4)], [{ role: "system", content: "s" }, "\n\n(note)"]);
  assert.deepEqual(out, [
    { role: "system", content: "s" },
    { role: "user", content: "a" },
    { role: "assistant", content: "b\n\nc\n\n(note)" },
    { role: "user", content: array },
  ]);
  assert.equal(out[3]?.content, array, "parts are the host's own");
  assert.equal(messages[2]?.content, "b", "nothing is stored (M9)");
});

test("provider fields go out with calls that are the host's own where nothing changes (M8, M10)", () => {
  const lone = { id: "c\ud800", function: { name: "f", arguments: '{ "\ud800": 2512292042121000001 }' } };
  const odd = { id: "d", function: { name: "g", arguments: { x: 1 }, ["__proto__"]: 1 }, extra: 2n };
  const flat = { id: "e", arguments: [1] };
  const messages = [
    { role: "assistant", content: null, tool_calls: [{ id: "x" }, lone, odd, flat], name: "n" },
    { role: "tool", content: { a: 1 }, tool_call_id: "c\ud800", tool_calls: [1] },
  ];
  const calls = [
    { at: 1, arguments: null },
    { at: 2, arguments: '{"x":1}' },
    { at: 3, arguments: "[1]" },
  ];
  const out = woven(
    messages,
    [fields(0, 0), fields(1, 1)],
    [
      { calls, toolCallId: false, name: true },
      { calls: [], toolCallId: true, name: false },
    ],
  );
  assert.equal(out[0]?.tool_calls?.[0], lone);
  assert.deepEqual(out, [
    {
      role: "assistant",
      content: "",
      tool_calls: [lone, { id: "d", function: { name: "g", arguments: '{"x":1}', ["__proto__"]: 1 }, extra: 2n }, { id: "e", arguments: "[1]" }],
      name: "n",
    },
    { role: "tool", content: "", tool_call_id: "c\ud800" },
  ]);
  assert.deepEqual(odd.function.arguments, { x: 1 }, "the stored call is not changed (M8)");
});

test("files become parts behind the text (M6)", () => {
  const files = {
    1: { base64: "QUJD" },
    2: { bytes: new Uint8Array([65, 66]), base64: "ignored" },
    3: { extractedText: "words" },
  };
  const list = [
    { uid: "1", kind: "image", mime: "image/png" },
    { uid: "2", kind: "document", mime: "a/b" },
    { uid: "3", kind: "extracted", mime: "" },
    { uid: "constructor", kind: "document", mime: "a/b" },
  ];
  const expected = [
    { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
    { type: "document", source: { type: "base64", media_type: "a/b", data: "QUI=" } },
    { type: "text", text: "words" },
    { type: "document", source: { type: "base64", media_type: "a/b", data: "" } },
  ];
  const given = [{ type: "text", text: "old" }];
  const messages = [
    { role: "user", content: "Look" },
    { role: "user", content: given },
  ];
  const ops = [copy(0), parts(0), copy(1), parts(1)];
  const values = [
    { text: "\n[File]", files: list },
    { text: "[File]", files: list.slice(0, 1) },
  ];
  const out = woven(messages, ops, values, files);
  assert.deepEqual(out[0]?.content, [{ type: "text", text: "Look\n[File]" }, ...expected]);
  assert.deepEqual(out[1]?.content, [{ type: "text", text: "old" }, { type: "text", text: "[File]" }, expected[0]]);
  assert.equal(given.length, 1, "the stored parts are not changed (M9)");
  assert.deepEqual(woven(messages, ops, values, new Map(Object.entries(files))), out);
});

test("of a file Rust sees what it decides by", () => {
  const bytes = Uint8Array.from({ length: 40 }, (_, i) => i);
  const files = {
    a: { name: "a", identifier: "1:/a", mimeType: "m/a", base64: "iVBORw0KGgoAAAANSUhEUgAAAAE=", extractedText: "ä👍\ud800" },
    b: { name: 5, bytes: bytes.subarray(1), extractedText: " \n" },
    c: { base64: "_-8=\n" },
    d: { name: "d" },
    e: null,
    f: "text",
    g: { extractedText: "x" },
    h: { bytes: Buffer.from("%PDF-1.4") },
  };
  assert.deepEqual(fileInfo(files, "a"), {
    name: "a",
    identifier: "1:/a",
    mimeType: "m/a",
    head: [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52],
    base64Length: 28,
    extractedBytes: 9,
  });
  const b = fileInfo(files, "b");
  assert.deepEqual([b?.name, b?.head, b?.base64Length, b?.extractedBytes], ["", [...bytes.subarray(1, 17)], 52, null]);
  assert.deepEqual(fileInfo(files, "c")?.head, [255, 239]);
  assert.deepEqual([fileInfo(files, "g")?.base64Length, fileInfo(files, "g")?.extractedBytes], [0, 1]);
  assert.equal(String.fromCharCode(...(fileInfo(files, "h")?.head ?? [])), "%PDF-1.4");
  for (const uid of ["d", "e", "f", "missing", "constructor", "__proto__", "toString"]) assert.equal(fileInfo(files, uid), null, uid);
  assert.equal(fileInfo(null, "a"), null);
  assert.equal(fileInfo(undefined, "a"), null);
  assert.equal(fileInfo(new Map([["7", { base64: "" }]]), "7")?.base64Length, 0);
});

test("bytes are encoded in pieces that fit together", () => {
  for (const length of [0, 1, 2, 3, 24575, 24576, 24577, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) & 255);
    const files = { 1: { bytes } };
    const build = () => woven([{ role: "user", content: "" }], [copy(0), parts(0)], [{ text: "t", files: [{ uid: "1", kind: "image", mime: "i/p" }] }], files);
    const url = `data:i/p;base64,${Buffer.from(bytes).toString("base64")}`;
    assert.deepEqual(build()[0]?.content, [
      { type: "text", text: "t" },
      { type: "image_url", image_url: { url } },
    ]);
    assert.equal(fileInfo(files, "1")?.base64Length, Buffer.from(bytes).toString("base64").length);
    assert.deepEqual(build(), build());
  }
});

test("what a getter of the host throws goes to the caller", () => {
  const messages = [{ role: "user", content: "a" }, hostile()];
  const files = { 1: hostile() };
  const thrown = { name: "RangeError", message: "not yours" };
  const calls = [
    () => scan(messages),
    () => head(messages, 1),
    () => mark(messages, 1),
    () => text(messages, 1),
    () => hasParts(messages, 1),
    () => provider(messages, 1),
    () => fileInfo(files, "1"),
    () => woven(messages, [copy(0, 2)]),
    () => woven(messages, [copy(0), join(1)]),
    () => woven(messages, [copy(0), parts(0)], [{ text: "", files: [{ uid: "1", kind: "image", mime: "" }] }], files),
    () => change(Object.defineProperty({}, "x", { enumerable: true, get: () => Reflect.get(hostile(), "x") }), {}, []),
  ];
  for (const call of calls) assert.throws(call, thrown);
});

test("a changed message keeps what nobody names, an unchanged one is the host's own (W6, O11)", () => {
  class Row {
    role = "user";
    content = "a";
    notice = "guardrail";
    big = 2n ** 70n;
    inner = { deep: [1] };
    inherited() {}
  }
  const stored = Object.assign(new Row(), { [Symbol("s")]: 1 });
  const changed = change(stored, { content: "b", createdAt: "now" }, ["notice", "absent"]);
  assert.deepEqual(changed, { role: "user", content: "b", big: 2n ** 70n, inner: stored.inner, createdAt: "now" });
  assert.equal(changed.inner, stored.inner);
  assert.equal(stored.content, "a");
  assert.deepEqual(change(null, { role: "user" }, []), { role: "user" });

  const messages = [stored, { role: "assistant" }];
  const finished = finish(messages, 1, [changed]);
  assert.equal(finished[0], stored);
  assert.equal(finished[1], changed);
  assert.deepEqual([finished.length, messages.length], [2, 2]);
  assert.deepEqual(finish(messages, 5, []), messages);
});

test("messages that are frozen, sparse or come through a proxy are read like any other", () => {
  const frozen = Object.freeze([Object.freeze({ role: "user", content: "a" })]);
  assert.deepEqual(woven(/** @type {any} */ (frozen), [copy(0), more(0)], ["!"]), [{ role: "user", content: "a!" }]);
  assert.deepEqual([...scan(new Array(2))], [7, 7]);
  const proxied = new Proxy([{ role: "assistant", content: "b" }], {});
  assert.deepEqual([...scan(proxied)], [1 | PLAIN]);
  assert.deepEqual(woven(proxied, [copy(0)]), [{ role: "assistant", content: "b" }]);
});
