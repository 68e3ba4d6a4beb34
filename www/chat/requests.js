/** Requests about a conversation: one of a kind at a time, and what the page shows when one is accepted or refused. */
import { asApiError } from "./api.js";
import { flightKey, sameUid } from "./store.js";

/** @typedef {import("./types.js").Uid} Uid */

/**
 * @param {object} options
 * @param {import("./store.js").Store} options.store
 * @param {() => Promise<void>} options.poll polls the open conversation at once
 * @param {() => void} options.pollWhole the next poll asks for the whole transcript
 * @param {() => void} options.overtaken what is on screen is older than the request
 */
export function createRequests({ store, poll, pollWhole, overtaken }) {
  /** @param {Uid} uid */
  const isOpen = (uid) => sameUid(uid, store.state.openUid);

  /** @param {Uid} uid */
  function pollIfOpen(uid) {
    return isOpen(uid) ? poll() : undefined;
  }

  /**
   * One request of a kind at a time per conversation, so that a double click is one click.
   * @template T @param {string} kind @param {Uid | null} uid @param {() => Promise<T>} act @returns {Promise<T | undefined>}
   */
  async function guarded(kind, uid, act) {
    const key = flightKey(kind, uid);
    if (store.state.inFlight[key]) return undefined;
    store.dispatch({ type: "flight", key, on: true });
    try {
      return await act();
    } finally {
      store.dispatch({ type: "flight", key, on: false });
    }
  }

  /** @param {Uid} uid @param {string} confirmation */
  function accepted(uid, confirmation) {
    if (isOpen(uid)) overtaken();
    store.dispatch({ type: "accepted", uid, confirmation });
  }

  /** @param {Uid} uid @param {import("./api.js").ApiError} error */
  async function refused(uid, error) {
    if (error.httpStatus === 409 || error.httpStatus === 404 || error.uncertain) {
      if (isOpen(uid)) pollWhole();
      await pollIfOpen(uid);
    }
    store.dispatch({ type: "refused", uid, code: error.code });
  }

  /**
   * A request about the open conversation: accepted -> the turn is busy and is polled at once; refused -> the reason is shown, and after a
   * conflict the conversation is read anew.
   * @param {string} kind @param {string} confirmation @param {(uid: Uid) => Promise<unknown>} act @returns {Promise<boolean>}
   */
  async function turnRequest(kind, confirmation, act) {
    const uid = store.state.openUid;
    if (uid === null) return false;
    const done = await guarded(kind, uid, async () => {
      try {
        await act(uid);
      } catch (error) {
        await refused(uid, asApiError(error));
        return false;
      }
      accepted(uid, confirmation);
      await pollIfOpen(uid);
      return true;
    });
    return done ?? false;
  }

  return { isOpen, pollIfOpen, guarded, accepted, refused, turnRequest };
}

/** @typedef {ReturnType<typeof createRequests>} Requests */
