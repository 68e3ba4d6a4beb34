/**
 * The HTTP application: middlewares, the API of docs/http-api.md and the static files. It holds no state of its own.
 */
import { Hono } from "hono";
import { requestId } from "hono/request-id";
import { healthRoutes } from "./health.js";
import { describeError } from "./log.js";
import { bodyLimitOf, finishRefused, hostCheck, jsonOnly, login, MAX_JSON_BYTES, originCheck, requestLog, securityHeaders } from "./middleware.js";
import { RequestRefused, refusalOf, refuse } from "./refusal.js";
import { conversationRoutes } from "./routes/conversations.js";
import { fileRoutes } from "./routes/files.js";
import { sessionRoutes } from "./routes/session.js";
import { siteRoutes } from "./routes/site.js";
import { turnRoutes } from "./routes/turns.js";
import { staticFiles } from "./static.js";

/**
 * @typedef {import("./middleware.js").HostEnv} HostEnv
 *
 * @typedef {object} Services What the routes work with; all of it can be replaced in a test.
 * @property {import("agent-turn").ChatEngine} engine
 * @property {import("agent-turn").Host & { mayAct: import("./users.js").MayAct }} host
 * @property {import("./conversations.js").Conversations} conversations
 * @property {import("./stop.js").Stop} stop
 * @property {import("./files.js").Files} files
 * @property {import("./users.js").Users} users
 * @property {Pick<import("./site/site.js").Site, "list">} site
 * @property {{ name: string, rehearsal: boolean }} model
 * @property {string} version
 * @property {import("./log.js").Log} log
 * @property {import("./poll-tag.js").PollTags} pollTags
 * @property {import("./health.js").Health} health
 * @property {Pick<import("./metrics.js").Metrics, "request">} metrics
 * @property {(text: string) => string} [redact] For texts of errors in the log (E1).
 * @property {() => void} [onWork] Called when a request left something for a consumer.
 * @property {{ root: string, allowRemote: boolean }} config
 */

/**
 * @param {Services} services
 * @returns {Hono<HostEnv>}
 */
export function createApp(services) {
  const { log, config, users, redact, health, metrics } = services;
  /** @type {Hono<HostEnv>} */
  const app = new Hono();

  app.use(requestId({ headerName: "" }), requestLog(log, metrics), finishRefused, securityHeaders, hostCheck(config.allowRemote), originCheck);
  app.onError((error, c) => {
    const refusal = refusalOf(error);
    // Faults are described in the log only: their texts may quote data, SQL or addresses (E3).
    if (refusal.code === "internal") log("error", "request failed", { requestId: c.get("requestId"), error: describeError(error, redact) });
    return refuse(c, refusal);
  });
  app.notFound((c) => refuse(c, refusalOf(new RequestRefused("notFound"))));

  healthRoutes(app, health);
  app.route("/api", api(services, users));
  staticFiles(app, config.root);
  return app;
}

/** @param {Services} services @param {import("./users.js").Users} users */
function api(services, users) {
  /** @type {Hono<HostEnv>} */
  const app = new Hono();
  app.use(login(users), async (c, next) => {
    c.header("Cache-Control", "no-store");
    await next();
  });
  // Files are bytes of any listed type; everything else is JSON.
  app.route("/files", fileRoutes(services));
  app.use(bodyLimitOf(MAX_JSON_BYTES), jsonOnly);
  app.route("/session", sessionRoutes(services));
  app.route("/conversations", conversationRoutes(services));
  app.route("/conversations", turnRoutes(services));
  app.route("/", siteRoutes(services));
  return app;
}
