/** The agent loop: ask the model, work its calls off, ask again. */
import { ModelFailure, modelStep } from "./model-step.js";
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
    let step;
    try {
      step = await modelStep(session, { closing });
    } catch (error) {
      if (error instanceof ModelFailure) return session.fail(error.cause);
      throw error;
    }
    if (step.calls.length === 0) return finish(session, step, closing);
    state.messages.push(...step.messages);
    await openTurn(session, step.calls);
    await session.save("step.saved");
  }
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("./model-step.js").ModelStep} step
 * @param {boolean} closing
 */
async function finish(session, { text, finishReason }, closing) {
  if (finishReason === "error" && text.trim() === "") return session.fail(new Error("The model stopped with an error."));
  const cutShort = closing || finishReason === "length";
  const terminationReason = closing ? "max_iterations" : finishReason === "content-filter" ? "content_filter" : "completed";
  return session.settle("completed", session.result("completed", { loopResult: { finalContent: text, terminationReason, truncated: cutShort } }));
}
