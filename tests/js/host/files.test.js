/** Attachments over the real database. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { FILE_TYPES, MAX_FILE_BYTES } from "../../../www/host/files.js";
import { created, polled, realHost } from "./real-host.js";

describe("files", () => {
  it("are stored, belong to who sent them, and keep the name they were stored under", async (t) => {
    const { editor, approver, parts } = await realHost(t);
    const upload = (/** @type {any} */ client, type = "text/plain", text = "read me") =>
      client.send("POST", "/api/files?name=..%2Fdir%2Fnote.txt", new TextEncoder().encode(text), { "content-type": type });
    const { status, body } = await upload(editor, "Text/Plain; charset=utf-8");
    assert.deepEqual([status, body], [201, { ok: true, file: { fileUid: 1, fileName: "note.txt", fileMimeType: "text/plain" } }]);
    const content = await parts.files.read("1", parts.users.actorOf(1));
    assert.deepEqual([content?.extractedText, content?.name, content?.identifier], ["read me", "note.txt", "/files/1/note.txt"]);
    assert.equal(await parts.files.read(1, parts.users.actorOf(2)), null);

    const uid = await created(editor);
    const sent = await editor.post(`/api/conversations/${uid}/messages`, {
      content: "with a file",
      files: [{ fileUid: 1, fileName: "else.exe", fileMimeType: "image/png" }],
    });
    assert.equal(sent.status, 202);
    const { messages } = await polled(editor, uid);
    assert.deepEqual(messages[0].files, [body.file]);

    const other = await created(approver);
    assert.deepEqual((await approver.post(`/api/conversations/${other}/messages`, { content: "x", files: [body.file] })).body, {
      ok: false,
      httpStatus: 404,
      code: "fileUnavailable",
    });
    const unnumbered = await editor.post(`/api/conversations/${uid}/messages`, { content: "x", files: [{ ...body.file, fileUid: "1; drop" }] });
    assert.equal(unnumbered.body.code, "fileUnavailable");
  });

  it("are of the listed types, have a name and bytes", async (t) => {
    const { editor } = await realHost(t, { worker: false });
    const upload = async (/** @type {string} */ type, name = "a", bytes = new Uint8Array(1)) => {
      const { status, body } = await editor.send("POST", `/api/files?name=${name}`, bytes, { "content-type": type });
      return body.ok ? `${status}` : `${status} ${body.code}`;
    };
    for (const type of FILE_TYPES) assert.equal(await upload(type, "a", new TextEncoder().encode("words")), "201", type);
    assert.equal(await upload("application/pdf"), "415 unsupportedMediaType", "bytes of no known type");
    for (const type of ["text/html", "image/svg+xml", "application/zip", ""]) assert.equal(await upload(type), "415 unsupportedMediaType", type);
    for (const name of ["", "..", "a%2F", "%00"]) assert.equal(await upload("text/plain", name), "400 badRequest", name);
    assert.equal(await upload("text/plain", "a", new Uint8Array(0)), "400 badRequest");
    assert.equal(await upload("text/plain", "a", new Uint8Array(MAX_FILE_BYTES).fill(32)), "201");
    assert.equal(await upload("text/plain", "a", new Uint8Array(MAX_FILE_BYTES + 1)), "413 payloadTooLarge");
  });

  it("are what their bytes say, with the text that is in them; nobody reads an encrypted one (M6a, M7)", async (t) => {
    const { editor, parts } = await realHost(t, { worker: false });
    const upload = async (/** @type {string} */ name, /** @type {string} */ type) => {
      const bytes = new Uint8Array(readFileSync(new URL(`../attachments/fixtures/${name}`, import.meta.url)));
      return (await editor.send("POST", `/api/files?name=${name}`, bytes, { "content-type": type })).body.file;
    };
    const actor = parts.users.actorOf(1);
    const prices = await upload("prices.xlsx", "application/pdf");
    assert.equal(prices.fileMimeType, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    assert.match((await parts.files.read(prices.fileUid, actor))?.extractedText ?? "", /Coffee\t2\.5/);
    const hours = await upload("hours.pdf", "application/pdf");
    assert.match((await parts.files.read(hours.fileUid, actor))?.extractedText ?? "", /nine o'clock/);
    const locked = await upload("locked.pdf", "application/pdf");
    assert.equal(locked.fileMimeType, "application/pdf");
    assert.equal(await parts.files.read(locked.fileUid, actor), null);
    assert.deepEqual(await parts.files.reference(locked.fileUid, actor), locked);
  });
});
