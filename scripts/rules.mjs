#!/usr/bin/env node
// Which rule lives where, and what tests it: writes docs/rule-table.md. With `--check` it fails where the table is stale, a rule is named by no source
// file, or no test names it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { inRoot, root } from "./lib/project.mjs";

const table = inRoot("docs", "rule-table.md");
const RULE = /\b([ACDEFGKMNORSTVW]\d{1,2}[a-b]?)\b/g;

/** @param {string} folder @param {RegExp} name @returns {string[]} */
const filesIn = (folder, name) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => name.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file))
    .sort();

/** The numbers of docs/rules.md, in its order. */
function rules() {
  const text = readFileSync(inRoot("docs", "rules.md"), "utf8");
  return [...text.matchAll(/^([A-Z]\d{1,2}[a-z]?)\. /gm)].map((match) => /** @type {string} */ (match[1]));
}

/**
 * Only comments name a rule: an identifier that looks like one does not.
 * @param {string} text
 */
const commentsOf = (text) => [...text.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)].map(([comment]) => comment).join("\n");

/**
 * "S1-S4" and "O4, O5" name what they span.
 * @param {string} text @param {string[]} known @returns {Set<string>}
 */
function named(text, known) {
  const found = new Set([...text.matchAll(RULE)].map(([name]) => name));
  for (const [, from = "", to = ""] of text.matchAll(/\b([A-Z]\d{1,2}[a-z]?)[-–]([A-Z]\d{1,2}[a-z]?)\b/g)) {
    const first = known.indexOf(from);
    const last = known.indexOf(to);
    if (first >= 0 && from[0] === to[0]) for (const rule of known.slice(first, last + 1)) if (rule[0] === from[0]) found.add(rule);
  }
  return found;
}

/** @returns {Map<string, { sources: string[], tests: string[], vectors: number }>} */
function survey() {
  const known = rules();
  const rows = new Map(known.map((rule) => [rule, { sources: /** @type {string[]} */ ([]), tests: /** @type {string[]} */ ([]), vectors: 0 }]));
  /** @param {string} file @param {"sources" | "tests"} column @param {string} text */
  const note = (file, column, text) => {
    for (const rule of named(text, known)) rows.get(rule)?.[column].push(relative(root, file));
  };
  for (const file of [...filesIn(inRoot("src"), /\.(rs|js)$/), ...filesIn(inRoot("pkg"), /^(?!wasm|testing).*\.js$/)]) {
    const text = readFileSync(file, "utf8");
    const tests = text.search(/#\[cfg\((?:test|all\(test)/);
    const isTest = /(^|\/)tests(\.rs|\/)/.test(relative(root, file));
    if (isTest) note(file, "tests", commentsOf(text));
    else {
      note(file, "sources", commentsOf(tests < 0 ? text : text.slice(0, tests)));
      if (tests >= 0) note(file, "tests", commentsOf(text.slice(tests)));
    }
  }
  // The storage kit is made of tests, though it is part of the package.
  for (const file of [...filesIn(inRoot("tests"), /\.(rs|js|mjs)$/), ...filesIn(inRoot("pkg", "testing"), /\.js$/)]) {
    const text = readFileSync(file, "utf8");
    const titles = [...text.matchAll(/\b(?:test|it|describe|check|strictly|when[A-Z]\w*)\(\s*["'`](.*)["'`]/g)].map(([, title]) => title);
    note(file, "tests", [commentsOf(text), ...titles].join("\n"));
  }
  for (const folder of ["vectors", "vectors-own"]) {
    for (const file of filesIn(inRoot("tests", folder), /\.jsonl$/)) {
      for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
        for (const rule of JSON.parse(line).rules ?? []) {
          const row = rows.get(rule);
          if (row) row.vectors += 1;
        }
      }
    }
  }
  return rows;
}

/** @param {ReturnType<typeof survey>} rows */
function page(rows) {
  const lines = [...rows].map(([rule, { sources, tests, vectors }]) => `| ${rule} | ${sources.join(" ")} | ${vectors} | ${tests.join(" ")} |`);
  return `# Where a rule lives

Written by \`npm run rules\`; \`npm test\` fails where it is stale. A file stands here because a comment of it names the rule; vectors are lines of
\`tests/vectors\` and \`tests/vectors-own\`.

| rule | implemented in | vectors | other tests |
|---|---|---|---|
${lines.join("\n")}
`;
}

const rows = survey();
const text = page(rows);
if (!process.argv.includes("--check")) writeFileSync(table, text);
else {
  const problems = [];
  for (const [rule, { sources, tests, vectors }] of rows) {
    if (sources.length === 0) problems.push(`${rule}: no source file names it`);
    if (tests.length === 0 && vectors === 0) problems.push(`${rule}: no test names it`);
  }
  if (readFileSync(table, "utf8") !== text) problems.push("docs/rule-table.md is stale: npm run rules");
  for (const problem of problems) console.error(problem);
  if (problems.length) process.exit(1);
  console.log(`${rows.size} passed, 0 failed`);
}
