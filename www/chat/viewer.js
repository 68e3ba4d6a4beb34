/**
 * What the reader sees of a conversation, by the component's own `present` (V1) over what the host sent: the very values the host's view was made of, at
 * the host's time. So a card expires on the screen when it does in the host, also between two polls. Where the component is not there, or an API sends
 * only its view, that is what is seen.
 *
 * @typedef {import("./types.js").Poll} Poll
 * @typedef {import("./types.js").ConversationView} ConversationView
 */

/**
 * @param {object} options
 * @param {() => Promise<Pick<import("./component.js").Rules, "present">>} options.loadRules
 * @param {() => number} [options.clock] of this machine, milliseconds
 */
export function createViewer({ loadRules, clock = Date.now }) {
  /** @type {Awaited<ReturnType<typeof loadRules>> | null} */
  let rules = null;
  /** The poll that was heard last, and when: one that is told again (304) is as old as it is. @type {{ poll: Poll | null, at: number }} */
  let heard = { poll: null, at: 0 };

  /** The host's time, Unix milliseconds. @param {Poll} poll @param {number} sent the host's time when it answered */
  function hostTime(poll, sent) {
    if (heard.poll !== poll) heard = { poll, at: clock() };
    return sent + clock() - heard.at;
  }

  return {
    /** Gets the component; resolves to whether it is there. @returns {Promise<boolean>} */
    load: () =>
      loadRules().then(
        (loaded) => {
          rules = loaded;
          return true;
        },
        () => false,
      ),

    /** @param {Poll} poll @param {import("./types.js").Session["user"]} user @returns {ConversationView} */
    view(poll, { uid, isAdmin }) {
      const { conversation, waiting, now, you, view } = poll;
      if (now === undefined || waiting === undefined) return view;
      const time = hostTime(poll, now);
      if (rules === null) return view;
      try {
        return rules.present({ ...conversation, messages: [] }, { uid, isAdmin, ...you }, waiting, { now: time });
      } catch {
        return view;
      }
    },

    /** Milliseconds until this poll looks different by itself, because its card expires; null: it will not. @param {Poll} poll */
    untilExpiry({ view, waiting, now }) {
      if (now === undefined || waiting?.expiresAt === undefined || view.card === null) return null;
      const left = waiting.expiresAt * 1000 - (now + clock() - heard.at);
      // "Past": a moment later than the moment itself.
      return left >= 0 ? left + 1 : null;
    },
  };
}

/** @typedef {ReturnType<typeof createViewer>} Viewer */
