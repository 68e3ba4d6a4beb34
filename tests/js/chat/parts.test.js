import assert from "node:assert/strict";
import { test } from "node:test";
import init, * as component from "agent-turn";
import { ApiError, createApi } from "../../../www/chat/api.js";
import { parsePreview, parsePreviewLine } from "../../../www/chat/diff.js";
import { createDrafts } from "../../../www/chat/drafts.js";
import { fieldProblems, mayAnswer, schemaOf } from "../../../www/chat/forms.js";
import { wordsFor } from "../../../www/chat/i18n/index.js";
import { safeUrl, toHtml } from "../../../www/chat/markdown.js";
import { isSilent, noticeOf, plainText } from "../../../www/chat/notice.js";
import { hashOfUid, uidOfHash } from "../../../www/chat/route.js";
import { pageTree } from "../../../www/chat/tree.js";
import { pageOf } from "./builders.mjs";

/**
 * @typedef {import("../../../www/chat/forms.js").Field} Field
 * @typedef {import("../../../www/chat/types.js").InputForm} InputForm
 * @typedef {import("../../../www/chat/forms.js").Rules} Rules
 * @typedef {import("./builders.mjs").Uid} Uid
 */

/** @type {InputForm} */
const noForm = { kind: "unsupported", question: "", options: [], freeText: false, fields: [] };

/** @param {string} name @param {Field["type"]} type @param {boolean} required @returns {Field} */
const fieldOf = (name, type, required) => ({ name, label: name, type, required, description: "", options: [] });

test("a preview line with one arrow is a change", () => {
  const change = (/** @type {string[]} */ ...[label, current, proposed]) => ({ kind: "change", label, current, proposed });
  assert.deepEqual(parsePreviewLine("Title: Team → About us"), change("Title", "Team", "About us"));
  assert.deepEqual(parsePreviewLine("Team → About us"), change("", "Team", "About us"));
  assert.deepEqual(parsePreviewLine("Opens: 10:30 → 11:00"), change("Opens", "10:30", "11:00"));
  assert.deepEqual(parsePreviewLine("10:30 → 11:00"), change("", "10:30", "11:00"));
  assert.deepEqual(parsePreviewLine("Subtitle: → New"), change("Subtitle", "", "New"));
  assert.deepEqual(parsePreviewLine("Subtitle: Old → "), change("Subtitle", "Old", ""));
  assert.deepEqual(parsePreviewLine("Subtitle: Old →"), change("Subtitle", "Old", ""));
  assert.deepEqual(parsePreviewLine("→ New"), change("", "", "New"));
  assert.deepEqual(parsePreviewLine("Text: a\nb: c → d"), change("Text", "a\nb: c", "d"));
});

test("every other preview line is shown whole", () => {
  for (const line of ["The page is removed.", "  Title: a → b", "A → B → C", "a→b", "", "…"])
    assert.deepEqual(parsePreviewLine(line), { kind: "text", text: line });
  assert.deepEqual(parsePreview(undefined), []);
  assert.deepEqual(parsePreview(["a", 7, null]), [{ kind: "text", text: "a" }]);
});

test("Markdown makes no raw HTML, no images and no links but http(s) and mailto", () => {
  assert.doesNotMatch(toHtml('<img src=x onerror=alert(1)><script>x</script>\n\n<div style="x">'), /<(img|script|div)/);
  assert.match(toHtml("[a](https://example.org)"), /<a href="https:\/\/example\.org" rel="noopener noreferrer nofollow" target="_blank">a<\/a>/);
  assert.doesNotMatch(toHtml("[a](javascript:alert(1)) [b](data:text/html,x) [c](/relative) <vbscript:x>"), /<a /);
  assert.match(toHtml("![a picture](https://example.org/p.png)"), /<a [^>]*>a picture<\/a>/);
  assert.doesNotMatch(toHtml('[a](https://example.org/"onmouseover="x)'), /"onmouseover/);
});

test("addresses hide no scheme behind white space", () => {
  assert.equal(safeUrl("java\nscript:alert(1)"), null);
  assert.equal(safeUrl(" https://example.org "), "https://example.org");
  assert.equal(safeUrl("MAILTO:a@example.org"), "MAILTO:a@example.org");
  assert.equal(safeUrl("//example.org"), null);
});

test("notices become words; a mark for the model is never shown", () => {
  const words = wordsFor("en");
  const of = (/** @type {string} */ notice, /** @type {string[]} */ noticeArgs = []) =>
    noticeOf({ role: "assistant", content: "…", notice, noticeArgs }, words);
  assert.deepEqual(of("nothingSaved"), { text: words.t("message.nothingSaved"), instead: false });
  assert.equal(of("noAnswer", ["completed"])?.text, words.t("message.noAnswer"));
  assert.match(of("noAnswer", ["budget"])?.text ?? "", /budget/);
  assert.match(of("runFinishedOutside", ["pages:1", "pages:2"])?.text ?? "", /pages:1, pages:2/);
  assert.equal(of("runFinishedOutside", [])?.text, words.t("message.runFinishedOutsideNothing"));
  assert.equal(of("alreadyWritten", [])?.text, words.t("message.alreadyWrittenUnknown"));
  assert.equal(of("guardrail")?.instead, false);
  assert.equal(of("fromTheFuture"), null);
});

test("text of a message made of parts; a turn that only called tools is silent", () => {
  assert.equal(plainText([{ type: "text", text: "a" }, { type: "image_url" }, null, { type: "text", text: "b" }]), "a\n\nb");
  assert.equal(isSilent({ role: "assistant", content: " " }), true);
  assert.equal(isSilent({ role: "assistant", content: "", notice: "noAnswer" }), false);
  assert.equal(isSilent({ role: "user", content: "" }), false);
});

test("a form is written back as a schema that gives this form", () => {
  const options = [{ value: 1, label: "One" }];
  assert.deepEqual(schemaOf({ kind: "choice", question: "", options, freeText: false, fields: [] }), {
    type: "object",
    properties: { choice: { oneOf: [{ const: 1, title: "One" }] } },
    required: ["choice"],
  });
  assert.deepEqual(schemaOf({ kind: "choice", question: "", options, freeText: true, fields: [] }).required, []);
  const schema = schemaOf({ kind: "form", question: "", options: [], freeText: false, fields: [fieldOf("__proto__", "integer", true)] });
  assert.deepEqual(Object.entries(schema.properties), [["__proto__", { type: "integer" }]], "a name is data (W6)");
});

test("each field is told what is wrong with it; without the rules the host decides", () => {
  /** @type {InputForm} */
  const form = { ...noForm, kind: "form", fields: [fieldOf("a", "text", true), fieldOf("b", "integer", false), fieldOf("c", "integer", false)] };
  /** @type {Rules} */
  const rules = {
    answerForm: (_, answer) => ("fields" in answer && Object.values(answer.fields).includes("x") ? null : { data: {}, display: "" }),
    inputForm: () => ({ ...noForm, kind: "form" }),
  };
  assert.deepEqual(
    [...fieldProblems(rules, form, { b: "x", c: "3" })],
    [
      ["a", "required"],
      ["b", "invalid"],
    ],
  );
  assert.deepEqual([...fieldProblems(null, form, { a: "t", b: "x" })], []);
  assert.equal(mayAnswer(rules, form, { fields: { a: "x" } }), false);
  assert.equal(mayAnswer(null, form, { fields: { a: "x" } }), true);
});

test("F6: an answer is checked with the question's own schema where the host tells it", async () => {
  await init();
  const schema = { type: "object", properties: { a: { enum: ["x", "y"] }, b: { type: "integer" } }, required: ["a"] };
  const form = component.inputForm(schema);
  assert.equal(mayAnswer(component, form, { fields: { a: "x", b: "7" } }, schema), true);
  assert.equal(mayAnswer(component, form, { fields: { a: "z" } }, schema), false);
  /** A form that says less than its schema: the schema decides. @type {InputForm} */
  const lax = { ...form, fields: form.fields.map((field) => ({ ...field, required: false })) };
  assert.equal(mayAnswer(component, lax, { fields: { b: 7 } }, schema), false);
  assert.equal(mayAnswer(component, lax, { fields: { b: 7 } }), true);
});

test("deep links name a conversation and nothing else", () => {
  assert.equal(uidOfHash("#/c/12"), "12");
  assert.equal(uidOfHash(hashOfUid("a/b?c")), "a/b?c");
  for (const hash of ["", "#/", "#/c/", "#/c/1/2", "#/c/%E0%A4%A"]) assert.equal(uidOfHash(hash), null, hash);
});

test("unsent text is kept per user and conversation, and a broken storage costs nothing", () => {
  const map = new Map();
  const drafts = createDrafts({
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  });
  drafts.keepText(1, 7, "mine");
  assert.equal(drafts.text(1, 7), "mine");
  assert.equal(drafts.text(2, 7), "");
  assert.equal(drafts.text(1, null), "");
  drafts.keepText(1, 7, "");
  assert.equal(map.size, 0);
  map.set("agent-chat:outgoing:1:7", "{broken");
  assert.equal(drafts.outgoing(1, 7), null);
  const throws = () => {
    throw new Error("full");
  };
  const broken = createDrafts({ getItem: throws, setItem: throws, removeItem: throws });
  broken.keepText(1, 7, "x");
  assert.equal(broken.text(1, 7), "");
});

test("pages stand under their parents; orphans and circles at the top", () => {
  const page = (/** @type {Uid} */ uid, /** @type {Uid} */ parent) => pageOf(uid, { parent });
  /** @typedef {(Uid | Shape)[]} Shape a uid and what stands below it */
  /** @param {import("../../../www/chat/tree.js").Node[]} nodes @returns {Shape[]} */
  const shape = (nodes) => nodes.map(({ page: { uid }, children }) => [uid, ...shape(children)]);
  assert.deepEqual(shape(pageTree([page(1, 0), page(2, 1), page(3, "2"), page(4, 99)])), [[1, [2, [3]]], [4]]);
  const circle = shape(pageTree([page(1, 2), page(2, 1)]));
  assert.deepEqual(circle.flat(9).sort(), [1, 2], "a circle loses no page");
});

test("every failure of the API has a code", async () => {
  const answer = (/** @type {number} */ status, /** @type {string} */ body) => async () => new Response(body, { status });
  /** @param {typeof fetch} fetcher @param {string} code @param {number} httpStatus */
  const refused = (fetcher, code, httpStatus) =>
    assert.rejects(createApi("/api", fetcher).session(), (error) => error instanceof ApiError && error.code === code && error.httpStatus === httpStatus);
  await refused(answer(409, '{"ok":false,"httpStatus":409,"code":"busy"}'), "busy", 409);
  await refused(answer(502, "<html>"), "internal", 502);
  await refused(answer(200, "not json"), "internal", 502);
  await refused(() => Promise.reject(new TypeError("offline")), "network", 0);
  assert.equal(new ApiError("network", 0).uncertain, true);
  assert.equal(new ApiError("internal", 500).uncertain, true);
  assert.equal(new ApiError("busy", 409).uncertain, false);
});

test("requests that change something are JSON, and names in addresses are escaped", async () => {
  /** @type {unknown[][]} */
  const seen = [];
  const api = createApi("/api", async (url, init) => {
    seen.push([url, init?.method, new Headers(init?.headers).get("content-type"), init?.body]);
    return new Response('{"ok":true}');
  });
  await api.send("a/b", { content: "x", clientId: "c" });
  await api.retry(7);
  await api.list({ search: "a&b", archived: true });
  assert.deepEqual(seen, [
    ["/api/conversations/a%2Fb/messages", "POST", "application/json", '{"content":"x","clientId":"c"}'],
    ["/api/conversations/7/retry", "POST", "application/json", "{}"],
    ["/api/conversations?search=a%26b&archived=true", "GET", null, undefined],
  ]);
});
