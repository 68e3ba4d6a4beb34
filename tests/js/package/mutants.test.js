// scripts/lib/mutants.mjs: the switch that mutation testing (docs/mutation.md) puts into a source file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { switchable, switched } from "../../../scripts/lib/mutants.mjs";

const source = `/// A brace in a comment { opens nothing.
#[must_use]
fn greet(name: &str) -> String {
    fn mark(ä: bool) -> char { if ä == true { '!' } else { '.' } }
    format!("{name}{}", mark(name == "Ä" && true))
}
`;

const at = (/** @type {number} */ line, /** @type {number} */ column) => ({ line, column });
const greet = { span: { start: at(1, 1), end: at(6, 2) } };
const mark = { span: { start: at(4, 5), end: at(4, 67) } };
const of = (/** @type {any} */ owner, /** @type {any} */ start, /** @type {any} */ end, /** @type {string} */ replacement) => ({
  file: "src/a.rs",
  name: replacement,
  genre: "",
  replacement,
  span: { start, end },
  function: owner,
  diff: "",
});

test("every mutant becomes an arm of the outermost function, and the original stays the default", () => {
  const mutants = switchable([
    of(greet, at(4, 5), at(5, 51), "String::new()"),
    of(greet, at(5, 42), at(5, 44), "||"),
    of(mark, at(4, 37), at(4, 39), "!="),
    of(null, at(1, 1), at(1, 2), "a constant"),
  ]);
  assert.deepEqual(
    mutants.map(({ id }) => id),
    [1, 2, 3],
    "what is no function cannot be switched",
  );
  const { text, mutantAt } = switched(source, mutants);
  assert.equal((text.match(/match crate::mutant\(\)/g) ?? []).length, 1);
  assert.match(text, /1 => \{\n {4}String::new\(\) \n\}/);
  assert.match(text, /2 => \{.*name == "Ä" \|\| {2}true.*\}\n3 => /s);
  assert.match(text, /3 => \{.*if ä != {2}true.*name == "Ä" && true.*\}\n_ => /s);
  assert.ok(text.endsWith(`_ => {${source.slice(source.indexOf("\n    fn mark"), -2)}}\n}}\n`));
  const lines = text.split("\n");
  for (const [line, id] of mutantAt) assert.ok(line <= lines.length && id >= 1 && id <= 3);
  assert.equal(mutantAt.get(lines.findIndex((line) => line.includes("ä != ")) + 1), 3, "an error of the compiler leads to its mutant");
});
