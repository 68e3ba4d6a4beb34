// Serves the package, the vectors and the player on loopback, under the strictest policy the component promises to work with (W2).
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { listen } from "./listen.js";

const tests = join(dirname(fileURLToPath(import.meta.url)), "..");

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Vectors</title><script type="module" src="/tests/browser/page.js"></script></html>
`;

/**
 * The modules a browser loads, from the package's own manifest, and which of them are a part of the whole.
 * @param {string} packageFolder
 */
function browserEntries(packageFolder) {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const entry = (/** @type {string} */ name) => posix.join("/pkg", exports[name].default);
  return [
    { entry: entry("."), part: false },
    { entry: entry("./page"), part: true },
  ];
}

/** The vectors of this project's own (tests/vectors-own) are played beside the public ones, as in Node. */
const vectorFolders = ["vectors", "vectors-own"];

/** The addresses of all vector files. */
function vectorFiles() {
  const inFolder = (/** @type {string} */ folder) => {
    const names = readdirSync(join(tests, folder)).filter((name) => name.endsWith(".jsonl"));
    return names.sort().map((name) => posix.join("/tests", folder, name));
  };
  return vectorFolders.flatMap(inFolder);
}

/** Serves files of a folder under a prefix. @param {Hono} app @param {string} prefix @param {string} folder */
function mount(app, prefix, folder) {
  app.get(`${prefix}/*`, serveStatic({ root: folder, rewriteRequestPath: (path) => path.slice(prefix.length) }));
}

/**
 * @param {string} packageFolder
 * @returns {Promise<import("./listen.js").Served>}
 */
export async function serveVectors(packageFolder) {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("Content-Security-Policy", policy);
    c.header("Cache-Control", "no-store");
  });
  app.get("/", (c) => c.html(page));
  app.get("/plan.json", (c) => c.json({ entries: browserEntries(packageFolder), files: vectorFiles() }));
  mount(app, "/pkg", packageFolder);
  mount(app, "/tests", tests);
  return listen(app);
}
