/** The application on a port. */
import { createAdaptorServer } from "@hono/node-server";

/** The server could not start. `code` is the system's, such as `EADDRINUSE`. */
export class ListenError extends Error {
  /** @param {string} message @param {NodeJS.ErrnoException} cause */
  constructor(message, cause) {
    super(message, { cause });
    this.name = "ListenError";
    this.code = cause.code ?? "";
  }
}

/**
 * @typedef {object} RunningServer
 * @property {string} address `http://host:port/`
 * @property {(graceMs: number) => Promise<void>} close Answers what is under way, at most that long, and closes.
 */

/**
 * Listens until `close`.
 *
 * @param {{ fetch: import("hono").Hono<any>["fetch"] }} app
 * @param {{ port: number, hostname: string }} config
 * @returns {Promise<RunningServer>}
 * @throws {ListenError}
 */
export async function listen(app, { port, hostname }) {
  const server = /** @type {import("node:http").Server} */ (createAdaptorServer({ fetch: app.fetch }));
  await new Promise((resolve, reject) => {
    server.once("error", (error) => reject(listenError(error, port, hostname)));
    server.listen(port, hostname, () => resolve(undefined));
  });
  const bound = /** @type {import("node:net").AddressInfo} */ (server.address());
  const name = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    address: `http://${name}:${bound.port}/`,
    close: (graceMs) =>
      new Promise((resolve) => {
        const late = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(late);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** @param {NodeJS.ErrnoException} error @param {number} port @param {string} hostname */
function listenError(error, port, hostname) {
  const reasons = /** @type {Record<string, string>} */ ({
    EADDRINUSE: `Port ${port} is in use. Stop what runs there, or choose another one: PORT=8788 npm start`,
    EACCES: `Port ${port} may not be opened by this user. Choose one above 1023: PORT=8787 npm start`,
    EADDRNOTAVAIL: `${hostname} is not an address of this machine.`,
    ENOTFOUND: `The host name ${hostname} is not known.`,
  });
  return new ListenError(reasons[error.code ?? ""] ?? `Cannot listen on ${hostname}, port ${port}: ${error.message}`, error);
}
