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
 */

const ENVIRONMENT = `
Environment:
  PORT, HOST           where to listen (8787 and 127.0.0.1); PORT=0 takes any free port
  ALLOW_REMOTE=1       allow other than loopback addresses
  DATABASE_FILE        SQLite file (.data/agent-turn.sqlite)
  MODEL_URL, MODEL_NAME, MODEL_KEY
                       an OpenAI-compatible endpoint; without them the built-in rehearsal model
  MODEL_TIMEOUT_SECONDS
                       how long one call of that endpoint may take (120)
  MCP_FILE             file that names MCP servers (also --mcp), see docs/runtime.md
  WORKER=none          serve only; turns are carried out by \`npm run worker\`
  DEMO_ADMIN=1         make the second demo user an administrator
  LOG_LEVEL            debug, info, warn or error (info)`;

/** @param {string[]} args Arguments after the script's name. @returns {Promise<number>} Exit code. */
export async function main(args) {
  let exitCode = 0;
  /** The configuration is read first: what is wrong with it should not take the time that the rest needs to load. @param {(commands: Commands, config: Config) => Promise<number>} command */
  const act = async (command) => {
    const { mcp } = program.opts();
    const config = loadConfig(mcp === undefined ? process.env : { ...process.env, MCP_FILE: resolve(mcp) });
    exitCode = await command(await import("./commands.js"), config);
  };
  const program = new Command("agent-turn")
    .description("A CMS backend chat on agent-turn: host, worker and upkeep.")
    .option("--mcp <file>", "file that names MCP servers")
    .addHelpText("after", ENVIRONMENT)
    .exitOverride();
  program
    .command("serve", { isDefault: true })
    .description("serve the page and the API, and carry out turns")
    .allowExcessArguments(false)
    .action(() => act((commands, config) => commands.runServe(config)));
  program
    .command("worker")
    .description("carry out turns in a process of its own")
    .allowExcessArguments(false)
    .action(() => act((commands, config) => commands.runWorker(config)));
  program
    .command("process")
    .argument("<uid>", "uid of the conversation")
    .description("carry out the waiting turn of one conversation")
    .action((uid) => act((commands, config) => commands.runProcess(config, uid)));
  program
    .command("cleanup")
    .description("settle what was left behind, archive and remove old conversations, once")
    .action(() => act((commands, config) => commands.runCleanup(config)));
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error);
  }
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
