// The pure rules against plain JavaScript that obeys them, a JSON round trip and structuredClone. Runs in Node and in a page.
import { compare } from "./rounds.js";
import { completed, conversation, errorText, reader, refusal, suspended, task, view } from "./workloads.js";

/**
 * @typedef {import("./rounds.js").Candidate} Candidate
 * @typedef {{ workload: string, n: number, microseconds: Record<string, number> }} Row
 * @typedef {{ rounds: number, milliseconds: number }} Effort
 */

/** What the rules say is compared before anything is timed: a fast wrong answer is no answer. @param {string} what @param {unknown} ours @param {unknown} theirs */
export function agree(what, ours, theirs) {
  const [a, b] = [ours, theirs].map((value) => JSON.stringify(value, sorted));
  if (a !== b) throw new Error(`${what}: the outputs differ\n${a?.slice(0, 500)}\n${b?.slice(0, 500)}`);
}

/** @param {string} _key @param {any} value */
const sorted = (_key, value) =>
  value && typeof value === "object" && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Texts of the system part are written by each in its own words; everything else is the same to the letter. @param {any[]} wire */
const transcript = (wire) => wire.map(({ role, content }) => (role === "system" ? role : [role, content]));

/** One editor's turn as a host sees it: a turn is built and mapped once, looked at six times, and now and then an error is made readable. @param {any} module @param {any} row @param {any} waiting */
function mix(module, row, waiting) {
  module.buildTranscript({ conversation: row, task });
  module.mapOutcome(row, suspended, options);
  for (let poll = 0; poll < 6; poll++) module.present(waiting, reader, view);
  module.mapRefusal(waiting, refusal, "approval");
  module.mapOutcome(row, completed, options);
  module.sanitizeError(shortError);
}

const options = { now: 1_700_000_000_000 };
const shortError = errorText.slice(0, 400);

/** @typedef {{ name: string, candidates: (module: any, row: any) => () => unknown, view?: (value: any) => unknown, fields?: object, json?: boolean }} Workload */

/** @type {Workload[]} */
const workloads = [
  { name: "buildTranscript", candidates: (module, row) => () => module.buildTranscript({ conversation: row, task }), view: transcript, json: true },
  { name: "mapOutcome", candidates: (module, row) => () => module.mapOutcome(row, completed, options), json: true },
  {
    name: "mapRefusal",
    candidates: (module, row) => () => module.mapRefusal(row, refusal, "approval"),
    fields: { status: "processing", runUuid: "r", decision: "approve", decidedBy: 7, turnDigest: "d" },
    json: true,
  },
  {
    name: "present",
    candidates: (module, row) => () => module.present(row, reader, view),
    fields: { status: "awaiting_approval", runUuid: "r" },
    json: true,
  },
];

/**
 * @param {any} component @param {any} reference @param {{ sizes: number[], effort: Effort }} how
 * @returns {Row[]}
 */
export function ruleRows(component, reference, { sizes, effort }) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, candidates, view: shown = (/** @type {any} */ value) => value, fields, json } of workloads) {
    for (const n of sizes) {
      const row = conversation(n, fields);
      const [ours, plain] = [candidates(component, row), candidates(reference, row)];
      agree(`${name}, ${n} messages`, shown(ours()), shown(plain()));
      /** @type {Candidate[]} */
      const all = [
        { name: "component", run: ours },
        { name: "plain JS", run: plain },
      ];
      if (json) all.push({ name: "JSON", run: () => JSON.parse(JSON.stringify(row)) }, { name: "structuredClone", run: () => structuredClone(row) });
      rows.push({ workload: name, n, microseconds: compare(all, effort) });
    }
  }
  for (const n of sizes) rows.push({ workload: "a turn's rules", n, microseconds: compareMix(component, reference, n, effort) });
  rows.push(sanitizing(component, effort));
  return rows;
}

/** @param {any} component @param {any} reference @param {number} n @param {Effort} effort */
function compareMix(component, reference, n, effort) {
  const row = conversation(n);
  const waiting = conversation(n, { status: "awaiting_approval", runUuid: "r" });
  return compare(
    [
      { name: "component", run: () => mix(component, row, waiting) },
      { name: "plain JS", run: () => mix(reference, row, waiting) },
    ],
    effort,
  );
}

/** A few of the patterns that the component looks for, as an expression would. @param {any} component @param {Effort} effort @returns {Row} */
function sanitizing(component, effort) {
  const pattern = /https?:\/\/\S+|\/[\w./-]+:\d+:\d+|\b(?:token|key|password)=\S+|\bghp_\w+/g;
  const microseconds = compare(
    [
      { name: "component", run: () => component.sanitizeError(errorText) },
      { name: "RegExp", run: () => errorText.replace(pattern, "[redacted]").replace(/\s+/g, " ").slice(0, 500) },
    ],
    effort,
  );
  return { workload: "sanitizeError", n: errorText.length, microseconds };
}
