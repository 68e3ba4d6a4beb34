/** The host's JSON API, and what an object that stands in for it offers. Every method resolves with the reply or rejects with an `ApiError` that has a code. */

import { ApiError } from "./api-error.js";
import { upload } from "./upload.js";

export { ApiError, asApiError } from "./api-error.js";

const TIMEOUT = 20_000;

/**
 * @typedef {import("./types.js").Session} Session
 * @typedef {import("./types.js").ListItem} ListItem
 * @typedef {import("./types.js").Poll} Poll
 * @typedef {import("./types.js").Page} Page
 * @typedef {import("./types.js").Uid} Uid
 * @typedef {{ content: string, clientId: string, files?: import("./types.js").FileReference[], viewContext?: object | null }} NewMessage
 */

/**
 * What `<agent-chat>` asks. A page may supply an object of its own (`element.api = object`); its methods reject with `ApiError`.
 *
 * @typedef {ReturnType<typeof createHttpClient>} HttpClient
 * @typedef {Omit<HttpClient, "stop"> & { stop?: HttpClient["stop"], watch?: Watch, loadRules?: () => Promise<import("./component.js").Rules> }} Api
 *   without `stop` a turn that is worked on cannot be stopped; `loadRules`: the component, where the object has it already
 *
 * @callback Watch called once; from then on `tell` is called with the uid of every conversation that was changed elsewhere, in another tab for instance
 * @param {(uid: Uid) => void} tell
 * @returns {() => void} ends it
 */

/**
 * @param {string} base the API's address without a slash at the end, such as "/api"
 * @param {typeof fetch} [fetcher]
 * @returns {Api}
 */
export function createApi(base, fetcher) {
  return createHttpClient(base, fetcher);
}

/**
 * @param {string} base
 * @param {typeof fetch} [fetcher]
 */
function createHttpClient(base, fetcher = (...args) => fetch(...args)) {
  /** The latest poll, told again where the host says that nothing has changed. It is kept here and not by the browser, so nothing lies on a disk. @type {{ path: string, etag: string, reply: any } | null} */
  let latest = null;

  /** @template T what the reply holds @param {string} method @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] @param {boolean} [repeats] asked again and again @returns {Promise<T>} */
  async function request(method, path, body, signal, repeats = false) {
    const known = repeats && latest?.path === path ? latest : null;
    const limit = AbortSignal.timeout(TIMEOUT);
    /** @type {RequestInit} */
    const init = { method, credentials: "same-origin", headers: { Accept: "application/json" }, signal: signal ? AbortSignal.any([signal, limit]) : limit };
    if (body !== undefined) Object.assign(init, { body: JSON.stringify(body), headers: { ...init.headers, "Content-Type": "application/json" } });
    if (known) Object.assign(init, { headers: { ...init.headers, "If-None-Match": known.etag } });
    const response = await fetcher(base + path, init).catch(() => {
      throw new ApiError("network", 0);
    });
    if (known && response.status === 304) return known.reply;
    const reply = await response.json().catch(() => null);
    if (reply !== null && typeof reply === "object" && reply.ok === true) {
      const etag = repeats ? response.headers.get("etag") : null;
      if (repeats) latest = etag === null ? null : { path, etag, reply };
      return reply;
    }
    throw new ApiError(typeof reply?.code === "string" ? reply.code : "internal", response.ok ? 502 : response.status);
  }

  /** @param {Uid} uid */
  const at = (uid) => `/conversations/${encodeURIComponent(String(uid))}`;

  return {
    /** @returns {Promise<Session>} */
    session: () => request("GET", "/session"),
    /** @param {Uid} uid @returns {Promise<Session>} */
    switchUser: (uid) => request("POST", "/session", { uid }),
    /** @param {{ search: string, archived: boolean }} query @returns {Promise<{ conversations: ListItem[] }>} */
    list: ({ search, archived }) => request("GET", `/conversations?${new URLSearchParams({ search, archived: String(archived) })}`),
    /** @returns {Promise<{ uid: Uid }>} */
    create: () => request("POST", "/conversations", {}),
    /** @param {Uid} uid @param {number} after @param {AbortSignal} [signal] @returns {Promise<Poll>} */
    poll: (uid, after, signal) => request("GET", `${at(uid)}?after=${after}`, undefined, signal, true),
    /** @param {Uid} uid @param {{ title?: string, pinned?: boolean, archived?: boolean, systemPrompt?: string }} change */
    change: (uid, change) => request("PATCH", at(uid), change),
    /** @param {Uid} uid @param {NewMessage} message @returns {Promise<{ status: string }>} */
    send: (uid, message) => request("POST", `${at(uid)}/messages`, message),
    /** @param {Uid} uid @param {number} index @param {{ content: string, expectedContent: string, messageCount: number }} edit */
    edit: (uid, index, edit) => request("PUT", `${at(uid)}/messages/${index}`, edit),
    /** @param {Uid} uid @param {import("./types.js").Decision} decision */
    decide: (uid, decision) => request("POST", `${at(uid)}/decision`, decision),
    /** @param {Uid} uid @param {import("./types.js").Answer & { turnDigest: string }} answer */
    answer: (uid, answer) => request("POST", `${at(uid)}/answer`, answer),
    /** @param {Uid} uid */
    retry: (uid) => request("POST", `${at(uid)}/retry`, {}),
    /** @param {Uid} uid */
    end: (uid) => request("POST", `${at(uid)}/end`, {}),
    /** @param {Uid} uid */
    stop: (uid) => request("POST", `${at(uid)}/stop`, {}),
    /** @param {Blob} file @param {import("./upload.js").UploadOptions} options */
    upload: (file, options) => upload(`${base}/files`, file, options),
    /** @returns {Promise<{ pages: Page[] }>} */
    pages: () => request("GET", "/pages"),
  };
}
