// The files of the chat without a host, from a plain file server under a strict policy, below a path that the server chose.
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { inRoot } from "../../scripts/lib/project.mjs";
import { listen } from "../browser/listen.js";

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; form-action 'none'; base-uri 'none'";

/** @returns {Promise<{ url: string, close: () => Promise<void> }>} `url` of the example page */
export async function serveExample() {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("Content-Security-Policy", POLICY);
    c.header("Cache-Control", "no-store");
  });
  const mount = (/** @type {string} */ name, /** @type {string} */ folder) =>
    app.get(`/tools/chat-demo/${name}/*`, serveStatic({ root: folder, rewriteRequestPath: (path) => path.slice(`/tools/chat-demo/${name}`.length) }));
  for (const name of ["chat", "vendor", "examples"]) mount(name, inRoot("www", name));
  mount("agent-turn", inRoot("pkg"));
  const { address, close } = await listen(app);
  return { url: `${address}tools/chat-demo/examples/local.html`, close };
}
