// The pure rules of the component against those of the reference, on random arguments. SEED and CASES choose others and more.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as component from "../../../pkg/node.js";
import * as reference from "../../reference/index.js";
import { comparable, firstDifference } from "./differ.js";
import * as rows from "./pure-rows.js";
import * as make from "./pure-values.js";
import { plan, Random } from "./random.js";

/** @typedef {Record<string, any>} Data */

const { seed, cases } = plan(2000);

before(() => component.default());

/** @type {Record<string, (r: Random) => any[]>} */
const RULES = {
  mapOutcome: rows.outcome,
  mapRefusal: rows.refusal,
  statusRules: rows.status,
  mayTransition: rows.transition,
  inputForm: (r) => [make.schema(r)],
  answerForm: (r) => [make.schema(r), make.answer(r), { yes: "ja", no: "nein" }],
  isContinueIntent: (r) => [make.intent(r)],
  claimsChange: (r) => [make.claim(r)],
  present: make.view,
  buildTranscript: (r) => [rows.transcript(r)],
};

/** @param {Data} pkg @param {string} rule @param {any[]} args */
function outcomeOf(pkg, rule, args) {
  try {
    return { value: pkg[rule](...args) };
  } catch (/** @type {any} */ error) {
    return { error: error?.code ?? String(error) };
  }
}

for (const [rule, argumentsFrom] of Object.entries(RULES)) {
  test(`${rule} is the same for random arguments`, (t) => {
    t.diagnostic(`SEED=${seed} CASES=${cases}`);
    for (let i = 0; i < cases; i++) {
      const args = argumentsFrom(new Random(seed + i));
      const before = structuredClone(args);
      const found = firstDifference(comparable(outcomeOf(reference, rule, args)), comparable(outcomeOf(component, rule, args)));
      assert.equal(found, null, `SEED=${seed + i} CASES=1: ${rule}(${JSON.stringify(args)})\n${JSON.stringify(found)}`);
      assert.deepEqual(args, before, `SEED=${seed + i} CASES=1: ${rule} changed its arguments`);
    }
  });
}
