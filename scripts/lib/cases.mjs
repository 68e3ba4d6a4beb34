// Reads from what a test runner printed how many cases ran.

/** @typedef {"cargo" | "node" | "player"} Runner whose closing lines are read: cargo test and wasm-bindgen-test, node:test, the vector player */
/** @typedef {{ passed: number, failed: number, skipped: number }} Cases */

/** Colours and other control sequences of terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they begin with
const control = /\u001b\[[0-9;]*[A-Za-z]/g;

/** @type {Record<Runner, Record<keyof Cases, RegExp>>} */
const closingLines = {
  cargo: {
    passed: /^test result: \w+\. (\d+) passed/gm,
    failed: /^test result: \w+\. \d+ passed; (\d+) failed/gm,
    skipped: /^test result: \w+\. \d+ passed; \d+ failed; (\d+) ignored/gm,
  },
  node: { passed: /^(?:#|ℹ) pass (\d+)$/gm, failed: /^(?:#|ℹ) (?:fail|cancelled) (\d+)$/gm, skipped: /^(?:#|ℹ) (?:skipped|todo) (\d+)$/gm },
  player: { passed: /^(\d+) passed, \d+ failed$/gm, failed: /^\d+ passed, (\d+) failed$/gm, skipped: /(?!)/g },
};

/**
 * The cases of one part, summed over all the closing lines it printed.
 * @param {Runner} runner @param {string} output
 * @returns {Cases}
 */
export function countCases(runner, output) {
  const text = output.replace(control, "").replaceAll("\r", "");
  /** @param {RegExp} line */
  const sum = (line) => [...text.matchAll(line)].reduce((total, [, n]) => total + Number(n), 0);
  const { passed, failed, skipped } = closingLines[runner];
  return { passed: sum(passed), failed: sum(failed), skipped: sum(skipped) };
}
