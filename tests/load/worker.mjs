// One process of `npm run load`: carries out turns whose runtime takes 5 ms, until there are none. Arguments: database URL, slots, how many turns it may
// take to warm up. Prints "ready" after those, begins at a line on standard input, and prints its figures as JSON.
import { once } from "node:events";
import { openDatabase } from "agent-turn/storage/sql";
import { createEngine } from "./engine.js";

const [url = "", slots = "1", warmUp = "0"] = process.argv.slice(2);
const { storage, close } = await openDatabase(url, { poolSize: Number(slots) + 2 });
const engine = await createEngine(storage);
let turns = 0;
let lost = 0;

/** @param {number} most */
async function consume(most) {
  while (turns < most) {
    const report = await engine.runNext("load");
    if (report === null) return;
    if (report.outcome === "notClaimed") lost += 1;
    else turns += 1;
  }
}

const all = (/** @type {number} */ most) => Promise.all(Array.from({ length: Number(slots) }, () => consume(most)));

await all(Number(warmUp));
process.stdout.write("ready\n");
await once(process.stdin, "data");
[turns, lost] = [0, 0];
const before = process.cpuUsage();
await all(Number.POSITIVE_INFINITY);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${JSON.stringify({ turns, lost, cpuMs: (user + system) / 1000 })}\n`);
await close();
process.exit(0);
