/** A small site in a real SQLite file, its tools, and models that answer by a script. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MockLanguageModelV3 } from "ai/test";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect, sql } from "kysely";
import { createAiSdkRuntime, written } from "../../../pkg/runtime/ai-sdk/index.js";
import { emptyDatabase } from "../storage/databases.js";

/** @type {Actor} */
export const OWNER = { uid: 7, isAdmin: false, groups: [] };
/** @type {Actor} */
export const STRANGER = { uid: 8, isAdmin: false, groups: [] };
/** @type {Actor} */
export const ADMIN = { uid: 1, isAdmin: true, groups: [] };

/**
 * @typedef {import("../../../pkg/index.d.ts").Actor} Actor
 * @typedef {import("../../../pkg/index.d.ts").RunResult} RunResult
 * @typedef {import("../../../pkg/index.d.ts").RunRequest} RunRequest
 * @typedef {import("../../../pkg/runtime/ai-sdk/index.d.ts").Tool} Tool
 * @typedef {import("../../../pkg/runtime/ai-sdk/index.d.ts").ToolContext} ToolContext
 * @typedef {import("../../../pkg/runtime/ai-sdk/index.d.ts").AiSdkRuntimeOptions} Options
 * @typedef {import("@ai-sdk/provider").LanguageModelV3GenerateResult} Answer
 * @typedef {import("@ai-sdk/provider").LanguageModelV3CallOptions} CallOptions
 * @typedef {import("node:test").TestContext} TestContext
 * @typedef {{ agent_run: Record<string, unknown> }} Tables
 * @typedef {import("kysely").Kysely<Tables>} Db
 * @typedef {{ uid: number, title: string }} Rename
 * @typedef {(input: Rename, context: ToolContext) => unknown} Hook
 * @typedef {{ beforeWrite?: Hook, afterWrite?: Hook }} Hooks
 * @typedef {[name: string, input: unknown, id?: string]} CallSpec
 */

/**
 * One connection to the file, with the settings a host uses.
 * @param {string} file
 * @returns {Db}
 */
export function connect(file) {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("busy_timeout = 5000");
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}

/** The database that `site` takes; the tests of a run are run again with each (databases.test.mjs). */
export const KIND_VARIABLE = "AGENT_TURN_RUNTIME_DATABASE";

/** @param {Db} db */
async function createPages(db) {
  await sql`create table page (uid integer primary key, title text not null, writes integer not null default 0)`.execute(db);
  await sql`insert into page (uid, title) values (12, 'Team'), (13, 'Contact')`.execute(db);
}

/**
 * A database with a site of two pages; `t.after` removes it.
 * @param {TestContext} t
 * @returns {Promise<{ file: string, db: Db }>}
 */
export async function site(t) {
  const kind = /** @type {import("../../../scripts/databases.mjs").DatabaseKind | undefined} */ (process.env[KIND_VARIABLE]);
  if (kind) {
    const database = await emptyDatabase(t, kind);
    const opened = await database.open();
    const db = /** @type {Db} */ (/** @type {unknown} */ (opened.db));
    await createPages(db);
    return { file: database.url, db };
  }
  const folder = mkdtempSync(join(tmpdir(), "agent-runtime-"));
  const file = join(folder, "site.sqlite");
  const db = connect(file);
  await createPages(db);
  t.after(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  return { file, db };
}

/** @param {Db} db @param {number} uid */
export async function page(db, uid) {
  /** @type {import("kysely").RawBuilder<{ uid: number, title: string, writes: number }>} */
  const query = sql`select * from page where uid = ${uid}`;
  const { rows } = await query.execute(db);
  return rows[0] ?? { uid, title: "no such page", writes: 0 };
}

const uidSchema = { type: "object", properties: { uid: { type: "integer" } }, required: ["uid"], additionalProperties: false };
const renameSchema = {
  type: "object",
  properties: { uid: { type: "integer" }, title: { type: "string" } },
  required: ["uid", "title"],
  additionalProperties: false,
};

/**
 * The tools of the site; `hooks` look into a call before and after it takes effect.
 * @param {Db} db
 * @param {Hooks} [hooks]
 * @returns {Tool[]}
 */
export function tools(db, hooks = {}) {
  /** @param {Rename} input @param {ToolContext} context */
  const rename = async ({ uid, title }, context) => {
    await hooks.beforeWrite?.({ uid, title }, context);
    await sql`update page set title = ${title}, writes = writes + 1 where uid = ${uid}`.execute(db);
    await hooks.afterWrite?.({ uid, title }, context);
    return written({ renamed: title }, [{ table: "pages", uid }]);
  };
  return [
    {
      name: "read_page",
      description: "Reads a page",
      inputSchema: uidSchema,
      effect: "read",
      execute: async (/** @type {{ uid: number }} */ { uid }) => (await page(db, uid)).title,
    },
    {
      name: "rename_page",
      description: "Renames a page",
      inputSchema: renameSchema,
      effect: "write",
      label: ({ uid }) => `Rename page ${uid}`,
      preview: async (/** @type {Rename} */ { uid, title }) => {
        const current = await page(db, uid);
        return { lines: [`Title: ${current.title} → ${title}`], target: { table: "pages", uid, title: current.title } };
      },
      execute: rename,
    },
    { name: "touch_page", description: "Renames without asking", inputSchema: renameSchema, effect: "write", needsApproval: false, execute: rename },
    { name: "set_title", description: "Idempotent rename", inputSchema: renameSchema, effect: "idempotentWrite", needsApproval: false, execute: rename },
    {
      name: "ask_choice",
      description: "Asks the user",
      effect: "read",
      inputSchema: {
        type: "object",
        properties: { question: { type: "string" }, options: { type: "array", items: { type: "string" } } },
        required: ["question", "options"],
      },
      asks: ({ question, options }) => ({ type: "object", title: question, properties: { choice: { enum: options } }, required: ["choice"] }),
    },
    {
      name: "break",
      description: "Throws",
      effect: "read",
      inputSchema: { type: "object" },
      execute: () => {
        throw new Error("the disk is full");
      },
    },
  ];
}

const usage = { inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 2, text: 2, reasoning: 0 } };

/**
 * What a provider answers: text, and calls as [name, arguments, id?].
 * @param {string} text
 * @param {...CallSpec} calls
 * @returns {Answer}
 */
export function answer(text, ...calls) {
  /** @type {Answer["content"]} */
  const content = text ? [{ type: "text", text }] : [];
  for (const [toolName, input, toolCallId = randomUUID()] of calls) {
    content.push({ type: "tool-call", toolCallId, toolName, input: typeof input === "string" ? input : JSON.stringify(input) });
  }
  return { content, finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined }, usage, warnings: [] };
}

/**
 * A model that gives one answer after the other; a function gets the prompt.
 * @param {...(Answer | ((options: any) => Answer | Promise<Answer>))} answers
 */
export function script(...answers) {
  /** @type {MockLanguageModelV3} */
  const model = new MockLanguageModelV3({
    doGenerate: async (options) => {
      const next = answers[Math.min(model.doGenerateCalls.length, answers.length) - 1];
      if (!next) throw new Error("a script needs an answer");
      return typeof next === "function" ? next(options) : next;
    },
  });
  return model;
}

/**
 * Results of tools in a prompt, in order.
 * @param {CallOptions["prompt"]} prompt
 * @returns {{ type: string, value: string }[]}
 */
export function toolResults(prompt) {
  const parts = prompt.flatMap((message) => (message.role === "tool" ? message.content : []));
  return parts.flatMap((part) => (part.type === "tool-result" ? [/** @type {{ type: string, value: string }} */ (part.output)] : []));
}

/**
 * A runtime whose tables exist; closed when the test ends.
 * @param {TestContext} t
 * @param {Partial<Omit<Options, "model">> & { db: Db, model: import("ai/test").MockLanguageModelV3, hooks?: Hooks }} options
 * @returns {Promise<any>} what comes out is for the asserts to judge, not for the type checker
 */
export async function runtime(t, { db, model, hooks, ...options }) {
  const created = createAiSdkRuntime({ db, model: () => model, tools: tools(db, hooks), ...options });
  await created.migrate();
  t.after(() => created.close());
  return created;
}

/**
 * @param {Partial<RunRequest>} [fields]
 * @returns {RunRequest}
 */
export const request = (fields = {}) => ({
  runUuid: randomUUID(),
  configuration: { uid: 1, name: "default", systemPrompt: "" },
  messages: [
    { role: "system", content: "You work on a site." },
    { role: "user", content: "Rename the page Team to About us" },
  ],
  actor: OWNER,
  allowedToolNames: null,
  options: { callerSource: { extension: "test", operation: "chatTurn" } },
  ...fields,
});

export const noStep = () => {};

/**
 * The approval of a paused result.
 * @param {RunResult} paused
 * @param {Partial<import("../../../pkg/index.d.ts").ApprovalDecision>} [fields]
 */
export const approval = (paused, fields = {}) => ({ approved: true, decidedBy: 7, turnDigest: digest(paused), ...fields });

/** @param {RunResult} paused */
export const digest = (paused) => paused.suspendedState?.turnDigest ?? "";

/** @param {RunResult} result */
export const finalText = (result) => result.loopResult?.finalContent ?? "";

/** @param {string} reason */
export const refusedFor = (reason) => (/** @type {Error & { reason?: string }} */ error) => error.name === "RunRefused" && error.reason === reason;

/** @param {{ kind: string }[]} list */
export const kinds = (list) => list.map(({ kind }) => kind).filter((kind) => kind !== "request");
