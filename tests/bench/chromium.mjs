// The same rounds in headless Chromium: the package as a page loads it, the rest as one bundle beside it.
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { build } from "esbuild";
import { Hono } from "hono";
import { chromium } from "playwright-core";
import { inRoot } from "../../scripts/lib/project.mjs";
import { chromiumPath } from "../../scripts/tools.mjs";

/** Both sides of the comparison take the very same package from the server, whichever way they name it. @type {import("esbuild").Plugin} */
const packageFromServer = {
  name: "package-from-server",
  setup: (bundle) => bundle.onResolve({ filter: /pkg\/(web|node)\.js$/ }, () => ({ path: "/pkg/web.js", external: true })),
};

async function bundled() {
  const { outputFiles } = await build({
    entryPoints: [inRoot("tests", "bench", "page.js")],
    bundle: true,
    format: "esm",
    write: false,
    loader: { ".json": "json" },
    plugins: [packageFromServer],
  });
  return outputFiles[0]?.text ?? "";
}

/** @param {string} script @returns {Promise<import("node:http").Server>} */
function serving(script) {
  const app = new Hono();
  app.get("/", (c) => c.html('<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="/page.js"></script>'));
  app.get("/page.js", (c) => c.body(script, 200, { "content-type": "text/javascript" }));
  app.get("/pkg/*", serveStatic({ root: inRoot("pkg"), rewriteRequestPath: (path) => path.slice("/pkg".length) }));
  return new Promise((resolve) => {
    const server = /** @type {import("node:http").Server} */ (serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(server)));
  });
}

/**
 * @param {{ sizes: number[], effort: import("./rules.js").Effort, repeat: number }} how
 * @returns {Promise<import("./rules.js").Row[]>}
 */
export async function chromiumRows(how) {
  const server = await serving(await bundled());
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  try {
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction("globalThis.measure");
    return await page.evaluate((given) => /** @type {any} */ (globalThis).measure(given), how);
  } finally {
    await browser.close();
    server.close();
  }
}
