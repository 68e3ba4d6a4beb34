/** Who changed which conversation: told to the other tabs through a channel, and to this one where it did not ask for the change itself. */

/** @typedef {import("../types.js").Uid} Uid */

/**
 * @param {string} name shared by the tabs
 * @returns {News}
 *
 * @typedef {object} News
 * @property {(uid: Uid) => void} tellOthers
 * @property {(uid: Uid) => void} tellAll this tab, too
 * @property {(tell: (uid: Uid) => void) => () => void} watch
 * @property {() => void} close
 */
export function openNews(name) {
  /** @type {Set<(uid: Uid) => void>} */
  const watchers = new Set();
  const channel = new BroadcastChannel(`${name}:changes`);
  let open = true;

  /** @param {Uid} uid */
  const tellHere = (uid) => {
    for (const tell of watchers) tell(uid);
  };
  /** @param {Uid} uid */
  const tellOthers = (uid) => {
    if (open) channel.postMessage(uid);
  };
  channel.addEventListener("message", ({ data }) => {
    if (typeof data === "number" || typeof data === "string") tellHere(data);
  });

  return {
    tellOthers,
    tellAll(uid) {
      tellOthers(uid);
      tellHere(uid);
    },
    watch(tell) {
      watchers.add(tell);
      return () => watchers.delete(tell);
    },
    close() {
      open = false;
      channel.close();
      watchers.clear();
    },
  };
}

/**
 * A storage that tells of what it wrote. A heartbeat is no news: whoever looks at a busy conversation polls it anyway.
 *
 * @param {import("../../../pkg/index.js").Storage} storage
 * @param {(uid: Uid) => void} tell
 * @returns {import("../../../pkg/index.js").Storage}
 */
export function tellingStorage(storage, tell) {
  return {
    load: (uid) => storage.load(uid),
    ...(storage.loadSince ? { loadSince: (/** @type {Uid} */ uid, /** @type {number} */ after) => storage.loadSince?.(uid, after) ?? null } : {}),
    touch: (uid, claimId, updatedAt, activity) => storage.touch(uid, claimId, updatedAt, activity),
    find: (query) => storage.find(query),
    async insert(conversation) {
      const uid = await storage.insert(conversation);
      tell(uid);
      return uid;
    },
    async swap(uid, revision, patch) {
      const swapped = await storage.swap(uid, revision, patch);
      if (swapped) tell(uid);
      return swapped;
    },
    async remove(uid, revision) {
      const removed = await storage.remove(uid, revision);
      if (removed) tell(uid);
      return removed;
    },
  };
}
