/**
 * The page, the chat module, its bundled libraries and the package itself, straight from their folders.
 */
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { etag } from "hono/etag";
import { RequestRefused } from "./refusal.js";

/**
 * @typedef {import("./middleware.js").HostEnv} HostEnv
 * @typedef {import("./middleware.js").Middleware} Middleware
 */

/** The package folder also holds manifests and, in a checkout, whatever a tool leaves there; only what a browser loads is served. */
const PACKAGE_FILES = /\.(?:js|wasm|d\.ts)$/;

/** Types that the library does not know or does not name as a browser needs them. @type {[RegExp, string][]} */
const CONTENT_TYPES = [
  [/\.d\.ts$/, "text/plain; charset=utf-8"],
  [/\.wasm$/, "application/wasm"],
];

/**
 * @param {import("hono").Hono<HostEnv>} app
 * @param {string} root Project root, absolute.
 */
export function staticFiles(app, root) {
  const www = join(root, "www");
  const serve = (/** @type {string} */ path, /** @type {Parameters<typeof serveStatic>[0]} */ options) =>
    app.get(path, revalidate, etag(), serveStatic(options));

  serve("/", { root: www, path: "index.html" });
  serve("/chat/*", { root: www });
  serve("/vendor/*", { root: www });
  serve("/examples/*", { root: www });
  app.get("/agent-turn/*", packageFilesOnly);
  serve("/agent-turn/*", { root: join(root, "pkg"), rewriteRequestPath: (path) => path.slice("/agent-turn".length) });
}

/** Files change with every build and have no hash in their names: browsers keep them, and ask each time. @type {Middleware} */
async function revalidate(c, next) {
  // A file or folder whose name begins with a dot is nobody's.
  if (c.req.path.includes("/.")) throw new RequestRefused("notFound");
  await next();
  const type = CONTENT_TYPES.find(([name]) => name.test(c.req.path))?.[1];
  if (!c.res.ok && c.res.status !== 304) return;
  c.res.headers.set("Cache-Control", "no-cache");
  if (type !== undefined && c.res.ok) c.res.headers.set("Content-Type", type);
}

/** @type {Middleware} */
async function packageFilesOnly(c, next) {
  if (!PACKAGE_FILES.test(c.req.path)) throw new RequestRefused("notFound");
  await next();
}
