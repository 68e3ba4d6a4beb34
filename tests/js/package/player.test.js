// The vector player itself: a player that lets everything pass would prove nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mismatch } from "../../player/matching.js";
import { playFiles } from "../../player/play.js";

/** @type {[pattern: unknown, fits: unknown[], fails: unknown[]][]} */
const patterns = [
  [1, [1], ["1", 2, null, undefined]],
  [null, [null], [undefined, 0]],
  [{ a: 1 }, [{ a: 1, b: 2 }], [{}, { a: 2 }, [], null, "a"]],
  [{ a: 1, $exact: true }, [{ a: 1 }, { a: 1, b: undefined }], [{ a: 1, b: null }]],
  [[1, { a: 1 }], [[1, { a: 1, b: 2 }]], [[1], [1, { a: 1 }, 3], { 0: 1 }]],
  [{ $any: true }, [null, 0, {}], []],
  [{ $anyOf: [1, { a: 1 }] }, [1, { a: 1 }], [2, { a: 2 }]],
  [{ $absent: true }, [undefined, null], [0, ""]],
  [{ $match: "^ä.b$" }, ["ä\nb", "ä😀b"], ["äb", 1, null]],
  [{ $not: "secret" }, ["public", ""], ["a secret", 1, null]],
  [{ $len: 0 }, ["", []], ["a", null, [1]]],
  [{ $min: 0 }, [0, 1], [-1, "1"]],
  [{ $max: 2 }, ["ab", "😀😀"], ["abc", 2]],
  [{ $nonEmpty: true }, ["a", [0]], ["", [], {}]],
  [{ $contains: [1, 2] }, [[2, 3, 1]], [[1], "12"]],
  [{ $anyOrder: [1, 2] }, [[2, 1]], [[1, 1], [1, 2, 3], "12"]],
  [{ $lacks: 'se"cret', a: 1 }, [{ a: 1 }], [{ a: 1, b: ['se"cret'] }, { a: 1, 'se"cret': 1 }, { a: 2 }]],
];

for (const [pattern, fits, fails] of patterns) {
  test(`matching ${JSON.stringify(pattern)}`, () => {
    for (const value of fits) assert.equal(mismatch(pattern, value), null, JSON.stringify(value));
    for (const value of fails) assert.match(mismatch(pattern, value) ?? "", /^\$.*: /s, String(JSON.stringify(value)));
  });
}

test("a mismatch names the place", () => {
  assert.equal(mismatch({ a: [{ b: 1 }] }, { a: [{ b: 2 }] }), "$.a[0].b: expected 1, got 2");
});

/** Plays vectors against a package made here. @param {Record<string, unknown>} pkg @param {Record<string, unknown>[]} vectors */
async function play(pkg, vectors) {
  /** @type {string[]} */
  const problems = [];
  const text = vectors.map((vector, i) => JSON.stringify({ id: `v${i}`, ...vector })).join("\n");
  const sum = await playFiles(pkg, [{ name: "made-here.jsonl", text }], { onFailure: ({ id, line, problem }) => problems.push(`${id}:${line} ${problem}`) });
  return { ...sum, problems };
}

test("calls: values, throws and changed arguments are told apart", async () => {
  const pkg = {
    double: (/** @type {number} */ n) => n * 2,
    refuse: () => Promise.reject(Object.assign(new Error("no"), { code: "refused" })),
    change: (/** @type {unknown[]} */ list) => list.push(1),
  };
  const { passed, failed, problems } = await play(pkg, [
    { call: "double", args: [2], expect: 4 },
    { call: "double", args: [2], expect: 5 },
    { call: "refuse", throws: { code: "refused" } },
    { call: "refuse", throws: { code: "other" } },
    { call: "double", args: [1], throws: { code: "refused" } },
    { call: "change", args: [[]], expect: 1 },
    { call: "missing", expect: { $absent: true } },
  ]);
  assert.deepEqual([passed, failed], [2, 5]);
  assert.deepEqual(
    problems.map((line) => line.split("\n")[0]?.slice(0, 60)),
    [
      "v1:2 $: expected 5, got 4",
      'v3:4 $.code: expected "other", got "refused"',
      "v4:5 expected a throw, got 2",
      "v5:6 the arguments were changed",
      "v6:7 threw  TypeError: pkg[vector.call] is not a function",
    ],
  );
});

/** An engine whose operations are given. @param {Record<string, (host: any, ...args: any[]) => unknown>} operations */
function engineOf(operations) {
  return class {
    /** @param {unknown} host */
    constructor(host) {
      for (const [name, operation] of Object.entries(operations))
        Object.assign(this, { [name]: (/** @type {unknown[]} */ ...args) => operation(host, ...args) });
    }
  };
}

test("scenarios: rows, counts, order of calls and missing answers are judged", async () => {
  const ChatEngine = engineOf({
    claim: async (host, uid) => host.storage.swap(uid, (await host.storage.load(uid)).revision, { status: "locked" }),
    run: (host) => host.runtime.run({ runUuid: host.uuid() }, () => {}),
  });
  const given = { conversations: [{ uid: 1, status: "processing" }], runtime: { run: [{ adoptUuid: true, returns: { outcome: "completed" } }] } };
  const claim = { call: "claim", args: [1], expect: true };
  const { problems } = await play({ ChatEngine }, [
    {
      given,
      steps: [claim],
      then: { conversations: [{ status: "locked", revision: 4 }], counts: { "storage.swap": 1 }, calls: [{ fn: "storage.load" }, { fn: "storage.swap" }] },
    },
    { given, steps: [claim], then: { conversations: [{ status: "idle" }] } },
    { given, steps: [claim], then: { counts: { "storage.swap": 2 } } },
    { given, steps: [claim], then: { calls: [{ fn: "storage.swap" }, { fn: "storage.load" }] } },
    { given, steps: [claim], then: { conversations: [{ uid: 1, $gone: true }] } },
    { given: { ...given, storage: { loseSwap: [1] } }, steps: [claim] },
    { given: { ...given, storage: { throwOn: { swap: [1] } } }, steps: [{ ...claim, expect: undefined, throws: { code: "SCRIPTED" } }] },
    {
      given,
      steps: [
        { call: "run", expect: { runUuid: { $match: "-000000000001$" } } },
        { call: "run", throws: {} },
      ],
    },
    { given, steps: [{ parallel: [claim, claim], expect: { $anyOrder: [true, false] } }] },
  ]);
  assert.deepEqual(problems, [
    'v1:2 conversation 1.status: expected "idle", got "locked"',
    "v2:3 storage.swap was called 1 times, expected 2",
    "v3:4 storage.load was not called",
    "v4:5 conversation 1 is still there",
    "v5:6 step 1: $: expected true, got false",
    "v7:8 step 2: no scripted answer left for runtime.run",
  ]);
});

test("scenarios: late steps, steps in flight, an abandoned call and the clock", async () => {
  /** @type {string[]} */
  const steps = [];
  const ChatEngine = engineOf({
    run: (host) => host.runtime.run({}, (/** @type {{ kind: string }} */ step) => steps.push(step.kind)),
    hang: async (host) => {
      await host.storage.load(1);
      await host.runtime.run({}, () => {});
    },
    time: (host) => host.now(),
  });
  const conversations = [{ uid: 1 }];
  const { problems } = await play({ ChatEngine }, [
    {
      given: { conversations, runtime: { run: [{ never: true }] } },
      steps: [{ abandon: { call: "hang" } }, { advance: 60 }, { call: "time", expect: 1700000060000 }],
      then: { counts: { "runtime.run": 1 } },
    },
    {
      given: { conversations, runtime: { run: [{ steps: [{ kind: "a" }], late: [{ kind: "b" }], returns: {} }] } },
      steps: [{ call: "run" }, { abandon: { call: "time" } }],
    },
    {
      given: { conversations, runtime: { run: [{ during: [{ store: { uid: 1, set: { title: "new" } } }], returns: { outcome: "completed" } }] } },
      steps: [{ call: "run", expect: { outcome: "completed" } }],
      then: { conversations: [{ title: "new", revision: 4 }] },
    },
    { given: { conversations }, steps: [{ store: { uid: 2, set: {} } }] },
    {
      given: { conversations },
      steps: [{ fail: ["now"] }, { call: "time", throws: { code: "SCRIPTED" } }, { fail: [] }, { call: "time", expect: { $min: 1 } }],
    },
  ]);
  assert.deepEqual(steps, ["a", "b"]);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /^v3:4 player: Error: store: there is no conversation 2/);
});

test("only: the vectors whose id begins so", async () => {
  const text = ['{"id":"a-1","call":"f","expect":1}', '{"id":"b-1","call":"f","expect":1}', ""].join("\n");
  assert.deepEqual(await playFiles({ f: () => 1 }, [{ name: "x", text }], { only: "b-" }), { passed: 1, failed: 0 });
});

test("of a part of the whole only the calls that it has are played", async () => {
  const text = '{"id":"a","call":"f","expect":1}\n{"id":"b","call":"g","expect":1}\n{"id":"c","steps":[]}\n';
  assert.deepEqual(await playFiles({ f: () => 1 }, [{ name: "x", text }], { part: true }), { passed: 1, failed: 0 });
  assert.deepEqual(await playFiles({ f: () => 2 }, [{ name: "x", text }], { part: true }), { passed: 0, failed: 1 });
});
