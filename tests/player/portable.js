// The timing the player needs, the same in Node and in browsers.

/** @type {(() => void)[]} */
const queue = [];
const channel = new MessageChannel();
channel.port1.onmessage = () => queue.shift()?.();
// in Node an open port would keep the process alive for ever; while a vector is played its time limit does
/** @type {{ unref?: () => void }} */ (channel.port1).unref?.();

/** Runs something as a task of its own, after the microtasks that are due. @param {() => void} task */
export function soon(task) {
  queue.push(task);
  channel.port2.postMessage(null);
}

/** Lets everything that can run do so: `turns` tasks, one after the other. @param {number} turns */
export async function settle(turns) {
  for (let i = 0; i < turns; i++) await new Promise((done) => soon(() => done(null)));
}

/**
 * What a promise gives, or `late` when it gives nothing in time.
 * @template T, L
 * @param {Promise<T>} promise @param {number} ms @param {L} late
 * @returns {Promise<T | L>}
 */
export async function within(promise, ms, late) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const limit = new Promise((/** @type {(value: L) => void} */ done) => {
    timer = setTimeout(() => done(late), ms);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}
