/** What starts, answers, repeats or ends a turn. A consumer carries it out afterwards: the reply is 202. */
import { Hono } from "hono";
import { checkViewContext, conversationUid, count, jsonObject, pick } from "../input.js";
import { onlyMethods, refuse } from "../refusal.js";
import { LIMITS } from "../settings.js";

/**
 * @typedef {import("agent-turn").Actor} Actor
 * @typedef {import("../middleware.js").HostContext} HostContext
 * @typedef {import("agent-turn").Reply<{ status: import("agent-turn").ConversationStatus }>} TurnReply
 */

/** @param {Pick<import("../app.js").Services, "engine" | "stop" | "files" | "users" | "onWork">} services */
export function turnRoutes({ engine, stop, files, users, onWork }) {
  /** @type {Hono<import("../middleware.js").HostEnv>} */
  const app = new Hono();

  /**
   * Reads the body, makes the engine's request and tells the worker.
   *
   * @param {(uid: number, actor: Actor, body: Record<string, unknown>, c: HostContext) => Promise<TurnReply>} request
   * @returns {(c: HostContext) => Promise<Response>}
   */
  const turn = (request) => async (c) => {
    const reply = await request(conversationUid(c), users.actorOf(c.get("user").uid), await jsonObject(c), c);
    if (!reply.ok) return refuse(c, reply);
    onWork?.();
    return c.json(reply, 202);
  };

  const post = (/** @type {string} */ path, /** @type {(c: HostContext) => Promise<Response>} */ handler) => {
    app.post(path, handler);
    onlyMethods(app, path, "POST");
  };

  post(
    "/:uid/messages",
    turn(async (uid, actor, body) => {
      const input = pick(body, ["content", "clientId", "files", "viewContext"]);
      checkViewContext(input);
      // More than that is refused by the engine without a look-up each.
      if (Array.isArray(input.files) && input.files.length <= LIMITS.maxFilesPerConversation) input.files = await storedReferences(files, input.files, actor);
      return engine.sendMessage(uid, actor, input);
    }),
  );
  app.put(
    "/:uid/messages/:index",
    turn((uid, actor, body, c) => engine.editMessage(uid, actor, count(c.req.param("index"), 0), pick(body, ["content", "expectedContent", "messageCount"]))),
  );
  onlyMethods(app, "/:uid/messages/:index", "PUT");
  post(
    "/:uid/decision",
    turn((uid, actor, body) => engine.recordDecision(uid, actor, pick(body, ["approve", "turnDigest", "denyReason", "display"]))),
  );
  post(
    "/:uid/answer",
    turn((uid, actor, body) => engine.recordInput(uid, actor, pick(body, ["turnDigest", "choice", "freeText", "fields"]))),
  );
  post(
    "/:uid/retry",
    turn((uid, actor) => engine.retry(uid, actor)),
  );
  post(
    "/:uid/end",
    turn((uid, actor) => engine.endProcess(uid, actor)),
  );
  post(
    "/:uid/stop",
    turn((uid, actor) => stop(uid, actor)),
  );
  return app;
}

/**
 * Names and types of attachments as they were stored, whatever the request calls them. An unknown file is left to the engine, which refuses it.
 *
 * @param {import("../files.js").Files} files
 * @param {unknown[]} sent
 * @param {Actor} actor
 */
function storedReferences(files, sent, actor) {
  return Promise.all(
    sent.map(async (file) => {
      const uid = file !== null && typeof file === "object" && "fileUid" in file ? file.fileUid : undefined;
      return (await files.reference(uid, actor)) ?? file;
    }),
  );
}
