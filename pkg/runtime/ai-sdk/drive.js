/** Every way the work on a run ends in this process. */
import { RunRefused } from "../../refused.js";
import { Cancelled } from "./errors.js";
import { tellLedger } from "./turn.js";

/**
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./types.js").RunResult} RunResult
 */

/**
 * Works on a run while its lease is kept alive, and turns whatever goes wrong into a result; only a refusal is thrown (D7).
 * @param {Session} session
 * @param {() => Promise<RunResult>} work
 * @returns {Promise<RunResult>}
 */
export async function drive(session, work) {
  session.start();
  try {
    return await work();
  } catch (error) {
    if (error instanceof RunRefused) throw error;
    return await (error instanceof Cancelled ? cancelled(session) : session.broken(error));
  } finally {
    session.end();
  }
}

/**
 * A stopped run is settled (O10). What it wrote before is told by its events, so that a retry knows it (R2a).
 * @param {Session} session
 */
async function cancelled(session) {
  try {
    await tellLedger(session);
    return await session.settle("cancelled", "cancelled", session.result("cancelled"));
  } catch (error) {
    return session.broken(error); // whoever recovers the run finds that it shall stop
  }
}
