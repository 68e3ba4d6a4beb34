// Hostile text wherever a reader sees what people, models and tools wrote, in both browsers: nothing runs, nothing is loaded, nothing becomes an element.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { launchers } from "../browser/launch.js";
import { createMockHost } from "../js/chat/mock-host.mjs";
import { stateOf } from "../js/chat/mock-states.mjs";

/** An address that the host would note; a script that the page would show. */
const LEAK = "/api/leak";
const RUN = "globalThis.hostile=1";

const CORPUS = [
  `<script>${RUN}</script>`,
  `<img src="${LEAK}" onerror="${RUN}">`,
  `"><img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}><image href="${LEAK}"/></svg>`,
  `<svg><script>${RUN}</script></svg>`,
  `<math><mtext><table><mglyph><style><img src="${LEAK}" onerror=${RUN}></style></mglyph></table></mtext></math>`,
  `<iframe srcdoc="<script>parent.hostile=1</script>" src="${LEAK}"></iframe>`,
  `<object data="${LEAK}"></object><embed src="${LEAK}">`,
  `<link rel=stylesheet href="${LEAK}"><style>@import "${LEAK}"; *{background:url(${LEAK})}</style>`,
  `<base href="https://attacker.example/"><meta http-equiv=refresh content="0;url=${LEAK}">`,
  `<form action="${LEAK}"><button formaction="javascript:${RUN}">go</button></form>`,
  `<video src="${LEAK}" onloadstart=${RUN} autoplay></video><audio src="${LEAK}" autoplay>`,
  `<details open ontoggle=${RUN}><input autofocus onfocus=${RUN}>`,
  `<a href="javascript:${RUN}">link</a>`,
  `[link](javascript:${RUN})`,
  `[link](java\tscript:${RUN} "title")`,
  `[link](data:text/html,<script>${RUN}</script>)`,
  `[link](vbscript:${RUN}) <javascript:${RUN}>`,
  `![picture](${LEAK} "x\\" onerror=\\"${RUN}")`,
  `[![picture](${LEAK})](javascript:${RUN})`,
  `![x](https://attacker.example/pixel.png?x)`,
  `[x]: javascript:${RUN}\n\n[x]`,
  "```html\n<script>globalThis.hostile=1</script>\n```",
  `\`<img src="${LEAK}" onerror=${RUN}>\``,
  `| a |\n|---|\n| <img src="${LEAK}" onerror=${RUN}> |`,
  `\${${RUN}} {{constructor.constructor("${RUN}")()}}`,
  `<template shadowrootmode=open><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `&lt;script&gt;${RUN}&lt;/script&gt; &#106;avascript:${RUN}`,
  `\u202Ejavascript:${RUN}\u202C\u0000<script\u0000>${RUN}</script>`,
];

/** In the page: every element that stands where text belongs, and every address that is not one to follow. */
const INSPECTION = `(() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
  const elements = all(document.body);
  const bad = elements.filter((element) => ["SCRIPT", "IFRAME", "OBJECT", "EMBED", "LINK", "BASE", "META", "VIDEO", "AUDIO", "IMG", "IMAGE", "TEMPLATE", "MATH"].includes(element.tagName.toUpperCase()));
  // The form of a question is the page's own, and goes nowhere.
  bad.push(...elements.filter((element) => element.localName === "form" && element.hasAttribute("action")));
  const handlers = elements.filter((element) => element.getAttributeNames().some((name) => name.startsWith("on") || name === "srcdoc" || name === "formaction"));
  const links = elements.filter((element) => element.hasAttribute("href") && !/^(https?:|mailto:|#)/i.test(element.getAttribute("href")));
  return { shown: elements.length, run: globalThis.hostile ?? null, found: [...new Set([...bad, ...handlers, ...links])].map((element) => element.outerHTML.slice(0, 200)) };
})()`;

/** @param {import("../js/chat/mock-host.mjs").MockHost} host */
function fill(host) {
  const files = CORPUS.map((fileName, index) => ({ fileUid: index, fileName, fileMimeType: "text/plain" }));
  const messages = CORPUS.flatMap((content, index) => [
    { role: /** @type {const} */ ("user"), content, files: files.slice(index, index + 1) },
    { role: /** @type {const} */ ("assistant"), content },
  ]);
  const title = CORPUS.join(" ");
  const steps = CORPUS.map((tool) => ({ kind: /** @type {const} */ ("tool"), round: 1, ms: 1, tool }));
  const calls = CORPUS.map((text) => ({
    name: text,
    label: text,
    arguments: { [text]: text },
    previewLines: [text, `${text}: ${text} → ${text}`],
    target: { table: text, uid: text, title: text },
  }));
  const card = stateOf(1);
  const view = { ...card.view, notices: [{ key: CORPUS[1] ?? "", args: CORPUS }], card: card.view.card && { ...card.view.card, calls } };
  host.conversations.set("1", { ...card, title, messages, view, activity: steps, errorMessage: title, errorCode: CORPUS[2] ?? "" });
  const options = CORPUS.map((label) => ({ value: label, label }));
  const fields = CORPUS.slice(0, 6).map((text, index) => ({
    name: text,
    label: text,
    description: text,
    type: /** @type {"select" | "text"} */ (index % 2 ? "select" : "text"),
    required: true,
    options,
  }));
  const question = { kind: /** @type {const} */ ("choice"), question: title, options, freeText: true, fields: [], turnDigest: "i1" };
  const waiting = { ...stateOf(1), title, messages, status: /** @type {const} */ ("awaiting_input"), view: { ...card.view, card: null } };
  host.conversations.set("2", { ...waiting, uid: 2, view: { ...waiting.view, form: question } });
  host.conversations.set("3", { ...waiting, uid: 3, view: { ...waiting.view, form: { ...question, kind: "form", options: [], freeText: false, fields } } });
}

for (const launch of launchers) {
  test(`hostile text is text: ${launch.name.replace("launch", "")}`, async (t) => {
    const host = createMockHost();
    fill(host);
    const base = await host.listen();
    const browser = await launch();
    after(async () => {
      await browser.close();
      await host.close();
    });
    for (const [uid, part] of /** @type {const} */ ([
      [1, "agent-chat-card"],
      [2, "agent-chat-question"],
      [3, "agent-chat-question"],
    ])) {
      await t.test(`conversation ${uid}`, async () => {
        const tab = await browser.open(`${base}#/c/${uid}`);
        await tab.evaluate(`new Promise((resolve) => {
          const all = (root) => [...root.querySelectorAll("*")].flatMap((element) => [element, ...(element.shadowRoot ? all(element.shadowRoot) : [])]);
          const look = () => {
            const elements = all(document.body);
            const there = elements.some((element) => element.localName === ${JSON.stringify(part)});
            if (there && elements.filter((element) => element.localName === "agent-chat-message").length >= ${2 * CORPUS.length}) {
              // Everything that can be opened is opened, and whatever would load or run by itself has its time.
              for (const element of elements) if (element.localName === "details") element.open = true;
              setTimeout(resolve, 300);
            } else setTimeout(look, 50);
          };
          look();
        })`);
        const { shown, run, found } = await tab.evaluate(INSPECTION);
        assert.ok(shown > 4 * CORPUS.length, `${shown} elements`);
        assert.equal(run, null, "a script ran");
        assert.deepEqual(found, []);
        await tab.close();
      });
    }
    assert.deepEqual(
      host.requests.filter(({ path }) => path.includes("leak")),
      [],
    );
  });
}
