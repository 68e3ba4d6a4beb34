// The thread that one document is read in: it may use up its time and its memory without harm to the host.
import { parentPort, workerData } from "node:worker_threads";
import { AttachmentError } from "./errors.js";
import { extract } from "./extract.js";

const { bytes, mimeType, limits } = /** @type {{ bytes: Uint8Array, mimeType: string, limits: import("./extract.js").Limits }} */ (workerData);
try {
  parentPort?.postMessage({ extracted: await extract(bytes, mimeType, limits) });
} catch (error) {
  parentPort?.postMessage({
    code: error instanceof AttachmentError ? error.code : "broken",
    problem: String(error instanceof Error ? (error.cause ?? error) : error),
  });
}
