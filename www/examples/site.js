/**
 * What the example works on: a few pages and the runs of its runtime, in one entry of the browser's local storage, so that a change and what became of its
 * run are written together or not at all.
 *
 * @typedef {import("../chat/types.js").Page} Page
 * @typedef {{ name: string, arguments: { [name: string]: string | number } }} Call
 *
 * @typedef {object} Run
 * @property {import("agent-turn").RunStatus} status
 * @property {string} owner as text
 * @property {Call | null} call what waits for a person's approval
 * @property {{ [key: string]: import("agent-turn").Json } | null} question the schema of what is asked
 * @property {{ [name: string]: string }} notes what the runtime remembers of a question
 * @property {string} digest of what waits
 * @property {import("agent-turn").RunResult | null} result
 * @property {import("agent-turn").RunEvent[]} events
 *
 * @typedef {{ pages: Page[], runs: { [uuid: string]: Run } }} Content
 */

const KEY = "agent-turn-example";

/** @type {readonly [uid: number, title: string, slug: string][]} */
const PAGES = [
  [1, "Home", "/"],
  [2, "Team", "/team"],
  [3, "News", "/news"],
  [4, "Contact", "/contact"],
];

/** @returns {Content} */
const beginning = () => ({
  pages: PAGES.map(([uid, title, slug]) => ({ uid, parent: uid === 1 ? null : 1, title, slug, hidden: false, language: "en", updatedAt: 0 })),
  runs: {},
});

/** @param {Pick<Storage, "getItem" | "setItem">} storage */
export function openSite(storage) {
  /** @returns {Content} */
  const read = () => JSON.parse(storage.getItem(KEY) ?? "null") ?? beginning();

  return {
    pages: () => read().pages,
    /** @param {string} title */
    find: (title) => read().pages.find((page) => page.title.toLowerCase() === title.trim().toLowerCase()) ?? null,
    /** @param {string} uuid @returns {Run | null} */
    run: (uuid) => (Object.hasOwn(read().runs, uuid) ? (read().runs[uuid] ?? null) : null),
    /** All that `work` changes is written at once. @template T @param {(content: Content) => T} work @returns {T} */
    change(work) {
      const content = read();
      const result = work(content);
      storage.setItem(KEY, JSON.stringify(content));
      return result;
    },
  };
}

/** @typedef {ReturnType<typeof openSite>} Site */
