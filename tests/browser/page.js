// The page of tests/browser/vectors.mjs: plays all vectors in this browser and leaves the result as the promise `globalThis.vectors`.
import { failureText, playFiles } from "../player/play.js";

/** @typedef {{ passed: number, failed: number, failures: string[], faults: string[] }} PageResult `faults`: what makes the run worthless whatever passed */

/** @type {string[]} */
const faults = [];
addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
  if (!probing) faults.push(`the page's policy was violated: ${violatedDirective} by ${blockedURI}`);
});
addEventListener("error", ({ message }) => faults.push(`uncaught error: ${message}`));
let probing = false;

/** A policy that lets `eval` through would prove nothing. */
async function provePolicy() {
  probing = true;
  try {
    // biome-ignore lint/security/noGlobalEval: it is here to be refused
    globalThis.eval("1");
    faults.push("the page's policy is not enforced: eval ran");
  } catch {
    // refused, as it must be
  }
  // the report of the violation comes as a task of its own
  await new Promise((done) => setTimeout(done, 50));
  probing = false;
}

/** @param {string} path */
async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`);
  return response;
}

/** @returns {Promise<PageResult>} */
async function playAll() {
  await provePolicy();
  const { entries, files } = await (await load("/plan.json")).json();
  const texts = await Promise.all(files.map(async (/** @type {string} */ name) => ({ name, text: await (await load(name)).text() })));
  /** @type {PageResult} */
  const result = { passed: 0, failed: 0, failures: [], faults };
  for (const { entry, part } of entries) {
    const pkg = await import(entry);
    await pkg.default();
    const sum = await playFiles(pkg, texts, { part, onFailure: (failure) => result.failures.push(`${entry}: ${failureText(failure)}`) });
    if (sum.passed === 0) faults.push(`${entry}: no vector was played`);
    result.passed += sum.passed;
    result.failed += sum.failed;
  }
  return result;
}

/** @type {typeof globalThis & { vectors?: Promise<PageResult> }} */ (globalThis).vectors = playAll();
