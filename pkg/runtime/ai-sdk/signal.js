/** Signals for one piece of work. */

/**
 * Does work under a signal of its own that follows another one. Libraries leave their listeners on the signal they are given; on that of a long run they
 * would pile up.
 * @template T
 * @param {AbortSignal} parent
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @param {number} [timeoutMs] after which the signal is aborted with a `TimeoutError`; absent: never
 * @returns {Promise<T>}
 */
export async function under(parent, work, timeoutMs) {
  const controller = new AbortController();
  const follow = () => controller.abort(parent.reason);
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  const expire = () => controller.abort(new DOMException("The time for this is over.", "TimeoutError"));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener("abort", follow);
  }
}

/**
 * Waits for something, but not beyond the end that a signal tells of; what follows has to look at the signal.
 * @param {AbortSignal} signal
 * @param {Promise<unknown>} awaited
 */
export async function unlessAborted(signal, awaited) {
  if (signal.aborted) return;
  await under(signal, (own) => Promise.race([awaited, new Promise((resolve) => own.addEventListener("abort", resolve, { once: true }))]));
}
