/**
 * What every request passes before a route sees it.
 */

import { bodyLimit } from "hono/body-limit";
import { deleteCookie, getCookie } from "hono/cookie";
import { matchedRoutes } from "hono/route";
import { secureHeaders } from "hono/secure-headers";
import { isLoopback } from "./config.js";
import { RequestRefused } from "./refusal.js";

/**
 * @typedef {import("./users.js").User} User
 *
 * @typedef {object} Variables
 * @property {string} requestId
 * @property {User} user Who is logged in.
 * @property {string} code Code of the refusal, for the log line.
 *
 * @typedef {{ Variables: Variables }} HostEnv
 * @typedef {import("hono").Context<HostEnv>} HostContext
 * @typedef {import("hono").MiddlewareHandler<HostEnv>} Middleware
 */

export const USER_COOKIE = "agent_turn_user";
export const MAX_JSON_BYTES = 256 * 1024;
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;
const READING_METHODS = new Set(["GET", "HEAD"]);
const BODY_METHODS = new Set(["POST", "PUT", "PATCH"]);

/** One structured line per request: route, status, code and time, no content. Answered reads are `debug`, because the page polls. @param {import("./log.js").Log} log @param {Pick<import("./metrics.js").Metrics, "request">} metrics @returns {Middleware} */
export function requestLog(log, metrics) {
  return async (c, next) => {
    const start = performance.now();
    await next();
    c.header("X-Request-Id", c.get("requestId"));
    const { status } = c.res;
    const level = status >= 500 ? "error" : status >= 400 ? "warn" : READING_METHODS.has(c.req.method) ? "debug" : "info";
    const [route, seconds] = [routeOf(c), (performance.now() - start) / 1000];
    metrics.request(c.req.method, route, status, seconds);
    log(level, "request", {
      requestId: c.get("requestId"),
      method: c.req.method,
      route,
      status,
      code: c.get("code"),
      user: c.get("user")?.uid,
      ms: Math.round(seconds * 1000),
    });
  };
}

/** The pattern a request matched, not its path: paths hold uids and whatever somebody typed. @param {HostContext} c */
function routeOf(c) {
  return matchedRoutes(c).findLast((route) => !route.path.endsWith("*"))?.path ?? "*";
}

/** Content-Security-Policy and its companions (W2: the component needs 'wasm-unsafe-eval' and nothing wider). */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    styleSrc: ["'self'"],
    connectSrc: ["'self'"],
    imgSrc: ["'self'", "data:", "blob:"],
    fontSrc: ["'self'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  referrerPolicy: "no-referrer",
  xFrameOptions: "DENY",
  // The host speaks plain HTTP; whoever puts TLS in front of it decides about this one.
  strictTransportSecurity: false,
});

/** Refuses host names that are not this machine: a page elsewhere may have bound its own name to a loopback address (DNS rebinding). @param {boolean} allowRemote @returns {Middleware} */
export function hostCheck(allowRemote) {
  return async (c, next) => {
    const host = requestHost(c);
    const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
    if (name === "" || (!allowRemote && !isLoopback(name))) throw new RequestRefused("forbidden");
    await next();
  };
}

/** Refuses what another site sends (CSRF): a present Origin must be the host's own. @type {Middleware} */
export async function originCheck(c, next) {
  const origin = c.req.header("origin");
  const own = `${new URL(c.req.url).protocol}//${requestHost(c)}`;
  if (origin !== undefined && origin !== own) throw new RequestRefused("forbidden");
  const site = c.req.header("sec-fetch-site");
  if (!READING_METHODS.has(c.req.method) && site !== undefined && site !== "same-origin" && site !== "none") throw new RequestRefused("forbidden");
  await next();
}

/** @param {HostContext} c */
function requestHost(c) {
  return c.req.header("host") ?? new URL(c.req.url).host;
}

/** Requests that change something carry JSON; hono alone would parse any content type, form posts of other sites included. @type {Middleware} */
export async function jsonOnly(c, next) {
  if (BODY_METHODS.has(c.req.method) && mediaType(c) !== "application/json") throw new RequestRefused("unsupportedMediaType");
  await next();
}

/** The media type of the body in lower case, without parameters. @param {HostContext} c */
export function mediaType(c) {
  return (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/**
 * Reads what is left of the body of a refused request: a browser that is still sending would see a broken connection instead of the refusal.
 * Where too much is left, the connection is given up openly, so that nobody sends the next request over it.
 *
 * @type {Middleware}
 */
export async function finishRefused(c, next) {
  await next();
  if (c.res.status < 400 || READING_METHODS.has(c.req.method)) return;
  if (!(await discardBody(c.req.raw))) c.res.headers.set("Connection", "close");
}

/** @param {Request} request @returns {Promise<boolean>} Whether the whole body was read. */
async function discardBody(request) {
  try {
    if (request.bodyUsed || request.body === null) return true;
    if (request.body.locked) return false;
    let bytes = 0;
    for await (const chunk of request.body) {
      bytes += chunk.byteLength;
      if (bytes > MAX_DISCARDED_BYTES) return false;
    }
    return true;
  } catch {
    return false; // the client went away
  }
}

/** Refuses bodies above `maxSize` bytes without reading further. @param {number} maxSize @returns {Middleware} */
export function bodyLimitOf(maxSize) {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new RequestRefused("payloadTooLarge");
    },
  });
}

/** Who is logged in: the user of the cookie, without one the first. A cookie that names nobody is taken back. @param {import("./users.js").Users} users @returns {Middleware} */
export function login(users) {
  return async (c, next) => {
    const cookie = getCookie(c, USER_COOKIE);
    const user = cookie === undefined ? users.list[0] : users.find(cookie);
    if (user) c.set("user", user);
    else {
      deleteCookie(c, USER_COOKIE, { path: "/" });
      // Switching to another user is how one gets out of it.
      if (!(c.req.method === "POST" && c.req.path === "/api/session")) throw new RequestRefused("unauthorized");
    }
    await next();
  };
}
