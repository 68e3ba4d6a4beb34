/**
 * What is made once and kept for as long as it is asked for, within a bound: what was asked for longest ago goes first.
 *
 * @template T
 */
export class Recent {
  /** @type {Map<string, T>} */
  #kept = new Map();
  #most;

  /** @param {number} most */
  constructor(most) {
    this.#most = most;
  }

  /**
   * @param {string} name
   * @param {() => T} make
   * @returns {T}
   */
  get(name, make) {
    const value = this.#kept.get(name) ?? make();
    this.#kept.delete(name);
    this.#kept.set(name, value);
    if (this.#kept.size > this.#most) this.#kept.delete(/** @type {string} */ (this.#kept.keys().next().value));
    return value;
  }
}
