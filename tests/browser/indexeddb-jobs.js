// In the page: what several tabs do to one database, and what a full one does.
import { createIndexedDbStorage } from "../../pkg/storage/indexeddb.js";
import { conversation, NOW, transcript } from "../../pkg/testing/fixtures.js";

let names = 0;

/** A database that no test had before. */
export function freshName() {
  names += 1;
  return `agent-turn-test-${Date.now()}-${names}`;
}

/** @param {string} name @returns {Promise<void>} */
export function removeDatabase(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** @param {string} name @param {number} count */
export async function fillQueue(name, count) {
  const storage = createIndexedDbStorage({ name });
  for (let index = 0; index < count; index += 1) {
    await storage.insert(conversation({ status: "processing", updatedAt: NOW + (index % 7), messages: transcript(1) }));
  }
  await storage.close();
}

/** Claims rows of the queue until there is none left. @param {string} name @param {string} tab @returns {Promise<[uid: number, claimId: string][]>} those it won */
export async function claimAll(name, tab) {
  const storage = createIndexedDbStorage({ name });
  /** @type {[number, string][]} */
  const won = [];
  for (;;) {
    const candidates = await storage.find({ statuses: ["processing"], limit: 5 });
    if (candidates.length === 0) break;
    for (const uid of candidates.map(Number)) {
      const row = await storage.load(uid);
      if (row?.status !== "processing") continue;
      const claimId = `${tab}-${uid}`;
      const append = [{ role: /** @type {const} */ ("assistant"), content: claimId }];
      if (await storage.swap(uid, row.revision, { status: "locked", claimId, messages: { keep: row.messages.length, append } })) won.push([uid, claimId]);
    }
  }
  await storage.close();
  return won;
}

/** Writes until the browser has no room: the code of the refusal, and what is stored afterwards. @param {number} attempts of a megabyte each */
export async function overflow(attempts) {
  const storage = createIndexedDbStorage({ name: freshName() });
  const uid = await storage.insert(conversation());
  // Random, so that nobody makes it small again.
  const megabyte = () => Array.from({ length: 16 }, () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(48 * 1024))))).join("");
  let written = 0;
  let code = "";
  while (written < attempts && code === "") {
    const append = [
      { role: /** @type {const} */ ("user"), content: megabyte() },
      { role: /** @type {const} */ ("assistant"), content: "after it" },
    ];
    await storage.swap(uid, written, { title: String(written + 1), messages: { keep: 2 * written, append } }).then(
      () => {
        written += 1;
      },
      (error) => {
        code = error.code;
      },
    );
  }
  const stored = await storage.load(uid);
  await storage.close();
  return { code, written, title: stored?.title, revision: stored?.revision, messages: stored?.messages.length };
}
