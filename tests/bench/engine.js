// A whole turn through the engine over a host that answers at once: what the rules themselves cost between two answers of storage and runtime.
import { compareAsync } from "./rounds.js";
import { completed, conversation, suspended, task, view } from "./workloads.js";

/** A store of one conversation, put back before each run. @param {any} row */
function store(row) {
  const first = row;
  let stored = row;
  return {
    reset() {
      stored = first;
    },
    storage: {
      load: () => stored,
      swap: (/** @type {unknown} */ _uid, /** @type {number} */ revision, /** @type {any} */ { messages, ...fields }) => {
        if (stored.revision !== revision) return false;
        const kept = messages ? [...stored.messages.slice(0, messages.keep), ...messages.append] : stored.messages;
        stored = { ...stored, ...fields, messages: kept, revision: revision + 1 };
        return true;
      },
      touch: () => true,
      find: () => [1],
      insert: () => 1,
      remove: () => true,
    },
  };
}

const settings = { taskUid: 5, extensionKey: "bench" };

/** A turn that is answered at once. @param {any} module @param {number} n */
export function turn(module, n) {
  const { reset, storage } = store(conversation(n, { status: "processing", claimId: "", lastRunUuid: "" }));
  const runtime = {
    run: (/** @type {any} */ { runUuid }) => ({ ...completed, runUuid }),
    approve: () => null,
    submitInput: () => null,
    status: () => null,
  };
  const engine = new module.ChatEngine({ storage, runtime, resolveTask: () => task }, settings);
  return async () => {
    reset();
    const { status } = await engine.runNext("worker");
    if (status !== "idle") throw new Error(`the turn ended ${status}`);
  };
}

/** A turn that waits for an approval, gets it, and goes on to its end. @param {any} module @param {number} n */
export function approvedTurn(module, n) {
  const { reset, storage } = store(conversation(n, { status: "processing", claimId: "", lastRunUuid: "" }));
  let runUuid = "";
  const runtime = {
    run: (/** @type {any} */ started) => {
      runUuid = started.runUuid;
      return { ...suspended, runUuid };
    },
    approve: () => ({ ...completed, runUuid }),
    submitInput: () => null,
    status: () => ({ status: "waiting_for_approval" }),
    waitingView: () => ({ ...view, runUuid }),
  };
  const engine = new module.ChatEngine({ storage, runtime, resolveTask: () => task }, settings);
  const actor = { uid: 7, isAdmin: true, groups: [] };
  const decision = { approve: true, turnDigest: view.turnDigest };
  return async () => {
    reset();
    const paused = await engine.runNext("worker");
    if (paused.status !== "awaiting_approval") throw new Error(`the turn ended ${paused.status}`);
    const answer = await engine.recordDecision(1, actor, decision);
    if (!answer.ok) throw new Error(`the decision was refused: ${JSON.stringify(answer)}`);
    const { status } = await engine.runNext("worker");
    if (status !== "idle") throw new Error(`the approved turn ended ${status}`);
  };
}

/**
 * @param {any} component @param {any} reference @param {{ sizes: number[], rounds: number, repeat: (n: number) => number }} how
 * @returns {Promise<import("./rules.js").Row[]>}
 */
export async function engineRows(component, reference, { sizes, rounds, repeat }) {
  const rows = [];
  for (const [workload, make] of /** @type {const} */ ([
    ["a whole turn", turn],
    ["an approved turn", approvedTurn],
  ])) {
    for (const n of sizes) {
      const candidates = [
        { name: "component", run: make(component, n) },
        { name: "plain JS", run: make(reference, n) },
      ];
      rows.push({ workload, n, microseconds: await compareAsync(candidates, { rounds, repeat: repeat(n) }) });
    }
  }
  return rows;
}
