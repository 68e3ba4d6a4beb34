/** Bad input at every door: a 4xx with a code, a log line that names it, and nothing reaches the services. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { FILE_TYPES, MAX_FILE_BYTES } from "../../../www/host/files.js";
import { MAX_JSON_BYTES } from "../../../www/host/middleware.js";
import { HOST_REFUSALS } from "../../../www/host/refusal.js";
import { scriptedApp } from "./support.js";

/** @param {{ status: number, body: unknown }} reply @param {number} httpStatus @param {string} code */
const refused = (reply, httpStatus, code) => {
  assert.deepEqual(reply.body, { ok: false, httpStatus, code });
  assert.equal(reply.status, httpStatus);
};

/** @type {[string, string][]} Every request that carries JSON. */
const JSON_ROUTES = [
  ["POST", "/api/session"],
  ["POST", "/api/conversations"],
  ["PATCH", "/api/conversations/1"],
  ["POST", "/api/conversations/1/messages"],
  ["PUT", "/api/conversations/1/messages/0"],
  ["POST", "/api/conversations/1/decision"],
  ["POST", "/api/conversations/1/answer"],
  ["POST", "/api/conversations/1/retry"],
  ["POST", "/api/conversations/1/end"],
  ["POST", "/api/conversations/1/stop"],
];

describe("doors of the API", () => {
  for (const [method, path] of JSON_ROUTES) {
    it(`${method} ${path} refuses what is not a JSON object`, async () => {
      const { client } = scriptedApp();
      for (const body of ["", "{", "nonsense", "[]", "null", "7", '"text"', '{"a":1}}']) {
        refused(await client.send(method, path, body), 400, "badRequest");
      }
    });

    it(`${method} ${path} refuses other content types`, async () => {
      const { client } = scriptedApp();
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonp", ""]) {
        refused(await client.send(method, path, "{}", { "content-type": type }), 415, "unsupportedMediaType");
      }
    });

    it(`${method} ${path} refuses oversized bodies, whether or not their length is announced`, async () => {
      const { app, client } = scriptedApp();
      const body = JSON.stringify({ content: "x".repeat(MAX_JSON_BYTES) });
      refused(await client.send(method, path, body), 413, "payloadTooLarge");
      refused(await client.send(method, path, body, { "content-length": String(body.length) }), 413, "payloadTooLarge");
      const stream = {
        method,
        body: new Blob([body]).stream(),
        headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
        duplex: "half",
      };
      const streamed = await app.request(path, stream);
      assert.equal(streamed.status, 413);
    });
  }

  it("takes a JSON content type with parameters, in any case", async () => {
    const { client } = scriptedApp();
    assert.equal((await client.post("/api/session", { uid: 2 }, { "content-type": "Application/JSON; charset=utf-8" })).status, 200);
  });

  it("refuses another site's Origin on every method and takes its own", async () => {
    const { client, entries } = scriptedApp();
    for (const origin of ["http://evil.example", "null", "https://localhost", "http://localhost:9999", "http://localhost.evil.example", ""]) {
      refused(await client.post("/api/session", { uid: 2 }, { origin }), 403, "forbidden");
      refused(await client.get("/api/session", { origin }), 403, "forbidden");
    }
    assert.ok(entries().every(({ code, level }) => code === "forbidden" && level === "warn"));
    assert.equal((await client.post("/api/session", { uid: 2 }, { origin: "http://localhost" })).status, 200);
    assert.equal((await client.post("/api/session", { uid: 2 }, { host: "127.0.0.1:8787", origin: "http://127.0.0.1:8787" })).status, 200);
  });

  it("refuses a write that a browser marks as coming from another site", async () => {
    const { client } = scriptedApp();
    refused(await client.post("/api/session", { uid: 2 }, { "sec-fetch-site": "cross-site" }), 403, "forbidden");
    refused(await client.post("/api/session", { uid: 2 }, { "sec-fetch-site": "same-site" }), 403, "forbidden");
    assert.equal((await client.post("/api/session", { uid: 2 }, { "sec-fetch-site": "same-origin" })).status, 200);
  });

  it("refuses host names that are not this machine, unless remote access is allowed", async () => {
    const { client } = scriptedApp();
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8787", "10.0.0.1", "a b", "x@evil.example", ""]) {
      refused(await client.get("/api/health", { host }), 403, "forbidden");
    }
    for (const host of ["localhost:8787", "127.0.0.1", "[::1]:8787"]) assert.equal((await client.get("/api/health", { host })).status, 200, host);
    const remote = scriptedApp({ config: { root: "/nowhere", allowRemote: true } });
    assert.equal((await remote.client.get("/api/health", { host: "cms.example" })).status, 200);
  });

  it("knows no conversation by anything but a positive integer", async () => {
    const { client } = scriptedApp();
    for (const uid of ["0", "-1", "1.5", "abc", "1e3", "01", "99999999999999999999", "%00", "null", "__proto__"]) {
      refused(await client.get(`/api/conversations/${uid}`), 404, "notFound");
      refused(await client.send("PATCH", `/api/conversations/${uid}`, { pinned: true }), 404, "notFound");
      refused(await client.post(`/api/conversations/${uid}/messages`, { content: "x" }), 404, "notFound");
    }
  });

  it("refuses nonsense in queries and paths", async () => {
    const { client } = scriptedApp();
    for (const query of ["?archived=1", "?archived=", "?archived=yes"]) refused(await client.get(`/api/conversations${query}`), 400, "badRequest");
    for (const after of ["-1", "x", "1.5", "", "1e9", "9".repeat(20)]) refused(await client.get(`/api/conversations/1?after=${after}`), 400, "badRequest");
    for (const index of ["-1", "x", "0x1"]) refused(await client.send("PUT", `/api/conversations/1/messages/${index}`, {}), 400, "badRequest");
  });

  it("answers unknown paths and methods in the same shape", async () => {
    const { client } = scriptedApp();
    for (const path of ["/api", "/api/", "/api/nothing", "/api/conversations/1/nothing", "/nothing"]) refused(await client.get(path), 404, "notFound");
    for (const [method, path, allow] of /** @type {const} */ ([
      ["DELETE", "/api/session", "GET, HEAD, POST"],
      ["DELETE", "/api/conversations/1", "GET, HEAD, PATCH"],
      ["GET", "/api/conversations/1/decision", "POST"],
      ["GET", "/api/conversations/1/messages/0", "PUT"],
      ["GET", "/api/files", "POST"],
      ["DELETE", "/api/health", "GET, HEAD"],
    ])) {
      const reply = await client.send(method, path);
      refused(reply, 405, "methodNotAllowed");
      assert.equal(reply.headers.get("allow"), allow);
    }
  });

  it("takes back a cookie that names nobody, and lets its bearer switch", async () => {
    const { client } = scriptedApp();
    for (const user of ["3", "1x", "", "__proto__"]) {
      const reply = await client.as(user).get("/api/session");
      refused(reply, 401, "unauthorized");
      assert.match(reply.headers.get("set-cookie") ?? "", /^agent_turn_user=; Max-Age=0; Path=\//);
    }
    assert.equal((await client.as("3").post("/api/session", { uid: 1 })).status, 200);
  });

  it("refuses files of other types, without bytes or name, and too big ones", async () => {
    const { client } = scriptedApp();
    const upload = (/** @type {string} */ type, /** @type {Uint8Array} */ bytes, query = "?name=a.txt") =>
      client.send("POST", `/api/files${query}`, bytes, { "content-type": type });
    const some = new TextEncoder().encode("text");
    for (const type of ["", "text/html", "application/json", "image/svg+xml", "multipart/form-data"])
      refused(await upload(type, some), 415, "unsupportedMediaType");
    refused(await upload("text/plain", new Uint8Array()), 400, "badRequest");
    for (const query of ["", "?name=", "?name=%20", "?name=..", "?name=a/", "?name=%00"]) refused(await upload("text/plain", some, query), 400, "badRequest");
    refused(await upload("text/plain", new Uint8Array(MAX_FILE_BYTES + 1)), 413, "payloadTooLarge");
  });
});

describe("faults", () => {
  /** @param {string} name @param {string} code */
  const fault = (name, code) => Object.assign(new Error("the secret text at /srv/secret"), { name, code });
  /** @param {unknown} error */
  const failing = (error) => scriptedApp({ engine: /** @type {any} */ ({ sendMessage: () => Promise.reject(error) }) });

  for (const code of ["invalidArgument", "tooDeep", "tooLarge"]) {
    it(`blames the request for ${code} of the engine`, async () => {
      const { client, entries } = failing(fault("AgentTurnError", code));
      refused(await client.post("/api/conversations/1/messages", { content: 7 }), 400, code);
      assert.deepEqual(
        entries().map((entry) => entry.code),
        [code],
      );
    });
  }

  for (const error of [
    fault("AgentTurnError", "host.storage.load"),
    fault("AgentTurnError", "unknownStatus"),
    fault("TypeError", "invalidArgument"),
    new Error("the secret text"),
  ]) {
    it(`answers ${error.name} ${"code" in error ? error.code : ""} with internal and describes it in the log only`, async () => {
      const { client, entries } = failing(error);
      const reply = await client.post("/api/conversations/1/messages", { content: "hello there" });
      refused(reply, 500, "internal");
      assert.ok(!reply.text.includes("secret"));
      const [failure, request] = entries();
      assert.equal(failure.error.text, error.message);
      assert.equal(failure.requestId, request.requestId);
      assert.equal(reply.headers.get("x-request-id"), request.requestId);
      assert.deepEqual([request.level, request.code, request.status], ["error", "internal", 500]);
    });
  }

  it("passes refusals of the engine on with their status, and names them in the log without the content", async () => {
    const refusal = { ok: false, httpStatus: 429, code: "tooManyActive" };
    const { client, entries, lines } = scriptedApp({ engine: /** @type {any} */ ({ sendMessage: async () => refusal }) });
    refused(await client.as(2).post("/api/conversations/7/messages", { content: "private words" }), 429, "tooManyActive");
    const [entry] = entries();
    assert.deepEqual(
      { level: entry.level, method: entry.method, route: entry.route, status: entry.status, code: entry.code, user: entry.user },
      { level: "warn", method: "POST", route: "/api/conversations/:uid/messages", status: 429, code: "tooManyActive", user: 2 },
    );
    assert.ok(!lines.join("").includes("private"));
  });

  it("are described: every code with its status, every file type", () => {
    const text = readFileSync(new URL("../../../docs/http-api.md", import.meta.url), "utf8");
    const rows = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    for (const [code, status] of Object.entries(HOST_REFUSALS)) {
      assert.ok(
        rows.some((cells) => cells[1]?.split(", ").includes(`\`${code}\``) && cells[2] === String(status)),
        `${code} ${status}`,
      );
    }
    for (const type of FILE_TYPES) assert.ok(text.includes(`\`${type}\``), type);
  });
});
