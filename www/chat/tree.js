/** The site's pages as a tree. */

/** @typedef {import("./types.js").Page} Page */
/** @typedef {{ page: Page, children: Node[] }} Node */

/**
 * Pages in the order given, under their parents; a page whose parent is not listed, or which is its own ancestor, stands at the top.
 * @param {readonly Page[]} pages
 * @returns {Node[]}
 */
export function pageTree(pages) {
  /** @type {Map<string, Node>} */
  const nodes = new Map(pages.map((page) => [String(page.uid), { page, children: [] }]));
  /** @type {Node[]} */
  const top = [];
  for (const node of nodes.values()) {
    const parent = nodes.get(String(node.page.parent));
    if (parent === undefined || isOwnAncestor(nodes, node)) top.push(node);
    else parent.children.push(node);
  }
  return top;
}

/** @param {Map<string, Node>} nodes @param {Node} node */
function isOwnAncestor(nodes, node) {
  const seen = new Set();
  for (let at = nodes.get(String(node.page.parent)); at !== undefined && !seen.has(at); at = nodes.get(String(at.page.parent))) {
    if (at === node) return true;
    seen.add(at);
  }
  return false;
}
