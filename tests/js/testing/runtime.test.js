/** The kit for runtimes: ours passes it on every database, and it finds what is broken. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RunRefused } from "agent-turn";
import { createAiSdkRuntime } from "agent-turn/runtime/ai-sdk";
import { openSqlite } from "agent-turn/storage/sql";
import { runtimeKit } from "agent-turn/testing/runtime";
import { MockLanguageModelV3 } from "ai/test";
import { DATABASE_KINDS } from "../../../scripts/databases.mjs";
import { answer } from "../runtime/support.mjs";
import { emptyDatabase } from "../storage/databases.js";

/** @typedef {import("agent-turn").Runtime} Runtime */

/** @typedef {{ dbs: import("kysely").Kysely<any>[], close(): void | Promise<void> }} Opened the connections of two runtimes to one new database */

/** A pool of connections for each. @param {import("../../../scripts/databases.mjs").DatabaseKind} kind @returns {() => Promise<Opened>} */
const onDatabase = (kind) => async () => {
  /** @type {(() => Promise<void>)[]} */
  const cleanups = [];
  const database = await emptyDatabase({ after: (cleanup) => void cleanups.push(cleanup) }, kind);
  const opened = await Promise.all([database.open(), database.open()]);
  const close = async () => {
    for (const cleanup of cleanups) await cleanup();
  };
  return { dbs: opened.map(({ db }) => db), close };
};

/** Quick, for what looks at the kit and not at a database. @returns {Promise<Opened>} */
async function inMemory() {
  const { db, close } = openSqlite(":memory:");
  return { dbs: [db, db], close };
}

/**
 * @param {import("agent-turn/testing/runtime").RuntimeScene} scene
 * @param {() => Promise<Opened>} open
 */
async function setup({ nextTurn, tools }, open) {
  const { dbs, close } = await open();
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const { text = "", calls = [], fails } = nextTurn();
      if (fails) throw new Error(fails);
      return answer(text, ...calls.map(({ name, input }) => /** @type {[string, unknown]} */ ([name, input])));
    },
  });
  const [runtime, other] = dbs.map((db) => createAiSdkRuntime({ db, tools, model: () => model }));
  if (!runtime || !other) throw new Error("two runtimes are needed");
  await runtime.migrate();
  return { runtime, other, close };
}

for (const kind of DATABASE_KINDS) {
  describe(`our runtime on ${kind}`, () => runtimeKit(test, (scene) => setup(scene, onDatabase(kind))));
}

/**
 * The checks that fail on a broken runtime.
 * @param {(runtime: Runtime) => Partial<Runtime>} broken
 */
async function found(broken) {
  /** @type {Promise<string | null>[]} */
  const checks = [];
  runtimeKit(
    (name, body) => {
      checks.push(
        body().then(
          () => null,
          () => name,
        ),
      );
    },
    async (scene) => {
      const under = await setup(scene, inMemory);
      const bent = (/** @type {Runtime} */ one) => ({ ...one, ...broken(one) });
      return { ...under, runtime: bent(under.runtime), other: bent(under.other) };
    },
  );
  return (await Promise.all(checks)).filter((name) => name !== null);
}

/** @type {Record<string, [(runtime: Runtime) => Partial<Runtime>, RegExp]>} */
const FAULTS = {
  "a digest that is not compared": [
    (runtime) => ({
      approve: async (actor, uuid, decision, onStep) => {
        const turnDigest = (await runtime.waitingView?.(actor, uuid))?.turnDigest ?? "";
        return runtime.approve(actor, uuid, { ...decision, turnDigest }, onStep);
      },
    }),
    /stale/,
  ],
  "a uuid of its own": [(runtime) => ({ run: (request, onStep) => runtime.run({ ...request, runUuid: `${request.runUuid}x` }, onStep) }), /announced uuid/],
  "a status for everybody": [(runtime) => ({ status: async (actor, uuid) => (await runtime.status(actor, uuid)) ?? { status: "failed" } }), /stranger/],
  "refusals as results": [
    (runtime) => ({
      approve: async (actor, uuid, decision, onStep) => {
        try {
          return await runtime.approve(actor, uuid, decision, onStep);
        } catch {
          return { outcome: "failed", runUuid: uuid };
        }
      },
    }),
    /stale/,
  ],
  "refusals without a reason": [
    (runtime) => ({
      submitInput: async (...args) => {
        try {
          return await runtime.submitInput(...args);
        } catch (error) {
          throw error instanceof RunRefused ? new Error(error.message) : error;
        }
      },
    }),
    /question/,
  ],
  "steps that are not told": [(runtime) => ({ run: (request) => runtime.run(request, () => {}) }), /each step was told/],
  "an observer that breaks the run": [
    (runtime) => ({
      run: async (request, onStep) => {
        const result = await runtime.run(request, () => {});
        for (const step of result.steps ?? []) onStep(step);
        return result;
      },
    }),
    /observer/,
  ],
  "an approval without a digest in the result": [
    (runtime) => ({ run: async (...args) => ({ ...(await runtime.run(...args)), suspendedState: {} }) }),
    /a write waits/,
  ],
  "a denial that is taken for an approval": [
    (runtime) => ({
      approve: (actor, uuid, decision, onStep) => runtime.approve(actor, uuid, { approved: true, decidedBy: 7, turnDigest: decision.turnDigest }, onStep),
    }),
    /denial/,
  ],
  "exceptions for outcomes": [
    (runtime) => ({
      run: async (...args) => {
        const result = await runtime.run(...args);
        if (result.outcome === "failed") throw new Error("failed");
        return result;
      },
    }),
    /model that fails/,
  ],
};
for (const [fault, [broken, expected]] of Object.entries(FAULTS)) {
  test(`the kit finds ${fault}`, async () => {
    const names = await found(broken);
    assert.ok(
      names.some((name) => expected.test(name)),
      `${names.join("\n")}`,
    );
  });
}
