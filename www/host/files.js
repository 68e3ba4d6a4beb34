/**
 * Files people attach, kept in the host's own table beside the conversations.
 */
import { AttachmentError, readAttachment, TYPES } from "agent-turn/attachments";
import { storable } from "../chat/shared/text.js";
import { insertedUid } from "./schema.js";

/**
 * @typedef {import("agent-turn").Actor} Actor
 * @typedef {import("agent-turn").FileContent} FileContent
 * @typedef {import("agent-turn").FileReference} FileReference
 * @typedef {import("agent-turn").Uid} Uid
 *
 * @typedef {object} FileTable
 * @property {import("kysely").Generated<number>} uid
 * @property {string} owner Uid as text (C8).
 * @property {string} name
 * @property {string} mime_type By the bytes (M6a).
 * @property {Uint8Array} bytes
 * @property {string | null} extracted_text null: none, or not looked for yet.
 * @property {import("kysely").Generated<number>} unreadable 1: encrypted or damaged, and as good as gone (M7).
 * @property {number} created_at Unix seconds.
 *
 * @typedef {object} Files
 * @property {(file: { owner: Uid, name: string, mimeType: string, bytes: Uint8Array }) => Promise<FileReference | null>} save `mimeType` is what
 * the sender says; null: the bytes are of no type that may be attached.
 * @property {(uid: unknown, actor: Actor) => Promise<FileContent | null>} read null: no such file, not this actor's, or nobody can read it (M7).
 * @property {(uid: unknown, actor: Actor) => Promise<FileReference | null>} reference As `read`, without the bytes.
 */

/** What may be attached; everything else is refused at the door (415). */
export const FILE_TYPES = TYPES;
const TEXT_TYPES = new Set(["text/plain", "text/markdown", "text/csv"]);
export const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_NAME_LENGTH = 255;

/**
 * The files of a database that `migrateHost` has prepared.
 *
 * @param {import("kysely").Kysely<any>} database
 * @returns {Files}
 */
export function openFiles(database) {
  /** @type {import("kysely").Kysely<{ agent_file: FileTable }>} */
  const db = database;
  const own = (/** @type {number} */ uid, /** @type {Actor} */ actor) =>
    db.selectFrom("agent_file").where("uid", "=", uid).where("owner", "=", String(actor.uid));
  return {
    async save({ owner, name, mimeType: declared, bytes }) {
      const found = await examined(bytes, declared);
      if (found === null) return null;
      const row = { owner: String(owner), name, bytes, created_at: Math.floor(Date.now() / 1000), ...found };
      const uid = await insertedUid(database, "agent_file", row);
      return { fileUid: uid, fileName: name, fileMimeType: found.mime_type };
    },
    async reference(uid, actor) {
      const number = fileUid(uid);
      const row = number === null ? undefined : await own(number, actor).select(["uid", "name", "mime_type"]).executeTakeFirst();
      return row ? { fileUid: row.uid, fileName: row.name, fileMimeType: row.mime_type } : null;
    },
    async read(uid, actor) {
      const number = fileUid(uid);
      const row = number === null ? undefined : await own(number, actor).selectAll().executeTakeFirst();
      return row && !row.unreadable ? content(row) : null;
    },
  };
}

/**
 * A file name as it is stored: the last segment of what the browser sent, without control characters; null where nothing usable is left.
 *
 * @param {string} value
 */
export function fileName(value) {
  const segment = value.split(/[/\\]/).at(-1) ?? "";
  const name = [...storable(segment).replace(/[\t\n]/g, " ")].slice(0, MAX_NAME_LENGTH).join("").trim();
  return /^[.\s]*$/.test(name) ? null : name;
}

/**
 * What a file is, found out once, when it is attached. One that is encrypted or damaged is kept, and every turn says that it cannot be read (M7).
 *
 * @param {Uint8Array} bytes @param {string} declared
 */
async function examined(bytes, declared) {
  try {
    const { mimeType, text } = await readAttachment(bytes, declared);
    return { mime_type: mimeType, extracted_text: text, unreadable: 0 };
  } catch (error) {
    if (!(error instanceof AttachmentError)) throw error;
    if (error.code === "unsupported") return null;
    return { mime_type: declared, extracted_text: null, unreadable: 1 };
  }
}

/** @param {import("kysely").Selectable<FileTable>} row @returns {FileContent} */
function content(row) {
  const bytes = new Uint8Array(row.bytes);
  // Files of before texts were kept with them.
  const extractedText = row.extracted_text ?? (TEXT_TYPES.has(row.mime_type) ? new TextDecoder().decode(bytes) : null);
  return { name: row.name, identifier: `/files/${row.uid}/${row.name}`, mimeType: row.mime_type, bytes, extractedText };
}

/** @param {unknown} uid */
function fileUid(uid) {
  const text = typeof uid === "number" || typeof uid === "string" ? String(uid) : "";
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
