/** What the host counts, in the format of Prometheus (docs/operations.md). Labels have a fixed set of values: no uid, no path, no text of anybody. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * @typedef {object} TurnMetrics What a worker tells.
 * @property {(report: import("agent-turn").TurnReport, seconds: number) => void} turn
 * @property {() => void} turnThrew
 * @property {(by: "own" | "other" | "poll") => void} woken
 * @property {(held: boolean) => void} leads
 * @property {(counts: { timedOut: number, archived: number, removed: number }) => void} cleaned
 * @property {(count: number) => void} recovered
 *
 * @typedef {object} QueueState
 * @property {number} length Conversations that wait for a consumer.
 * @property {number} ageSeconds How long the oldest of them has waited.
 *
 * @typedef {object} Metrics
 * @property {TurnMetrics} turns
 * @property {(method: string, route: string, status: number, seconds: number) => void} request
 * @property {() => Promise<string>} text
 * @property {string} contentType
 */

/** Codes of E2 and D7; whatever else a row says is counted as `other`, so that nobody can make labels. */
const CODES = new Set([
  ...["chatNotConfigured", "providerNotConfigured", "timedOut", "finishedOutside", "cancelled", "pauseWithoutRun", "attachmentUnsupported", "guardrail"],
  ...["staleTurn", "inputStale", "alreadyResuming", "inputAlreadyResuming", "approverNotPermitted", "inputNotPermitted", "configurationInactive"].map(handBack),
  ...["inputConfigOff", "notAwaitingApproval", "notAwaitingInput", "inputInvalid", "selfApproval", "notAuditable", "processUnreadable"].map(handBack),
  ...["processOnlyStarter", "previewChanged", "notCarriedOut"].map(handBack),
  "stopped.secondApprover",
]);
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const TURN_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** @param {string} name */
function handBack(name) {
  return `handBack.${name}`;
}

/**
 * A registry of its own, so that two hosts in one process count for themselves.
 *
 * @param {object} sources What is looked up when somebody asks.
 * @param {() => Promise<QueueState>} sources.queue
 * @param {() => number} sources.claims Turns under way in this process.
 * @returns {Metrics}
 */
export function createMetrics({ queue, claims }) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "agent_turn_" });

  const turns = new Counter({ name: "agent_turn_turns_total", help: "Turns by outcome and status written", labelNames: ["outcome", "status"], registers });
  const lost = new Counter({ name: "agent_turn_claims_lost_total", help: "Turns that another consumer claimed first", registers });
  const threw = new Counter({ name: "agent_turn_turn_faults_total", help: "Turns that ended in a fault of the host or its database", registers });
  const codes = new Counter({ name: "agent_turn_turn_codes_total", help: "Hand-backs and failures by code", labelNames: ["outcome", "code"], registers });
  const duration = new Histogram({ name: "agent_turn_turn_seconds", help: "Duration of a turn from its claim", buckets: TURN_SECONDS, registers });
  const woken = new Counter({ name: "agent_turn_wakeups_total", help: "What woke the consumers", labelNames: ["by"], registers });
  const leader = new Gauge({ name: "agent_turn_upkeep_leader", help: "1 in the process that cleans up", registers });
  const upkeep = new Counter({ name: "agent_turn_upkeep_total", help: "Conversations that the upkeep wrote", labelNames: ["what"], registers });
  const recovered = new Counter({ name: "agent_turn_runs_recovered_total", help: "Runs of dead processes that were carried on", registers });
  const requests = new Histogram({
    name: "agent_turn_http_request_seconds",
    help: "Requests by route",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const age = new Gauge({ name: "agent_turn_queue_age_seconds", help: "How long the oldest queued turn has waited", registers });
  new Gauge({
    name: "agent_turn_queue_length",
    help: "Turns that wait for a consumer",
    registers,
    async collect() {
      // A database that is away takes no other figure along; no figure is better than an old one.
      const state = await queue().catch(() => ({ length: Number.NaN, ageSeconds: Number.NaN }));
      this.set(state.length);
      age.set(state.ageSeconds);
    },
  });
  new Gauge({
    name: "agent_turn_claims",
    help: "Turns under way in this process",
    registers,
    collect() {
      this.set(claims());
    },
  });

  return {
    turns: {
      turn({ outcome, status, errorCode }, seconds) {
        if (outcome === "notClaimed") return lost.inc();
        turns.inc({ outcome, status: status ?? "gone" });
        duration.observe(seconds);
        if (errorCode !== "") codes.inc({ outcome, code: CODES.has(errorCode) ? errorCode : "other" });
      },
      turnThrew: () => threw.inc(),
      woken: (by) => woken.inc({ by }),
      leads: (held) => leader.set(held ? 1 : 0),
      cleaned(counts) {
        for (const [what, count] of Object.entries(counts)) upkeep.inc({ what }, count);
      },
      recovered: (count) => recovered.inc(count),
    },
    request: (method, route, status, seconds) => requests.observe({ method: METHODS.has(method) ? method : "other", route, status: String(status) }, seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
