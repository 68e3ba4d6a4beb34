// Sections 2, 3 and 5 as a consumer: claim, turn start, run or decision, settle.
import { AgentTurnError } from "../../pkg/errors.js";
import { activityOf, stepReader } from "./activity.js";
import { appended, applied, becameOf, endedPatch, keptResult, mapWithEvents, pauseAgain, writtenLine } from "./authority.js";
import { failure, failureOfError } from "./outcome.js";
import { handsBack, mapRefusal, refusalCode, withoutLine } from "./refusal.js";
import { isResult, namesTask, runTask } from "./turn.js";
import { demand, isObject, isUid, textOr } from "./values.js";

/** @typedef {Record<string, any>} Row */
/** @typedef {import("./host.js").Port} Port */
/**
 * What a turn comes to: how it maps onto the row as it stands, and the result where there is one.
 * @typedef {{ patchFor: (row: Row) => Promise<Row> | Row, result?: any, outcome?: "settled" | "handedBack", keepClaim?: boolean, unchanged?: boolean, activity?: Row[] }} Ending
 */

const ATTEMPTS = 10;
const CANDIDATES = 20;

/** @param {number} ms */
const seconds = (ms) => Math.floor(ms / 1000);

export class Consumer {
  /** @param {Port} port */
  constructor(port) {
    this.port = port;
  }

  /** C2. @param {Row} row @returns {Promise<Row | null>} the row as claimed; null: somebody else has it */
  async take(row) {
    if (row.status !== "processing") return null;
    const patch = { status: "locked", claimId: await this.port.uuid(), updatedAt: seconds(await this.port.now()) };
    return (await this.port.swap(row, patch)) ? applied(row, patch) : null;
  }

  /** @param {any} uid */
  async claim(uid) {
    demand(isUid(uid), "uid");
    const row = await this.port.load(uid);
    const taken = row && (await this.take(row));
    return taken ? taken.claimId : null;
  }

  /** @param {any} uid @param {string | undefined} claimId @param {boolean} resume */
  async process(uid, claimId, resume) {
    demand(isUid(uid), "uid");
    demand(claimId === undefined || claimId === null || typeof claimId === "string", "claimId");
    const row = await this.port.load(uid);
    if (!row) return this.#report("notClaimed", uid, null);
    if (typeof claimId === "string") {
      const mine = claimId !== "" && row.status === "locked" && row.claimId === claimId;
      return mine ? this.#turn(row, resume) : this.#report("notClaimed", uid, row);
    }
    const taken = await this.take(row);
    return taken ? this.#turn(taken, resume) : this.#report("notClaimed", uid, await this.port.load(uid));
  }

  /** The row, or null where it cannot be read. @param {any} uid */
  async #readable(uid) {
    try {
      return await this.port.load(uid);
    } catch (error) {
      this.port.log("error", "a conversation could not be loaded", { uid, error });
      return null;
    }
  }

  /** C3, S3. @param {string} workerId */
  async runNext(workerId) {
    demand(typeof workerId === "string", "workerId");
    const uids = await this.port.find({ statuses: ["processing"], limit: CANDIDATES });
    let lost = null;
    let fault = null;
    for (const uid of uids.slice(0, CANDIDATES)) {
      let row;
      try {
        row = await this.port.load(uid);
      } catch (error) {
        fault ??= error;
        this.port.log("error", "a conversation could not be loaded", { uid, error });
        continue;
      }
      const taken = row && (await this.take(row));
      if (taken) return this.#turn(taken, false);
      lost ??= { uid };
    }
    if (lost) return this.#report("notClaimed", lost.uid, await this.#readable(lost.uid));
    if (fault) throw fault;
    return null;
  }

  /** @param {string} outcome @param {any} uid @param {Row | null} row @param {any} [result] */
  #report(outcome, uid, row, result) {
    const report = { outcome, uid, status: row ? row.status : null, errorCode: row ? row.errorCode : "", runUuid: row ? row.runUuid : "" };
    return result === undefined ? report : { ...report, result };
  }

  /* ---------------------------------------------------------------- one turn */

  /** @param {Row} row claimed @param {boolean} resume */
  async #turn(row, resume) {
    const owner = await this.#ownerOf(row);
    const decision = row.decision !== "";
    const rerun = resume || row.lastRunUuid !== ""; // A1
    const asked = !decision && row.lastRunUuid !== "" && owner.actor ? await becameOf(this.port, owner.actor, row.lastRunUuid) : null;
    const answer = asked ? await this.#answeredBy(row, owner.actor, asked) : null;
    const start = await this.#start(row, owner.actor, asked, decision || answer !== null || (row.lastRunUuid !== "" && !owner.actor));
    if (!start.won || !start.row) return this.#report("notClaimed", row.uid, start.row);
    const ending = answer ?? (await this.#carryOut(start.row, owner, rerun));
    return this.#settle(start.row, ending, owner.actor);
  }

  /** @param {Row} row */
  async #ownerOf(row) {
    try {
      return { actor: await this.port.actorOf(row.owner), error: null };
    } catch (error) {
      return { actor: null, error };
    }
  }

  /** R2a: what the last run already answers, null where the turn is run again. @param {Row} row @param {any} actor @param {import("./authority.js").Became} asked @returns {Promise<Ending | null>} */
  async #answeredBy(row, actor, asked) {
    const run = row.lastRunUuid;
    if (asked.kind === "waiting") return { patchFor: async (now) => pauseAgain(this.port, actor, now, run, asked.status, "", await this.port.now()) };
    if (asked.kind === "active") return { patchFor: () => failure("The last run of this turn is still active.", "") };
    const result = asked.status === "completed" ? await keptResult(this.port, actor, run, "completed") : null;
    return result && { result, patchFor: async (now) => mapWithEvents(this.port, actor, now, result, await this.port.now()) };
  }

  /** C4: the turn-start write. @param {Row} row @param {any} actor @param {import("./authority.js").Became | null} asked @param {boolean} noRun */
  async #start(row, actor, asked, noRun) {
    const { port } = this;
    await port.now(); // no id is drawn where nothing can be written
    const claimId = await port.uuid();
    const announced = noRun || !namesTask(port.settings.taskUid) ? null : await port.uuid(); // T7, T2
    const withoutPauses = port.settings.ruleSet === "withoutPauses";
    const told = !noRun && asked && (asked.kind === "ended" || asked.threw); // R2a
    return this.#write(
      row,
      (at) => at.status === "locked" && at.claimId === row.claimId,
      async (at) => {
        const now = await port.now();
        const line = told ? await writtenLine(port, actor, at, row.lastRunUuid, now) : null;
        return {
          status: withoutPauses && at.decision === "" ? "processing" : "locked", // S7
          claimId,
          updatedAt: seconds(now),
          ...(announced === null ? {} : { lastRunUuid: announced }),
          ...(at.decision === ""
            ? {}
            : {
                activity: activityOf(
                  at.activity,
                  at.decision === "input" ? { kind: "input", round: 0, ms: 0 } : { kind: "approval", round: 0, ms: 0, approved: at.decision === "approve" },
                ),
              }),
          ...appended(at, line),
        };
      },
    );
  }

  /** C1: a lost swap is tried again while the row is still one's own. @param {Row} row @param {(row: Row) => boolean} own @param {(row: Row) => Promise<Row>} patchFor */
  async #write(row, own, patchFor) {
    let at = row;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const patch = await patchFor(at);
      if (await this.port.swap(at, patch)) return { won: true, row: applied(at, patch), patch };
      const next = await this.port.load(row.uid);
      if (!next || !own(next)) return { won: false, row: next, patch };
      at = next;
    }
    throw new AgentTurnError("host.storage.swap", "the row was changed at every attempt to write it");
  }

  /** T0, T1. @param {Row} row @param {{ actor: any, error: unknown }} owner @param {boolean} rerun @returns {Promise<Ending>} */
  async #carryOut(row, owner, rerun) {
    if (row.decision !== "" && row.runUuid === "")
      return { patchFor: () => failure("A decision was recorded, but there is no run to carry it out.", "pauseWithoutRun") };
    if (row.decision !== "") return this.#decide(row, owner);
    if (!owner.actor) return { patchFor: () => failureOfError(owner.error, "Who this conversation belongs to could not be found out.") };
    const reader = stepReader(this.port, row);
    const ran = await runTask(this.port, row, owner.actor, rerun, reader.onStep);
    const activity = reader.close();
    const { patch } = ran;
    return { ...(patch ? { patchFor: () => patch } : await this.#resultEnding(row, owner.actor, ran.result)), activity };
  }

  /** O10 aside, section 4. @param {Row} row @param {any} actor @param {any} result @returns {Promise<Ending>} */
  async #resultEnding(row, actor, result) {
    if (result.outcome === "lease_lost") return this.#leaseLost(row, actor, result);
    const run = textOr(result.runUuid) || (row.decision === "" ? "" : row.runUuid); // V7: the run of a decision is known, named or not
    return { result, patchFor: async (at) => mapWithEvents(this.port, actor, at, result, await this.port.now(), run) };
  }

  /** O10: somebody else carries the run on. @param {Row} row @param {any} actor @param {any} result @returns {Promise<Ending>} */
  async #leaseLost(row, actor, result) {
    const run = textOr(result.runUuid) || (row.decision === "" ? row.lastRunUuid : row.runUuid);
    const became = await becameOf(this.port, actor, run);
    const now = await this.port.now();
    const named = textOr(result.runUuid) === "" ? {} : { lastRunUuid: run }; // T7
    const ended = async (/** @type {Row} */ at) => ({ ...named, ...(await endedPatch(this.port, actor, at, run, became.status, now)) });
    const paused = async (/** @type {Row} */ at) => ({ ...named, ...(await pauseAgain(this.port, actor, at, run, became.status, "finishedOutside", now)) });
    if (became.kind === "waiting") return { result, patchFor: paused };
    if (became.kind === "ended") return { result, patchFor: ended };
    return { result, keepClaim: true, unchanged: run === row.lastRunUuid, patchFor: (at) => ({ status: at.status, lastRunUuid: run }) };
  }

  /* ---------------------------------------------------------------- decisions and answers */

  /** D6. @param {Row} row @param {{ actor: any, error: unknown }} owner @returns {Promise<Ending>} */
  async #decide(row, owner) {
    const decider = row.decidedBy ?? row.owner;
    const kind = row.decision === "input" ? "input" : "approval";
    const reader = stepReader(this.port, row);
    let actor;
    let result;
    try {
      actor = await this.port.actorOf(decider);
      result = await this.#submit(row, actor, decider, reader.onStep);
      if (!isResult(result)) throw new Error("The agent runtime gave no result.");
    } catch (error) {
      const activity = reader.close();
      return { ...(await this.#refused(row, owner.actor, error, kind)), activity };
    }
    const activity = reader.close();
    const seen = await this.#withDigest(row, actor, result);
    return { ...(await this.#resultEnding(row, owner.actor, seen)), result, activity };
  }

  /** @param {Row} row @param {any} actor @param {any} decider @param {(step: any) => void} onStep */
  #submit(row, actor, decider, onStep) {
    const { runtime } = this.port.host;
    if (row.decision === "input")
      return runtime.submitInput(actor, row.runUuid, { data: row.pendingInput ?? {}, submittedBy: decider, turnDigest: row.turnDigest }, onStep);
    const decision = { approved: row.decision === "approve", decidedBy: decider, turnDigest: row.turnDigest };
    return runtime.approve(actor, row.runUuid, row.denyReason === "" ? decision : { ...decision, denyReason: row.denyReason }, onStep);
  }

  /** O7: the digest of the card where the result names none. @param {Row} row @param {any} actor @param {any} result */
  async #withDigest(row, actor, result) {
    if (result.outcome !== "awaiting_approval" || row.decision !== "approve" || result.runUuid !== row.runUuid) return result;
    if (textOr(result.suspendedState?.turnDigest) !== "") return result;
    const { value } = await this.port.quiet("waitingView", actor, row.runUuid);
    const digest = isObject(value) ? textOr(value.turnDigest) : "";
    return digest === "" ? result : { ...result, suspendedState: { ...result.suspendedState, turnDigest: digest } };
  }

  /** D7 to D11. @param {Row} row @param {any} owner @param {any} error @param {"approval" | "input"} kind @returns {Promise<Ending>} */
  async #refused(row, owner, error, kind) {
    const reason = isObject(error) || error instanceof Error ? /** @type {any} */ (error).reason : undefined;
    const code = refusalCode(reason, kind);
    if (code === "") return { patchFor: () => failureOfError(error, "The decision could not be carried out.") }; // D10
    this.port.log("warn", "the runtime refused", { reason, message: textOr(error.message) });
    const map = (/** @type {Row} */ at) => mapRefusal(at, { reason, message: textOr(error.message) }, kind);
    if (!handsBack(code)) return { patchFor: map }; // D9
    const became = owner ? await becameOf(this.port, owner, row.runUuid) : null;
    if (became?.kind === "ended") return this.#endedRefused(row, owner, became.status); // D11
    if (this.port.settings.ruleSet === "withoutPauses")
      return { patchFor: (at) => ({ ...failure("The runtime refused to carry this out.", code), ...withoutLine(at) }) };
    return { patchFor: map, outcome: "handedBack" };
  }

  /** D11: the refused line leaves first. @param {Row} row @param {any} owner @param {string} status @returns {Ending} */
  #endedRefused(row, owner, status) {
    return {
      patchFor: async (at) => {
        const out = withoutLine(at);
        const patch = await endedPatch(
          this.port,
          owner,
          out.messages ? { ...at, messages: at.messages.slice(0, -1) } : at,
          row.runUuid,
          status,
          await this.port.now(),
        );
        return { ...out, ...patch };
      },
    };
  }

  /* ---------------------------------------------------------------- settling */

  /** C6. @param {Row} row @param {Ending} ending @param {any} owner */
  async #settle(row, ending, owner) {
    const claim = row.claimId;
    const own = (/** @type {Row} */ at) => at.claimId === claim && (at.status === row.status || isLate(at));
    if (ending.unchanged) return this.#report("settled", row.uid, row, ending.result); // O10: the row stays as it is
    const written = await this.#write(row, own, async (at) => ({
      ...(await ending.patchFor(at)),
      ...(ending.keepClaim ? {} : { claimId: "" }),
      ...(ending.activity && !ending.keepClaim ? { activity: ending.activity } : {}),
      updatedAt: seconds(await this.port.now()),
    }));
    if (!written.won) return this.#superseded(row.uid, written.row, ending, owner);
    return this.#report(ending.outcome ?? "settled", row.uid, written.row, ending.result);
  }

  /** @param {any} uid @param {Row | null} row @param {Ending} ending @param {any} owner */
  async #superseded(uid, row, ending, owner) {
    const { result } = ending;
    const run = textOr(result?.runUuid);
    const paused = result && (result.outcome === "awaiting_approval" || result.outcome === "awaiting_input");
    // the row waits on that very run, or a decision about it is on its way
    const isWanted = row !== null && row.runUuid === run;
    if (paused && run !== "" && !isWanted) await this.port.quiet("cancelIfWaiting", owner, run);
    return { ...this.#report("superseded", uid, row, result), runUuid: run };
  }
}

/** C6: given up by cleanup, and nothing newer. @param {Row} row */
const isLate = (row) => row.status === "failed" && row.errorCode === "timedOut";
