/** The processes of a soak: hosts and workers as they are started by hand, killed with -9 at random and started again. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../www/host/cli.mjs", import.meta.url));
const FAULTY = fileURLToPath(new URL("faulty-worker.mjs", import.meta.url));
const READY = /agent-turn is ready: (\S+)\//;
/** Short times, so that what a dead process leaves behind is looked at soon. */
const TIMES = { LEASE_SECONDS: "2", STUCK_SECONDS: "3", UPKEEP_SECONDS: "1", STOP_SECONDS: "20" };

/**
 * @typedef {object} FleetOptions
 * @property {string} database URL
 * @property {number} workers
 * @property {number} concurrency
 * @property {number} hosts
 * @property {boolean} faulty Whether one of the workers carries out every write twice.
 *
 * @typedef {object} Member
 * @property {"host" | "worker"} kind
 * @property {import("node:child_process").ChildProcess} child
 * @property {string} address
 * @property {boolean} up
 * @property {Promise<void>} ready
 * @property {Promise<number | null>} exited
 */

/** @param {FleetOptions} options */
export function createFleet({ database, workers, concurrency, hosts, faulty }) {
  const env = { ...process.env, ...TIMES, PORT: "0", WORKER: "none", MAX_ACTIVE: "0", LOG_LEVEL: "error", DATABASE_FILE: "", DATABASE_URL: "", MODEL_URL: "" };
  /** @type {Member[]} */
  const members = [];
  let [stopping, kills, complaints] = [false, 0, ""];

  /** @param {Member["kind"]} kind @param {string} script */
  function start(kind, script) {
    const args = kind === "host" ? ["serve", "--database", database] : ["worker", "--database", database, "--concurrency", String(concurrency)];
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    /** @type {Member} */
    const member = { kind, child, address: "", up: false, ready: Promise.resolve(), exited: new Promise((resolve) => void child.once("exit", resolve)) };
    let printed = "";
    member.ready = new Promise((resolve) => {
      child.stdout?.setEncoding("utf8").on("data", (text) => {
        printed += text;
        member.address = READY.exec(printed)?.[1] ?? "";
        member.up = /is ready/.test(printed);
        if (member.up) resolve();
      });
      child.once("exit", () => resolve());
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      complaints = (complaints + text).slice(-20_000);
    });
    members.push(member);
    child.once("exit", () => {
      members.splice(members.indexOf(member), 1);
      if (!stopping) start(kind, script);
    });
    return member;
  }

  return {
    async start() {
      const first = start("host", CLI);
      // The first one makes the tables; the others may come at the same time.
      await first.ready;
      const others = [
        ...Array.from({ length: hosts - 1 }, () => start("host", CLI)),
        ...Array.from({ length: workers }, (_, index) => start("worker", faulty && index === 0 ? FAULTY : CLI)),
      ];
      await Promise.all(others.map(({ ready }) => ready));
      if (members.filter(({ up }) => up).length < hosts + workers) {
        throw new Error(`the processes did not start: ${complaints}`);
      }
    },
    /** Kills one that has come up. @param {import("./random.js").Random} random */
    kill(random) {
      const kind = random.chance(0.8) ? "worker" : "host";
      const candidates = members.filter((member) => member.kind === kind && member.up);
      if (candidates.length === 0) return;
      random.pick(candidates).child.kill("SIGKILL");
      kills += 1;
    },
    /** A host that serves. @returns {string} */
    address() {
      const serving = members.filter(({ address }) => address !== "");
      return serving[Math.floor(Math.random() * serving.length)]?.address ?? "http://127.0.0.1:1";
    },
    /** Ends all in good order. @returns {Promise<(number | null)[]>} exit codes */
    async stop() {
      stopping = true;
      const leaving = [...members];
      await Promise.all(leaving.map(({ ready }) => ready));
      for (const { child } of leaving) child.kill("SIGTERM");
      return Promise.all(leaving.map(({ exited }) => exited));
    },
    /** Whatever happens, nothing is left behind. */
    destroy() {
      stopping = true;
      for (const { child } of [...members]) child.kill("SIGKILL");
    },
    kills: () => kills,
    complaints: () => complaints,
  };
}
