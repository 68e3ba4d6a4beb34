/**
 * The chat without a host: what `<agent-chat>` asks of an HTTP API is answered in the page, by the engine over a storage and a runtime that the page
 * supplies: `element.api = createLocalApi({ storage, runtime })`. Any number of tabs may do so on one database.
 */

import { ApiError } from "../api-error.js";
import { loadComponent } from "../component.js";
import { createChange } from "../shared/change.js";
import { pollReply } from "../shared/poll.js";
import { startConsumer } from "./consumer.js";
import { createEngines } from "./engines.js";
import { answered, asLocalError } from "./errors.js";
import { openNews, tellingStorage } from "./news.js";

/**
 * @typedef {import("../api.js").Api} Api
 * @typedef {import("../types.js").Uid} Uid
 * @typedef {import("../../../pkg/index.js").Actor} Actor
 * @typedef {import("../../../pkg/index.js").Host} Host
 * @typedef {import("../../../pkg/index.js").ChatEngine} ChatEngine
 * @typedef {import("../../../pkg/index.js").Settings} Settings
 * @typedef {import("../../../pkg/index.js").Conversation} Conversation
 * @typedef {import("../../../pkg/storage/list-types.js").ListQuery} ListQuery
 * @typedef {import("../../../pkg/storage/list-types.js").ConversationSummary} ConversationSummary
 * @typedef {import("../../../pkg/storage/memory.js").HostPatch} HostPatch
 *
 * @typedef {import("../../../pkg/index.js").Storage & { list(query: ListQuery): Promise<ConversationSummary[]>, swap(uid: Uid, revision: number, patch: HostPatch): unknown }} LocalStorage
 *   such as `createIndexedDbStorage()` gives
 *
 * @typedef {object} LocalFiles attachments; without it there are none
 * @property {string[]} types media types that are taken
 * @property {number} maxBytes of one file
 * @property {(file: Blob, about: { name: string, type: string }) => Promise<import("../types.js").FileReference>} save
 * @property {NonNullable<Host["readFile"]>} read
 *
 * @typedef {object} LocalOptions
 * @property {LocalStorage} storage
 * @property {Host["runtime"] & { recover?(): unknown, cancel?(actor: Actor, runUuid: string): unknown }} runtime `recover` is called when this tab begins to
 *   carry out turns, before anything else: a run whose tab is gone must not be called running any more. `cancel` stops a run (true), whose result is then
 *   `cancelled`; without it nobody can stop a turn
 * @property {{ uid: Uid, name: string, isAdmin?: boolean, groups?: Uid[], role?: string }} [user] the one who uses the page, default `{ uid: 1, name: "" }`
 * @property {import("../../../pkg/index.js").LlmConfiguration} [configuration] of the model, default one without a system prompt
 * @property {Partial<Settings>} [settings]
 * @property {Pick<Host, "mayAct" | "promptContext" | "log" | "now" | "uuid">} [host] what else the engine may ask
 * @property {LocalFiles} [files]
 * @property {() => Promise<import("../types.js").Page[]>} [pages] what the panel of pages shows
 * @property {string} [name] of what the tabs share beside the database (a lock and a channel), default "agent-turn"
 */

const TASK_UID = 1;
const LIST_LENGTH = 200;
const MAX_MESSAGE_LENGTH = 10_000;
const MAX_FILES = 5;

/**
 * Needs a secure context (HTTPS or this machine), where browsers offer locks. Every method rejects with an `ApiError`.
 *
 * @param {LocalOptions} options
 * @returns {Api & { close(): Promise<void> }} `close` stops carrying out turns in this tab; the storage stays open
 */
export function createLocalApi(options) {
  const { storage, runtime, files, pages, host: extras = {}, name = "agent-turn" } = options;
  const user = { isAdmin: false, groups: [], role: "", ...(options.user ?? { uid: 1, name: "" }) };
  const actor = { uid: user.uid, isAdmin: user.isAdmin, groups: user.groups };
  const settings = { taskUid: TASK_UID, extensionKey: "agent_chat", maxMessageLength: MAX_MESSAGE_LENGTH, ...options.settings };
  const maxFiles = files ? (settings.maxFilesPerConversation ?? MAX_FILES) : 0;
  const configuration = options.configuration ?? { uid: 1, name: "Default", systemPrompt: "" };
  const news = openNews(name);
  const log = extras.log ?? (() => {});

  /** What the engine works with. @param {(uid: Uid) => void} tell of every change it makes @returns {Host} */
  const hostTelling = (tell) => ({
    storage: tellingStorage(storage, tell),
    runtime,
    resolveTask: (uid) => (String(uid) === String(settings.taskUid) ? { uid, promptTemplate: "", configuration } : null),
    // There is one user; whoever decided earlier under another uid has no more rights than a stranger.
    actorOf: (uid) => (String(uid) === String(actor.uid) ? actor : { uid, isAdmin: false, groups: [] }),
    ...(files ? { readFile: files.read } : {}),
    ...extras,
  });

  // A request is answered to this tab, and the others hear of it; of a turn that goes on, all do.
  const requestHost = hostTelling(news.tellOthers);
  const engines = createEngines({ requestHost, turnHost: hostTelling(news.tellAll), settings });
  const consumer = startConsumer({ name, news, log, engines, storage, recover: async () => runtime.recover?.() });

  /**
   * A request to the engine.
   * @template {object} T @param {(engine: ChatEngine) => Promise<import("../../../pkg/index.js").Reply<T>>} request @returns {Promise<{ ok: true } & T>}
   */
  async function ask(request) {
    try {
      return answered(await request((await engines.get()).requests));
    } catch (error) {
      engines.failed(error);
      throw asLocalError(error, log);
    }
  }

  /** A request that leaves work. @type {typeof ask} */
  async function order(request) {
    const reply = await ask(request);
    consumer.wake();
    return reply;
  }

  /** @param {Omit<Conversation, "messages">} conversation @param {"read" | "write" | "decide"} action @returns {Promise<boolean>} */
  const mayAct = async (conversation, action) =>
    extras.mayAct ? extras.mayAct(actor, /** @type {Conversation} */ (conversation), action) : String(conversation.owner) === String(actor.uid);
  /** @param {Uid} uid @returns {Promise<import("../../../pkg/index.js").Reply<object>>} */
  async function stop(uid) {
    const row = await storage.load(uid);
    if (!row || !(await mayAct(row, "read"))) return { ok: false, httpStatus: 404, code: "notFound" };
    if (!(await mayAct(row, "write"))) return { ok: false, httpStatus: 403, code: "forbidden" };
    const stopped = row.status === "locked" && row.lastRunUuid !== "" && (await runtime.cancel?.(actor, row.lastRunUuid)) === true;
    return stopped ? { ok: true } : { ok: false, httpStatus: 409, code: "nothingToStop" };
  }

  const change = createChange({ storage: requestHost.storage, mayAct: (_, conversation, action) => mayAct(conversation, action) });
  const waitingView = async (/** @type {[Actor, string]} */ ...of) => (await runtime.waitingView?.(...of)) ?? null;

  const session = async () => {
    await ask(async () => ({ ok: true }));
    return {
      user,
      users: [{ uid: user.uid, name: user.name, role: user.role }],
      model: { name: configuration.name, rehearsal: false },
      limits: { maxMessageLength: settings.maxMessageLength, maxFiles, maxFileBytes: files?.maxBytes ?? 0, fileTypes: files?.types ?? [] },
    };
  };

  return {
    session,
    switchUser: session,
    list: ({ search, archived }) =>
      ask(async () => {
        const rows = await storage.list({ owners: [actor.uid], search: search.trim(), archived, limit: LIST_LENGTH });
        return { ok: true, conversations: rows.map((row) => listItem(row, user.name)) };
      }),
    create: () => ask((engine) => engine.createConversation(actor, {})),
    poll: (uid, after) =>
      ask(async (engine) => {
        const reply = await engine.poll(uid, actor, after);
        if (!reply.ok) return reply;
        const { present } = await loadComponent();
        const now = (extras.now ?? Date.now)();
        return pollReply(reply, { actor, mayAct: (action) => mayAct(reply.conversation, action), waitingView, present, now });
      }),
    change: (uid, body) => ask(() => change(uid, actor, body)),
    send: (uid, message) => order((engine) => engine.sendMessage(uid, actor, /** @type {Parameters<ChatEngine["sendMessage"]>[2]} */ (message))),
    edit: (uid, index, edit) => order((engine) => engine.editMessage(uid, actor, index, edit)),
    decide: (uid, decision) => order((engine) => engine.recordDecision(uid, actor, decision)),
    answer: (uid, answer) => order((engine) => engine.recordInput(uid, actor, answer)),
    retry: (uid) => order((engine) => engine.retry(uid, actor)),
    end: (uid) => order((engine) => engine.endProcess(uid, actor)),
    ...(typeof runtime.cancel === "function" ? { stop: (/** @type {Uid} */ uid) => ask(() => stop(uid)) } : {}),
    async upload(file, { name: fileName, type }) {
      if (!files?.types.includes(type)) throw new ApiError("unsupportedMediaType", 415);
      if (file.size > files.maxBytes) throw new ApiError("payloadTooLarge", 413);
      return (await ask(async () => ({ ok: true, saved: await files.save(file, { name: fileName, type }) }))).saved;
    },
    pages: () => ask(async () => ({ ok: true, pages: (await pages?.()) ?? [] })),
    watch: news.watch,
    loadRules: loadComponent,
    async close() {
      news.close();
      await consumer.stop();
    },
  };
}

/** @param {ConversationSummary} row @param {string} ownerName @returns {import("../types.js").ListItem} */
function listItem({ uid, title, status, errorCode, pinned, archived, owner, updatedAt }, ownerName) {
  return { uid, title, status, errorCode, pinned, archived, owner, ownerName, updatedAt, mine: true };
}
