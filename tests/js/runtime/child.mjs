/**
 * A process that works on a run and ends itself with SIGKILL at a named point: `node child.mjs '{"file", "point", "action", ...}'`.
 * Points: `model:<n>` before the n-th answer, `write:before`, `write:after`, and the names of the runtime's log.
 * `gate`: a write waits until there is a file of that name. Without a point it prints what came out as one line of JSON.
 */

import { existsSync } from "node:fs";
import { createAiSdkRuntime } from "../../../pkg/runtime/ai-sdk/index.js";
import { answer, connect, noStep, OWNER, request, script, toolResults, tools } from "./support.mjs";

/**
 * Asks for one call, then tells what it gave. A function of the transcript only, so every process plays it alike.
 * @param {import("./support.mjs").CallSpec} call
 * @param {(point: string) => void} [at]
 */
export const planner = (call, at = () => {}) =>
  script(({ prompt }) => {
    const results = toolResults(prompt);
    at(`model:${results.length + 1}`);
    return results.length === 0 ? answer("Working on it.", call) : answer(JSON.stringify(results));
  });

if (process.argv[1] === import.meta.filename) {
  const { file, point, action, uuid, call, turnDigest, data, gate } = JSON.parse(process.argv[2] ?? "{}");
  const at = (/** @type {string} */ name) => {
    if (name === point) process.kill(process.pid, "SIGKILL");
  };
  const db = connect(file);
  const beforeWrite = async () => {
    at("write:before");
    while (gate && !existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const hooks = { beforeWrite, afterWrite: () => at("write:after") };
  const agent = createAiSdkRuntime({ db, model: () => planner(call, at), tools: tools(db, hooks), log: (_level, message) => at(message) });
  /** @type {Record<string, () => Promise<any>>} */
  const actions = {
    migrate: () => agent.migrate(),
    run: () => agent.run(request({ runUuid: uuid }), noStep),
    approve: () => agent.approve(OWNER, uuid, { approved: true, decidedBy: 7, turnDigest }, noStep),
    answer: () => agent.submitInput(OWNER, uuid, { data, submittedBy: 7, turnDigest }, noStep),
  };
  const outcome = await actions[action]?.().then(
    (value) => ({ outcome: value?.outcome ?? "done" }),
    (error) => ({ refused: error.reason ?? error.code ?? error.message }),
  );
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  await db.destroy();
}
