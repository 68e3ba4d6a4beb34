// Adapters that break one promise each, as hosts write them. Each is the memory adapter with something wrong in it.
import { createMemoryStorage } from "../../../pkg/storage/memory.js";

/**
 * @typedef {ReturnType<typeof createMemoryStorage>} Storage
 * @typedef {import("../../../pkg/index.js").Conversation} Conversation
 * @typedef {{ broken: string, found: RegExp, storage: () => Storage, breakDown?: () => () => void }} Broken `found`: a check that must fail
 */

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

/** @param {(sound: Storage) => Partial<Storage>} change @returns {() => Storage} */
const memoryWith = (change) => () => {
  const sound = createMemoryStorage();
  return { ...sound, ...change(sound) };
};

/** Changes what is stored of a text. @param {(text: string) => string} change @returns {() => Storage} */
const textsThrough = (change) => memoryWith((sound) => ({ insert: (conversation) => sound.insert(JSON.parse(change(JSON.stringify(conversation)))) }));

/** Rows here, messages there, and nothing that holds them together. @param {boolean} messagesFirst @returns {() => Storage} */
const twoTables = (messagesFirst) => () => {
  const rows = createMemoryStorage();
  /** @type {Map<string, Conversation["messages"]>} */
  const messages = new Map();
  return {
    ...rows,
    async insert(conversation) {
      const uid = await rows.insert({ ...conversation, messages: [] });
      messages.set(String(uid), structuredClone(conversation.messages));
      return uid;
    },
    async load(uid) {
      const row = await rows.load(uid);
      await pause();
      return row && { ...row, messages: structuredClone(messages.get(String(uid)) ?? []) };
    },
    async loadSince(uid, after) {
      const row = await this.load(uid);
      return row && { ...row, messages: row.messages.slice(after), messageCount: row.messages.length };
    },
    async swap(uid, revision, { messages: change, ...fields }) {
      const write = () => {
        if (change) messages.set(String(uid), structuredClone([...(messages.get(String(uid)) ?? []).slice(0, change.keep), ...change.append]));
      };
      if (messagesFirst) write();
      const won = await rows.swap(uid, revision, fields);
      // Two steps to the reader's one: a writer is slower.
      for (let step = 0; step < 2; step += 1) await pause();
      if (won && !messagesFirst) write();
      return won;
    },
  };
};

/** @type {Broken[]} */
export const BROKEN = [
  {
    broken: "loses a swap: the last one wins",
    found: /lost changes nothing/,
    storage: memoryWith((sound) => ({
      async swap(uid, _revision, patch) {
        const row = await sound.load(uid);
        return row !== null && sound.swap(uid, row.revision, patch);
      },
    })),
  },
  {
    broken: "looks at the revision first and writes later",
    found: /exactly one wins/,
    storage: memoryWith((sound) => ({
      async swap(uid, revision, patch) {
        const row = await sound.load(uid);
        if (row?.revision !== revision) return false;
        await pause();
        const now = await sound.load(uid);
        return now !== null && sound.swap(uid, now.revision, patch);
      },
    })),
  },
  { broken: "writes messages after the row, in a second transaction", found: /messages of another revision/, storage: twoTables(false) },
  { broken: "writes messages before the row", found: /lost changes nothing and leaves no message/, storage: twoTables(true) },
  {
    broken: "gives the newest first",
    found: /oldest first/,
    storage: memoryWith((sound) => ({ find: async (query) => (await sound.find({ ...query, limit: 1e6 })).reverse().slice(0, query.limit) })),
  },
  {
    broken: "orders times as text",
    found: /times as numbers/,
    storage: memoryWith((sound) => ({
      async find(query) {
        const rows = await Promise.all((await sound.find(query)).map(async (uid) => ({ uid, time: String((await sound.load(uid))?.updatedAt) })));
        return rows.sort((a, b) => (a.time < b.time ? -1 : 1)).map(({ uid }) => uid);
      },
    })),
  },
  {
    broken: "knows uids as numbers only",
    found: /number and as text/,
    storage: memoryWith((sound) => ({ load: async (uid) => (typeof uid === "number" ? sound.load(uid) : null) })),
  },
  {
    broken: "makes a number of every owner",
    found: /type of owner/,
    storage: memoryWith((sound) => ({
      insert: (conversation) =>
        sound.insert({ ...conversation, owner: Number.isFinite(Number(conversation.owner)) ? Number(conversation.owner) : conversation.owner }),
    })),
  },
  {
    broken: "drops message fields that it does not know",
    found: /does not name/,
    storage: memoryWith((sound) => ({
      insert: (conversation) => sound.insert({ ...conversation, messages: conversation.messages.map(({ role, content }) => ({ role, content })) }),
    })),
  },
  { broken: "loses 4-byte text", found: /kept as it is/, storage: textsThrough((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, "?")) },
  { broken: "trims texts", found: /kept as it is/, storage: textsThrough((text) => text.replace(/\s+"/g, '"')) },
  { broken: "cuts long texts", found: /may be long/, storage: textsThrough((text) => text.replace(/([^"]{65535})[^"]*/g, "$1")) },
  {
    broken: "compares owners without case and accents",
    found: /compared exactly/,
    storage: memoryWith((sound) => ({
      async find({ owner, ...query }) {
        const fold = (/** @type {unknown} */ uid) => String(uid).trim().toLowerCase();
        const rows = await Promise.all((await sound.find(query)).map(async (uid) => ({ uid, owner: (await sound.load(uid))?.owner })));
        return rows.filter((row) => owner === undefined || fold(row.owner) === fold(owner)).map(({ uid }) => uid);
      },
    })),
  },
  {
    broken: "appends where an edit cuts",
    found: /an edit begins/,
    storage: memoryWith((sound) => ({
      async swap(uid, revision, patch) {
        const count = (await sound.load(uid))?.messages.length ?? 0;
        return sound.swap(uid, revision, patch.messages ? { ...patch, messages: { ...patch.messages, keep: count } } : patch);
      },
    })),
  },
  {
    broken: "gives the number of messages it gave as their whole number",
    found: /messages from an index on/,
    storage: memoryWith((sound) => ({
      async loadSince(uid, after) {
        const row = await sound.loadSince(uid, after);
        return row && { ...row, messageCount: row.messages.length };
      },
    })),
  },
  {
    broken: "refreshes the row of another claim",
    found: /nothing for another claim/,
    storage: memoryWith((sound) => ({ touch: async (uid, _claim, ...rest) => sound.touch(uid, String((await sound.load(uid))?.claimId), ...rest) })),
  },
  {
    broken: "raises the revision with a heartbeat",
    found: /leaves the revision alone/,
    storage: memoryWith((sound) => ({
      async touch(uid, ...rest) {
        const touched = await sound.touch(uid, ...rest);
        if (touched) await sound.swap(uid, Number((await sound.load(uid))?.revision), {});
        return touched;
      },
    })),
  },
  {
    broken: "removes what somebody has changed",
    found: /only at the revision/,
    storage: memoryWith((sound) => ({ remove: async (uid) => sound.remove(uid, Number((await sound.load(uid))?.revision)) })),
  },
  {
    broken: "takes updatedBefore as up to",
    found: /updatedBefore strictly/,
    storage: memoryWith((sound) => ({
      find: (query) => sound.find({ ...query, ...(query.updatedBefore === undefined ? {} : { updatedBefore: Math.floor(query.updatedBefore) + 1 }) }),
    })),
  },
  {
    broken: "gives out what it keeps",
    found: /passed in or given out/,
    storage: memoryWith((sound) => {
      /** @type {Map<string, Conversation | null>} */
      const cache = new Map();
      return {
        async load(uid) {
          const row = await sound.load(uid);
          const known = cache.get(String(uid));
          if (row && known?.revision === row.revision && known.updatedAt === row.updatedAt) return known;
          cache.set(String(uid), row);
          return row;
        },
      };
    }),
  },
  { broken: "uses a uid again", found: /nothing to a later/, storage: reusesUids },
];

/** @returns {Storage} */
function reusesUids() {
  const sound = createMemoryStorage();
  /** @type {Map<string, number>} */
  const alias = new Map();
  /** @type {number[]} */
  const free = [];
  const real = (/** @type {import("../../../pkg/index.js").Uid} */ uid) => alias.get(String(uid)) ?? uid;
  return {
    ...sound,
    async insert(conversation) {
      const made = await sound.insert(conversation);
      const uid = free.pop() ?? made;
      alias.set(String(uid), made);
      return uid;
    },
    load: async (uid) => {
      const row = await sound.load(real(uid));
      return row && { ...row, uid: Number(uid) };
    },
    swap: (uid, ...rest) => sound.swap(real(uid), ...rest),
    async remove(uid, revision) {
      const removed = await sound.remove(real(uid), revision);
      if (removed) free.push(Number(uid));
      return removed;
    },
  };
}
