import type { Generated, Kysely } from "kysely";
import type { Storage, Uid } from "../index.js";
import type { ConversationSummary, ListQuery } from "./list-types.js";
import type { HostPatch } from "./memory.js";

export { StorageError, type StorageErrorCode } from "./errors.js";
export type { ConversationSummary, ListQuery } from "./list-types.js";
export type { HostPatch } from "./memory.js";

/** One conversation as stored. Times are Unix seconds, flags 0 or 1, JSON columns hold text. */
export interface ConversationTable {
  uid: Generated<number>;
  /** The uid as text; `owner_type` tells 7 from "7" (C8 compares the text). */
  owner: string;
  owner_type: "number" | "string";
  title: string;
  /** The title as it is searched: NFKC, lower case. */
  title_folded: string;
  status: string;
  revision: number;
  claim_id: string;
  error_message: string;
  error_code: string;
  run_uuid: string;
  last_run_uuid: string;
  decision: string;
  decided_by: string | null;
  decided_by_type: "number" | "string" | null;
  turn_digest: string;
  deny_reason: string;
  pending_input: string | null;
  system_prompt: string;
  view_context: string | null;
  activity: string;
  archived: number;
  pinned: number;
  created_at: number;
  updated_at: number;
  message_count: number;
}

/** One message; `body` is its JSON text, kept as it came. */
export interface MessageTable {
  conversation_uid: number;
  seq: number;
  body: string;
}

/** The tables this package adds to a database; a host's own tables live beside them: `interface MyTables extends AgentTables { ... }`. */
export interface AgentTables {
  agent_conversation: ConversationTable;
  agent_message: MessageTable;
}

export type SqlDialect = "sqlite" | "postgres" | "mysql";

export interface SqlStorage extends Storage {
  loadSince: NonNullable<Storage["loadSince"]>;
  insert(...args: Parameters<Storage["insert"]>): Promise<number>;
  swap(uid: Uid, revision: number, patch: HostPatch): Promise<boolean>;
}

/**
 * A `Storage` on a database of the host's, through Kysely. Run `migrate(db)` first. `db` may hold other tables too. `dialect` is needed only where it
 * cannot be read from `db` (a dialect that is not Kysely's own). `now` (Unix milliseconds) fills absent timestamps of an inserted conversation.
 * Every method rejects with a `StorageError`.
 */
export function createSqlStorage<DB>(options: { db: Kysely<DB>; dialect?: SqlDialect; now?: () => number }): SqlStorage;

/**
 * Brings the tables up to this version of the package; nothing is written when they are. Any number of processes may do so at the same time.
 * Rejects with a `StorageError`: `schemaTooNew` where a newer version of the package has been here.
 */
export function migrate<DB>(db: Kysely<DB>, options?: { dialect?: SqlDialect }): Promise<void>;

export interface SqliteOptions {
  /** How long a statement waits for another connection's lock, in milliseconds; default 5000. */
  busyTimeout?: number;
  /** Opens an existing file for reading only; default false. */
  readOnly?: boolean;
}

export interface OpenedSqlite<DB = AgentTables> {
  db: Kysely<DB>;
  close(): Promise<void>;
}

/**
 * Opens (and creates, with its folders) a SQLite file through better-sqlite3: WAL, foreign keys on, every commit on disk before it is reported.
 * `path` is a file path or ":memory:". `close` waits for the transaction in flight and may be called twice. All connections that one process opens with
 * this function to one file take turns, and wait for each other at most `busyTimeout`: also a query on `db` inside a transaction of `db` that does not use
 * the transaction ends in `storageBusy` instead of waiting for ever.
 * Throws a `StorageError`: `storageUnavailable` (cannot be opened), `storageNotADatabase`, `storageBusy`, `invalidArgument`.
 */
export function openSqlite<DB = AgentTables>(path: string, options?: SqliteOptions): OpenedSqlite<DB>;

export interface DatabaseOptions {
  /** Opens for reading only; default false. A SQLite file must exist then. */
  readOnly?: boolean;
  /** How long a statement waits for a lock that another connection holds, in milliseconds; default 5000. Whole seconds on MariaDB and MySQL. */
  busyTimeout?: number;
  /** How long a server may take to accept a connection, and how long a query waits for a free one, in milliseconds; default 5000. */
  connectTimeout?: number;
  /** How long a statement may run on a server, in milliseconds; default 30000, 0: as long as it takes. Also how long a transaction may stand idle. */
  statementTimeout?: number;
  /** Most connections to a server at a time; default 10. */
  poolSize?: number;
}

export interface OpenedDatabase<DB = AgentTables> {
  dialect: SqlDialect;
  db: Kysely<DB>;
  /** The adapter over `db`; its tables are there after `migrate(db)`. */
  storage: SqlStorage;
  /** Waits for what is under way; may be called twice. */
  close(): Promise<void>;
}

/**
 * Opens a database by its URL and has reached it when it resolves:
 *
 * - `sqlite:data/chat.sqlite`, `sqlite:///var/lib/chat.sqlite`, `sqlite::memory:` or a plain path, through better-sqlite3 (see `openSqlite`);
 * - `postgres://user:password@host:5432/database`, through pg;
 * - `mariadb://user:password@host:3306/database` or `mysql://...`, through mysql2.
 *
 * Only the driver of that database must be installed. Rejects with a `StorageError`: `invalidArgument` (a URL or an option that is none),
 * `storageUnavailable` (not there, not reached in time, no such user or database, driver missing), and those of `openSqlite`.
 */
export function openDatabase<DB = AgentTables>(url: string, options?: DatabaseOptions): Promise<OpenedDatabase<DB>>;

/** The database a URL names, fit for a log: a server's without user, password and parameters. Throws a `StorageError`: `invalidArgument`. */
export function describeDatabase(url: string): string;

/**
 * The rows of a list view, pinned first, then newest first. `search` takes `%` and `_` literally.
 * Rejects with a `StorageError`: `invalidArgument` where the query makes no sense.
 */
export function listConversations<DB>(db: Kysely<DB>, query: ListQuery): Promise<ConversationSummary[]>;
