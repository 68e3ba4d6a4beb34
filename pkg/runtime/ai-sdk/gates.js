/** Who may decide a waiting run at all, before anything is claimed. The order of the questions is that of the refusals. */
import { RunRefused } from "../../refused.js";
import { processVerdict } from "./access.js";
import { drive } from "./drive.js";
import { shortMessage } from "./errors.js";
import { modelRequest } from "./model-step.js";
import { claimColumns, Session } from "./session.js";

/**
 * @typedef {import("./session.js").Deps} Deps
 * @typedef {{ row: import("./types.js").RunRow, request: import("./types.js").StoredRequest, state: import("./types.js").RunState }} Waiting
 */

/**
 * @param {Deps} deps
 * @param {import("./types.js").Actor} actor
 * @param {Waiting} waiting
 * @param {boolean} approves whether something would be carried out; declining and answering are free of the four eyes
 * @throws {RunRefused} processVerdictUnreadable, onlyInitiatorMayDecide, configurationInactive, secondApproverRequired, selfApprovalDenied
 */
export async function passGates(deps, actor, waiting, approves) {
  const { row, request } = waiting;
  const started = String(actor?.uid) === row.owner; // administrators are not exempt
  const process = await processVerdict(deps, modelRequest({ uuid: row.uuid, request }));
  if (process !== false && !started) {
    if (process === null) throw new RunRefused("processVerdictUnreadable", `Nobody can tell whether run ${row.uuid} follows a process.`);
    throw new RunRefused("onlyInitiatorMayDecide", `Run ${row.uuid} follows a process; who started it decides.`);
  }
  const { active, secondPerson } = await configurationOf(deps, waiting);
  if (!active) throw new RunRefused("configurationInactive", `The configuration of run ${row.uuid} is switched off.`);
  if (!secondPerson || !started) return;
  // What cannot be undone is not done on a guess.
  if (process === null) throw new RunRefused("processVerdictUnreadable", `Nobody can tell whether run ${row.uuid} follows a process.`);
  if (process) await stopForSecondPerson(deps, waiting);
  if (approves) throw new RunRefused("selfApprovalDenied", `Run ${row.uuid} waits for the approval of a second person.`);
}

/**
 * @param {Deps} deps
 * @param {Waiting} waiting
 */
async function configurationOf({ config }, { row, request }) {
  try {
    const state = await config.configurationState(request.configuration);
    return { active: state !== null && state.active !== false, secondPerson: state?.secondPerson === true };
  } catch (error) {
    config.log("error", "configurationState threw; no decision is taken", { runUuid: row.uuid, error: shortMessage(error) });
    return { active: false, secondPerson: true };
  }
}

/**
 * Nobody could ever decide this run: who started it may not, and nobody else may either. It is stopped, so that the conversation goes on (D9).
 * @param {Deps} deps
 * @param {Waiting} waiting
 * @returns {Promise<never>}
 */
async function stopForSecondPerson(deps, { row, request, state }) {
  const patch = { ...claimColumns(deps), status: "running" };
  const refused = new RunRefused("secondApproverRequired", `Run ${row.uuid} needed a second person and was stopped.`);
  if (!(await deps.store.claim(row, patch))) throw new RunRefused("notAwaiting", `Run ${row.uuid} does not wait any more.`);
  const session = new Session(deps, { ...row, ...patch, version: row.version + 1 }, request, state);
  await drive(session, () => session.fail(refused, "approval_denied"));
  throw refused;
}
