/** Processor time of a database server on this machine: half of a turn's cost is there, and a client cannot see it. Linux only. */
import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";

/** Milliseconds of one unit in /proc: 100 a second on every Linux that Node runs on. */
const TICK_MS = 10;

/** A line of /proc/[pid]/stat behind the name, which may hold anything: state, parent, …; null when the process is gone. @param {string | number} pid */
function statOf(pid) {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

/** @param {string[]} stat @param {boolean} withEnded also the children that have ended */
const cpuOf = (stat, withEnded) =>
  TICK_MS *
  stat
    .slice(11, withEnded ? 15 : 13)
    .map(Number)
    .reduce((sum, part) => sum + part, 0);

/**
 * A clock of the server's processor time in milliseconds, all its processes together; null where nobody can tell.
 *
 * @param {"sqlite" | "postgres" | "mariadb"} kind
 * @param {import("kysely").Kysely<any>} db
 * @returns {Promise<(() => number) | null>}
 */
export async function serverClock(kind, db) {
  if (process.platform !== "linux" || kind === "sqlite") return null;
  const main = kind === "postgres" ? await postmaster(db) : await mariadb(db);
  if (main === null || statOf(main) === null) return null;
  return () => {
    let sum = cpuOf(statOf(main) ?? [], true);
    for (const pid of readdirSync("/proc")) {
      const stat = /^\d+$/.test(pid) ? statOf(pid) : null;
      if (stat?.[1] === String(main)) sum += cpuOf(stat, false);
    }
    return sum;
  };
}

/** Every connection is a child of the process that listens. @param {import("kysely").Kysely<any>} db */
async function postmaster(db) {
  /** @type {import("kysely").RawBuilder<{ pid: number }>} */
  const query = sql`select pg_backend_pid() as pid`;
  const { rows } = await query.execute(db);
  return Number(statOf(rows[0]?.pid ?? "")?.[1] ?? 0) || null;
}

/** @param {import("kysely").Kysely<any>} db */
async function mariadb(db) {
  /** @type {import("kysely").RawBuilder<{ file: string }>} */
  const query = sql`select @@pid_file as file`;
  const { rows } = await query.execute(db);
  try {
    return Number(readFileSync(String(rows[0]?.file), "utf8")) || null;
  } catch {
    return null;
  }
}
