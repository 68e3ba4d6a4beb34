/** Carrying out tool calls. What changes something goes through a ledger, so that it happens at most once. */
import { Cancelled, EffectUnknown, LeaseLost, Stopped, shortMessage } from "./errors.js";
import { under } from "./signal.js";
import { parsed } from "./stored.js";
import { capped, defused } from "./text.js";
import { isWritten } from "./tools.js";

/**
 * @typedef {import("./types.js").Outcome} Outcome
 * @typedef {import("./types.js").CheckedTool} CheckedTool
 */

/**
 * Carries a call out, or tells what an earlier attempt left. A `write` that was begun by a process that died is not begun again.
 * @param {import("./session.js").Session} session
 * @param {CheckedTool} tool
 * @param {import("./types.js").Call} call
 * @returns {Promise<Outcome>}
 */
export async function carryOut(session, tool, call) {
  if (tool.effect === "read") return invoke(session, tool, call);
  const { store, config } = session.deps;
  const known = await store.effect(session.uuid, call.id);
  if (known && (known.status === "done" || tool.effect !== "idempotentWrite")) return leftBehind(known);
  if (!known) {
    const now = config.now();
    await store.beginEffect(session.row, { callId: call.id, tool: tool.name, leaseExpires: now + config.leaseMs, now });
  }
  config.log("debug", "effect.started", { runUuid: session.uuid, tool: tool.name });
  const outcome = await invoke(session, tool, call);
  config.log("debug", "effect.executed", { runUuid: session.uuid, tool: tool.name });
  await store.endEffect(session.uuid, call.id, JSON.stringify(outcome), config.now());
  config.log("debug", "effect.done", { runUuid: session.uuid, tool: tool.name });
  return outcome;
}

/**
 * What the ledger tells of a call that was begun before.
 * @param {import("./types.js").EffectRow} effect
 * @returns {Outcome}
 */
export function leftBehind({ status, result }) {
  const done = status === "done" ? /** @type {Outcome | null} */ (parsed(result)) : null;
  return done ?? unknownOutcome();
}

/** @returns {Outcome} */
export function unknownOutcome(why = "the process was interrupted while it was carried out") {
  const text = `It is unknown whether this change took effect: ${why}. It was not tried again. Look at the record before going on.`;
  // An unnamed write: nobody may say afterwards that nothing was saved (V7).
  return { text, isError: true, writes: [], named: false, code: "effectUnknown" };
}

/**
 * @param {import("./session.js").Session} session
 * @param {CheckedTool} tool
 * @param {import("./types.js").Call} call
 * @returns {Promise<Outcome>}
 */
async function invoke(session, tool, call) {
  const { resultLimit, log } = session.deps.config;
  // Reading may be cut off when the run shall stop; a write is given the time to end, so that it is known what it did.
  const ends = tool.effect === "read" ? session.asking : session.signal;
  try {
    const input = /** @type {import("./index.d.ts").ToolInput} */ (structuredClone(call.input));
    const value = await under(ends, async (signal) => tool.execute?.(input, session.toolContext(call.id, signal)));
    const { result, writes, named } = isWritten(value)
      ? { result: value.result, writes: value.writes, named: true }
      : { result: value, writes: [], named: tool.effect === "read" };
    return { text: defused(capped(resultText(result), resultLimit)), isError: false, writes, named };
  } catch (error) {
    // A call that was cut off by the end of this process or its lease may have done its work: the ledger keeps it open.
    if (error instanceof LeaseLost || error instanceof Stopped || error instanceof Cancelled || ends.aborted) {
      session.check();
      throw error;
    }
    if (error instanceof EffectUnknown && tool.effect !== "read") {
      log("warn", "tool.effectUnknown", { runUuid: session.uuid, tool: tool.name, error: shortMessage(error) });
      return unknownOutcome(`no answer came (${shortMessage(error)})`);
    }
    log("warn", "tool.threw", { runUuid: session.uuid, tool: tool.name, error: shortMessage(error) });
    const text = defused(capped(`The tool ${tool.name} failed: ${shortMessage(error) || "no reason given"}`, resultLimit));
    return { text, isError: true, writes: [], named: true, code: "toolFailed" };
  }
}

/** @param {unknown} value */
function resultText(value) {
  if (typeof value === "string") return value;
  if (value === undefined) return "done";
  try {
    return JSON.stringify(value) ?? "done";
  } catch {
    return "done, but the result cannot be shown"; // a cycle or a BigInt: the call did its work all the same
  }
}
