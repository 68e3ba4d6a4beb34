#!/usr/bin/env node
/** The commands of the host. Exit codes: 0 done, 1 failed, 2 wrong use or configuration, 3 nothing to do. */
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command, CommanderError } from "commander";
import { ConfigError, loadConfig } from "./config.js";

/**
 * @typedef {import("./config.js").Config} Config
 * @typedef {typeof import("./commands.js")} Commands
 * @typedef {{ database?: string, concurrency?: string, metricsPort?: string, mcp?: string }} Options
 */

const ENVIRONMENT = `
Environment:
  PORT, HOST           where to listen (8787 and 127.0.0.1); PORT=0 takes any free port
  ALLOW_REMOTE=1       allow other than loopback addresses
  DATABASE_URL         sqlite:<path>, postgres://… or mariadb://… (--database)
  DATABASE_FILE        or just the SQLite file (.data/agent-turn.sqlite)
  MODEL_URL, MODEL_NAME, MODEL_KEY
                       an OpenAI-compatible endpoint; without them the built-in rehearsal model
  MODEL_TIMEOUT_SECONDS
                       how long one call of that endpoint may take (120)
  MCP_FILE             file that names MCP servers (also --mcp), see docs/runtime.md
  WORKER=none          serve only; turns are carried out by \`npm run worker\`
  WORKER_CONCURRENCY   turns at a time in one process (2) (--concurrency)
  METRICS_PORT         where health and metrics are served (nowhere) (--metrics-port)
  STOP_SECONDS         how long a stopping process waits for its turns (10)
  LEASE_SECONDS, STUCK_SECONDS, UPKEEP_SECONDS
                       when a silent worker counts as dead, and how often that is looked for (30, 45, 10)
  MAX_ACTIVE           conversations of one owner that may be busy at a time (3; 0: any number)
  DEMO_ADMIN=1         make the second demo user an administrator
  LOG_LEVEL            debug, info, warn or error (info)`;

/** @param {string[]} args Arguments after the script's name. @returns {Promise<number>} Exit code. */
export async function main(args) {
  let exitCode = 0;
  /** The configuration is read first: what is wrong with it should not take the time that the rest needs to load. @param {Options} options @param {(commands: Commands, config: Config) => Promise<number>} command */
  const act = async (options, command) => {
    const config = loadConfig(withOptions(process.env, { ...program.opts(), ...options }));
    exitCode = await command(await import("./commands.js"), config);
  };
  const program = new Command("agent-turn")
    .description("A CMS backend chat on agent-turn: host, worker and upkeep.")
    .option("--mcp <file>", "file that names MCP servers")
    .addHelpText("after", ENVIRONMENT)
    .exitOverride();
  const command = (/** @type {string} */ name, /** @type {string} */ about) =>
    program
      .command(name, { isDefault: name === "serve" })
      .description(about)
      .allowExcessArguments(false)
      .option("--database <url>", "instead of DATABASE_URL");
  const consumes = (/** @type {Command} */ one) =>
    one.option("--concurrency <turns>", "instead of WORKER_CONCURRENCY").option("--metrics-port <port>", "instead of METRICS_PORT");

  consumes(command("serve", "serve the page and the API, and carry out turns")).action((options) =>
    act(options, (commands, config) => commands.runServe(config)),
  );
  consumes(command("worker", "carry out turns in a process of its own")).action((options) => act(options, (commands, config) => commands.runWorker(config)));
  command("process", "carry out the waiting turn of one conversation")
    .argument("<uid>", "uid of the conversation")
    .action((uid, options) => act(options, (commands, config) => commands.runProcess(config, uid)));
  command("cleanup", "settle what was left behind, archive and remove old conversations, once").action((options) =>
    act(options, (commands, config) => commands.runCleanup(config)),
  );
  command("purge", "remove the records of runs that ended long ago")
    .option("--settled-days <days>", "how old a settled run is", "30")
    .option("--usage-days <days>", "how old usage records are; without it they stay")
    .action((options) => act(options, (commands, config) => commands.runPurge(config, options)));
  command("usage", "list what models cost, per caller")
    .option("--since <date>", "from that day on")
    .action((options) => act(options, (commands, config) => commands.runUsage(config, options)));
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error);
  }
}

/**
 * The environment with what the command line says instead; both are checked in one place.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {Options} options
 * @returns {NodeJS.ProcessEnv}
 */
function withOptions(env, { database, concurrency, metricsPort, mcp }) {
  return {
    ...env,
    ...(database === undefined ? {} : { DATABASE_URL: /^[a-z]{2,}:/i.test(database) ? database : `sqlite:${database}`, DATABASE_FILE: undefined }),
    ...(concurrency === undefined ? {} : { WORKER_CONCURRENCY: concurrency }),
    ...(metricsPort === undefined ? {} : { METRICS_PORT: metricsPort }),
    ...(mcp === undefined ? {} : { MCP_FILE: resolve(mcp) }),
  };
}

/** Says in one sentence what is wrong where we know it, else shows the whole fault. @param {unknown} error @returns {number} */
function explain(error) {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError) {
    for (const problem of error.problems) process.stderr.write(`${problem}\n`);
    return 2;
  }
  const known = error instanceof Error && (error.name === "ListenError" || error.name === "StartError");
  process.stderr.write(`${known ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  return 1;
}

const isEntry = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isEntry) process.exit(await main(process.argv.slice(2)));
