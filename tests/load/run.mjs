#!/usr/bin/env node
// `npm run load`: turns per second by database and number of workers, with a runtime that takes 5 ms, so that the rest is the host's own cost.
//   npm run load -- --database sqlite postgres mariadb --turns 400 --rounds 3
// A worker is a process with one turn at a time; the last row is one process with four turns at a time. The queue is full before they begin, and each has
// carried out some turns before the clock starts. Rounds are interleaved, and the best of each counts: others may use the machine. CPU is told for the
// workers and for the database server: what both need for a turn, times the turns per second, cannot be more than the machine's cores.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { migrate, openDatabase } from "agent-turn/storage/sql";
import { Command, Option } from "commander";
import { DATABASE_KINDS, freshDatabase } from "../../scripts/databases.mjs";
import { createEngine, OWNER } from "./engine.js";
import { serverClock } from "./server-cpu.js";
import { queueWait } from "./wait.js";

/** @typedef {{ turns: number, lost: number, cpuMs: number }} Figures */
/** @typedef {{ perSecond: number, cpuMs: number, serverMs: number | null, lost: number }} Rate */

const WORKER = fileURLToPath(new URL("worker.mjs", import.meta.url));
const SHAPES = [
  { name: "1 process", processes: 1, slots: 1 },
  { name: "2 processes", processes: 2, slots: 1 },
  { name: "4 processes", processes: 4, slots: 1 },
  { name: "1 process, 4 at a time", processes: 1, slots: 4 },
];
const MOST_WORKERS = Math.max(...SHAPES.map(({ processes }) => processes));
const LENGTHS = [10, 1000, 10_000];
/** Turns of each worker before the clock starts: what is measured is a worker that has been running, not the compiling of its code. */
const WARM_UP = 100;

const program = new Command("load")
  .addOption(new Option("--database <kinds...>", "which").choices(DATABASE_KINDS).default([...DATABASE_KINDS]))
  .option("--turns <count>", "turns of one measurement", Number, 300)
  .option("--rounds <count>", "measurements of each kind", Number, 3)
  .parse();
const { database, turns, rounds } = program.opts();

/** @param {import("agent-turn").ChatEngine} engine @param {number[]} uids */
async function fill(engine, uids) {
  for (const uid of uids) {
    const reply = await engine.sendMessage(uid, OWNER, { content: "Which pages are hidden?" });
    if (!reply.ok) throw new Error(reply.code);
  }
}

/**
 * @param {string} url
 * @param {{ processes: number, slots: number }} shape
 * @param {() => Promise<void>} ready called when the workers have warmed up
 * @param {(() => number) | null} clock of the server
 * @returns {Promise<Rate>}
 */
async function drain(url, { processes, slots }, ready, clock) {
  const args = [WORKER, url, String(slots), String(WARM_UP)];
  const children = Array.from({ length: processes }, () => spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] }));
  const lines = children.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  await Promise.all(lines.map((line) => line.next()));
  await ready();
  const server = clock?.() ?? 0;
  const start = performance.now();
  for (const child of children) child.stdin.write("go\n");
  const figures = await Promise.all(lines.map(async (line) => /** @type {Figures} */ (JSON.parse(String((await line.next()).value)))));
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(children.map((child) => child.exitCode ?? once(child, "exit")));
  const sum = (/** @type {keyof Figures} */ name) => figures.reduce((total, one) => total + one[name], 0);
  const serverMs = clock === null ? null : (clock() - server) / sum("turns");
  return { perSecond: sum("turns") / seconds, cpuMs: sum("cpuMs") / sum("turns"), serverMs, lost: sum("lost") };
}

/** The median of a few measurements in milliseconds. @param {() => Promise<unknown>} work */
async function median(work, times = 15) {
  /** @type {number[]} */
  const measured = [];
  for (let index = 0; index < times; index += 1) {
    const start = performance.now();
    await work();
    measured.push(performance.now() - start);
  }
  return /** @type {number} */ (measured.sort((one, other) => one - other)[Math.floor(times / 2)]);
}

/** What a poll with `after`, a poll of everything and one turn cost by the length of the transcript. @param {import("agent-turn").ChatEngine} engine @param {import("agent-turn").Storage} storage */
async function growth(engine, storage) {
  for (const length of LENGTHS) {
    const messages = Array.from({ length }, (_, index) => ({ role: index % 2 ? "assistant" : "user", content: `Message ${index} of a long conversation.` }));
    const uid = await storage.insert(/** @type {any} */ ({ owner: 1, title: "Long", status: "idle", messages, lastRunUuid: "" }));
    const poll = await median(() => engine.poll(uid, OWNER, length));
    const all = await median(() => engine.poll(uid, OWNER, 0), 5);
    const touch = await median(async () => {
      const row = await storage.loadSince?.(uid, length);
      await storage.swap(uid, Number(row?.revision), { messages: { keep: Number(row?.messageCount), append: [{ role: "user", content: "x" }] }, updatedAt: 1 });
    });
    console.log(
      `  ${String(length).padStart(6)} messages: poll of what is new ${poll.toFixed(2)} ms, of everything ${all.toFixed(2)} ms, load since and append ${touch.toFixed(2)} ms`,
    );
  }
}

console.log(`Node ${process.versions.node}, ${cpus().length} cores; ${turns} turns, ${rounds} rounds`);
for (const kind of database) {
  const { url, drop } = await freshDatabase(kind);
  const { db, storage, close } = await openDatabase(url);
  await migrate(db);
  const engine = await createEngine(storage);
  const clock = await serverClock(kind, db);
  /** @type {number[]} */
  const uids = [];
  for (let index = 0; index < Math.max(turns, WARM_UP * MOST_WORKERS); index += 1) {
    const reply = await engine.createConversation(OWNER, {});
    if (reply.ok) uids.push(Number(reply.uid));
  }
  /** @type {Map<string, Rate>} */
  const best = new Map();
  for (let round = 0; round < rounds; round += 1) {
    for (const shape of SHAPES) {
      await fill(engine, uids.slice(0, WARM_UP * shape.processes));
      const rate = await drain(url, shape, () => fill(engine, uids.slice(0, turns)), clock);
      if (rate.perSecond > (best.get(shape.name)?.perSecond ?? 0)) best.set(shape.name, rate);
    }
  }
  console.log(`\n${kind}`);
  const one = best.get("1 process")?.perSecond ?? 0;
  for (const [name, { perSecond, cpuMs, serverMs, lost }] of best) {
    const server = serverMs === null ? "" : ` and ${serverMs.toFixed(1)} of the server`;
    console.log(
      `  ${name.padEnd(24)} ${perSecond.toFixed(0).padStart(6)} turns/s  x ${(perSecond / one).toFixed(2)}  ${cpuMs.toFixed(1)} ms CPU per turn${server}, ${lost} claims lost`,
    );
  }
  await growth(engine, storage);
  engine.free();
  await close();
  await drop();
  const idle = await freshDatabase(kind);
  const { own, other } = await queueWait(idle.url);
  console.log(`  a message waits ${own.toFixed(1)} ms for an idle worker of its own process, ${other.toFixed(1)} ms for one of another process`);
  await idle.drop();
}
process.exit(0);
