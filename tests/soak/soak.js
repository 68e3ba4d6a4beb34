/** The soak itself: people, processes that are killed, and the audit at the end. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "agent-turn/storage/sql";
import { freshDatabase } from "../../scripts/databases.mjs";
import { openSite } from "../../www/host/site/index.js";
import { audit } from "./audit.js";
import { watchEffects } from "./effects.js";
import { createFleet } from "./fleet.js";
import { createJournal, journalJson } from "./journal.js";
import { livePerson } from "./person.js";
import { createRandom } from "./random.js";

/**
 * @typedef {object} SoakOptions
 * @property {string} database `sqlite`, `postgres`, `mariadb` (made for the soak and dropped after it), or the URL of an empty database.
 * @property {number} workers
 * @property {number} [concurrency] Turns at a time in each.
 * @property {number} [hosts]
 * @property {number} [people]
 * @property {number} seconds At most; then nothing new is begun.
 * @property {number} [turns] Stops earlier when there have been that many.
 * @property {number} seed
 * @property {number} [killSeconds] Mean time between two kills.
 * @property {boolean} [faulty] Plants a worker that writes twice.
 * @property {string} [folder] Keeps the journal of the people there.
 * @property {(line: string) => void} [say] Told how it goes.
 *
 * @typedef {object} SoakResult
 * @property {import("./audit.js").Finding[]} findings
 * @property {Record<string, number>} figures
 * @property {import("./journal.js").Journal} journal
 */

const KINDS = /** @type {const} */ (["sqlite", "postgres", "mariadb"]);
/** In which all that was left behind must be settled once nobody kills and nobody writes any more. */
const QUIET_MS = 120_000;

/**
 * Runs a soak and audits it.
 *
 * @param {SoakOptions} options
 * @param {(db: import("kysely").Kysely<any>, result: SoakResult) => Promise<void>} [inspect] Looks at the database before it goes.
 * @returns {Promise<SoakResult>}
 */
export async function soak(options, inspect) {
  const kind = KINDS.find((known) => known === options.database);
  const database = kind ? await freshDatabase(kind) : { url: options.database, drop: async () => {} };
  try {
    const { db, dialect, close } = await openDatabase(database.url);
    try {
      return await soakOn(options, database.url, /** @type {import("kysely").Kysely<any>} */ (db), dialect, inspect);
    } finally {
      await close();
    }
  } finally {
    await database.drop();
  }
}

/** @param {SoakOptions} options @param {string} url @param {import("kysely").Kysely<any>} db @param {import("agent-turn/storage/sql").SqlDialect} dialect @param {((db: import("kysely").Kysely<any>, result: SoakResult) => Promise<void>) | undefined} inspect @returns {Promise<SoakResult>} */
async function soakOn(
  { workers, concurrency = 4, hosts = 2, people = 12, seconds, turns = Number.POSITIVE_INFINITY, seed, killSeconds = 3, ...options },
  url,
  db,
  dialect,
  inspect,
) {
  const say = options.say ?? (() => {});
  const journal = createJournal();
  const fleet = createFleet({ database: url, workers, concurrency, hosts, faulty: options.faulty ?? false });
  // However this process ends, nothing is left behind.
  process.once("exit", fleet.destroy);
  const stopped = new AbortController();
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  const made = () => journal.counts.turns ?? 0;
  try {
    await fleet.start();
    const pages = await preparePages(db, people);
    await watchEffects(db, dialect);
    const start = elapsed();
    const over = () => stopped.signal.aborted || elapsed() - start > seconds || made() >= turns;
    let marks = 0;
    const world = { journal, address: fleet.address, over, mark: () => `m${(marks += 1)}x` };
    const lives = pages.map((page, index) =>
      livePerson({ ...world, random: createRandom(seed * 1000 + index) }, { page, user: 1 + (index % 2) }).catch((error) => {
        stopped.abort();
        throw error;
      }),
    );
    const killing = kill(fleet, createRandom(seed), over, killSeconds);
    const telling = tell(say, over, () => `${Math.round(elapsed())} s: ${made()} turns, ${fleet.kills()} kills`);
    const outcomes = await Promise.allSettled(lives);
    const broken = outcomes.find((outcome) => outcome.status === "rejected");
    const busySeconds = elapsed() - start;
    stopped.abort();
    await Promise.all([killing, telling]);
    await quiet(db, say);
    const codes = await fleet.stop();
    const { findings, figures } = await audit(db, journal);
    if (broken) findings.push({ kind: "person", what: String(broken.reason) });
    if (codes.some((code) => code !== 0))
      findings.push({ kind: "process", what: `processes ended with ${codes.join(", ")}: ${fleet.complaints().slice(-1000)}` });
    if (options.folder !== undefined) keep(options.folder, journal);
    const result = { findings, figures: { ...journal.counts, ...figures, kills: fleet.kills(), seconds: Math.round(busySeconds) }, journal };
    await inspect?.(db, result);
    return result;
  } finally {
    stopped.abort();
    fleet.destroy();
    process.off("exit", fleet.destroy);
  }
}

/** A page for each person, so that one's proposals go stale by the own writes only. @param {import("kysely").Kysely<any>} db @param {number} people @returns {Promise<number[]>} */
async function preparePages(db, people) {
  const site = openSite(db);
  /** @type {number[]} */
  const uids = [];
  for (let index = 0; index < people; index += 1) uids.push((await site.createDraft({ parent: 0, title: `Soak page ${index}` })).uid);
  return uids;
}

/** @param {ReturnType<typeof createFleet>} fleet @param {import("./random.js").Random} random @param {() => boolean} over @param {number} mean seconds */
async function kill(fleet, random, over, mean) {
  while (!over()) {
    await pause(random.next() * 2 * mean, over);
    if (!over()) fleet.kill(random);
  }
}

/** @param {(line: string) => void} say @param {() => boolean} over @param {() => string} line */
async function tell(say, over, line) {
  while (!over()) {
    await pause(15, over);
    say(line());
  }
}

/** @param {number} seconds @param {() => boolean} over */
async function pause(seconds, over) {
  const until = performance.now() + seconds * 1000;
  while (!over() && performance.now() < until) await delay(Math.min(100, until - performance.now()));
}

/** Waits until no turn and no run goes on; what still does then is a finding of the audit. @param {import("kysely").Kysely<any>} db @param {(line: string) => void} say */
async function quiet(db, say) {
  const deadline = performance.now() + QUIET_MS;
  while (performance.now() < deadline) {
    const busy = await db.selectFrom("agent_conversation").select("uid").where("status", "in", ["processing", "locked"]).execute();
    const running = await db.selectFrom("agent_run").select("uuid").where("status", "=", "running").execute();
    if (busy.length + running.length === 0) return;
    await delay(200);
  }
  say(`not all is quiet after ${QUIET_MS / 1000} s`);
}

/** @param {string} folder @param {import("./journal.js").Journal} journal */
function keep(folder, journal) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "journal.json"), journalJson(journal));
}
