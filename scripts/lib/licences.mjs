// Licence expressions (SPDX), as far as manifests of npm and crates.io use them: names, AND, OR, brackets; `/` is the old spelling of OR.

/**
 * Whether an expression can be fulfilled with these licences alone. Nonsense cannot.
 * @param {string} expression @param {ReadonlySet<string>} allowed
 * @returns {boolean}
 */
export function isAllowed(expression, allowed) {
  const words = expression.replaceAll("/", " OR ").match(/\(|\)|[^\s()]+/g) ?? [];
  let at = 0;
  /** One name or bracket. @returns {boolean | null} null: nonsense */
  const term = () => {
    const word = words[at++];
    if (word === undefined || word === ")" || word === "AND" || word === "OR") return null;
    if (word !== "(") return allowed.has(word);
    const inner = choice();
    return words[at++] === ")" ? inner : null;
  };
  /** AND binds closer than OR. @param {string} operator @param {() => boolean | null} next @param {(a: boolean, b: boolean) => boolean} join */
  const chain = (operator, next, join) => {
    let value = next();
    while (words[at] === operator) {
      at += 1;
      const other = next();
      value = value === null || other === null ? null : join(value, other);
    }
    return value;
  };
  const both = () => chain("AND", term, (a, b) => a && b);
  /** @returns {boolean | null} */
  const choice = () => chain("OR", both, (a, b) => a || b);
  return choice() === true && at === words.length;
}
