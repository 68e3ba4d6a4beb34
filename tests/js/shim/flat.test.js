// Values as one text (W4, W6): what JavaScript writes, it reads; hostile values cost an error and nothing else. The Rust side is tested in src/flat.rs.
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { flat, limit, made, measure } from "../../../src/wasm/flat.js";

/** @param {unknown} value */
const round = (value) => made(flat(value) ?? "z");

/** @param {number} levels */
const nested = (levels) => {
  let value = /** @type {unknown} */ (1);
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { value };
  return value;
};

/** What is thrown. @param {() => unknown} call */
const thrown = (call) => {
  try {
    call();
  } catch (error) {
    return limit(error) ?? error;
  }
  return undefined;
};

test("JSON comes back as it was", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.deepEqual(round(value), value)));
  const texts = fc.array(fc.constantFrom("\0", "\x01", "0", "1", ":", "}", "ä", "🎉")).map((parts) => parts.join(""));
  fc.assert(fc.property(fc.dictionary(texts, texts, { noNullPrototype: true }), (value) => assert.deepEqual(round(value), value)));
});

test("numbers keep every bit, and integers their digits", () => {
  fc.assert(fc.property(fc.double(), (value) => assert.ok(Object.is(round(value), value))));
  for (const value of [-0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) assert.ok(Object.is(round(value), value), String(value));
  assert.equal(round(7n), 7);
  assert.equal(round(-(2n ** 60n)), -(2n ** 60n));
  assert.equal(round(2n ** 70n), String(2n ** 70n), "beyond 64 bits it is a text");
});

test("what is no data is absent, in a list null", () => {
  assert.deepEqual(round({ a: undefined, b: () => 1, c: Symbol("s"), d: null }), { d: null });
  assert.deepEqual(round([undefined, () => 1, 2]), [null, null, 2]);
  assert.deepEqual(round([new Date(0), new Date(Number.NaN), new Uint8Array(3), new Map([[1, 2]])]), ["1970-01-01T00:00:00.000Z", null, {}, {}]);
  assert.equal(flat(undefined), undefined);
});

test("a key is data", () => {
  const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
  const copy = /** @type {any} */ (round(value));
  assert.deepEqual(Object.keys(copy), ["__proto__", "constructor"]);
  assert.equal(copy.polluted, undefined);
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
});

test("64 levels are read and measured, 65 are not", () => {
  assert.deepEqual(round(nested(64)), nested(64));
  measure(nested(64));
  assert.equal(
    thrown(() => flat(nested(65))),
    "tooDeep",
  );
  assert.equal(
    thrown(() => measure(nested(65))),
    "tooDeep",
  );
});

test("more than 64 MiB of text is too large, whole or in parts", () => {
  const half = "x".repeat(32 * 1024 * 1024);
  measure([half, half]);
  for (const call of [measure, flat]) {
    assert.equal(
      thrown(() => call([half, half, "x"])),
      "tooLarge",
    );
  }
});

test("a value that shares its parts is not unfolded for ever", () => {
  let value = /** @type {unknown} */ ([]);
  for (let i = 0; i < 40; i++) value = [value, value];
  assert.equal(
    thrown(() => measure(value)),
    "tooLarge",
  );
});

test("what a getter throws comes through as it is", () => {
  const fault = new RangeError("not yours");
  const hostile = {
    get a() {
      throw fault;
    },
  };
  assert.equal(
    thrown(() => flat(hostile)),
    fault,
  );
  assert.equal(
    thrown(() => measure(hostile)),
    fault,
  );
});
