// Serves the package and the storage kit to a page. The import map stands in for what the cases of IndexedDB take from Node; the package and its kit need none.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { listen } from "./listen.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const imports = {
  "node:test": "/tests/browser/shims/test.js",
  "node:assert/strict": "/pkg/testing/assert.js",
};

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Storage</title><script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="/tests/browser/storage-page.js"></script></html>
`;

/** @returns {Promise<import("./listen.js").Served>} */
export function serveStorageTests() {
  const app = new Hono();
  app.get("/", (c) => c.html(page));
  for (const folder of ["pkg", "tests"]) app.get(`/${folder}/*`, serveStatic({ root }));
  return listen(app);
}
