/** Letters that Unicode decomposition does not take apart, and the German umlauts, which are written out. */
const SPELLED = new Map(
  Object.entries({ ä: "ae", ö: "oe", ü: "ue", ß: "ss", æ: "ae", œ: "oe", ø: "o", å: "a", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i", "&": " and " }),
);

/** Longest slug before a number is added, in characters. */
const SLUG_LENGTH = 80;

/**
 * The slug of a title: lower case ASCII letters, digits and single hyphens, never empty, at most 80 characters.
 *
 * @param {string} title
 * @returns {string}
 * @example slugOf("Öffnungszeiten & Anfahrt") // "oeffnungszeiten-and-anfahrt"
 */
export function slugOf(title) {
  const spelled = [...title.normalize("NFC").toLowerCase()].map((letter) => SPELLED.get(letter) ?? letter).join("");
  const plain = spelled.normalize("NFKD").replace(/\p{M}+/gu, "");
  const words = plain
    .replace(/['’]/g, "")
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return words.join("-").slice(0, SLUG_LENGTH).replace(/-+$/, "") || "page";
}

/**
 * The first of `slug`, `slug-2`, `slug-3`, ... that is not taken.
 *
 * @param {string} slug
 * @param {Iterable<string>} taken
 * @returns {string}
 */
export function freeSlug(slug, taken) {
  const used = new Set(taken);
  if (!used.has(slug)) return slug;
  let number = 2;
  while (used.has(`${slug}-${number}`)) number += 1;
  return `${slug}-${number}`;
}
