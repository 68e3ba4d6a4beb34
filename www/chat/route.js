/** Deep links: `#/c/12` is conversation 12, everything else the start. */

/** @param {string} hash @returns {string | null} */
export function uidOfHash(hash) {
  const match = /^#\/c\/([^/?#]+)$/.exec(hash);
  if (match === null || match[1] === undefined) return null;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return null;
  }
}

/** @param {import("./types.js").Uid | null} uid */
export function hashOfUid(uid) {
  return uid === null ? "#/" : `#/c/${encodeURIComponent(String(uid))}`;
}
