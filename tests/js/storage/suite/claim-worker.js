// A consumer in a process of its own: claims rows of the queue until there is none left, then tells which it won.
import { once } from "node:events";

/** @typedef {import("../../../../pkg/index.js").Storage} Storage */

const { module, options, worker } = JSON.parse(String(process.argv[2]));
const { open } = await import(module);
/** @type {{ storage: Storage, close(): void | Promise<void> }} */
const { storage, close } = await open(options);
const send = /** @type {(message: unknown) => void} */ (process.send?.bind(process));
send("ready");
await once(process, "message");

const claimed = [];
for (;;) {
  const candidates = await storage.find({ statuses: ["processing"], limit: 5 });
  if (candidates.length === 0) break;
  for (const uid of candidates) {
    const row = await storage.load(uid);
    if (row?.status !== "processing") continue;
    const claimId = `${worker}-${uid}`;
    const append = [{ role: /** @type {const} */ ("assistant"), content: claimId }];
    if (await storage.swap(uid, row.revision, { status: "locked", claimId, messages: { keep: row.messages.length, append } })) claimed.push([uid, claimId]);
  }
}
await close();
send(claimed);
process.disconnect();
