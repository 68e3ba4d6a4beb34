import type { Patch, Storage, Uid } from "../index.js";

export { StorageError, type StorageErrorCode } from "./errors.js";

/** A patch of the host's own: a turn never writes `systemPrompt`, the host may. */
export interface HostPatch extends Patch {
  systemPrompt?: string;
}

export interface MemoryStorage extends Storage {
  loadSince: NonNullable<Storage["loadSince"]>;
  insert(...args: Parameters<Storage["insert"]>): Promise<number>;
  swap(uid: Uid, revision: number, patch: HostPatch): Promise<boolean>;
}

/**
 * A `Storage` in this process's memory, for tests and demos; it is gone with the process. It behaves like a database: values are copied in and out,
 * uids are 1, 2, 3, ..., bad values are refused with a `StorageError` and change nothing (C1).
 * `now` (Unix milliseconds, default `Date.now`) fills absent timestamps of an inserted conversation.
 */
export function createMemoryStorage(options?: { now?: () => number }): MemoryStorage;
