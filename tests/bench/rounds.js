// Interleaved rounds: A B A B in one process, so that whatever else the machine does falls on all alike. The median of each is compared.
// In Node the clock is the processor time of the process: on a machine that does other things as well, elapsed time tells about those.

/** @typedef {{ name: string, run: () => unknown }} Candidate */

/** Milliseconds, from any point on. @type {() => number} */
const clock =
  typeof process === "undefined"
    ? () => performance.now()
    : () => {
        const { user, system } = process.cpuUsage();
        return (user + system) / 1000;
      };

/** The middle one; of an even number the lower of the two. @param {number[]} values */
export const median = (values) => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN;

/** How often a candidate runs in one round, so that a round is long enough for the clock. @param {() => unknown} run @param {number} milliseconds */
function repeats(run, milliseconds) {
  for (let count = 1; ; count *= 2) {
    const begin = clock();
    for (let i = 0; i < count; i++) run();
    if (clock() - begin >= milliseconds) return count;
  }
}

/** How long a candidate runs before it is timed, milliseconds per round: engines compile what runs often, in the background and in several steps. */
const WARM_UP = 30;

/** @param {() => unknown} run @param {number} milliseconds */
function warmUp(run, milliseconds) {
  const end = performance.now() + milliseconds;
  do run();
  while (performance.now() < end);
}

/**
 * Microseconds of one run of each candidate.
 * @param {Candidate[]} candidates @param {{ rounds: number, milliseconds: number }} effort
 * @returns {Record<string, number>}
 */
export function compare(candidates, { rounds, milliseconds }) {
  for (const { run } of candidates) warmUp(run, WARM_UP * rounds);
  const counts = candidates.map(({ run }) => repeats(run, milliseconds));
  const times = candidates.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { run }] of candidates.entries()) {
      const count = /** @type {number} */ (counts[i]);
      const begin = clock();
      for (let n = 0; n < count; n++) run();
      times[i]?.push(((clock() - begin) * 1000) / count);
    }
  }
  return Object.fromEntries(candidates.map(({ name }, i) => [name, median(/** @type {number[]} */ (times[i]))]));
}

/**
 * The same for operations that answer promises.
 * @param {{ name: string, run: () => Promise<unknown> }[]} candidates @param {{ rounds: number, repeat: number }} effort
 * @returns {Promise<Record<string, number>>}
 */
export async function compareAsync(candidates, { rounds, repeat }) {
  for (const { run } of candidates) {
    const end = performance.now() + WARM_UP * rounds;
    do await run();
    while (performance.now() < end);
  }
  const times = candidates.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { run }] of candidates.entries()) {
      const begin = clock();
      for (let n = 0; n < repeat; n++) await run();
      times[i]?.push(((clock() - begin) * 1000) / repeat);
    }
  }
  return Object.fromEntries(candidates.map(({ name }, i) => [name, median(/** @type {number[]} */ (times[i]))]));
}
