// A flame graph as one still picture: wide is long, callers stand below, and the colour is the part of the host. No script in it, so that it shows
// wherever a picture does.

/** @typedef {{ name: string, part: string }} Frame */
/** @typedef {{ frames: Frame[], count: number }} Stack from the outermost frame to the one that was running */
/** @typedef {{ frame: Frame, count: number, callees: Map<string, Block> }} Block */

const WIDTH = 1200;
const ROW = 16;
/** Room for the legend and the title, above the frames. */
const TOP = 64;
/** What is narrower than that is not drawn, in pixels. */
const NARROWEST = 1;
/** Width of a character at this size, in pixels. */
const CHARACTER = 6.1;

/** Told apart also without red and green. */
const COLOURS = ["#88ccee", "#ddcc77", "#cc6677", "#44aa99", "#aa88cc", "#e69f50", "#99bb55", "#ee99aa", "#bbbbbb", "#dddddd", "#ffffff"];

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** @param {Stack[]} stacks @returns {Block} */
function tree(stacks) {
  /** @type {Block} */
  const root = { frame: { name: "all", part: "" }, count: 0, callees: new Map() };
  for (const { frames, count } of stacks) {
    let block = root;
    block.count += count;
    for (const frame of frames) {
      const known = block.callees.get(frame.name);
      const next = known ?? { frame, count: 0, callees: new Map() };
      if (!known) block.callees.set(frame.name, next);
      next.count += count;
      block = next;
    }
  }
  return root;
}

/**
 * @param {Stack[]} stacks
 * @param {{ title: string, shares: [string, number][] }} about `shares` of the parts, largest first: the legend
 * @returns {string} the picture as SVG
 */
export function flameGraph(stacks, { title, shares }) {
  const root = tree(stacks);
  const colours = new Map(shares.map(([part], index) => [part, COLOURS[index % COLOURS.length] ?? "#ffffff"]));
  /** @type {{ x: number, width: number, depth: number, frame: Frame, count: number }[]} */
  const boxes = [];
  /** @param {Block} block @param {number} x @param {number} depth */
  const place = (block, x, depth) => {
    for (const callee of [...block.callees.values()].sort((a, b) => b.count - a.count)) {
      const width = (callee.count / root.count) * WIDTH;
      if (width < NARROWEST) break;
      boxes.push({ x, width, depth, frame: callee.frame, count: callee.count });
      place(callee, x, depth + 1);
      x += width;
    }
  };
  place(root, 0, 0);
  const deepest = Math.max(...boxes.map(({ depth }) => depth));
  const height = TOP + (deepest + 1) * ROW;
  const drawn = boxes.map(({ x, width, depth, frame, count }) => {
    const y = height - (depth + 1) * ROW;
    const room = Math.floor((width - 4) / CHARACTER);
    const label = room < 3 ? "" : frame.name.length > room ? `${frame.name.slice(0, room - 1)}…` : frame.name;
    const rectangle = `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(width - 0.5, 0.5).toFixed(1)}" height="${ROW - 1}" fill="${colours.get(frame.part) ?? "#dddddd"}"/>`;
    const text = label && `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${escaped(label)}</text>`;
    return `<g><title>${escaped(frame.name)}: ${((count / root.count) * 100).toFixed(1)} %</title>${rectangle}${text}</g>`;
  });
  const legend = shares.map(([part, share], index) => {
    const [x, y] = [(index % 5) * (WIDTH / 5), 26 + Math.floor(index / 5) * 18];
    return `<rect x="${x}" y="${y}" width="12" height="12" fill="${colours.get(part)}"/><text x="${x + 16}" y="${y + 10}">${escaped(part)} ${(share * 100).toFixed(1)} %</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="10">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="0" y="14" font-size="14">${escaped(title)}</text>
${[...legend, ...drawn].join("\n")}
</svg>
`;
}
