export { StorageError } from "./errors.js";
export { createSqlStorage } from "./sql/adapter.js";
export { listConversations } from "./sql/list.js";
export { describeDatabase, openDatabase } from "./sql/open.js";
export { migrate } from "./sql/schema.js";
export { openSqlite } from "./sql/sqlite.js";
