/** What the simulated people did and saw, kept on their side: the audit compares it with what is stored. */

/**
 * @typedef {{ role: string, content: unknown, createdAt?: string, clientId?: string, decisionLine?: string, notice?: string, besideToolCall?: true }} SeenMessage
 *
 * @typedef {object} ConversationJournal
 * @property {number} uid
 * @property {{ clientId: string, content: string }[]} sent Messages the host has taken, in their order; an edit cuts the list and puts its own text.
 * @property {SeenMessage[]} seen Every message shown, in its order, without the lines of decisions: those leave again where nothing was delivered (D3).
 * @property {boolean} left The person ended the process, or wrote over a card: the turn before has no answer (N7).
 *
 * @typedef {object} Journal
 * @property {Map<number, ConversationJournal>} conversations
 * @property {Map<string, { conversation: number, approved: boolean }>} writes By key (`update:m7`): the last word a person gave about that proposal.
 * @property {Set<string>} everApproved Keys that were approved at least once, whatever came after.
 * @property {Record<string, number>} counts
 */

/** @returns {Journal} */
export const createJournal = () => ({ conversations: new Map(), writes: new Map(), everApproved: new Set(), counts: {} });

/** @param {Journal} journal @param {string} what @param {number} [by] */
export function count({ counts }, what, by = 1) {
  counts[what] = (counts[what] ?? 0) + by;
}

/** Every request of a soak carries a mark of its own, which shows again in what it writes. @param {unknown} text */
export const markOf = (text) => /\bm\d+x\b/.exec(String(text))?.[0] ?? null;

/**
 * The key of a proposed write; null: a tool this soak does not follow.
 *
 * @param {{ name: string, arguments: any }} call
 */
export function writeKey({ name, arguments: input }) {
  const mark = markOf(name === "update_page" ? (input.title ?? input.text) : input.title);
  if (mark === null) return null;
  return name === "update_page" ? `update:${mark}` : name === "create_draft_page" ? `insert:${mark}` : null;
}

/**
 * The journal as plain data, to be kept in a file, and back.
 *
 * @param {Journal} journal
 */
export const journalJson = ({ conversations, writes, everApproved, counts }) =>
  JSON.stringify({ conversations: [...conversations.values()], writes: [...writes], everApproved: [...everApproved], counts });

/** @param {string} text @returns {Journal} */
export function journalFrom(text) {
  const { conversations, writes, everApproved, counts } = JSON.parse(text);
  return {
    conversations: new Map(conversations.map((/** @type {ConversationJournal} */ one) => [one.uid, one])),
    writes: new Map(writes),
    everApproved: new Set(everApproved),
    counts,
  };
}
