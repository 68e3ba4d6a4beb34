/** Why an attachment gives no text. */
export type AttachmentReason = "unsupported" | "encrypted" | "broken" | "tooLarge" | "tooSlow";

/** An attachment that cannot be read; the message never holds what is in the file. A host answers `null` from `readFile` for it (rule M7). */
export class AttachmentError extends Error {
  constructor(code: AttachmentReason, mimeType: string, options?: { cause?: unknown });
  code: AttachmentReason;
  mimeType: string;
}

export interface AttachmentLimits {
  /** Bytes of the file; default 20 MiB. */
  bytes: number;
  /** Pages of a PDF, sheets of a workbook; what comes behind is left out. Default 200. */
  pages: number;
  /** UTF-16 code units of text; default 200,000. */
  characters: number;
  /** Milliseconds until reading is given up; default 20,000. */
  milliseconds: number;
  /** Memory of the thread that reads, in MiB; default 256. */
  megabytes: number;
}

export const LIMITS: Readonly<AttachmentLimits>;

/** Media types that may be attached: plain text, Markdown, CSV, PNG, JPEG, GIF, WebP, PDF, DOCX, XLSX. */
export const TYPES: readonly string[];

/** The type by the bytes (rule M6a): one of {@link TYPES}, `application/x-cfb` (old or encrypted Office files), else `application/octet-stream`. */
export function typeOf(bytes: Uint8Array, declared: string): Promise<string>;

export interface ReadAttachment {
  /** By the bytes. */
  mimeType: string;
  /** What `FileContent.extractedText` takes; null: a picture. */
  text: string | null;
  /** How many pages or sheets the document has; null where it has none to count. */
  pages: number | null;
  /** There was more than the limits let through. */
  truncated: boolean;
}

/**
 * Reads an attachment in a thread of its own. The bytes are copied; nothing is fetched, and no code of the document runs.
 *
 * @throws {AttachmentError} what is no type of {@link TYPES}, is encrypted, damaged, too large, or takes too long
 */
export function readAttachment(bytes: Uint8Array, declared: string, limits?: Partial<AttachmentLimits>): Promise<ReadAttachment>;
