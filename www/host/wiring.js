/**
 * Puts the host together: database, site, tools, model, runtime, and the engine over them.
 */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import init, { ChatEngine, sanitizeError } from "agent-turn";
import { createAiSdkRuntime } from "agent-turn/runtime/ai-sdk";
import { listConversations, migrate, openDatabase } from "agent-turn/storage/sql";
import { sql } from "kysely";
import { createConversations } from "./conversations.js";
import { renewableEngine } from "./engine.js";
import { openFiles } from "./files.js";
import { createHealth } from "./health.js";
import { withHeartbeat } from "./heartbeat.js";
import { openLease } from "./lease.js";
import { createLog } from "./log.js";
import { createMetrics } from "./metrics.js";
import { openModel } from "./model.js";
import { openPollTags } from "./poll-tag.js";
import { queueOf } from "./queue.js";
import { isSqlite, migrateHost } from "./schema.js";
import { SETTINGS, TASK_UID } from "./settings.js";
import { openSite, siteTools } from "./site/index.js";
import { createStop } from "./stop.js";
import { within } from "./time.js";
import { APPROVERS, createMayAct, createUsers } from "./users.js";
import { openWakeups } from "./wakeups.js";

/**
 * @typedef {import("./config.js").Config} Config
 * @typedef {import("agent-turn/runtime/ai-sdk").AiSdkRuntime} Runtime
 * @typedef {import("./app.js").Services & {
 *   config: Config, runtime: Runtime, redact: (text: string) => string, close(): Promise<void>,
 *   health: import("./health.js").Health, metrics: import("./metrics.js").Metrics, wakeups: import("./wakeups.js").Wakeups,
 *   lease: import("./lease.js").Lease, waiting(limit: number): Promise<number>, heartbeat: { release(uid?: import("agent-turn").Uid): void }, db: import("kysely").Kysely<any>,
 * }} HostParts
 *
 * @typedef {object} Overrides What a test replaces.
 * @property {import("./model.js").OpenedModel} [model]
 * @property {(tools: import("agent-turn/runtime/ai-sdk").Tool[]) => import("agent-turn/runtime/ai-sdk").Tool[]} [tools]
 * @property {(runtime: Runtime) => Runtime} [runtime]
 * @property {Partial<import("agent-turn").Settings>} [settings]
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

/** Signs of life of a turn in the time after which it counts as stuck. */
const BEATS = 4;
/** Intervals after which the lease of the upkeep counts as abandoned. */
const ABANDONED = 3;
/** Connections of a process to a server beside one per turn it carries out. */
const SPARE_CONNECTIONS = 8;

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
  const { db, storage, close } = await open(config).catch(async (error) => {
    await mcp?.close();
    throw error;
  });
  const heartbeat = withHeartbeat(storage, { intervalMs: (config.stuckSeconds * 1000) / BEATS, log });
  try {
    const base = { db, storage: heartbeat.storage, log, redact, claims: heartbeat.claims, sources: mcp ? [mcp] : [] };
    const parts = await build(config, overrides, base);
    return {
      ...parts,
      heartbeat,
      redact,
      async close() {
        await within(CLOSE_MS, parts.runtime.close());
        await within(CLOSE_MS, mcp?.close() ?? Promise.resolve());
        heartbeat.stop();
        await close();
      },
    };
  } catch (error) {
    await mcp?.close();
    heartbeat.stop();
    await close();
    throw databaseProblem(config, error);
  }
}

/**
 * @param {Config} config
 * @param {Overrides} overrides
 * @param {object} base
 * @param {import("kysely").Kysely<import("agent-turn/storage/sql").AgentTables>} base.db
 * @param {import("agent-turn/storage/sql").SqlStorage} base.storage
 * @param {import("./log.js").Log} base.log
 * @param {(text: string) => string} base.redact
 * @param {() => number} base.claims
 * @param {import("agent-turn/runtime/ai-sdk").ToolSource[]} base.sources
 */
async function build(config, overrides, { db, storage, log, redact, claims, sources }) {
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
    leaseSeconds: config.leaseSeconds,
    mayRead: isApprover,
    ...(config.runSecret === undefined ? {} : { secret: config.runSecret }),
    log,
  });
  const runtime = overrides.runtime?.(plainRuntime) ?? plainRuntime;
  if (isSqlite(db)) await sql.raw(`pragma cache_size = -${PAGE_CACHE_KIB}`).execute(db);
  await migrate(db);
  await migrateHost(db);
  await site.migrate();
  await site.seed();
  await runtime.migrate();
  const files = openFiles(db);
  const queue = queueOf(db);

  const mayAct = createMayAct(runtime);
  /** @type {import("./app.js").Services["host"]} */
  const host = {
    storage,
    runtime,
    resolveTask: (taskUid) => (String(taskUid) === String(TASK_UID) ? task(model) : null),
    readFile: (uid, actor) => files.read(uid, actor),
    promptContext: (conversation, actor) => promptContext(conversation, actor, { site, runtime }),
    mayAct,
    actorOf: users.actorOf,
    log,
  };
  const { stuckSeconds, maxActive, upkeepSeconds } = config;
  const settings = {
    ...SETTINGS,
    graceSeconds: stuckSeconds,
    stuckAfterSeconds: stuckSeconds,
    maxActivePerOwner: maxActive,
    locale: config.locale,
    ...overrides.settings,
  };
  const version = await packageVersion(config.root);
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
    stop: createStop({ storage, mayAct, runtime }),
    files,
    users,
    site,
    model: { name: model.name, rehearsal: model.rehearsal },
    db,
    version,
    pollTags: openPollTags(db, { graceSeconds: settings.graceSeconds, version }),
    log,
    config,
    health: createHealth(db),
    metrics: createMetrics({ queue: queue.state, claims }),
    wakeups: openWakeups(config.database, db, log, redact),
    lease: openLease(db, { name: "upkeep", holder: randomUUID(), abandonedMs: ABANDONED * upkeepSeconds * 1000 }),
    waiting: queue.waiting,
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
 * @param {import("agent-turn").Actor} actor
 * @param {{ site: Pick<import("./site/site.js").Site, "list">, runtime: Pick<Runtime, "unavailableTools"> }} parts
 * @returns {Promise<import("agent-turn").PromptContext>}
 */
async function promptContext({ viewContext }, actor, { site, runtime }) {
  const pageId = viewContext?.pageId;
  const page = pageId === undefined ? undefined : (await site.list()).find(({ uid }) => String(uid) === String(pageId));
  const unavailableTools = await runtime.unavailableTools(actor);
  return { siteLanguages: SITE_LANGUAGES, unavailableTools, user: { module: viewContext?.module, page: page ? { uid: page.uid, title: page.title } : null } };
}

/** @param {string} root @returns {Promise<string>} */
async function packageVersion(root) {
  return JSON.parse(await readFile(join(root, "pkg", "package.json"), "utf8")).version;
}

/** @param {Config} config */
async function open(config) {
  try {
    return await openDatabase(config.database.url, { poolSize: config.concurrency + SPARE_CONNECTIONS });
  } catch (error) {
    throw databaseProblem(config, error);
  }
}

/** @param {Config} config @param {unknown} error */
function databaseProblem({ database }, error) {
  if (!(error instanceof Error) || error.name !== "StorageError") return error;
  const advice = database.kind === "sqlite" ? "Choose another file with DATABASE_FILE, or move this one away." : "DATABASE_URL names it.";
  return new StartError(`The database ${database.name} cannot be used: ${error.message}. ${advice}`, error);
}
