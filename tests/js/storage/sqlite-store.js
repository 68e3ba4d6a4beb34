// A SQLite store in a folder of its own, with as many connections as a test wants.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqlStorage, migrate, openSqlite } from "../../../pkg/storage/sql.js";

/** What another process calls to reach the same store. @param {{ path: string }} options */
export async function open({ path }) {
  const { db, close } = openSqlite(path);
  await migrate(db);
  return { storage: createSqlStorage({ db }), db, close };
}

export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "agent-turn-storage-"));
  return { path, file: join(path, "data", "chat.sqlite"), remove: () => rmSync(path, { recursive: true, force: true }) };
}
