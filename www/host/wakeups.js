/**
 * Wake-ups between processes: who leaves work says so, and who sleeps hears it. PostgreSQL has them built in (LISTEN/NOTIFY); on the other databases
 * the workers of other processes look by themselves now and then. A wake-up may get lost (a connection that breaks, a process that dies between its
 * write and its word): it saves waiting, and nothing depends on it.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { describeError } from "./log.js";

const CHANNEL = "agent_turn_work";
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/**
 * @typedef {object} Wakeups
 * @property {() => Promise<void>} announce Tells every other process that there is work.
 * @property {(ring: (all: boolean) => void) => Listening} listen `ring(false)`: one piece of work is there; `ring(true)`: words may have been missed.
 *
 * @typedef {object} Listening
 * @property {() => boolean} connected Whether words of other processes arrive at present.
 * @property {() => Promise<void>} close
 */

/** For databases without wake-ups. @type {Wakeups} */
export const NO_WAKEUPS = { announce: async () => {}, listen: () => ({ connected: () => false, close: async () => {} }) };

/**
 * @param {import("./database-url.js").DatabaseConfig} config
 * @param {import("kysely").Kysely<any>} db
 * @param {import("./log.js").Log} log
 * @param {(text: string) => string} [redact] For texts of errors in the log (E1).
 * @returns {Wakeups}
 */
export function openWakeups(config, db, log, redact) {
  if (config.kind !== "postgres") return NO_WAKEUPS;
  // A process rings its own worker itself and ignores its own word.
  const self = randomUUID();
  return {
    async announce() {
      await sql`select pg_notify(${CHANNEL}, ${self})`.execute(db).catch((error) => log("warn", "wake-up not sent", { error: describeError(error, redact) }));
    },
    listen: (ring) => listen(config.url, self, ring, (error) => log("warn", "wake-ups are not heard", { error: describeError(error, redact) })),
  };
}

/**
 * Listens on a connection of its own (a pool hands its connections round) and connects again, with growing pauses, for as long as it is open.
 *
 * @param {string} url
 * @param {string} self
 * @param {(all: boolean) => void} ring
 * @param {(error: unknown) => void} failed
 * @returns {Listening}
 */
function listen(url, self, ring, failed) {
  const closed = new AbortController();
  let connected = false;

  async function run() {
    const { default: pg } = await import("pg");
    let pause = FIRST_PAUSE_MS;
    while (!closed.signal.aborted) {
      const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5000, application_name: "agent-turn wake-ups" });
      try {
        const ended = end(client, closed.signal);
        await client.connect();
        client.on("notification", ({ payload }) => payload !== self && ring(false));
        await client.query(`listen ${CHANNEL}`);
        connected = true;
        pause = FIRST_PAUSE_MS;
        ring(true);
        await ended;
      } catch (error) {
        failed(error);
      } finally {
        connected = false;
        await client.end().catch(() => undefined);
      }
      await delay(pause, undefined, { signal: closed.signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  const running = run();
  return {
    connected: () => connected,
    async close() {
      closed.abort();
      await running;
    },
  };
}

/**
 * Whether a connection is over.
 *
 * @param {import("pg").Client} client
 * @param {AbortSignal} closed
 * @returns {Promise<void>} rejects with what broke it, resolves when nobody wants it any more.
 */
function end(client, closed) {
  const over = /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      const stop = () => resolve();
      const broken = (/** @type {unknown} */ error) => {
        closed.removeEventListener("abort", stop);
        reject(error);
      };
      // Not once: a second fault of the same connection must not end the process.
      client.on("error", broken);
      client.once("end", () => broken(new Error("the connection ended")));
      closed.addEventListener("abort", stop, { once: true });
      if (closed.aborted) stop();
    })
  );
  // It may break before anybody waits for it.
  over.catch(() => undefined);
  return over;
}
