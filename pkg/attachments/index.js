// Attachments of a chat: their type by their bytes, and their text, read in a thread of its own with limits (rules M6, M6a, M7).
import { Worker } from "node:worker_threads";
import { AttachmentError } from "./errors.js";
import { hasText } from "./extract.js";
import { COMPOUND, typeOf } from "./types.js";

export { AttachmentError } from "./errors.js";
export { TYPES, typeOf } from "./types.js";

/** Limits that fit a chat: a long report passes, a library does not. */
export const LIMITS = Object.freeze({ bytes: 20 * 1024 * 1024, pages: 200, characters: 200_000, milliseconds: 20_000, megabytes: 256 });

/**
 * The type and the text of an attachment.
 *
 * @type {import("./index.js").readAttachment}
 */
export async function readAttachment(bytes, declared, limits = {}) {
  const all = { ...LIMITS, ...limits };
  if (bytes.length > all.bytes) throw new AttachmentError("tooLarge", declared);
  const mimeType = await typeOf(bytes, declared);
  if (mimeType === COMPOUND || hasText(mimeType)) return { mimeType, ...(await inThread(bytes, mimeType, all)) };
  if (mimeType === "application/octet-stream") throw new AttachmentError("unsupported", declared);
  return { mimeType, text: null, pages: null, truncated: false };
}

/**
 * @param {Uint8Array} bytes @param {string} mimeType @param {import("./index.js").AttachmentLimits} limits
 * @returns {Promise<import("./extract.js").Extracted>}
 */
function inThread(bytes, mimeType, limits) {
  return new Promise((resolve, reject) => {
    const copy = bytes.slice();
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: { bytes: copy, mimeType, limits: { pages: limits.pages, characters: limits.characters } },
      transferList: [copy.buffer],
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
      // What a library has to say about a file is not for the host's output.
      stdout: true,
      stderr: true,
    });
    const timer = setTimeout(() => fail("tooSlow"), limits.milliseconds);
    /** @param {() => void} answer */
    const settle = (answer) => {
      clearTimeout(timer);
      answer();
      void worker.terminate();
    };
    /** @param {import("./errors.js").Reason} code @param {unknown} [cause] */
    const fail = (code, cause) => settle(() => reject(new AttachmentError(code, mimeType, { cause })));
    worker.once("message", ({ extracted, code, problem }) => (extracted ? settle(() => resolve(extracted)) : fail(code, problem)));
    worker.once("error", (error) => fail("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "tooLarge" : "broken", error));
    worker.once("exit", () => fail("broken"));
  });
}
