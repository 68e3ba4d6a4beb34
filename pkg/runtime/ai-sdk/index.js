/**
 * The runtime of the contract on the Vercel AI SDK 6: `createAiSdkRuntime` (see index.d.ts for the options).
 *
 * store.js, migrations.js   rows and tables         session.js   a run in the hands of this process: lease, steps, saves
 * loop.js, model-step.js    ask, work off, ask      turn.js      the calls of one assistant turn, pauses
 * effects.js                at most once            decide.js    approvals and answers
 * gates.js                  who may decide at all   guardrails.js, context.js  what goes to the model
 * recover.js, upkeep.js     runs of dead processes  views.js     status, result, events, card
 * drive.js, cancel.js       how work on a run ends, and stopping it
 * together.js               a write in one piece    signal.js    a signal for one piece of work
 */
import { randomUUID } from "node:crypto";
import { cancel } from "./cancel.js";
import { approve, submitInput } from "./decide.js";
import { drive } from "./drive.js";
import { AiSdkRuntimeError } from "./errors.js";
import { advance } from "./loop.js";
import { migrate } from "./migrations.js";
import { readOptions } from "./options.js";
import { recover } from "./recover.js";
import { claimColumns, Session } from "./session.js";
import { Store } from "./store.js";
import { emptyState, headOf } from "./stored.js";
import { isPlainObject } from "./text.js";
import { Toolset } from "./tools.js";
import { toModelMessages } from "./transcript.js";
import { purge, reap, usage } from "./upkeep.js";
import { cancelIfWaiting, events, result, status, waitingView } from "./views.js";

export { AiSdkRuntimeError, EffectUnknown } from "./errors.js";
export { written } from "./tools.js";

/**
 * @param {import("./index.d.ts").AiSdkRuntimeOptions<unknown>} options
 * @returns {import("./index.d.ts").AiSdkRuntime}
 * @throws {AiSdkRuntimeError} `invalidOption`
 */
export function createAiSdkRuntime(options) {
  const config = readOptions(options);
  /** @type {import("./session.js").Deps} */
  const deps = {
    config,
    store: new Store(config.db),
    tools: new Toolset(options.tools, config.sources, config.log),
    active: new Map(),
    closed: options.signal?.aborted === true,
  };

  const close = async () => {
    deps.closed = true;
    const sessions = [...deps.active.values()];
    for (const session of sessions) session.interrupt();
    await Promise.all(sessions.map(({ done }) => done));
  };
  const open = () => {
    if (deps.closed) throw new AiSdkRuntimeError("closed", "The runtime is closed.");
  };
  options.signal?.addEventListener("abort", () => void close(), { once: true });

  return {
    async run(request, onStep) {
      open();
      const session = await startRun(deps, request, onStep);
      return drive(session, () => advance(session));
    },
    async approve(actor, runUuid, decision, onStep) {
      open();
      return approve(deps, actor, runUuid, decision, onStep);
    },
    async submitInput(actor, runUuid, submission, onStep) {
      open();
      return submitInput(deps, actor, runUuid, submission, onStep);
    },
    async recover() {
      open();
      return recover(deps);
    },
    async reap(options) {
      open();
      return reap(deps, options);
    },
    purge: (options) => purge(deps, options),
    usage: (options) => usage(deps, options),
    status: (actor, runUuid) => status(deps, actor, runUuid),
    result: (actor, runUuid) => result(deps, actor, runUuid),
    waitingView: (actor, runUuid) => waitingView(deps, actor, runUuid),
    events: (actor, runUuid) => events(deps, actor, runUuid),
    cancelIfWaiting: (actor, runUuid) => cancelIfWaiting(deps, actor, runUuid),
    cancel: (actor, runUuid) => cancel(deps, actor, runUuid),
    unavailableTools: async (actor, allowedToolNames = null) => {
      await deps.tools.ready();
      return deps.tools.unavailable({ actor, allowedToolNames });
    },
    migrate: () => migrate(/** @type {import("kysely").Kysely<unknown>} */ (/** @type {unknown} */ (config.db))),
    close,
  };
}

/**
 * Stores the run under the announced uuid before the model is asked (T7): whoever looks for it after a crash finds it, and a second run
 * of one uuid never starts.
 * @param {import("./session.js").Deps} deps
 * @param {import("../../index.d.ts").RunRequest} request
 * @param {(step: import("../../index.d.ts").RunStep) => void} [onStep]
 */
async function startRun(deps, request, onStep) {
  const stored = storedRequest(request);
  const { runUuid } = request;
  if (runUuid !== undefined && (typeof runUuid !== "string" || runUuid.length > 64))
    throw new AiSdkRuntimeError("invalidArgument", "run: runUuid must be a text of at most 64 characters");
  const now = deps.config.now();
  /** @type {import("./types.js").RunRow} */
  const row = {
    uuid: runUuid || randomUUID(),
    version: 0,
    status: "running",
    owner: String(stored.actor.uid),
    state: headOf(emptyState()),
    result: null,
    resumes: 0,
    recoveries: 0,
    events: 0,
    logged: 1,
    reason: "",
    stop_asked: 0,
    ...claimColumns(deps),
    created_at: now,
    updated_at: now,
  };
  if (!(await deps.store.insert(row, JSON.stringify(stored)))) throw new AiSdkRuntimeError("runExists", `A run ${row.uuid} exists already.`);
  deps.config.log("debug", "run.created", { runUuid: row.uuid });
  return new Session(deps, row, stored, emptyState(), onStep);
}

/**
 * @param {import("../../index.d.ts").RunRequest} request
 * @returns {import("./types.js").StoredRequest}
 */
function storedRequest(request) {
  const refuse = (/** @type {string} */ problem) => new AiSdkRuntimeError("invalidArgument", `run: ${problem}`);
  if (!isPlainObject(request)) throw refuse("request must be an object");
  const { configuration, messages, actor, allowedToolNames = null, options } = request;
  if (!isPlainObject(configuration)) throw refuse("configuration must be an object");
  if (!Array.isArray(messages) || !messages.every(isPlainObject)) throw refuse("messages must be a list of messages");
  if (!isPlainObject(actor) || actor.uid === undefined || actor.uid === null) throw refuse("actor must have a uid");
  if (allowedToolNames !== null && !Array.isArray(allowedToolNames)) throw refuse("allowedToolNames must be null or a list");
  return { configuration, actor, allowedToolNames, options, messages: toModelMessages(messages) };
}
