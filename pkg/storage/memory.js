import { checkedHeartbeat, checkedPatch, checkKeep, conversationKey, newConversation, uidText } from "./fields.js";
import { checkedAfter, checkedQuery } from "./query.js";

export { StorageError } from "./errors.js";

/**
 * @typedef {import("./fields.js").Fields} Fields
 * @typedef {import("./query.js").FindQuery} FindQuery
 * @typedef {{ fields: Fields, messages: string[] }} Row messages are kept as JSON text: nobody holds a reference to them
 */

/** @type {typeof import("./memory.js").createMemoryStorage} */
export function createMemoryStorage({ now = Date.now } = {}) {
  /** @type {Map<number, Row>} */
  const rows = new Map();
  let lastUid = 0;

  /** @param {unknown} uid */
  const rowOf = (uid) => rows.get(conversationKey(uid) ?? 0);

  // No method awaits anything between reading and writing: each is atomic (C1).
  return {
    async load(uid) {
      const row = rowOf(uid);
      return row ? conversationOf(Number(uid), row, 0) : null;
    },

    // N9
    async loadSince(uid, after) {
      const from = checkedAfter(after);
      const row = rowOf(uid);
      return row ? { ...conversationOf(Number(uid), row, from), messageCount: row.messages.length } : null;
    },

    async insert(conversation) {
      const row = newConversation(conversation, now());
      lastUid += 1;
      rows.set(lastUid, row);
      return lastUid;
    },

    async swap(uid, revision, patch) {
      const { fields, messages } = checkedPatch(patch);
      const row = rowOf(uid);
      if (!row || row.fields.revision !== revision) return false;
      if (messages) {
        checkKeep(messages.keep, row.messages.length);
        row.messages = [...row.messages.slice(0, messages.keep), ...messages.append];
      }
      Object.assign(row.fields, fields, { revision: revision + 1 });
      return true;
    },

    // C5
    async touch(uid, claimId, updatedAt, activity) {
      const heartbeat = checkedHeartbeat(updatedAt, activity);
      const row = rowOf(uid);
      if (!row || claimId === "" || row.fields.status !== "locked" || row.fields.claimId !== claimId) return false;
      Object.assign(row.fields, heartbeat);
      return true;
    },

    async find(query) {
      const wanted = checkedQuery(query);
      return [...rows]
        .filter(([, row]) => matches(row.fields, wanted))
        .sort(([uidA, a], [uidB, b]) => a.fields.updatedAt - b.fields.updatedAt || uidA - uidB)
        .slice(0, wanted.limit)
        .map(([uid]) => uid);
    },

    async remove(uid, revision) {
      const row = rowOf(uid);
      return row !== undefined && row.fields.revision === revision && rows.delete(Number(uid));
    },
  };
}

/**
 * @param {number} uid
 * @param {Row} row
 * @param {number} from
 * @returns {import("../index.js").Conversation}
 */
function conversationOf(uid, row, from) {
  return { uid, ...structuredClone(row.fields), messages: row.messages.slice(from).map((text) => JSON.parse(text)) };
}

/**
 * @param {Fields} fields
 * @param {FindQuery} query
 */
function matches(fields, { statuses, owner, archived, pinned, updatedBefore }) {
  return (
    (statuses === undefined || statuses.includes(fields.status)) &&
    (owner === undefined || uidText(fields.owner) === owner) &&
    (archived === undefined || fields.archived === archived) &&
    (pinned === undefined || fields.pinned === pinned) &&
    (updatedBefore === undefined || fields.updatedAt < updatedBefore)
  );
}
