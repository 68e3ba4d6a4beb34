/** The processes of a race tell through the store itself that they are there, and are told to begin. */
import { conversation } from "./fixtures.js";

/** Owner of one row per process that is ready. */
export const READY = "storage-kit-ready";

/** Owner of the row that starts the race; stored after the queue. */
export const GO = "storage-kit-go";

const PAUSE_MS = 5;

/** @type {typeof import("./index.js").claimAll} */
export async function claimAll(storage, worker) {
  await storage.insert(conversation({ owner: READY, title: worker }));
  while ((await storage.find({ owner: GO, limit: 1 })).length === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  /** @type {[import("../index.js").Uid, string][]} */
  const claimed = [];
  for (;;) {
    const candidates = await storage.find({ statuses: ["processing"], limit: 5 });
    if (candidates.length === 0) return claimed;
    for (const uid of candidates) {
      const row = await storage.load(uid);
      if (row?.status !== "processing") continue;
      const claimId = `${worker}-${uid}`;
      const append = [{ role: /** @type {const} */ ("assistant"), content: claimId }];
      if (await storage.swap(uid, row.revision, { status: "locked", claimId, messages: { keep: row.messages.length, append } })) claimed.push([uid, claimId]);
    }
  }
}
