/** What a floating panel remembers from page to page: whether it is open, how wide, and which conversation it shows. */

const PREFIX = "agent-chat:panel";

/**
 * @typedef {{ open: boolean, wide: boolean, uid: string | null }} PanelState
 */

/** @type {PanelState} */
const CLOSED = { open: false, wide: false, uid: null };

/** @param {Pick<Storage, "getItem" | "setItem"> | null} storage null: nothing is remembered @param {string} name one per chat of a page */
export function createPanelMemory(storage, name) {
  const key = `${PREFIX}:${name}`;
  return {
    /** @returns {PanelState} */
    read() {
      try {
        const { open, wide, uid } = JSON.parse(storage?.getItem(key) ?? "{}");
        return { open: open === true, wide: wide === true, uid: typeof uid === "string" ? uid : null };
      } catch {
        return CLOSED;
      }
    },
    /** @param {PanelState} state */
    write(state) {
      try {
        storage?.setItem(key, JSON.stringify(state));
      } catch {
        // A full or forbidden storage costs the memory, never the panel.
      }
    },
  };
}

/** @typedef {ReturnType<typeof createPanelMemory>} PanelMemory */

/** The browser's own storage, or null where it is forbidden. @returns {Storage | null} */
export function lastingStorage() {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
