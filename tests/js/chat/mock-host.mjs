/**
 * A small host for looking at the page: serves www/ under the Content-Security-Policy of the real one and plays canned conversations. It
 * knows no rules; its states are written down in mock-states.mjs. `node tests/js/chat/mock-host.mjs` prints an address.
 */

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { busyView, cancelledView, idleView, pages, stateOf, states } from "./mock-states.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; form-action 'none'; base-uri 'none'";

/** A page of some backend with the chat in it; its address says with which attributes. */
const BACKEND = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Backend</title><link rel="icon" href="chat/icon.svg">
<script type="module" src="backend.js"></script></head><body><main><h1>Some backend</h1><p>Its own content.</p></main></body></html>`;

/** Runs in that page. */
async function backend() {
  const query = new URLSearchParams(location.search);
  // @ts-expect-error an address of the server
  const { addLanguage } = await import("/chat/i18n/index.js");
  const language = query.get("language");
  if (language) addLanguage(language, { "language.name": language });
  // @ts-expect-error an address of the server
  await import("/chat/app.js");
  const chat = document.createElement("agent-chat");
  chat.setAttribute("mode", "panel");
  for (const attribute of (query.get("attributes") ?? "").split(" ").filter(Boolean)) {
    const [name = "", value = ""] = attribute.split("=");
    chat.setAttribute(name, value);
  }
  document.body.append(chat);
}

/** @type {Record<string, string>} */
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** @type {readonly [User, ...User[]]} */
const users = [
  { uid: 1, name: "Edda Editor", role: "editor" },
  { uid: 2, name: "Ada Approver", role: "approver" },
];

/**
 * @typedef {import("./mock-states.mjs").State} State
 * @typedef {import("./mock-states.mjs").Message} Message
 * @typedef {import("../../../www/chat/types.js").Uid} Uid
 * @typedef {import("../../../www/chat/types.js").UserName} User
 * @typedef {{ [name: string]: unknown }} Body
 * @typedef {[status: number, reply: object | string]} Reply a text is the code of a refusal
 * @typedef {{ method: string, path: string, body: Body, at: number }} Seen a request as it came
 */

/** How long a turn of the mock is busy, milliseconds. */
const TURN = 900;
/** How long it takes to stop one, milliseconds. */
const STOP = 2000;

/** @param {{ turnTime?: number, cached?: boolean }} [options] `cached`: the browser may keep the files */
export function createMockHost({ turnTime = TURN, cached = false } = {}) {
  const conversations = new Map(states().map((state) => [String(state.uid), state]));
  const site = pages();
  /** @type {Seen[]} */
  const requests = [];
  let [me] = users;
  let nextUid = 100;
  let nextFile = 0;
  let down = false;

  const session = () => ({
    user: { ...me, isAdmin: false, groups: [] },
    users,
    model: { name: "rehearsal", rehearsal: true },
    limits: { maxMessageLength: 10_000, maxFiles: 5, maxFileBytes: 1_000_000, fileTypes: ["text/plain", "text/markdown", "image/png", "application/pdf"] },
  });
  const item = (/** @type {State} */ row) => ({
    uid: row.uid,
    title: row.title,
    status: row.status,
    errorCode: row.errorCode,
    pinned: row.pinned,
    archived: row.archived,
    owner: row.owner,
    ownerName: users.find((user) => user.uid === row.owner)?.name,
    updatedAt: row.updatedAt,
    mine: row.owner === me.uid,
  });

  /**
   * A turn of the mock: busy for a moment, then an answer.
   * @param {State} row @param {Message | null} line @param {string} answer @param {() => void} [after] @returns {Reply}
   */
  function turn(row, line, answer, after = () => {}) {
    if (line) row.messages.push({ createdAt: new Date().toISOString(), ...line });
    Object.assign(row, { status: "locked", view: busyView, errorCode: "", revision: row.revision + 1, updatedAt: Math.floor(Date.now() / 1000) });
    setTimeout(() => {
      after();
      row.messages.push({ role: "assistant", content: answer, createdAt: new Date().toISOString() });
      Object.assign(row, { status: "idle", view: idleView, revision: row.revision + 1 });
    }, turnTime);
    return [202, { status: "processing" }];
  }

  const userMessage = (/** @type {Body} */ { content, clientId, files }) =>
    /** @type {Message} */ ({ role: "user", content: String(content), clientId: String(clientId), ...(Array.isArray(files) ? { files } : {}) });

  /** @type {Record<string, (row: State, body: Body) => Reply>} */
  const actions = {
    messages: (row, body) => (row.view.busy ? [409, "busy"] : turn(row, userMessage(body), `You wrote: *${body.content}*`)),
    decision(row, body) {
      if (row.view.card?.turnDigest !== body.turnDigest) return [409, "notAwaiting"];
      const done = () => void Object.assign(site[1] ?? {}, { title: "About us", slug: "/about-us" });
      /** @type {Message | null} */
      const line = body.display ? { role: "user", content: String(body.display), decisionLine: String(body.turnDigest) } : null;
      return body.approve ? turn(row, line, "The page is now called **About us**.", done) : turn(row, line, "All right, nothing was changed.");
    },
    answer: (row, body) =>
      row.view.form
        ? turn(row, { role: "user", content: String(body.choice ?? body.freeText ?? JSON.stringify(body.fields)), decisionLine: "i1" }, "Thank you.")
        : [409, "notAwaiting"],
    retry: (row) => turn(row, null, "It worked this time."),
    stop(row) {
      if (!row.view.busy) return [409, "nothingToStop"];
      // Long enough to be seen, also by a browser on a busy machine.
      setTimeout(() => Object.assign(row, { status: "failed", errorCode: "cancelled", view: cancelledView, revision: row.revision + 1 }), STOP);
      return [202, { status: row.status }];
    },
    end(row) {
      Object.assign(row, { status: "idle", view: idleView, revision: row.revision + 1 });
      return [202, { status: "idle" }];
    },
  };

  /** @param {string} method @param {string} path @param {URLSearchParams} query @param {Body} body @returns {Reply} */
  function conversationRequest(method, path, query, body) {
    const [uid = "", action, index] = path.split("/");
    const row = conversations.get(uid);
    if (row === undefined) return [404, "notFound"];
    if (action === "messages" && index !== undefined) {
      if (body.messageCount !== row.messages.length) return [409, "editStale"];
      row.messages.splice(Number(index));
      return turn(row, { role: "user", content: String(body.content) }, "Edited.");
    }
    if (action !== undefined) return actions[action]?.(row, body) ?? [404, "notFound"];
    if (method === "PATCH") {
      Object.assign(row, body);
      return [200, {}];
    }
    const after = Number(query.get("after") ?? 0);
    const truncated = after > row.messages.length;
    const { messages, view, waiting, now, ...conversation } = row;
    const mine = row.owner === me.uid;
    return [
      200,
      {
        conversation,
        messages: truncated ? messages : messages.slice(after),
        messageCount: messages.length,
        truncated,
        view,
        waiting,
        now,
        you: { mayWrite: mine, mayDecide: view.card !== null },
      },
    ];
  }

  /** @param {string} method @param {string} path @param {URLSearchParams} query @param {Body} body @returns {Reply} */
  function api(method, path, query, body) {
    if (path === "session") {
      if (method === "POST") me = users.find((user) => user.uid === body.uid) ?? me;
      return [200, session()];
    }
    if (path === "pages") return [200, { pages: site }];
    if (path === "conversations" && method === "POST") {
      /** @type {State} */
      const row = {
        ...stateOf(9),
        uid: nextUid,
        owner: me.uid,
        title: "",
        messages: [],
        activity: [],
        status: "idle",
        view: idleView,
        updatedAt: Math.floor(Date.now() / 1000),
      };
      conversations.set(String(nextUid), row);
      nextUid += 1;
      return [201, { uid: row.uid }];
    }
    if (path === "conversations") {
      const wanted = [...conversations.values()].filter(
        (row) => String(row.archived) === query.get("archived") && row.title.toLowerCase().includes((query.get("search") ?? "").toLowerCase()),
      );
      return [200, { conversations: wanted.map(item).sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt) }];
    }
    return path.startsWith("conversations/") ? conversationRequest(method, path.slice("conversations/".length), query, body) : [404, "notFound"];
  }

  /** Takes a file in; a name with "refuse" in it is refused. @param {URL} url @param {import("node:http").IncomingMessage} request @returns {Reply} */
  function store(url, request) {
    const fileName = url.searchParams.get("name") ?? "";
    if (fileName.includes("refuse")) return [415, "unsupportedMediaType"];
    nextFile += 1;
    return [201, { file: { fileUid: nextFile, fileName, fileMimeType: request.headers["content-type"] } }];
  }

  /** The page and, below /agent-turn/, the package. @param {string} path @returns {Promise<{ bytes: Buffer, type: string } | null>} */
  async function file(path) {
    if (path === "/backend.html") return { bytes: Buffer.from(BACKEND), type: "text/html; charset=utf-8" };
    if (path === "/backend.js") return { bytes: Buffer.from(`(${backend})();`), type: "text/javascript" };
    const [base, inside] = path.startsWith("/agent-turn/") ? ["pkg", path.slice("/agent-turn/".length)] : ["www", path === "/" ? "index.html" : path];
    const name = normalize(join(root, base, inside));
    return name.startsWith(join(root, base)) ? { bytes: await readFile(name), type: TYPES[extname(name)] ?? "text/plain" } : null;
  }

  const server = createServer(async (request, response) => {
    const { method = "GET", url: address = "/" } = request;
    const url = new URL(address, "http://localhost");
    if (!url.pathname.startsWith("/api/")) {
      const found = await file(url.pathname).catch(() => null);
      const cacheControl = cached ? "max-age=3600" : "no-store";
      response.writeHead(found ? 200 : 404, { "content-type": found?.type ?? "text/plain", "content-security-policy": CSP, "cache-control": cacheControl });
      return response.end(found?.bytes ?? "not found");
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const isFile = url.pathname === "/api/files";
    const body = isFile ? { bytes: bytes.length } : bytes.length > 0 ? JSON.parse(bytes.toString()) : {};
    requests.push({ method, path: url.pathname + url.search, body, at: Date.now() });
    if (down) return request.socket.destroy();
    const [status, reply] = isFile ? store(url, request) : api(method, url.pathname.slice("/api/".length), url.searchParams, body);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(typeof reply === "string" ? { ok: false, httpStatus: status, code: reply } : { ok: true, ...reply }));
  });

  return {
    conversations,
    requests,
    /** True: every request is cut off, as if the network were gone. @param {boolean} now */
    setDown(now) {
      down = now;
    },
    /** @param {number} [port] @returns {Promise<string>} the address */
    async listen(port = 0) {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/`;
    },
    /** @returns {Promise<void>} */
    close: () => new Promise((done) => void server.close(() => done()).closeAllConnections()),
  };
}

/** @typedef {ReturnType<typeof createMockHost>} MockHost */

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(await createMockHost().listen(Number(process.env.PORT ?? 0)));
