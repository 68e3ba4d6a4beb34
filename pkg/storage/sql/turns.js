import { realpathSync } from "node:fs";
import { StorageError } from "../errors.js";

/**
 * Connections of one process to one SQLite file take turns. The driver waits for a lock without giving the event loop back, so a connection that waited for
 * a transaction of its own process would keep it from ever ending: both would stand still until the busy timeout. Here the wait is asynchronous, in the
 * order of asking, and just as long at most.
 */
export class Turns {
  /** @type {(() => void)[]} who waits, each to be called when it has the turn */
  #waiting = [];
  #taken = false;

  /**
   * @param {number} timeout milliseconds
   * @returns {Promise<void>} settled when the caller has the turn, which it gives back with `release`
   * @throws {StorageError} `storageBusy`
   */
  acquire(timeout) {
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(new StorageError("storageBusy", `another transaction of this process has held the database for ${timeout} ms`));
      }, timeout);
      this.#waiting.push(begin);
    });
  }

  release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}

/** @type {Map<string, { turns: Turns, users: number }>} */
const files = new Map();

/**
 * The turns of a file that exists, shared by everybody in this process who opens it, by whatever path.
 *
 * @param {string} path
 * @returns {{ turns: Turns, leave(): void }}
 */
export function turnsOf(path) {
  const key = realpathSync(path);
  const entry = files.get(key) ?? { turns: new Turns(), users: 0 };
  entry.users += 1;
  files.set(key, entry);
  return {
    turns: entry.turns,
    leave() {
      entry.users -= 1;
      if (entry.users === 0 && files.get(key) === entry) files.delete(key);
    },
  };
}
