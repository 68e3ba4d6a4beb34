/**
 * Files people attach, kept in the host's own table beside the conversations.
 */
import { storable } from "./input.js";
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
 * @property {string} mime_type
 * @property {Uint8Array} bytes
 * @property {number} created_at Unix seconds.
 *
 * @typedef {object} Files
 * @property {(file: { owner: Uid, name: string, mimeType: string, bytes: Uint8Array }) => Promise<FileReference>} save
 * @property {(uid: unknown, actor: Actor) => Promise<FileContent | null>} read null: no such file, or not this actor's.
 * @property {(uid: unknown, actor: Actor) => Promise<FileReference | null>} reference As `read`, without the bytes.
 */

/** What may be attached; everything else is refused at the door (415). */
export const FILE_TYPES = Object.freeze(["text/plain", "text/markdown", "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]);
const TEXT_TYPES = new Set(["text/plain", "text/markdown"]);
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
    async save({ owner, name, mimeType, bytes }) {
      const row = { owner: String(owner), name, mime_type: mimeType, bytes, created_at: Math.floor(Date.now() / 1000) };
      const uid = await insertedUid(database, "agent_file", row);
      return { fileUid: uid, fileName: name, fileMimeType: mimeType };
    },
    async reference(uid, actor) {
      const number = fileUid(uid);
      const row = number === null ? undefined : await own(number, actor).select(["uid", "name", "mime_type"]).executeTakeFirst();
      return row ? { fileUid: row.uid, fileName: row.name, fileMimeType: row.mime_type } : null;
    },
    async read(uid, actor) {
      const number = fileUid(uid);
      const row = number === null ? undefined : await own(number, actor).selectAll().executeTakeFirst();
      return row ? content(row) : null;
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

/** @param {import("kysely").Selectable<FileTable>} row @returns {FileContent} */
function content(row) {
  const bytes = new Uint8Array(row.bytes);
  const extractedText = TEXT_TYPES.has(row.mime_type) ? new TextDecoder().decode(bytes) : null;
  return { name: row.name, identifier: `/files/${row.uid}/${row.name}`, mimeType: row.mime_type, bytes, extractedText };
}

/** @param {unknown} uid */
function fileUid(uid) {
  const text = typeof uid === "number" || typeof uid === "string" ? String(uid) : "";
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
