import { Kysely, PostgresDialect, sql } from "kysely";
import { StorageError } from "../errors.js";
import { demand } from "../query.js";

const INT8 = 20;

/** What a client allows on top of the server's own limit, before it takes the connection for dead; milliseconds. */
const GRACE_MS = 5000;

/**
 * A pool of connections through pg. It has been used once when this resolves.
 *
 * @param {string} url
 * @param {import("./open.js").Options} options
 * @returns {Promise<{ db: Kysely<unknown>, close(): Promise<void> }>}
 */
export async function openPostgres(url, { readOnly, busyTimeout, connectTimeout, statementTimeout, poolSize }) {
  const { Client, Pool, types } = await loadDriver();
  /** @param {number} id @param {"text"} format */
  const getTypeParser = (id, format) => (id === INT8 ? Number : types.getTypeParser(id, format));
  const { connectionString, prepared } = preparedOf(url);
  const pool = new Pool({
    ...(prepared ? { Client: preparing(Client) } : {}),
    connectionString,
    max: poolSize,
    application_name: "agent-turn",
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout === 0 ? undefined : statementTimeout + GRACE_MS,
    lock_timeout: busyTimeout,
    // A process that stands still inside a transaction must not keep its rows from all others.
    idle_in_transaction_session_timeout: statementTimeout,
    ...(readOnly ? { options: "-c default_transaction_read_only=on" } : {}),
    // 64-bit integers as numbers: every one we store is a safe integer. Only for this pool: the host may see it differently.
    types: { getTypeParser: /** @type {typeof types.getTypeParser} */ (getTypeParser) },
  });
  // An idle connection that breaks is replaced when one is needed; unheard, the event would end the process.
  pool.on("error", () => {});
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  /** @type {Promise<void> | undefined} */
  let closed;
  return { db, close: () => (closed ??= db.destroy()) };
}

/**
 * Statements are prepared, once per connection: planning is a third of what a short one costs the server. A pooler that hands connections round between
 * transactions must know of that (PgBouncer does since 1.21); for others the URL says `prepared=off`.
 *
 * @param {string} url
 * @throws {StorageError} `invalidArgument`
 */
function preparedOf(url) {
  const parsed = new URL(url);
  const prepared = parsed.searchParams.get("prepared");
  if (prepared === null) return { connectionString: url, prepared: true };
  demand(prepared === "on" || prepared === "off", "prepared in the database URL is on or off");
  parsed.searchParams.delete("prepared"); // the driver does not know it
  return { connectionString: parsed.href, prepared: prepared === "on" };
}

/** Different statements that are prepared; the server keeps each of them for as long as a connection lives. */
const MOST_PREPARED = 100;

/**
 * A client that names the statements it sends, so that the server keeps their plans. Not those that ask for every column there is: another process may
 * add one, and a kept plan would then be refused.
 *
 * @param {typeof import("pg").Client} Client
 */
function preparing(Client) {
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @param {string} text */
  const nameOf = (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MOST_PREPARED || text.includes("select *")) return known;
    const name = `agent_turn_${names.size}`;
    names.set(text, name);
    return name;
  };
  return class extends Client {
    /** @param {unknown[]} args as pg takes them */
    query(...args) {
      const [text, values] = args;
      const name = args.length === 2 && typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
      return name === undefined
        ? super.query(.../** @type {[any]} */ (args))
        : super.query({ name, text: String(text), values: /** @type {unknown[]} */ (values) });
    }
  };
}

/** pg is an optional peer: a host on another database does not need it. */
async function loadDriver() {
  try {
    const { default: pg } = await import("pg");
    return pg;
  } catch (error) {
    throw new StorageError("storageUnavailable", "the package pg is not installed or does not load", error);
  }
}
