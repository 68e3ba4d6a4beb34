/** Upload of attachments. */
import { Hono } from "hono";
import { FILE_TYPES, fileName, MAX_FILE_BYTES } from "../files.js";
import { bodyLimitOf, mediaType } from "../middleware.js";
import { onlyMethods, RequestRefused } from "../refusal.js";

/** @param {Pick<import("../app.js").Services, "files">} services */
export function fileRoutes({ files }) {
  /** @type {Hono<import("../middleware.js").HostEnv>} */
  const app = new Hono();
  app.post("/", bodyLimitOf(MAX_FILE_BYTES), async (c) => {
    const mimeType = mediaType(c);
    if (!FILE_TYPES.includes(mimeType)) throw new RequestRefused("unsupportedMediaType");
    const name = fileName(c.req.query("name") ?? "");
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (name === null || bytes.length === 0) throw new RequestRefused("badRequest");
    const file = await files.save({ owner: c.get("user").uid, name, mimeType, bytes });
    if (file === null) throw new RequestRefused("unsupportedMediaType");
    return c.json({ ok: true, file }, 201);
  });
  onlyMethods(app, "/", "POST");
  return app;
}
