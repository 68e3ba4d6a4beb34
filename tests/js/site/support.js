/** What the tests of the site share: a real database file that goes away with the test, and prompts written in a few words. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { openSite } from "../../../www/host/site/index.js";

/** 2026-03-01T09:00:00Z */
export const START = 1_772_355_600_000;

/** @param {string} file */
export function openDatabase(file) {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("busy_timeout = 5000");
  return new Kysely({ dialect: new SqliteDialect({ database }) });
}

/**
 * A migrated site in a file of its own.
 *
 * @param {import("node:test").TestContext} t
 * @param {{ seed?: boolean }} [options]
 */
export async function freshSite(t, { seed = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "agent-turn-site-"));
  const file = join(folder, "site.sqlite");
  const db = openDatabase(file);
  const clock = { now: START };
  const site = openSite(db, { now: () => clock.now });
  await site.migrate();
  if (seed) await site.seed();
  t.after(async () => {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  });
  return { site, db, file, clock };
}

/**
 * @param {import("../../../www/host/site/site.js").Site} site
 * @param {string} title
 */
export async function pageCalled(site, title) {
  const page = (await site.list()).find((candidate) => candidate.title === title);
  if (!page) throw new Error(`The seed has no page ${title}.`);
  return page;
}

export const TOOL_NAMES = ["list_pages", "search_pages", "read_page", "update_page", "create_draft_page", "set_page_hidden", "delete_page", "ask_choice"];

/** @param {string} text */
export const user = (text) => ({ role: "user", content: [{ type: "text", text }] });
/** @param {string} text */
export const assistant = (text) => ({ role: "assistant", content: [{ type: "text", text }] });

let calls = 0;

/**
 * A tool call with its result, as two messages.
 *
 * @param {string} toolName
 * @param {object} input
 * @param {object} output of the tool result part
 */
function exchange(toolName, input, output) {
  calls += 1;
  const toolCallId = `earlier-${calls}`;
  return [
    { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName, input }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] },
  ];
}

/**
 * @param {string} toolName
 * @param {object} input
 * @param {unknown} value
 */
export const called = (toolName, input, value) => exchange(toolName, input, { type: "text", value: JSON.stringify(value) });

/**
 * @param {string} toolName
 * @param {object} input
 * @param {string} [reason]
 */
export const denied = (toolName, input, reason = "") =>
  exchange(toolName, input, {
    type: "error-text",
    value: `approval_denied (decided_by: run_owner): ${reason ? `The reason is ${reason}.` : "The change was declined."}`,
  });

/**
 * @param {string} toolName
 * @param {object} input
 * @param {string} message
 */
export const failed = (toolName, input, message) => exchange(toolName, input, { type: "error-text", value: message });

/**
 * @param {number} uid
 * @param {string} title
 * @param {object} [rest]
 */
export const page = (uid, title, rest = {}) => ({
  uid,
  title,
  slug: title.toLowerCase().replace(/\W+/g, "-"),
  parent: 0,
  hidden: false,
  language: "en",
  ...rest,
});
