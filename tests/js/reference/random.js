// Random values from a printed seed: the same seed gives the same scenarios on every machine.

/** A 32-bit generator (mulberry32). */
export class Random {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed >>> 0;
  }
  /** From 0 up to, not including, 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  /** From 0 up to, not including, `n`. @param {number} n */
  below(n) {
    return Math.floor(this.next() * n);
  }
  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }
  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[this.below(list.length)];
  }
  /** @template T @param {number} most @param {() => T} make @returns {T[]} */
  list(most, make) {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

/** The settings of a test run. @param {number} cases by default */
export function plan(cases) {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_000);
  return { seed, cases: Number(process.env.CASES ?? cases) };
}
