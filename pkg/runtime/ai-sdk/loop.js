/** The agent loop: ask the model, work its calls off, ask again. */
import { toRunError } from "./errors.js";
import { Blocked } from "./guardrails.js";
import { ContextFull, ModelFailure, modelRequest, modelStep } from "./model-step.js";
import { openTurn, workTurn } from "./turn.js";

/**
 * Carries a run on from its state to its next pause or its end.
 * @param {import("./session.js").Session} session
 * @returns {Promise<import("./types.js").RunResult>}
 */
export async function advance(session) {
  const { state } = session;
  for (;;) {
    session.check();
    if (state.turn) {
      const paused = await workTurn(session, state.turn);
      if (paused) return paused;
      continue;
    }
    const closing = state.segmentRounds >= session.deps.config.maxRounds;
    if (overBudget(session)) return exhausted(session);
    let step;
    try {
      step = await modelStep(session, { closing });
    } catch (error) {
      return stopped(session, error);
    }
    if (step.calls.length === 0) return finish(session, step, closing);
    session.addMessages(step.messages);
    await openTurn(session, step.calls);
    await session.save("step.saved");
  }
}

/**
 * What a run ends in when its model could not be asked, or was not allowed to.
 * @param {import("./session.js").Session} session
 * @param {unknown} error
 */
function stopped(session, error) {
  if (error instanceof ModelFailure) return session.fail(error.cause);
  if (error instanceof ContextFull) return cutShort(session, "context_truncated");
  if (!(error instanceof Blocked)) throw error;
  const outcome = error.approvalRequired ? "guardrail_approval_required" : "guardrail_blocked";
  const fields = { guardrailClass: error.guardrailClass, error: toRunError(error) };
  return session.settle("failed", error.approvalRequired ? "approval_denied" : "policy_denied", session.result(outcome, fields));
}

/** @param {import("./session.js").Session} session */
function overBudget(session) {
  const { config } = session.deps;
  const { promptTokens, completionTokens, costMicros } = session.state.spent;
  const limits = config.budget(modelRequest(session));
  if (!limits) return false;
  const { tokens = Number.POSITIVE_INFINITY, cost = Number.POSITIVE_INFINITY } = limits;
  return promptTokens + completionTokens >= tokens || costMicros >= cost * 1e6;
}

/**
 * A run that could use tools has done something that counts; one that could not has given nothing at all.
 * @param {import("./session.js").Session} session
 */
function exhausted(session) {
  session.deps.config.log("warn", "run.budgetExhausted", { runUuid: session.uuid, ...session.state.spent });
  if (Object.keys(session.deps.tools.offered(session.request)).length > 0) return cutShort(session, "budget_exhausted");
  return session.fail(Object.assign(new Error("The budget of the run is spent."), { name: "BudgetExceeded" }));
}

/**
 * @param {import("./session.js").Session} session
 * @param {string} terminationReason
 */
const cutShort = (session, terminationReason) =>
  session.settle("completed", terminationReason, session.result("completed", { loopResult: { finalContent: "", terminationReason, truncated: true } }));

/**
 * @param {import("./session.js").Session} session
 * @param {import("./model-step.js").ModelStep} step
 * @param {boolean} closing
 */
async function finish(session, { text, finishReason }, closing) {
  if (finishReason === "error" && text.trim() === "") return session.fail(new Error("The model stopped with an error."));
  const truncated = closing || finishReason === "length";
  const terminationReason = closing ? "max_iterations" : finishReason === "content-filter" ? "content_filter" : "completed";
  return session.settle(
    "completed",
    terminationReason === "content_filter" ? "policy_denied" : terminationReason,
    session.result("completed", { loopResult: { finalContent: text, terminationReason, truncated } }),
  );
}
