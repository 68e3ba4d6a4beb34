import type { MaybePromise, Storage, Uid } from "../index.js";

/** One row that a process of the race has won, and the claim it wrote. */
export type Claimed = [uid: Uid, claimId: string];

/** A store for one check, and what the checks beyond the basic ones need of it. */
export interface OpenedStore {
  /** Over an empty store. */
  storage: Storage;
  /** A second connection to the same store; without it both sides of a race share the first. */
  connect?(): MaybePromise<Storage>;
  /** Closes the store and opens it again; for `outlives`. */
  reopen?(): MaybePromise<Storage>;
  /** Runs `claimAll(storage, worker)` in another process (thread, tab) on the same store and resolves to what that gave; for `processes`. */
  inProcess?(worker: string): MaybePromise<Claimed[]>;
  /** Cuts the store off from its data; the function it gives repairs that. For `breaks`. */
  breakDown?(): MaybePromise<() => MaybePromise<void>>;
  /** Puts everything away, whatever the check has opened. */
  close?(): MaybePromise<void>;
}

export interface StorageKitOptions {
  /** Registers one check with a test runner: `it` or `test` of node:test, Vitest, Mocha, or one's own. */
  it(name: string, check: () => Promise<void>): void;
  /** An empty store; called before every check. */
  open(): MaybePromise<OpenedStore>;
  /** Stands before the name of every check; default "storage". */
  name?: string;
  /** The adapter refuses bad input with the codes of this package's `StorageError`, and orders ties by uid; default false. */
  strict?: boolean;
  /** The store outlives its process: `open` gives `reopen`; default false. */
  outlives?: boolean;
  /** Several processes share the store: `open` gives `inProcess`; default false. */
  processes?: boolean;
  /** The store can be cut off: `open` gives `breakDown`; default false. */
  breaks?: boolean;
}

/**
 * Checks an adapter against every promise of `Storage` and the rules C1 to C5, C8, N9 and W6: swaps that are lost and won, row and messages in one
 * transaction, several connections and processes at once, uids as numbers and texts, the order of `find`, texts of every kind, long transcripts, fields
 * that nobody knows, and stores that fail. It registers its checks through `it` and imports nothing of Node, so it runs in a page too. A check that fails
 * throws an `Error` that says what was found instead.
 */
export function storageKit(options: StorageKitOptions): void;

/**
 * One consumer of a race: waits until the race begins, claims rows until the queue is empty, and resolves to those it won. A process that `inProcess`
 * starts calls it with a connection of its own.
 */
export function claimAll(storage: Storage, worker: string): Promise<Claimed[]>;
