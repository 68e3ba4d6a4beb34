/**
 * Puts the host together: database, site, tools, model, runtime, and the engine over them.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import init, { ChatEngine, sanitizeError } from "agent-turn";
import { createAiSdkRuntime } from "agent-turn/runtime/ai-sdk";
import { createSqlStorage, listConversations, migrate, openSqlite } from "agent-turn/storage/sql";
import { sql } from "kysely";
import { createConversations } from "./conversations.js";
import { renewableEngine } from "./engine.js";
import { openFiles } from "./files.js";
import { createLog } from "./log.js";
import { openModel } from "./model.js";
import { LEASE_SECONDS, SETTINGS, TASK_UID } from "./settings.js";
import { openSite, siteTools } from "./site/index.js";
import { within } from "./time.js";
import { APPROVERS, createMayAct, createUsers } from "./users.js";

/**
 * @typedef {import("./config.js").Config} Config
 * @typedef {import("agent-turn/runtime/ai-sdk").AiSdkRuntime} Runtime
 * @typedef {import("./app.js").Services & { runtime: Runtime, redact: (text: string) => string, close(): Promise<void> }} HostParts
 *
 * @typedef {object} Overrides What a test replaces.
 * @property {import("./model.js").OpenedModel} [model]
 * @property {(tools: import("agent-turn/runtime/ai-sdk").Tool[]) => import("agent-turn/runtime/ai-sdk").Tool[]} [tools]
 * @property {(runtime: Runtime) => Runtime} [runtime]
 * @property {Partial<import("agent-turn").Settings>} [settings]
 * @property {number} [leaseSeconds]
 * @property {import("./log.js").Log} [log]
 */

/** The host could not start, for a reason that a person can put right; the message says how. */
export class StartError extends Error {
  /** @param {string} message @param {unknown} cause */
  constructor(message, cause) {
    super(message, { cause });
    this.name = "StartError";
    this.code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  }
}

/** Page cache of the database in KiB, instead of the driver's 16 MB: an attachment of some MB would fill it and stay in memory for good. */
const PAGE_CACHE_KIB = 2048;

/** How long closing waits for calls of tools and models that do not listen to their signal. */
const CLOSE_MS = 1000;

/** Languages of the seeded site; the first is the default. */
const SITE_LANGUAGES = [
  { uid: 0, title: "English", isoCode: "en", isDefault: true },
  { uid: 1, title: "Deutsch", isoCode: "de", isDefault: false },
];

/**
 * Opens everything; `close` releases it.
 *
 * @param {Config} config
 * @param {Overrides} [overrides]
 * @returns {Promise<HostParts>}
 * @throws {StartError}
 */
export async function openHost(config, overrides = {}) {
  await init();
  const redact = (/** @type {string} */ text) => sanitizeError(text);
  const log = overrides.log ?? createLog({ level: config.logLevel, redact });
  const mcp = await openServers(config.mcpFile, log);
  const { db, close } = openDatabase(config.databaseFile);
  try {
    const parts = await build(config, overrides, db, log, mcp ? [mcp] : []);
    return {
      ...parts,
      redact,
      async close() {
        await within(CLOSE_MS, parts.runtime.close());
        await within(CLOSE_MS, mcp?.close() ?? Promise.resolve());
        await close();
      },
    };
  } catch (error) {
    await mcp?.close();
    await close();
    throw databaseProblem(config.databaseFile, error);
  }
}

/**
 * @param {Config} config
 * @param {Overrides} overrides
 * @param {import("kysely").Kysely<import("agent-turn/storage/sql").AgentTables>} db
 * @param {import("./log.js").Log} log
 * @param {import("agent-turn/runtime/ai-sdk").ToolSource[]} sources
 */
async function build(config, overrides, db, log, sources) {
  const users = createUsers({ demoAdmin: config.demoAdmin });
  const model = overrides.model ?? (await openModel(config.model));
  const site = openSite(db);
  const tools = siteTools(site, { locale: config.locale });
  const isApprover = (/** @type {import("agent-turn").Actor} */ actor) => actor.groups.some((group) => String(group) === String(APPROVERS));

  const plainRuntime = createAiSdkRuntime({
    db,
    model: () => model.model,
    tools: overrides.tools?.(tools) ?? tools,
    sources,
    leaseSeconds: overrides.leaseSeconds ?? LEASE_SECONDS,
    mayRead: isApprover,
    log,
  });
  const runtime = overrides.runtime?.(plainRuntime) ?? plainRuntime;
  await sql.raw(`pragma cache_size = -${PAGE_CACHE_KIB}`).execute(db);
  await migrate(db);
  await site.migrate();
  await site.seed();
  await runtime.migrate();
  const files = await openFiles(db);

  const storage = createSqlStorage({ db });
  const mayAct = createMayAct(runtime);
  /** @type {import("./app.js").Services["host"]} */
  const host = {
    storage,
    runtime,
    resolveTask: (taskUid) => (String(taskUid) === String(TASK_UID) ? task(model) : null),
    readFile: (uid, actor) => files.read(uid, actor),
    promptContext: (conversation) => promptContext(conversation, site),
    mayAct,
    actorOf: users.actorOf,
    log,
  };
  const settings = { ...SETTINGS, locale: config.locale, ...overrides.settings };
  const find = (/** @type {import("./conversations.js").ListQuery} */ query) => listConversations(db, query);
  return {
    engine: renewableEngine(
      () => new ChatEngine(host, settings),
      () => init(undefined, { fresh: true }),
      log,
    ),
    host,
    runtime,
    conversations: createConversations({ storage, mayAct, find, readsAll: isApprover }),
    files,
    users,
    site,
    model: { name: model.name, rehearsal: model.rehearsal },
    version: await packageVersion(config.root),
    log,
    config,
  };
}

/**
 * The MCP servers of a file; they are connected to while the host goes on starting.
 *
 * @param {string | null} file
 * @param {import("./log.js").Log} log
 */
async function openServers(file, log) {
  if (file === null) return null;
  const { openMcp, readMcpConfig } = await import("agent-turn/runtime/mcp");
  try {
    return openMcp(await readMcpConfig(file), { log });
  } catch (error) {
    throw new StartError(`The MCP servers cannot be used: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** @param {import("./model.js").OpenedModel} model @returns {import("agent-turn").Task} */
function task(model) {
  // The rehearsal model reads text only; what another endpoint takes is its own affair, but nearly all of them take images.
  const accepts = { images: !model.rehearsal, documents: false };
  return { uid: TASK_UID, promptTemplate: "", configuration: { uid: 1, name: "Default", systemPrompt: "", accepts } };
}

/**
 * What the system prompt says of the site and of where the user is (M2). The language of the answer is that of the request: the demo users have
 * none of their own.
 *
 * @param {import("agent-turn").Conversation} conversation
 * @param {Pick<import("./site/site.js").Site, "list">} site
 * @returns {Promise<import("agent-turn").PromptContext>}
 */
async function promptContext({ viewContext }, site) {
  const pageId = viewContext?.pageId;
  const page = pageId === undefined ? undefined : (await site.list()).find(({ uid }) => String(uid) === String(pageId));
  return { siteLanguages: SITE_LANGUAGES, user: { module: viewContext?.module, page: page ? { uid: page.uid, title: page.title } : null } };
}

/** @param {string} root @returns {Promise<string>} */
async function packageVersion(root) {
  return JSON.parse(await readFile(join(root, "pkg", "package.json"), "utf8")).version;
}

/** @param {string} file */
function openDatabase(file) {
  try {
    return openSqlite(file);
  } catch (error) {
    throw databaseProblem(file, error);
  }
}

/** @param {string} file @param {unknown} error */
function databaseProblem(file, error) {
  if (!(error instanceof Error) || error.name !== "StorageError") return error;
  return new StartError(`The database ${file} cannot be used: ${error.message}. Choose another file with DATABASE_FILE, or move this one away.`, error);
}
