/**
 * Which part of a long transcript stands in the document. However long a conversation is, at most `LARGEST` messages do, so that typing,
 * scrolling and polling cost the same at ten thousand messages as at a hundred. Pure functions over `[start, end)`.
 *
 * @typedef {{ start: number, end: number }} Range
 */

/** Messages shown when a conversation is opened. */
export const FIRST = 60;
/** Messages that come when the reader goes on. */
export const STEP = 60;
export const LARGEST = 180;

/** The newest part. @param {number} total @returns {Range} */
export const newest = (total) => ({ start: Math.max(0, total - FIRST), end: total });

/** Earlier messages come, later ones may go. @param {Range} range @returns {Range} */
export function earlier({ start, end }) {
  const from = Math.max(0, start - STEP);
  return { start: from, end: Math.min(end, from + LARGEST) };
}

/** Later messages come, earlier ones may go. @param {Range} range @param {number} total @returns {Range} */
export function later({ start, end }, total) {
  const to = Math.min(total, end + STEP);
  return { start: Math.max(start, to - LARGEST), end: to };
}

/**
 * The range after the transcript has changed from `before` to `total` messages: who is at its end stays there, who reads further up is left
 * alone, and a transcript that was cut below the range starts anew.
 * @param {Range} range @param {number} before @param {number} total @returns {Range}
 */
export function adjusted(range, before, total) {
  if (before === 0 || range.start >= total || (range.end > total && range.end !== before)) return newest(total);
  if (range.end < before) return { start: range.start, end: Math.min(range.end, total) };
  return { start: Math.max(Math.min(range.start, total), total - LARGEST, 0), end: total };
}
