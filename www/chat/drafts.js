/** Unsent text per user and conversation, and the message that may not have arrived, kept over a reload. */

const PREFIX = "agent-chat";

/**
 * @typedef {import("./types.js").Uid} Uid
 * @typedef {import("./types.js").FileReference} FileReference
 */

/** @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} storage null: nothing is kept */
export function createDrafts(storage) {
  /** @param {string} kind @param {Uid | null} user @param {Uid | null} uid */
  const key = (kind, user, uid) => `${PREFIX}:${kind}:${user ?? ""}:${uid ?? "new"}`;

  /** @param {string} name */
  function read(name) {
    try {
      return storage?.getItem(name) ?? "";
    } catch {
      return "";
    }
  }

  /** @param {string} name @param {string} text */
  function write(name, text) {
    try {
      if (text === "") storage?.removeItem(name);
      else storage?.setItem(name, text);
    } catch {
      // A full or forbidden storage costs the kept text, never the chat.
    }
  }

  return {
    /** @param {Uid | null} user @param {Uid | null} uid null: the conversation that does not exist yet */
    text: (user, uid) => read(key("draft", user, uid)),
    /** @param {Uid | null} user @param {Uid | null} uid @param {string} text */
    keepText: (user, uid, text) => write(key("draft", user, uid), text),
    /** Files that are uploaded but not sent. @param {Uid | null} user @param {Uid | null} uid @returns {FileReference[]} */
    files(user, uid) {
      try {
        return referencesIn(JSON.parse(read(key("files", user, uid))));
      } catch {
        return [];
      }
    },
    /** @param {Uid | null} user @param {Uid | null} uid @param {readonly FileReference[]} files */
    keepFiles: (user, uid, files) => write(key("files", user, uid), files.length === 0 ? "" : JSON.stringify(files)),
    /** @param {Uid | null} user @param {Uid} uid @returns {import("./types.js").Outgoing | null} */
    outgoing(user, uid) {
      try {
        const { clientId, content, files } = JSON.parse(read(key("outgoing", user, uid)));
        if (typeof clientId !== "string" || typeof content !== "string") return null;
        return { clientId, content, files: referencesIn(files), failed: true };
      } catch {
        return null;
      }
    },
    /** @param {Uid | null} user @param {Uid} uid @param {import("./types.js").Outgoing | null} outgoing */
    keepOutgoing: (user, uid, outgoing) => write(key("outgoing", user, uid), outgoing === null ? "" : JSON.stringify(outgoing)),
  };
}

/** Of something read from storage, the file references. @param {unknown} value @returns {FileReference[]} */
function referencesIn(value) {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (file) => typeof file?.fileName === "string" && typeof file.fileMimeType === "string" && ["string", "number"].includes(typeof file.fileUid),
  );
}

/** @typedef {ReturnType<typeof createDrafts>} Drafts */

/** The tab's own storage, or null where it is forbidden. @returns {Storage | null} */
export function tabStorage() {
  try {
    return globalThis.sessionStorage;
  } catch {
    return null;
  }
}
