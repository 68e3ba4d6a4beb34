import { open, temporaryFolder } from "./sqlite-store.js";
import { storageSuite } from "./suite.js";

/** The store of the test that runs now. @type {{ folder: ReturnType<typeof temporaryFolder>, closers: (() => Promise<void>)[] }} */
let store;

async function connect() {
  const { storage, close } = await open({ path: store.folder.file });
  store.closers.push(close);
  return storage;
}

async function closeAll() {
  await Promise.all(store.closers.splice(0).map((close) => close()));
}

storageSuite({
  name: "SQLite",
  create() {
    store = { folder: temporaryFolder(), closers: [] };
    return connect();
  },
  async destroy() {
    await closeAll();
    store.folder.remove();
  },
  connect,
  async reopen() {
    await closeAll();
    return connect();
  },
  fromProcess: () => ({ module: new URL("sqlite-store.js", import.meta.url).href, options: { path: store.folder.file } }),
});
