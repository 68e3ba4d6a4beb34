import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { scriptedApp } from "./support.js";

const root = mkdtempSync(join(tmpdir(), "agent-turn-static-"));
after(() => rmSync(root, { recursive: true }));
for (const [file, text] of Object.entries({
  "package.json": "{}",
  "www/index.html": "<!doctype html><title>chat</title>",
  "www/chat/main.js": "export {};",
  "www/chat/chat.css": "body { color: red }",
  "www/chat/.hidden.js": "hidden",
  "www/vendor/lit.js": "export {};",
  "www/host/config.js": "secret",
  "pkg/web.js": "export {};",
  "pkg/index.d.ts": "export {};",
  "pkg/package.json": "{}",
  "pkg/wasm/agent_turn_bg.wasm": "\0asm",
  "pkg/node_modules/.bin/x": "secret",
})) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
const { client } = scriptedApp({ config: { root, allowRemote: false } });

const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

describe("static files", () => {
  it("serves the page, the module, its libraries and the package with their types", async () => {
    for (const [path, type] of Object.entries({
      "/": "text/html; charset=utf-8",
      "/chat/main.js": "text/javascript; charset=utf-8",
      "/chat/chat.css": "text/css; charset=utf-8",
      "/vendor/lit.js": "text/javascript; charset=utf-8",
      "/agent-turn/web.js": "text/javascript; charset=utf-8",
      "/agent-turn/index.d.ts": "text/plain; charset=utf-8",
      "/agent-turn/wasm/agent_turn_bg.wasm": "application/wasm",
    })) {
      const reply = await client.get(path);
      assert.deepEqual([reply.status, reply.headers.get("content-type")], [200, type], path);
      assert.equal(reply.headers.get("cache-control"), "no-cache");
      const unchanged = await client.get(path, { "if-none-match": reply.headers.get("etag") ?? "" });
      assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.get("cache-control")], [304, "", "no-cache"], path);
    }
  });

  it("serves nothing else", async () => {
    for (const path of [
      "/host/config.js",
      "/package.json",
      "/www/index.html",
      "/chat/",
      "/chat",
      "/chat/nothing.js",
      "/chat/.hidden.js",
      "/agent-turn/package.json",
      "/agent-turn/",
      "/agent-turn/node_modules/.bin/x",
      "/chat/../host/config.js",
      "/chat/%2e%2e/host/config.js",
      "/chat/..%2fhost/config.js",
      "/chat/%5c..%5chost/config.js",
      "/agent-turn/../package.json",
    ]) {
      const reply = await client.get(path);
      assert.deepEqual([reply.status, reply.body], [404, { ok: false, httpStatus: 404, code: "notFound" }], path);
    }
    assert.equal((await client.post("/chat/main.js", {})).status, 404);
  });

  it("sends security headers with everything, refusals included", async () => {
    for (const path of ["/", "/chat/main.js", "/api/session", "/nothing", "/api/nothing"]) {
      const { headers } = await client.get(path);
      assert.equal(headers.get("content-security-policy"), CSP, path);
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("referrer-policy"), "no-referrer");
      assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
      assert.equal(headers.get("x-frame-options"), "DENY");
    }
    assert.equal((await client.get("/api/session")).headers.get("cache-control"), "no-store");
  });

  it("answers HEAD without a body", async () => {
    const reply = await client.send("HEAD", "/chat/main.js");
    assert.deepEqual([reply.status, reply.text], [200, ""]);
  });
});
