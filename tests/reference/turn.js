// T2 to T7: a turn over the transcript.
import { AgentTurnError } from "../../pkg/errors.js";
import { filesOf } from "./files.js";
import { failure, failureOfError } from "./outcome.js";
import { buildTranscript } from "./transcript.js";
import { isObject, isTooDeep } from "./values.js";

/** @typedef {Record<string, any>} Row */
/** @typedef {import("./host.js").Port} Port */

/** @param {string} message T2, T3 */
const notConfigured = (message) => failure(message, "chatNotConfigured");

/** W4: anything else is nonsense. @param {unknown} result */
export const isResult = (result) => isObject(result) && typeof result.outcome === "string" && !isTooDeep(result);

/** T2. @param {unknown} taskUid */
export const namesTask = (taskUid) => Boolean(taskUid) && taskUid !== "0";

/** @param {any} task @returns {Row | null} T3: why this task cannot be run */
function unusable(task) {
  if (task === null || task === undefined) return notConfigured("The configured task does not exist.");
  if (!isObject(task)) return failure("The configured task could not be read.", "");
  const { configuration } = task;
  if (!isObject(configuration)) return notConfigured("The configured task has no configuration.");
  if (configuration.active === false) return notConfigured("The configuration of the task is switched off.");
  if (configuration.allowed === false) return notConfigured("The configuration of the task may not be used by this user.");
  return null;
}

/** M7: a file that cannot be read is gone. @param {Port} port @param {Row} row @param {any} actor */
async function readFiles(port, row, actor) {
  const files = /** @type {Record<string, any>} */ ({});
  for (const message of row.messages) {
    for (const { fileUid } of filesOf(message)) {
      if (Object.hasOwn(files, String(fileUid))) continue;
      files[String(fileUid)] = await port.readFile(fileUid, actor);
    }
  }
  return files;
}

/**
 * Either the result of the run or the patch of a turn that did not come to one.
 * @param {Port} port @param {Row} row @param {any} actor @param {boolean} rerun @param {(step: any) => void} onStep
 * @returns {Promise<{ patch?: Row, result?: any }>}
 */
export async function runTask(port, row, actor, rerun, onStep) {
  const { settings, host } = port;
  if (!namesTask(settings.taskUid)) return { patch: notConfigured("The setting taskUid names no task.") }; // T2
  try {
    const task = await host.resolveTask(settings.taskUid, actor);
    if (isTooDeep(task)) throw new Error("The configured task could not be read.");
    const patch = unusable(task);
    if (patch) return { patch };
    const context = host.promptContext ? await host.promptContext(row, actor) : undefined;
    const messages = buildTranscript({
      conversation: row,
      task,
      identityPrompt: settings.identityPrompt,
      context,
      files: await readFiles(port, row, actor),
      attachmentBudget: settings.attachmentBudget,
    });
    const request = {
      runUuid: row.lastRunUuid,
      configuration: task.configuration,
      messages,
      actor,
      allowedToolNames: null,
      options: { callerSource: { extension: settings.extensionKey, operation: rerun ? "resumeChatTurn" : "chatTurn" } },
    };
    const result = await host.runtime.run(request, onStep);
    if (!isResult(result)) return { patch: failure("The agent runtime gave no result.", "") };
    return { result };
  } catch (error) {
    if (error instanceof AgentTurnError && error.code === "attachmentUnsupported") return { patch: failure(error.message, error.code) }; // M6
    return { patch: failureOfError(error, "The turn could not be run.") }; // T6
  }
}
