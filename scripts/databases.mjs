#!/usr/bin/env node
// Throw-away database servers on the loopback address, for tests, measurements and trying things out.
//   npm run databases                    PostgreSQL and MariaDB; prints their URLs, stops and removes them at Ctrl-C
//   npm run databases -- postgres        one of them
// A test takes `freshDatabase(kind)`: an empty database on a server that all tests of a run share. The server is a child of a child that lives as long as
// its standard input is open, so it goes when the process that asked for it ends, however that ends.
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SERVER_KINDS, ServerProblem, startServer } from "./lib/database-servers.mjs";

/**
 * @typedef {import("./lib/database-servers.mjs").ServerKind} ServerKind
 * @typedef {"sqlite" | ServerKind} DatabaseKind
 * @typedef {{ url: string, stop(): Promise<void> }} Server `url` with no database in its path; `stop` removes the data too
 */

export { ServerProblem };

/** Every kind of database that the project supports, in the order tests name them. @type {readonly DatabaseKind[]} */
export const DATABASE_KINDS = ["sqlite", ...SERVER_KINDS];

/** Where a server's URL is passed on to the processes of one test run. @param {ServerKind} kind */
const variableOf = (kind) => `AGENT_TURN_TEST_${kind.toUpperCase()}`;

const HERE = fileURLToPath(import.meta.url);

/**
 * Starts a server of one's own; it ends with `stop`, or with this process.
 *
 * @param {ServerKind} kind
 * @param {readonly string[]} [settings] of the server's own: `name=value` for PostgreSQL, `--name=value` for MariaDB
 * @returns {Promise<Server>}
 * @throws {ServerProblem}
 */
export function startDatabaseServer(kind, settings = []) {
  // Detached: a signal to the process group of a test run must not end the keeper before it has put the server away.
  const keeper = spawn(process.execPath, [HERE, "keep", kind, ...settings], { stdio: ["pipe", "pipe", "pipe"], detached: true });
  const exited = new Promise((resolve) => void keeper.once("exit", resolve));
  let [output, complaint] = ["", ""];
  return new Promise((resolve, reject) => {
    keeper.stderr.setEncoding("utf8").on("data", (text) => (complaint += text));
    keeper.once("error", reject);
    keeper.once("close", () => reject(new ServerProblem(complaint.trim() || `the keeper of ${kind} ended`)));
    keeper.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (!output.includes("\n")) return;
      // This process may end while the server runs.
      for (const handle of [keeper, keeper.stdin, keeper.stdout, keeper.stderr]) /** @type {{ unref(): void }} */ (/** @type {unknown} */ (handle)).unref();
      resolve({
        url: output.trim(),
        async stop() {
          keeper.ref();
          keeper.stdin.end();
          await exited;
        },
      });
    });
  });
}

/** @type {Map<ServerKind, Promise<string>>} servers this process has started for itself */
const started = new Map();

/**
 * The URL of the server that this test run shares: the one `withDatabaseServers` started, else one for this process.
 *
 * @param {ServerKind} kind
 * @returns {Promise<string>}
 * @throws {ServerProblem}
 */
export function sharedServer(kind) {
  const given = process.env[variableOf(kind)];
  if (given) return Promise.resolve(given);
  const url = started.get(kind) ?? startDatabaseServer(kind).then((server) => server.url);
  started.set(kind, url);
  return url;
}

/**
 * Starts both servers, runs the work with an environment that leads its processes to them, and stops them.
 *
 * @template T
 * @param {(env: Record<string, string>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withDatabaseServers(work) {
  const servers = await Promise.all(SERVER_KINDS.map((kind) => startDatabaseServer(kind)));
  try {
    return await work(Object.fromEntries(SERVER_KINDS.map((kind, index) => [variableOf(kind), String(servers[index]?.url)])));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

let databases = 0;

/**
 * A new, empty database for one test.
 *
 * @param {DatabaseKind} kind
 * @returns {Promise<{ kind: DatabaseKind, url: string, drop(): Promise<void> }>} `drop` also ends connections that are still open
 * @throws {ServerProblem}
 */
export async function freshDatabase(kind) {
  if (kind === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "agent-turn-sqlite-"));
    return { kind, url: `sqlite:${join(folder, "data.sqlite")}`, drop: async () => rmSync(folder, { recursive: true, force: true }) };
  }
  const server = await sharedServer(kind);
  const name = `test_${process.pid}_${(databases += 1)}_${Date.now().toString(36)}`;
  await administer(kind, server, `create database ${name}`);
  return { kind, url: `${server}/${name}`, drop: () => administer(kind, server, `drop database ${name}${kind === "postgres" ? " with (force)" : ""}`) };
}

/**
 * One statement with every right of the server, outside of any test's database.
 *
 * @param {ServerKind} kind
 * @param {string} server its URL
 * @param {string} statement
 */
export async function administer(kind, server, statement) {
  if (kind === "postgres") {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: `${server}/postgres` });
    await client.connect();
    await client.query(statement).finally(() => client.end());
    return;
  }
  const { createConnection } = await import("mysql2/promise");
  const connection = await createConnection({ uri: server });
  await connection.query(statement).finally(() => connection.end());
}

/* ---------------------------------------------------------------- command line */

/** Keeps one server until standard input ends. @param {ServerKind} kind @param {string[]} settings */
async function keep(kind, settings) {
  process.stdin.resume();
  const closed = new Promise((resolve) => void process.stdin.once("end", resolve).once("close", resolve));
  const server = await startServer(kind, settings);
  process.stdout.write(`${server.url}\n`);
  await Promise.race([closed, server.exited]);
  await server.stop();
}

/** Shows servers until a signal ends them. @param {readonly ServerKind[]} kinds */
async function show(kinds) {
  const stopped = new Promise((resolve) => {
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) process.once(signal, resolve);
  });
  const servers = await Promise.all(kinds.map((kind) => startDatabaseServer(kind)));
  for (const [index, kind] of kinds.entries()) {
    const url = String(servers[index]?.url);
    await administer(kind, url, "create database agent_turn");
    process.stdout.write(`${url}/agent_turn\n`);
  }
  process.stdout.write("Ctrl-C stops and removes them.\n");
  const alive = setInterval(() => {}, 60_000);
  await stopped;
  clearInterval(alive);
  await Promise.all(servers.map((server) => server.stop()));
}

/** @param {string[]} args @returns {Promise<number>} exit status */
async function main([command, ...rest]) {
  const known = (/** @type {string} */ name) => /** @type {readonly string[]} */ (SERVER_KINDS).includes(name);
  const kinds = command === undefined ? SERVER_KINDS : /** @type {ServerKind[]} */ ([command, ...rest]);
  try {
    if (command === "keep" && rest[0] !== undefined && known(rest[0])) await keep(/** @type {ServerKind} */ (rest[0]), rest.slice(1));
    else if (kinds.every(known)) await show([...new Set(kinds)]);
    else {
      process.stderr.write(`usage: npm run databases [-- ${SERVER_KINDS.join(" ")}]\n`);
      return 2;
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof ServerProblem ? error.message : error instanceof Error ? error.stack : error}\n`);
    return 1;
  }
}

/** Whether this file is what Node was started with. */
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === HERE) process.exit(await main(process.argv.slice(2)));
