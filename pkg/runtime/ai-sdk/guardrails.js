/** The host's rules over what goes to a model and what comes from it. */
import { shortMessage } from "./errors.js";

/** A rule of the host ends the run; what it stopped is not stored. */
export class Blocked extends Error {
  /**
   * @param {string} guardrailClass begins with `input` or `output` (O8)
   * @param {string} reason
   * @param {boolean} approvalRequired
   */
  constructor(guardrailClass, reason, approvalRequired) {
    super(reason);
    this.name = "GuardrailBlocked";
    this.guardrailClass = guardrailClass;
    this.approvalRequired = approvalRequired;
  }
}

/**
 * Asks a rule. One that throws, or answers what nobody understands, has not let anything through.
 * @template T
 * @param {import("./session.js").Session} session
 * @param {"input" | "output"} side
 * @param {((what: T) => unknown) | undefined} rule
 * @param {T} what
 * @throws {Blocked}
 */
export async function passes(session, side, rule, what) {
  if (!rule) return;
  /** @type {unknown} */
  let verdict;
  try {
    verdict = await rule(what);
  } catch (error) {
    session.deps.config.log("error", "guardrail.threw", { runUuid: session.uuid, side, error: shortMessage(error) });
    throw new Blocked(`${side}:error`, "A guardrail could not be asked.", false);
  }
  if (verdict === undefined || verdict === null || verdict === true) return;
  const { name, reason, approvalRequired } = /** @type {Record<string, unknown>} */ (typeof verdict === "object" ? verdict : {});
  const guardrailClass = `${side}:${typeof name === "string" ? name : "rule"}`;
  session.deps.config.log("warn", "guardrail.blocked", { runUuid: session.uuid, guardrailClass });
  throw new Blocked(guardrailClass, typeof reason === "string" ? reason : "A guardrail stopped this.", approvalRequired === true);
}
