/** Who is logged in, and switching to the other demo user. */
import { Hono } from "hono";
import { setCookie } from "hono/cookie";
import { FILE_TYPES, MAX_FILE_BYTES } from "../files.js";
import { jsonObject } from "../input.js";
import { USER_COOKIE } from "../middleware.js";
import { onlyMethods, RequestRefused } from "../refusal.js";
import { LIMITS } from "../settings.js";

/**
 * @typedef {import("../middleware.js").HostEnv} HostEnv
 * @typedef {import("../users.js").User} User
 */

/** @param {Pick<import("../app.js").Services, "users" | "model">} services */
export function sessionRoutes({ users, model }) {
  const session = (/** @type {User} */ { uid, name, isAdmin, groups, role }) => ({
    ok: true,
    user: { uid, name, isAdmin, groups, role },
    users: users.list.map((user) => ({ uid: user.uid, name: user.name, role: user.role })),
    model,
    limits: { maxMessageLength: LIMITS.maxMessageLength, maxFiles: LIMITS.maxFilesPerConversation, maxFileBytes: MAX_FILE_BYTES, fileTypes: FILE_TYPES },
  });

  /** @type {Hono<HostEnv>} */
  const app = new Hono();
  app.get("/", (c) => c.json(session(c.get("user"))));
  app.post("/", async (c) => {
    const { uid } = await jsonObject(c);
    if (typeof uid !== "number" && typeof uid !== "string") throw new RequestRefused("badRequest");
    const user = users.find(uid);
    if (!user) throw new RequestRefused("notFound");
    setCookie(c, USER_COOKIE, String(user.uid), { path: "/", httpOnly: true, sameSite: "Strict" });
    return c.json(session(user));
  });
  onlyMethods(app, "/", "GET, HEAD, POST");
  return app;
}
