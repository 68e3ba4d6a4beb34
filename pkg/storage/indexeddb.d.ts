import type { Storage, Uid } from "../index.js";
import type { ConversationSummary, ListQuery } from "./list-types.js";
import type { HostPatch } from "./memory.js";

export { StorageError, type StorageErrorCode } from "./errors.js";
export type { ConversationSummary, ListQuery } from "./list-types.js";
export type { HostPatch } from "./memory.js";

export interface IndexedDbOptions {
  /** Name of the database, one per set of conversations; default "agent-turn". */
  name?: string;
  /** Unix milliseconds, default `Date.now`: fills absent timestamps of an inserted conversation. */
  now?: () => number;
  /** How long an upgrade of the schema waits for a tab that holds the database open with an older version, in milliseconds; default 5000. */
  busyTimeout?: number;
}

export interface IndexedDbStorage extends Storage {
  loadSince: NonNullable<Storage["loadSince"]>;
  insert(...args: Parameters<Storage["insert"]>): Promise<number>;
  swap(uid: Uid, revision: number, patch: HostPatch): Promise<boolean>;
  /** The rows of a list view, pinned first, then newest first. */
  list(query: ListQuery): Promise<ConversationSummary[]>;
  /** Finishes what is in flight and lets the database go; every later call rejects with `storageUnavailable`. May be called twice. */
  close(): Promise<void>;
}

/**
 * A `Storage` in the browser's IndexedDB, for a page without a host. Any number of tabs and workers of one origin may use one database at the same time
 * (C1, C2). The database is opened, created or upgraded by the first call, and opened anew after the browser has ended the connection. A tab with a newer
 * version of the page may upgrade it under this one, which then rejects with `schemaTooNew`.
 *
 * Every method rejects with a `StorageError`: `storageFull` (the browser's quota), `schemaTooNew`, `storageBusy` (an upgrade waits for another tab),
 * `storageUnavailable` (no IndexedDB in this context, or it was deleted while it was used), `schemaMissing` (the name belongs to another database).
 * Throws a `StorageError` `invalidArgument` where an option makes no sense.
 *
 * What a browser keeps for a site can be evicted: ask `navigator.storage.persist()` where the conversations matter.
 */
export function createIndexedDbStorage(options?: IndexedDbOptions): IndexedDbStorage;
