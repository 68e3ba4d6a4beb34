// The build for pages as a part of the package: its own loading and its own panics (rules W1, W5), and that it answers what the whole answers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as whole from "agent-turn";
import * as page from "agent-turn/page";
import { inRoot } from "../../../scripts/lib/project.mjs";
import { inProcess } from "./process.js";

test("W1: nothing of the page's build answers before its own init, and a failed load is not remembered", () => {
  const story = inProcess(`
    import initWhole, { inputForm as ofWhole } from "agent-turn";
    import init, { inputForm, present, version } from "agent-turn/page";
    const code = (call) => { try { call(); return "answered"; } catch (error) { return error.name + " " + error.code; } };
    await initWhole();
    const before = [() => version(), () => inputForm({}), () => present({}, {})].map(code);
    const failed = await init(new Uint8Array([1, 2, 3])).then(() => "loaded", (error) => error instanceof Error);
    await Promise.all([init(), init(), init()]);
    console.log(JSON.stringify({ before, failed, version: version(), agree: JSON.stringify(ofWhole({})) === JSON.stringify(inputForm({})) }));`);
  assert.deepEqual(story, { before: Array(3).fill("AgentTurnError notInitialized"), failed: true, version: "0.1.0", agree: true });
});

test("W1: the page's build loads nothing of the engine", () => {
  const loaded = inProcess(`
    const instantiated = [];
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (bytes, imports) => (instantiated.push(...Object.keys(imports ?? {})), instantiate(bytes, imports));
    const { default: init, version } = await import("agent-turn/page");
    await init();
    version();
    console.log(JSON.stringify(instantiated.filter((name) => name.endsWith("_bg.js"))));`);
  assert.deepEqual(loaded, ["./page_bg.js"]);
});

test("W5: a panic of the page's build poisons it alone, with the first cause, and a fresh init recovers", () => {
  const story = inProcess(`
    import initWhole, { version as ofWhole } from "agent-turn";
    import init, { version } from "agent-turn/page";
    import * as component from "./pkg/wasm/page.js";
    await Promise.all([initWhole(), init()]);
    try { component.panicForTest(); } catch {}
    const code = (call) => { try { return call(); } catch (error) { return error.code + ": " + error.message; } };
    const lost = code(version);
    const beside = code(ofWhole);
    await init(undefined, { fresh: true });
    console.log(JSON.stringify({ lost, beside, fresh: code(version) }));`);
  assert.match(story.lost, /^poisoned: [\s\S]*a panic on purpose/);
  assert.deepEqual([story.beside, story.fresh], ["0.1.0", "0.1.0"]);
});

test("it exports what its types promise, with the whole's own error class", () => {
  const [, promised = ""] = /export \{([^}]*)\}/.exec(readFileSync(inRoot("pkg/page.d.ts"), "utf8")) ?? [];
  assert.deepEqual(
    Object.keys(page).sort(),
    promised
      .split(",")
      .map((name) => name.trim())
      .sort(),
  );
  assert.equal(page.AgentTurnError, whole.AgentTurnError);
});

test("W4: what the whole refuses it refuses with the same code and sentence", async () => {
  await Promise.all([whole.default(), page.default()]);
  const reader = { uid: 7, isAdmin: false, mayDecide: true };
  let deep = {};
  for (let i = 0; i < 70; i++) deep = { v: deep };
  const cyclic = /** @type {{ self?: unknown }} */ ({});
  cyclic.self = cyclic;
  /** @type {((rules: any) => unknown)[]} */
  const calls = [
    (rules) => rules.inputForm(deep),
    (rules) => rules.inputForm(cyclic),
    (rules) => rules.answerForm({}, cyclic),
    (rules) => rules.present(null, reader),
    (rules) => rules.present({ status: "nobody knows" }, reader),
    (rules) => rules.present({ status: "idle" }, {}),
  ];
  for (const call of calls) {
    const refusals = [whole, page].map((rules) => {
      try {
        return call(rules);
      } catch (error) {
        const { code, message } = /** @type {page.AgentTurnError} */ (error);
        return `${code}: ${message}`;
      }
    });
    assert.equal(typeof refusals[0], "string", String(call));
    assert.equal(refusals[1], refusals[0]);
  }
});
