/** Files that go with the next message: checked, uploaded at once, and kept per conversation until the message is sent. */

import { asApiError } from "./api-error.js";

/**
 * @typedef {import("./types.js").Attachment} Attachment
 * @typedef {import("./types.js").FileReference} FileReference
 * @typedef {import("./types.js").Uid} Uid
 *
 * @typedef {object} AttachmentOptions
 * @property {import("./store.js").Store} store
 * @property {Pick<import("./api.js").Api, "upload">} api
 * @property {import("./drafts.js").Drafts} drafts
 * @property {() => string} newId
 * @property {(file: Blob) => string} [preview] an address under which the page can show a picture, "" for none
 * @property {(address: string) => void} [dropPreview]
 */

/** Types by the end of a name: some systems know no type for these. @type {Record<string, string>} */
const TYPE_OF_ENDING = { md: "text/markdown", markdown: "text/markdown", txt: "text/plain", text: "text/plain" };
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const DEFAULT_LIMITS = { maxFiles: 5, maxFileBytes: 8 * 1024 * 1024, fileTypes: /** @type {string[]} */ ([]) };

/** The media type of a file, without parameters. @param {{ name: string, type: string }} file */
export function typeOf({ name, type }) {
  const plain = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return plain || (TYPE_OF_ENDING[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "");
}

/** @param {readonly import("./types.js").Message[]} messages files that stand in the conversation already */
export function filesIn(messages) {
  return messages.reduce((sum, { files, fileUid }) => sum + (Array.isArray(files) ? files.length : fileUid === undefined ? 0 : 1), 0);
}

/**
 * Why a file is not taken, as a label key; "" for nothing. The host checks again.
 * @param {{ name: string, type: string, size: number }} file
 * @param {{ maxFileBytes: number, fileTypes: readonly string[] }} limits
 * @param {number} room how many more the conversation takes
 */
export function problemOf(file, { maxFileBytes, fileTypes }, room) {
  if (room <= 0) return "attach.tooMany";
  if (file.size === 0) return "attach.empty";
  if (fileTypes.length > 0 && !fileTypes.includes(typeOf(file))) return "attach.wrongType";
  return file.size > maxFileBytes ? "attach.tooLarge" : "";
}

/** @param {AttachmentOptions} options */
export function createAttachments({ store, api, drafts, newId, preview = () => "", dropPreview = () => {} }) {
  /** Uploads under way, by id. @type {Map<string, AbortController>} */
  const uploads = new Map();
  /** What a failed upload needs to be tried again, by id. @type {Map<string, File>} */
  const sources = new Map();

  const user = () => store.state.session?.user.uid ?? null;
  const limits = () => ({ ...DEFAULT_LIMITS, ...store.state.session?.limits });
  /** @param {Uid | null} uid */
  const of = (uid) => store.state.attachments[String(uid ?? "")] ?? [];

  /** @param {Uid | null} uid @param {Attachment[]} items */
  function put(uid, items) {
    store.dispatch({ type: "attachments", uid, items });
    drafts.keepFiles(user(), uid, references(items));
  }

  /** @param {Uid | null} uid @param {string} id @param {Partial<Attachment>} change */
  function patch(uid, id, change) {
    if (of(uid).some((item) => item.id === id))
      put(
        uid,
        of(uid).map((item) => (item.id === id ? { ...item, ...change } : item)),
      );
  }

  /** @param {Uid | null} uid @param {string} id */
  async function send(uid, id) {
    const file = sources.get(id);
    if (file === undefined) return;
    const gone = new AbortController();
    uploads.set(id, gone);
    patch(uid, id, { state: "uploading", progress: 0, problem: "" });
    try {
      const onProgress = (/** @type {number} */ progress) => patch(uid, id, { progress });
      const reference = await api.upload(file, { name: file.name || "file", type: typeOf(file), signal: gone.signal, onProgress });
      sources.delete(id);
      patch(uid, id, { state: "ready", progress: 1, reference });
    } catch (error) {
      const { code } = asApiError(error);
      if (code !== "aborted") patch(uid, id, { state: "failed", problem: `error.${code}` });
    } finally {
      uploads.delete(id);
    }
  }

  /** Lets go of everything that belongs to files which are shown no more. @param {readonly Attachment[]} items */
  function release(items) {
    for (const { id, preview: address } of items) {
      uploads.get(id)?.abort();
      sources.delete(id);
      if (address) dropPreview(address);
    }
  }

  return {
    /** Takes files in and uploads the ones that may go. @param {Uid | null} uid @param {readonly File[]} files */
    add(uid, files) {
      const known = limits();
      let room = known.maxFiles - filesIn(store.state.messages) - of(uid).filter(({ state }) => state !== "failed").length;
      /** @type {Attachment[]} */
      const fresh = files.map((file) => {
        const problem = problemOf(file, known, room);
        if (problem === "") room -= 1;
        const shown = problem === "" && PICTURES.has(typeOf(file)) ? preview(file) : "";
        const state = problem === "" ? "uploading" : "failed";
        return { id: newId(), name: file.name || "file", size: file.size, type: typeOf(file), state, progress: 0, problem, preview: shown, reference: null };
      });
      put(uid, [...of(uid), ...fresh]);
      return Promise.all(
        fresh.map(({ id, state }, index) => {
          const file = files[index];
          if (state === "failed" || file === undefined) return undefined;
          sources.set(id, file);
          return send(uid, id);
        }),
      );
    },

    /** Tries a failed upload again. @param {Uid | null} uid @param {string} id */
    again: (uid, id) => send(uid, id),

    /** True for an upload that can be tried again, and not for a file that is not taken at all. @param {string} id */
    mayRepeat: (id) => sources.has(id) && !uploads.has(id),

    /** @param {Uid | null} uid @param {string} id */
    remove(uid, id) {
      release(of(uid).filter((item) => item.id === id));
      put(
        uid,
        of(uid).filter((item) => item.id !== id),
      );
    },

    /** Moves what was attached to the conversation that did not exist yet. @param {Uid} uid */
    adopt(uid) {
      const items = of(null);
      put(null, []);
      put(uid, items);
    },

    /** The files of the message that is being sent; the field is empty afterwards. @param {Uid} uid @returns {FileReference[]} */
    take(uid) {
      const items = of(uid);
      release(items);
      if (items.length > 0) put(uid, []);
      return references(items);
    },

    /** A refused message gives its files back. @param {Uid} uid @param {readonly FileReference[]} files */
    giveBack(uid, files) {
      if (files.length > 0) put(uid, [...files.map(readyOf), ...of(uid)]);
    },

    /** What was attached before the page was loaded anew. @param {Uid | null} uid */
    restore(uid) {
      const kept = drafts.files(user(), uid);
      if (kept.length > 0 && of(uid).length === 0) store.dispatch({ type: "attachments", uid, items: kept.map(readyOf) });
    },
  };

  /** @param {FileReference} reference @returns {Attachment} */
  function readyOf(reference) {
    const { fileName: name, fileMimeType: type } = reference;
    return { id: newId(), name, size: 0, type, state: "ready", progress: 1, problem: "", preview: "", reference };
  }
}

/** @param {readonly Attachment[]} items */
const references = (items) => items.flatMap(({ reference }) => (reference === null ? [] : [reference]));

/** @typedef {ReturnType<typeof createAttachments>} Attachments */
