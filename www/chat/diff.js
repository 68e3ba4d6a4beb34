/** Reads the preview lines of an approval card. Text only: whoever shows it escapes it. */

const ARROW = " → ";

/**
 * One preview line: `change` is "Title: Team → About us" taken apart, `text` is any other line as it stands.
 * @typedef {{ kind: "change", label: string, current: string, proposed: string } | { kind: "text", text: string }} PreviewLine
 */

/**
 * A line with exactly one arrow is a change; with several it is ambiguous which one divides the values, so the line is shown whole.
 * The label ends at the first colon followed by white space: "10:30 → 11:00" has none. An indented line continues a longer text and is
 * never a change, so that a proposed text cannot pose as one.
 * @param {string} line
 * @returns {PreviewLine}
 */
export function parsePreviewLine(line) {
  if (/^\s/.test(line)) return { kind: "text", text: line };
  const padded = line.startsWith("→ ") ? ` ${line}` : line.endsWith(" →") ? `${line} ` : line;
  const at = padded.indexOf(ARROW);
  if (at < 0 || padded.indexOf(ARROW, at + ARROW.length) >= 0) return { kind: "text", text: line };
  const left = padded.slice(0, at);
  const proposed = padded.slice(at + ARROW.length).trim();
  const colon = /:(\s|$)/.exec(left);
  if (colon === null) return { kind: "change", label: "", current: left.trim(), proposed };
  return { kind: "change", label: left.slice(0, colon.index).trim(), current: left.slice(colon.index + 1).trim(), proposed };
}

/** @param {readonly unknown[] | undefined} lines */
export function parsePreview(lines) {
  return (lines ?? []).filter((line) => typeof line === "string").map(parsePreviewLine);
}
