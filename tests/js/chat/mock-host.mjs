/**
 * A small host for looking at the page: serves www/ under the Content-Security-Policy of the real one and plays canned conversations. It
 * knows no rules; its states are written down in mock-states.mjs. `node tests/js/chat/mock-host.mjs` prints an address.
 */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { busyView, idleView, pages, states } from "./mock-states.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; form-action 'none'; base-uri 'none'";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

const users = [
  { uid: 1, name: "Edda Editor", role: "editor" },
  { uid: 2, name: "Ada Approver", role: "approver" },
];

/** What the page needs of the component, as far as the canned forms need it. */
const STUB = `
export default async function init() {}
export const inputForm = (schema) => ({ kind: Object.values(schema.properties).some((p) => p.oneOf) && Object.keys(schema.properties).length < 3 && !Object.values(schema.properties).some((p) => p.type === "boolean") ? "choice" : "form" });
export const answerForm = (schema, answer) => {
  if ("fields" in answer) {
    for (const [name, value] of Object.entries(answer.fields)) {
      const type = schema.properties[name]?.type;
      if (type === "integer" && !/^-?[0-9]+$/.test(String(value).trim())) return null;
      if (type === "number" && !/^-?[0-9]+(\\.[0-9]+)?$/.test(String(value).trim())) return null;
      if (type === "string" && String(value).trim() === "") return null;
    }
  }
  return { data: {}, display: "" };
};`;

/** @param {{ stub?: boolean, delay?: number }} [options] */
export function createMockHost({ stub = false, delay = 0 } = {}) {
  const conversations = new Map(states().map((state) => [String(state.uid), state]));
  const site = pages();
  const requests = [];
  let me = users[0];
  let nextUid = 100;
  let down = false;

  const session = () => ({
    user: { ...me, isAdmin: false, groups: [] },
    users,
    model: { name: "rehearsal", rehearsal: true },
    limits: { maxMessageLength: 10_000, maxFiles: 5, maxFileBytes: 1_000_000 },
  });
  const item = (row) => ({
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

  /** A turn of the mock: busy for a moment, then an answer. */
  function turn(row, line, answer, after = () => {}) {
    if (line) row.messages.push({ createdAt: new Date().toISOString(), ...line });
    Object.assign(row, { status: "locked", view: busyView, errorCode: "", revision: row.revision + 1, updatedAt: Math.floor(Date.now() / 1000) });
    setTimeout(() => {
      after();
      row.messages.push({ role: "assistant", content: answer, createdAt: new Date().toISOString() });
      Object.assign(row, { status: "idle", view: idleView, revision: row.revision + 1 });
    }, 900);
    return [202, { status: "processing" }];
  }

  const actions = {
    messages: (row, body) =>
      row.view.busy ? [409, "busy"] : turn(row, { role: "user", content: body.content, clientId: body.clientId }, `You wrote: *${body.content}*`),
    decision(row, body) {
      if (row.view.card?.turnDigest !== body.turnDigest) return [409, "notAwaiting"];
      const done = () => Object.assign(site[1], { title: "About us", slug: "/about-us" });
      const line = body.display ? { role: "user", content: body.display, decisionLine: body.turnDigest } : null;
      return body.approve ? turn(row, line, "The page is now called **About us**.", done) : turn(row, line, "All right, nothing was changed.");
    },
    answer: (row, body) =>
      row.view.form
        ? turn(row, { role: "user", content: String(body.choice ?? body.freeText ?? JSON.stringify(body.fields)), decisionLine: "i1" }, "Thank you.")
        : [409, "notAwaiting"],
    retry: (row) => turn(row, null, "It worked this time."),
    end(row) {
      Object.assign(row, { status: "idle", view: idleView, revision: row.revision + 1 });
      return [202, { status: "idle" }];
    },
  };

  function conversationRequest(method, path, query, body) {
    const [uid, action, index] = path.split("/");
    const row = conversations.get(uid);
    if (row === undefined) return [404, "notFound"];
    if (action === "messages" && index !== undefined) {
      if (body.messageCount !== row.messages.length) return [409, "editStale"];
      row.messages.splice(Number(index));
      return turn(row, { role: "user", content: body.content }, "Edited.");
    }
    if (action !== undefined) return actions[action]?.(row, body) ?? [404, "notFound"];
    if (method === "PATCH") {
      Object.assign(row, body);
      return [200, {}];
    }
    const after = Number(query.get("after") ?? 0);
    const truncated = after > row.messages.length;
    const { messages, view, ...conversation } = row;
    const mine = row.owner === me.uid;
    return [
      200,
      {
        conversation,
        messages: truncated ? messages : messages.slice(after),
        messageCount: messages.length,
        truncated,
        view,
        you: { mayWrite: mine, mayDecide: view.card !== null },
      },
    ];
  }

  function api(method, path, query, body) {
    if (path === "session") {
      if (method === "POST") me = users.find((user) => user.uid === body.uid) ?? me;
      return [200, session()];
    }
    if (path === "pages") return [200, { pages: site }];
    if (path === "conversations" && method === "POST") {
      const row = {
        ...states()[8],
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

  async function file(path) {
    if (path === "/agent-turn/web.js" && stub) return [Buffer.from(STUB), ".js"];
    const [base, inside] = path.startsWith("/agent-turn/") ? ["pkg", path.slice("/agent-turn/".length)] : ["www", path === "/" ? "index.html" : path];
    const name = normalize(join(root, base, inside));
    return name.startsWith(join(root, base)) ? [await readFile(name), extname(name)] : null;
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, "http://localhost");
    if (!url.pathname.startsWith("/api/")) {
      const found = await file(url.pathname).catch(() => null);
      response.writeHead(found ? 200 : 404, { "content-type": TYPES[found?.[1]] ?? "text/plain", "content-security-policy": CSP, "cache-control": "no-store" });
      return response.end(found?.[0] ?? "not found");
    }
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    requests.push({ method: request.method, path: url.pathname + url.search, body, at: Date.now() });
    if (down) return request.socket.destroy();
    const [status, reply] = api(request.method, url.pathname.slice("/api/".length), url.searchParams, body);
    if (delay > 0) await new Promise((done) => setTimeout(done, delay));
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(typeof reply === "string" ? { ok: false, httpStatus: status, code: reply } : { ok: true, ...reply }));
  });

  return {
    conversations,
    requests,
    setDown(now) {
      down = now;
    },
    /** @returns {Promise<string>} the address */
    listen: (port = 0) => new Promise((done) => server.listen(port, "127.0.0.1", () => done(`http://127.0.0.1:${server.address().port}/`))),
    close: () => new Promise((done) => server.close(done).closeAllConnections()),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(await createMockHost({ stub: true }).listen(Number(process.env.PORT ?? 0)));
