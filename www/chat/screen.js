/** What is on screen of the open conversation: the poll that was heard last, also when nothing but time has passed since. */
import { sameUid } from "./store.js";

/** What a timer of a browser can hold, milliseconds. */
const LONGEST_TIMER = 2 ** 31;

/**
 * @typedef {import("./types.js").Uid} Uid
 * @typedef {import("./types.js").Poll} Poll
 */

/**
 * @param {object} options
 * @param {import("./store.js").Store} options.store
 * @param {ReturnType<typeof import("./viewer.js").createViewer>} options.viewer
 * @param {import("./poller.js").PollerOptions<unknown>["timers"]} [options.timers]
 */
export function createScreen({ store, viewer, timers = globalThis }) {
  /** As long as no request has overtaken it. @type {{ uid: Uid, poll: Poll } | null} */
  let shown = null;
  /** @type {unknown} */
  let expiry;

  function stopWatching() {
    if (expiry !== undefined) timers.clearTimeout(/** @type {never} */ (expiry));
    expiry = undefined;
  }

  /** @param {Poll} poll */
  function watchExpiry(poll) {
    stopWatching();
    const left = viewer.untilExpiry(poll);
    if (left !== null && left < LONGEST_TIMER) expiry = timers.setTimeout(lookAgain, left);
  }

  /** Shows the last poll as it is to be seen by now. */
  function lookAgain() {
    const { session, openUid } = store.state;
    if (shown === null || session === null || !sameUid(shown.uid, openUid)) return;
    store.dispatch({ type: "viewed", uid: shown.uid, view: viewer.view(shown.poll, session.user) });
    watchExpiry(shown.poll);
  }

  return {
    lookAgain,

    /** @param {{ uid: Uid, after: number, poll: Poll }} answer */
    show({ uid, after, poll }) {
      const { session } = store.state;
      shown = { uid, poll };
      store.dispatch({ type: "polled", uid, after, poll: session === null ? poll : { ...poll, view: viewer.view(poll, session.user) } });
      watchExpiry(poll);
    },

    /** A request has overtaken what was shown. */
    overtaken() {
      shown = null;
      stopWatching();
    },
  };
}
