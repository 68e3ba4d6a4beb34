// Mutants of cargo-mutants as switches: every function that has mutants becomes a choice between its body and the mutated bodies, so that one build holds all.
import { createHash } from "node:crypto";

/** @typedef {{ line: number, column: number }} Position both from 1, columns in code points */
/** @typedef {{ start: Position, end: Position }} Span */
/**
 * One entry of `cargo mutants --list --json --diff`.
 * @typedef {{ file: string, name: string, genre: string, replacement: string, span: Span, function: { span: Span } | null, diff: string }} Listed
 */
/** @typedef {Listed & { id: number, key: string }} Mutant `key` is the same as long as the mutant and the lines around it are */
/** @typedef {{ text: string, mutantAt: Map<number, number> }} Switched source text, and which mutant a line of it belongs to */

/** @param {Listed[]} listed @returns {Mutant[]} those of functions; what mutates a constant cannot be switched */
export function switchable(listed) {
  const place = /:\d+:\d+: |^@@.*@@$/gm;
  const key = (/** @type {Listed} */ one) => createHash("sha256").update(one.name.replace(place, " ")).update(one.diff.replace(place, "")).digest("hex");
  return listed.filter((one) => one.function).map((one, index) => ({ ...one, id: index + 1, key: key(one) }));
}

/** Turns positions of a source text into indices. @param {string} text */
function indexer(text) {
  const lines = text.split("\n");
  const starts = [0];
  for (const line of lines) starts.push(/** @type {number} */ (starts.at(-1)) + line.length + 1);
  return (/** @type {Position} */ { line, column }) => starts[line - 1] + [...lines[line - 1]].slice(0, column - 1).join("").length;
}

/** @typedef {{ from: number, to: number, mutants: Mutant[] }} Body of a function, without its braces */

/**
 * The bodies of the outermost functions that have mutants, in order.
 * @param {string} text @param {Mutant[]} mutants @param {(at: Position) => number} index
 * @returns {Body[]}
 */
function bodies(text, mutants, index) {
  /** @type {Map<string, { start: number, end: number, mutants: Mutant[] }>} */
  const functions = new Map();
  for (const mutant of mutants) {
    const span = /** @type {{ span: Span }} */ (mutant.function).span;
    const [start, end] = [index(span.start), index(span.end)];
    const known = functions.get(`${start}-${end}`) ?? { start, end, mutants: [] };
    known.mutants.push(mutant);
    functions.set(`${start}-${end}`, known);
  }
  /** @type {{ start: number, end: number, mutants: Mutant[] }[]} */
  const outermost = [];
  for (const one of [...functions.values()].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const around = outermost.at(-1);
    if (around && one.end <= around.end) around.mutants.push(...one.mutants);
    else outermost.push(one);
  }
  return outermost.map(({ start, end, mutants }) => ({ from: bodyStart(text, start), to: end - 1, mutants }));
}

/** Behind the brace that opens a function's body; comments and attributes before it may hold others. @param {string} text @param {number} start */
function bodyStart(text, start) {
  let at = start;
  while (/^\s*(\/\/|#\[)/.test(text.slice(at, text.indexOf("\n", at)))) at = text.indexOf("\n", at) + 1;
  return text.indexOf("{", at) + 1;
}

/**
 * The source with all these mutants in it, of which `crate::mutant()` switches one on, or none.
 * @param {string} text @param {Mutant[]} mutants those of this file
 * @returns {Switched}
 */
export function switched(text, mutants) {
  const index = indexer(text);
  /** @type {Map<number, number>} */
  const mutantAt = new Map();
  let made = "";
  let line = 1;
  /** @param {string} piece @param {number} [id] */
  const add = (piece, id) => {
    const first = line;
    line += piece.split("\n").length - 1;
    if (id) for (let at = first; at <= line; at++) mutantAt.set(at, id);
    made += piece;
  };
  let done = 0;
  for (const { from, to, mutants: own } of bodies(text, mutants, index)) {
    add(`${text.slice(done, from)} match crate::mutant() {\n`);
    for (const { id, span, replacement } of own) {
      add(`${id} => {${text.slice(from, index(span.start))}${replacement} ${text.slice(index(span.end), to)}}`, id);
      add("\n");
    }
    add(`_ => {${text.slice(from, to)}}\n}`);
    done = to;
  }
  add(text.slice(done));
  return { text: made, mutantAt };
}

/** What the switched crate needs beside its functions. */
export const switchSource = `
/// Which mutant is on; 0: none.
pub fn mutant() -> u32 {
    static ON: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *ON.get_or_init(|| std::env::var("MUTANT").ok().and_then(|id| id.parse().ok()).unwrap_or(0))
}
`;
