#!/usr/bin/env node
// `npm run soak`: simulated people against real hosts and workers that are killed with -9 at random; at the end the stored data is audited.
//   npm run soak -- --database postgres --workers 4 --minutes 5
//   npm run soak -- --database sqlite --turns 2000 --seed 7
// `--database` also takes the URL of an empty database. Exit code: 0 nothing was lost and nothing doubled, 1 something was, 2 wrong use.
import { Command, InvalidArgumentError } from "commander";
import { soak } from "./soak.js";

/** @param {string} value */
function positive(value) {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return number;
}

const program = new Command("soak")
  .description("People, processes that are killed, and an audit of what they left.")
  .option("--database <kind or url>", "sqlite, postgres, mariadb, or the URL of an empty database", "sqlite")
  .option("--workers <count>", "worker processes", positive, 4)
  .option("--concurrency <turns>", "turns at a time in each", positive, 4)
  .option("--hosts <count>", "processes that serve", positive, 2)
  .option("--people <count>", "who write at the same time", positive, 12)
  .option("--minutes <minutes>", "how long, at most", positive)
  .option("--turns <count>", "stop after so many turns", positive)
  .option("--kill-seconds <seconds>", "mean time between two kills", positive, 3)
  .option("--seed <number>", "repeats the choices", positive, 1)
  .option("--journal <folder>", "keep there what the people noted")
  .option("--plant-double-write", "one worker writes twice: the audit must find it")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
const { database, workers, seed, minutes, turns, journal, plantDoubleWrite, ...rest } = program.parse().opts();

for (const [signal, number] of /** @type {const} */ ([
  ["SIGINT", 2],
  ["SIGTERM", 15],
]))
  process.once(signal, () => process.exit(128 + number));

const seconds = 60 * (minutes ?? (turns === undefined ? 5 : 600));
/** @type {import("./soak.js").SoakOptions} */
const options = { ...rest, database, workers, seed, turns, seconds, folder: journal, faulty: plantDoubleWrite };
const { findings, figures } = await soak({ ...options, say: (line) => void process.stderr.write(`${line}\n`) });
for (const [name, value] of Object.entries(figures)) process.stdout.write(`${name.padEnd(32)} ${value}\n`);
for (const { kind, conversation, what } of findings.slice(0, 50)) process.stdout.write(`FOUND ${kind}${conversation ? ` in ${conversation}` : ""}: ${what}\n`);
process.stdout.write(findings.length === 0 ? "nothing lost, nothing doubled\n" : `${findings.length} findings\n`);
process.exit(findings.length === 0 ? 0 : 1);
