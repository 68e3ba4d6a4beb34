/** The list of conversations, one conversation, and what belongs to it beside its turns. */
import { present } from "agent-turn";
import { Hono } from "hono";
import { pollReply } from "../../chat/shared/poll.js";
import { checkViewContext, conversationUid, count, jsonObject, pick, queryFlag } from "../input.js";
import { matches } from "../poll-tag.js";
import { onlyMethods, refuse } from "../refusal.js";

/** @param {Pick<import("../app.js").Services, "engine" | "host" | "conversations" | "users" | "pollTags">} services */
export function conversationRoutes({ engine, host, conversations, users, pollTags }) {
  /** @type {Hono<import("../middleware.js").HostEnv>} */
  const app = new Hono();

  app.get("/", async (c) => {
    const actor = users.actorOf(c.get("user").uid);
    const query = { search: c.req.query("search") ?? "", archived: queryFlag(c.req.query("archived"), false) };
    const rows = await conversations.list(actor, query);
    const named = rows.map((row) => ({ ...row, ownerName: users.find(row.owner)?.name ?? String(row.owner), mine: String(row.owner) === String(actor.uid) }));
    return c.json({ ok: true, conversations: named });
  });

  app.post("/", async (c) => {
    const input = pick(await jsonObject(c), ["title", "systemPrompt", "viewContext"]);
    checkViewContext(input);
    const reply = await engine.createConversation(users.actorOf(c.get("user").uid), input);
    return reply.ok ? c.json(reply, 201) : refuse(c, reply);
  });
  onlyMethods(app, "/", "GET, HEAD, POST");

  app.get("/:uid", async (c) => {
    const actor = users.actorOf(c.get("user").uid);
    const [uid, after] = [conversationUid(c), count(c.req.query("after"), 0)];
    // Read before the answer: what changes in between makes the next poll a full one.
    const tag = await pollTags.tag(uid, actor, after);
    if (tag !== null && matches(c.req.header("if-none-match"), tag)) return c.body(null, 304, { ETag: tag });
    const reply = await engine.poll(uid, actor, after);
    if (!reply.ok) return refuse(c, reply);
    if (tag !== null) c.header("ETag", tag);
    const { runtime, mayAct, now = Date.now } = host;
    const waitingView = async (/** @type {[import("agent-turn").Actor, string]} */ ...of) => (await runtime.waitingView?.(...of)) ?? null;
    return c.json(await pollReply(reply, { actor, mayAct: (action) => mayAct(actor, reply.conversation, action), waitingView, present, now: now() }));
  });

  app.patch("/:uid", async (c) => {
    const uid = conversationUid(c);
    const reply = await conversations.change(uid, users.actorOf(c.get("user").uid), await jsonObject(c));
    return reply.ok ? c.json(reply) : refuse(c, reply);
  });
  onlyMethods(app, "/:uid", "GET, HEAD, PATCH");
  return app;
}
