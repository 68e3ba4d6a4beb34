/** Whether the process lives and whether it can work, and its figures: for whoever runs it, not for readers (docs/operations.md). */
import { Hono } from "hono";
import { sql } from "kysely";
import { within } from "./time.js";

/**
 * @typedef {object} Health
 * @property {() => Promise<{ ok: true } | { ok: false, code: "stopping" | "databaseUnavailable" }>} ready
 * @property {() => void} stopping From now on no new work is wanted.
 */

/** A database that takes longer does not serve readers either. */
const DATABASE_MS = 2000;

/** @param {import("kysely").Kysely<any>} db @returns {Health} */
export function createHealth(db) {
  let stops = false;
  return {
    async ready() {
      if (stops) return { ok: false, code: "stopping" };
      const answered = await within(DATABASE_MS, sql`select 1`.execute(db)).catch(() => false);
      return answered ? { ok: true } : { ok: false, code: "databaseUnavailable" };
    },
    stopping() {
      stops = true;
    },
  };
}

/**
 * `/healthz` and `/readyz`.
 *
 * @template {import("hono").Env} E
 * @param {Hono<E>} app
 * @param {Health} health
 */
export function healthRoutes(app, health) {
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/readyz", async (c) => {
    const answer = await health.ready();
    return c.json(answer, answer.ok ? 200 : 503);
  });
}

/**
 * What `METRICS_PORT` serves: the two of above, and `/metrics`.
 *
 * @param {Health} health
 * @param {import("./metrics.js").Metrics} metrics
 */
export function operationsApp(health, metrics) {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });
  healthRoutes(app, health);
  app.get("/metrics", async (c) => c.text(await metrics.text(), 200, { "Content-Type": metrics.contentType }));
  return app;
}
