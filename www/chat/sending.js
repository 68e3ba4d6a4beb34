/** Messages on their way to the host: each has its own id, so that one that may have arrived can be sent again without being stored twice (N5). */
import { asApiError } from "./api.js";
import { sameUid } from "./store.js";

/**
 * @typedef {import("./types.js").Uid} Uid
 * @typedef {import("./types.js").Outgoing} Outgoing
 */

/**
 * @param {object} options
 * @param {import("./store.js").Store} options.store
 * @param {import("./api.js").Api} options.api
 * @param {import("./drafts.js").Drafts} options.drafts
 * @param {ReturnType<typeof import("./attachments.js").createAttachments>} options.attachments
 * @param {() => object | null | undefined} options.viewContext
 * @param {import("./requests.js").Requests} options.requests
 * @param {() => Promise<void>} options.loadList
 */
export function createSending({ store, api, drafts, attachments, viewContext, requests, loadList }) {
  const { guarded, accepted, refused, pollIfOpen } = requests;

  const userUid = () => store.state.session?.user.uid ?? null;

  /** The message is not on its way any more. @param {Uid} uid @param {Outgoing} outgoing */
  function gone(uid, { clientId, files }) {
    store.dispatch({ type: "outgoingGone", uid, clientId });
    drafts.keepOutgoing(userUid(), uid, null);
    attachments.giveBack(uid, files);
  }

  /**
   * No word from the host: the message stays, to be sent again under its id (N5). A refusal: the text goes back to the reader.
   * @param {Uid} uid @param {Outgoing} outgoing @param {import("./api.js").ApiError} error
   */
  async function failed(uid, outgoing, error) {
    if (error.uncertain) {
      store.dispatch({ type: "outgoing", uid, outgoing: { ...outgoing, failed: true } });
      await pollIfOpen(uid);
      return null;
    }
    gone(uid, outgoing);
    await refused(uid, error);
    return outgoing.content;
  }

  /** The message of the open conversation that may not have arrived. */
  function uncertain() {
    const uid = store.state.openUid;
    const outgoing = uid === null ? undefined : store.state.outbox[String(uid)];
    return uid === null || outgoing === undefined || !outgoing.failed ? null : { uid, outgoing };
  }

  /** @param {Uid} uid @param {Omit<Outgoing, "failed">} message @returns {Promise<string | null | undefined>} the text where it was refused */
  function sendTo(uid, message) {
    return guarded("send", uid, async () => {
      const outgoing = { ...message, failed: false };
      const context = viewContext();
      const { files, ...text } = message;
      store.dispatch({ type: "outgoing", uid, outgoing });
      drafts.keepOutgoing(userUid(), uid, outgoing);
      try {
        await api.send(uid, { ...text, ...(files.length > 0 ? { files } : {}), ...(context === undefined ? {} : { viewContext: context }) });
      } catch (error) {
        return await failed(uid, outgoing, asApiError(error));
      }
      drafts.keepOutgoing(userUid(), uid, null);
      accepted(uid, "");
      await pollIfOpen(uid);
      store.dispatch({ type: "outgoingGone", uid, clientId: message.clientId });
      if (!store.state.list.items.some((item) => sameUid(item.uid, uid))) void loadList();
      return null;
    });
  }

  return {
    sendTo,

    /** What was on its way when this tab was closed. @param {Uid} uid */
    restore(uid) {
      const waiting = drafts.outgoing(userUid(), uid);
      if (waiting !== null && store.state.outbox[String(uid)] === undefined) store.dispatch({ type: "outgoing", uid, outgoing: waiting });
    },

    /** The tab need not remember what has arrived. @param {Uid} uid */
    forgetArrived(uid) {
      if (store.state.outbox[String(uid)] === undefined) drafts.keepOutgoing(userUid(), uid, null);
    },

    /** Repeats the message that may not have arrived, under its own id. */
    async sendAgain() {
      const message = uncertain();
      if (message === null) return;
      const { clientId, content, files } = message.outgoing;
      await sendTo(message.uid, { clientId, content, files });
    },

    /** Gives up the message that may not have arrived. @returns {string} its text */
    takeBack() {
      const message = uncertain();
      if (message === null) return "";
      gone(message.uid, message.outgoing);
      return message.outgoing.content;
    },
  };
}
