/** What the tests of the host share: an application over scripted services, and requests to it. */
import { createApp } from "../../../www/host/app.js";
import { PROJECT_ROOT } from "../../../www/host/config.js";
import { createLog } from "../../../www/host/log.js";
import { createUsers } from "../../../www/host/users.js";

/** @typedef {import("../../../www/host/app.js").Services} Services */

/** A log that keeps its lines. */
export function keptLog(/** @type {import("../../../www/host/config.js").LogLevel} */ level = "debug") {
  /** @type {string[]} */
  const lines = [];
  return { lines, log: createLog({ level, write: (line) => void lines.push(line) }), entries: () => lines.map((line) => JSON.parse(line)) };
}

/**
 * An application whose services are given; one that is used without being given is an error of the test.
 *
 * @param {Partial<Services>} [services]
 */
export function scriptedApp(services = {}) {
  const { log, entries, lines } = keptLog();
  const missing = (/** @type {string} */ name) =>
    new Proxy(
      {},
      {
        get: (_, key) => () => {
          throw new Error(`${name}.${String(key)} was called`);
        },
      },
    );
  const app = createApp(
    /** @type {Services} */ ({
      engine: missing("engine"),
      host: missing("host"),
      conversations: missing("conversations"),
      files: missing("files"),
      site: missing("site"),
      users: createUsers(),
      model: { name: "rehearsal", rehearsal: true },
      version: "0.0.0-test",
      log,
      pollTags: { tag: async () => null },
      health: { ready: async () => ({ ok: true }), stopping: () => {} },
      metrics: { request: () => {} },
      config: { root: PROJECT_ROOT, allowRemote: false },
      ...services,
    }),
  );
  return { app, entries, lines, client: clientOf(app) };
}

/**
 * Requests to an application as a page of the same origin makes them.
 *
 * @param {{ request(path: string, init?: RequestInit): Response | Promise<Response> }} app
 * @param {{ user?: number | string }} [options] Whose cookie goes along.
 */
export function clientOf(app, { user } = {}) {
  /** @param {string} method @param {string} path @param {unknown} [body] @param {Record<string, string>} [headers] */
  const send = async (method, path, body, headers = {}) => {
    const cookie = user === undefined ? undefined : { cookie: `agent_turn_user=${user}` };
    const json = body === undefined ? undefined : { "content-type": "application/json" };
    const payload = body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await app.request(path, { method, body: /** @type {BodyInit | undefined} */ (payload), headers: { ...cookie, ...json, ...headers } });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  };
  return {
    send,
    get: (/** @type {string} */ path, /** @type {Record<string, string>} */ headers = {}) => send("GET", path, undefined, headers),
    post: (/** @type {string} */ path, /** @type {unknown} */ body, /** @type {Record<string, string>} */ headers = {}) => send("POST", path, body, headers),
    as: (/** @type {number | string} */ other) => clientOf(app, { user: other }),
  };
}
