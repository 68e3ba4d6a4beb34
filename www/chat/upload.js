/** Sends one file. `fetch` cannot tell how much of a body has gone, so this is the one request made with XMLHttpRequest. */

import { ApiError } from "./api-error.js";

/** A big file over a slow line takes its time; a line on which nothing moves for this long is dead, milliseconds. */
const SILENCE = 30_000;

/**
 * @typedef {object} UploadOptions
 * @property {string} name
 * @property {string} type media type
 * @property {(sent: number) => void} [onProgress] from 0 to 1
 * @property {AbortSignal} [signal]
 */

/**
 * @param {string} address of the host's file request
 * @param {Blob} file @param {UploadOptions} options
 * @returns {Promise<import("./types.js").FileReference>} rejects with an `ApiError`; `aborted` where the signal gave it up
 */
export function upload(address, file, { name, type, onProgress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let silence;
    const alive = () => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), SILENCE);
    };
    const fail = (/** @type {string} */ code, status = 0) => reject(new ApiError(code, status));
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      alive();
      onProgress?.(total > 0 ? loaded / total : 0);
    });
    request.addEventListener("loadend", () => clearTimeout(silence));
    request.addEventListener("load", () => {
      const reply = request.response;
      if (reply?.ok === true && reply.file) return resolve(reply.file);
      fail(typeof reply?.code === "string" ? reply.code : "internal", request.status < 400 ? 502 : request.status);
    });
    request.addEventListener("error", () => fail("network"));
    request.addEventListener("abort", () => fail(signal?.aborted ? "aborted" : "network"));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.open("POST", `${address}?${new URLSearchParams({ name })}`);
    request.responseType = "json";
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", type);
    alive();
    request.send(file);
  });
}
