/** How long a message waits for a consumer of an idle system: from the request to the start of its run, with the host's own workers. */
import { setTimeout as delay } from "node:timers/promises";
import { loadConfig } from "../../www/host/config.js";
import { openHost } from "../../www/host/wiring.js";
import { startWorker } from "../../www/host/worker.js";
import { OWNER } from "./engine.js";

const SAMPLES = 15;
/** Longer than every worker needs to fall asleep. */
const IDLE_MS = 700;

/**
 * @param {string} url an empty database
 * @returns {Promise<{ own: number, other: number }>} medians in milliseconds: a worker in the process that takes the message, and one in another process
 */
export async function queueWait(url) {
  let begun = () => {};
  /** @type {import("../../www/host/wiring.js").Overrides["runtime"]} */
  const runtime = (real) => ({
    ...real,
    async run({ runUuid }) {
      begun();
      return {
        outcome: "completed",
        runUuid: String(runUuid),
        steps: [],
        loopResult: { finalContent: "Done." },
        suspendedState: null,
        guardrailClass: null,
        error: null,
      };
    },
  });
  const config = loadConfig({ DATABASE_URL: url, PORT: "0", MAX_ACTIVE: "0", LOG_LEVEL: "error" });
  // Two hosts that share nothing but the database: the one takes messages, the other has a worker; in between both are one.
  const [taking, working] = [await openHost(config, { runtime }), await openHost(config, { runtime })];
  const reply = await taking.engine.createConversation(OWNER, {});
  if (!reply.ok) throw new Error(reply.code);

  /** @param {() => void} tell says that there is work */
  const median = async (tell) => {
    /** @type {number[]} */
    const waits = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      await delay(IDLE_MS + 100 * sample); // not in step with whoever looks now and then
      const started = new Promise((resolve) => (begun = () => resolve(performance.now())));
      const sent = performance.now();
      const { ok } = await taking.engine.sendMessage(reply.uid, OWNER, { content: "Which pages are hidden?" });
      if (!ok) throw new Error("the message was refused");
      tell();
      waits.push(Number(await started) - sent);
    }
    return Number(waits.sort((one, other) => one - other)[SAMPLES >> 1]);
  };

  try {
    const near = startWorker(taking);
    const own = await median(() => near.wake());
    await near.stop();
    const far = startWorker(working);
    const other = await median(() => void taking.wakeups.announce());
    await far.stop();
    return { own, other };
  } finally {
    await Promise.all([taking.close(), working.close()]);
  }
}
