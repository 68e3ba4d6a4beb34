/** Attachments by their bytes, and their text (M6a, M7). The documents in fixtures/ were made with other programs than the ones that read them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { AttachmentError, LIMITS, readAttachment, TYPES, typeOf } from "agent-turn/attachments";
import fc from "fast-check";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

/** @param {string} name */
const fixture = (name) => new Uint8Array(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)));
/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);
/** @param {string} code */
const refusedAs = (code) => (/** @type {unknown} */ error) => error instanceof AttachmentError && error.code === code;

test("a PDF gives its text by pages", async () => {
  const { mimeType, text, pages, truncated } = await readAttachment(fixture("hours.pdf"), "application/pdf");
  assert.deepEqual({ mimeType, pages, truncated }, { mimeType: "application/pdf", pages: 3, truncated: false });
  assert.equal(text, [1, 2, 3].map((page) => `Opening hours, page ${page}\nThe library opens at nine o'clock.`).join("\n\n"));
});

test("a PDF of too many pages gives those within the limit, and says so", async () => {
  const { text, pages, truncated } = await readAttachment(fixture("hours.pdf"), "application/pdf", { pages: 2 });
  assert.deepEqual({ pages, truncated }, { pages: 3, truncated: true });
  assert.match(text ?? "", /page 2/);
  assert.doesNotMatch(text ?? "", /page 3/);
});

test("a DOCX gives paragraphs and cells of tables", async () => {
  const { mimeType, text, truncated } = await readAttachment(fixture("party.docx"), DOCX);
  assert.deepEqual({ mimeType, truncated }, { mimeType: DOCX, truncated: false });
  for (const part of ["Summer party", "Please bring a cake 🎂 and good mood.", "Grüße", "15:00"]) assert.ok(text?.includes(part), part);
});

test("an XLSX gives each sheet under its name, cells apart by tabs", async () => {
  const { mimeType, text, pages } = await readAttachment(fixture("prices.xlsx"), XLSX);
  assert.deepEqual({ mimeType, pages }, { mimeType: XLSX, pages: 3 });
  assert.equal(text, "# Prices\nItem\tPrice\tSince\nCoffee\t2.5\t2026-03-01\nTea with milk\t2\n\n# Empty\n\n# Rooms\nHall\ttrue");
});

test("the bytes win over the declared type (M6a)", async () => {
  assert.equal(await typeOf(PNG, "text/plain"), "image/png");
  assert.equal(await typeOf(fixture("hours.pdf"), "image/png"), "application/pdf");
  assert.equal(await typeOf(fixture("party.docx"), XLSX), DOCX);
  assert.equal(await typeOf(utf8("# Title"), "text/markdown"), "text/markdown");
  assert.equal(await typeOf(utf8("a;b"), "application/pdf"), "text/plain");
  assert.equal(await typeOf(utf8("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"), "image/svg+xml"), "text/plain");
  assert.equal(await typeOf(Uint8Array.of(0x4d, 0x5a, 0, 1, 2, 3), "text/plain"), "application/octet-stream");
});

test("a picture has no text and is no fault", async () => {
  assert.deepEqual(await readAttachment(PNG, "image/png"), { mimeType: "image/png", text: null, pages: null, truncated: false });
});

test("plain text in the encodings that say what they are", async () => {
  assert.equal((await readAttachment(utf8("Grüße 🎂"), "text/plain")).text, "Grüße 🎂");
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Grüße", "utf16le")]);
  assert.equal((await readAttachment(utf16, "text/plain")).text, "Grüße");
});

test("text beyond the limit is cut between characters", async () => {
  const { text, truncated } = await readAttachment(utf8("ab🎂cd"), "text/plain", { characters: 3 });
  assert.deepEqual({ text, truncated }, { text: "ab", truncated: true });
  const sheet = await readAttachment(fixture("prices.xlsx"), XLSX, { characters: 12 });
  assert.deepEqual({ text: sheet.text, truncated: sheet.truncated }, { text: "# Prices\nIte", truncated: true });
});

test("what is encrypted, damaged, foreign or too large is told apart", async () => {
  await assert.rejects(readAttachment(fixture("locked.pdf"), "application/pdf"), refusedAs("encrypted"));
  await assert.rejects(readAttachment(fixture("locked.xlsx"), XLSX), refusedAs("encrypted"));
  await assert.rejects(readAttachment(fixture("hours.pdf").slice(0, 300), "application/pdf"), refusedAs("broken"));
  await assert.rejects(readAttachment(fixture("prices.xlsx").slice(0, 3000), XLSX), AttachmentError);
  const word97 = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Uint8Array(512));
  await assert.rejects(readAttachment(word97, "application/msword"), refusedAs("unsupported"));
  await assert.rejects(readAttachment(Uint8Array.of(0, 1, 2), "text/plain"), refusedAs("unsupported"));
  await assert.rejects(readAttachment(utf8("long"), "text/plain", { bytes: 3 }), refusedAs("tooLarge"));
});

test("reading that takes too long is given up", async () => {
  await assert.rejects(readAttachment(fixture("hours.pdf"), "application/pdf", { milliseconds: 1 }), refusedAs("tooSlow"));
});

test("a document that wants more memory than it gets is given up, and the next one is read", async () => {
  await assert.rejects(readAttachment(fixture("party.docx"), DOCX, { megabytes: 4 }), AttachmentError);
  assert.match((await readAttachment(fixture("party.docx"), DOCX)).text ?? "", /cake/);
});

test("damaged documents end in an answer or a reason, and the bytes stay as they were", async () => {
  const documents = ["hours.pdf", "party.docx", "prices.xlsx"].map(fixture);
  const damage = fc.record({ document: fc.constantFrom(...documents), at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255), cut: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(damage, async ({ document, at, byte, cut }) => {
      const place = Math.floor(at * (document.length - 1));
      const bytes = cut ? document.slice(0, place) : document.slice();
      if (!cut) bytes[place] = byte;
      const before = Buffer.from(bytes);
      const read = await readAttachment(bytes, "application/pdf").catch((/** @type {unknown} */ error) => error);
      assert.ok(read instanceof AttachmentError || TYPES.includes(/** @type {{ mimeType: string }} */ (read).mimeType), String(read));
      assert.ok(before.equals(bytes));
    }),
    { numRuns: 40 },
  );
});

test("the limits are those of the documentation", () => {
  assert.deepEqual(LIMITS, { bytes: 20_971_520, pages: 200, characters: 200_000, milliseconds: 20_000, megabytes: 256 });
});
