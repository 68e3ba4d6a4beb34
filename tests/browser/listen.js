// An application on a loopback port of its own.
import { serve } from "@hono/node-server";

/** @typedef {{ address: string, close: () => Promise<void> }} Served */

/** @param {import("hono").Hono} app @returns {Promise<Served>} */
export async function listen(app) {
  /** @type {import("node:http").Server} */
  const server = await new Promise((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(/** @type {import("node:http").Server} */ (started)));
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    address: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
