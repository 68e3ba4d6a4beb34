// Tables of ratios, and how a figure grows with the conversation.

/** @typedef {import("./rules.js").Row} Row */

/** @param {number} ratio */
const shown = (ratio) => (ratio < 0.01 ? ratio.toPrecision(1) : ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2));

/** @param {Row[]} rows */
export const withRatios = (rows) =>
  rows.map((row) => {
    const { component = Number.NaN, ...others } = row.microseconds;
    return { ...row, ratios: Object.fromEntries(Object.entries(others).map(([name, time]) => [name, component / time])) };
  });

/**
 * The exponent of growth per workload: the slope of log time over log N, least squares, from N = 10 on.
 * @param {Row[]} rows @returns {Record<string, number>}
 */
export function growth(rows) {
  /** @type {Map<string, [number, number][]>} */
  const points = new Map();
  for (const { workload, n, microseconds } of rows) {
    if (n < 10) continue;
    points.set(workload, [...(points.get(workload) ?? []), [Math.log(n), Math.log(microseconds.component ?? Number.NaN)]]);
  }
  return Object.fromEntries([...points].filter(([, all]) => all.length > 2).map(([workload, all]) => [workload, slope(all)]));
}

/** @param {[number, number][]} points */
function slope(points) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([a]) => a)), mean(points.map(([, b]) => b))];
  return points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / points.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

/** @param {string} title @param {Row[]} rows */
export function table(title, rows) {
  console.log(`\n${title}: component against each of the others, smaller is better (time of one call for orientation)`);
  for (const { workload, n, microseconds, ratios } of withRatios(rows)) {
    const all = Object.entries(ratios).map(([name, ratio]) => `${shown(ratio)} × ${name}`);
    console.log(`  ${workload.padEnd(22)} ${String(n).padStart(7)}  ${all.join("   ")}   (${microseconds.component?.toFixed(1)} µs)`);
  }
  const exponents = Object.entries(growth(rows)).map(([workload, exponent]) => `${workload} ${exponent.toFixed(2)}`);
  if (exponents.length) console.log(`  growth with N, exponent: ${exponents.join(", ")}`);
}
