/** The site as it is now, and whether the host is well. */
import { Hono } from "hono";
import { onlyMethods } from "../refusal.js";

/** @param {Pick<import("../app.js").Services, "site" | "version">} services */
export function siteRoutes({ site, version }) {
  const started = performance.now();
  /** @type {Hono<import("../middleware.js").HostEnv>} */
  const app = new Hono();
  app.get("/pages", async (c) => {
    const pages = (await site.list()).map(({ uid, parent, title, slug, hidden, language, updatedAt }) => ({
      uid,
      parent,
      title,
      slug,
      hidden,
      language,
      updatedAt,
    }));
    return c.json({ ok: true, pages });
  });
  onlyMethods(app, "/pages", "GET, HEAD");
  app.get("/health", (c) => c.json({ ok: true, version, uptimeSeconds: Math.round((performance.now() - started) / 1000) }));
  onlyMethods(app, "/health", "GET, HEAD");
  return app;
}
