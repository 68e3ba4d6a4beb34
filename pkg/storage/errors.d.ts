/** Stable codes of everything a storage adapter throws or rejects with. */
export type StorageErrorCode =
  /** A malformed argument: a path, a query, a limit. Nothing was read or written. */
  | "invalidArgument"
  /** A conversation field that does not exist or that a patch may not change. Nothing was written. */
  | "unknownField"
  /** A value that does not fit its field or that JSON cannot carry. Nothing was written. */
  | "invalidField"
  /** Another connection holds the lock for longer than the busy timeout; trying again later is safe. */
  | "storageBusy"
  /** A statement took longer than the limit of time. A statement on its own, or a transaction that was not committed yet, has written nothing. */
  | "storageTimeout"
  | "storageFull"
  | "storageReadOnly"
  /** The database cannot be opened or reached, or its connection is closed. */
  | "storageUnavailable"
  /** The file is something else than a database. */
  | "storageNotADatabase"
  /** What is stored cannot be read: a damaged file, or a row whose JSON is broken. */
  | "storageCorrupt"
  /** The tables are not there: `migrate(db)` has not run. */
  | "schemaMissing"
  /** The schema was made by a newer version of this package. */
  | "schemaTooNew"
  /** Anything else the database refused. */
  | "storageFailed";

export class StorageError extends Error {
  constructor(code: StorageErrorCode, message: string, cause?: unknown);
  name: "StorageError";
  code: StorageErrorCode;
  /** The driver's own error, where there was one. */
  cause?: unknown;
}
