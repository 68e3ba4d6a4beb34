// How a throw-away PostgreSQL and MariaDB are made: what must be installed, how the data folder is filled, how the server is started and stopped.
// Neither server runs as root, so root hands them to the user `nobody`.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, which } from "./run.mjs";

/**
 * @typedef {"postgres" | "mariadb"} ServerKind
 * @typedef {{ uid: number, gid: number } | {}} Identity whom a program runs as; empty: this user
 * @typedef {{ folder: string, port: number, password: string, identity: Identity, settings: readonly string[] }} Place
 *
 * @typedef {object} Recipe
 * @property {string} label
 * @property {string[]} packages of Debian and Ubuntu
 * @property {string} variable environment variable that names the folder of the programs
 * @property {string[]} programs that must be there
 * @property {() => string[]} folders where they are, apart from PATH
 * @property {(program: (name: string) => string, place: Place) => Promise<void>} prepare fills the data folder
 * @property {(program: (name: string) => string, place: Place) => [string, string[]]} command that runs the server in the foreground
 * @property {RegExp} ready what it writes when it takes connections
 * @property {NodeJS.Signals} stop ends it at once; its data is thrown away
 */

/** The server is missing or does not start; the message says what to do. */
export class ServerProblem extends Error {
  /** @param {string} message @param {{ cause?: unknown }} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = "ServerProblem";
  }
}

/** User of the servers, with every right. */
export const SERVER_USER = "app";

/** A fresh machine under load. */
const START_MS = 120_000;

/** The port may be taken between looking and listening. */
const ATTEMPTS = 3;

/** @type {Record<ServerKind, Recipe>} */
const RECIPES = {
  postgres: {
    label: "PostgreSQL",
    packages: ["postgresql"],
    variable: "POSTGRES_BIN",
    programs: ["initdb", "postgres"],
    folders: () => newestFirst("/usr/lib/postgresql", "bin"),
    async prepare(program, { folder, password, identity }) {
      const file = join(folder, "password");
      writeFileSync(file, `${password}\n`, { mode: 0o600 });
      own(file, identity);
      const options = ["-D", join(folder, "data"), "-U", SERVER_USER, "--auth=scram-sha-256", `--pwfile=${file}`];
      await finish(program("initdb"), [...options, "--encoding=UTF8", "--locale=C", "--no-sync"], folder, identity);
    },
    command(program, { folder, port, settings }) {
      // Nothing of it has to survive a power cut.
      const fast = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=64MB", "max_connections=200"];
      const own = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "lc_messages=C"];
      return [program("postgres"), ["-D", join(folder, "data"), ...[...own, ...fast, ...settings].flatMap((setting) => ["-c", setting])]];
    },
    ready: /database system is ready to accept connections/,
    stop: "SIGQUIT",
  },
  mariadb: {
    label: "MariaDB",
    packages: ["mariadb-server-core", "mariadb-client-core"],
    variable: "MARIADB_BIN",
    programs: ["mariadb-install-db", "mariadbd"],
    folders: () => ["/usr/sbin", "/usr/bin"],
    async prepare(program, { folder, password, identity }) {
      // --no-defaults comes first, or it is an error.
      const options = ["--no-defaults", `--datadir=${join(folder, "data")}`, "--auth-root-authentication-method=normal", "--skip-test-db"];
      await finish(program("mariadb-install-db"), options, folder, identity);
      const file = join(folder, "users.sql");
      const grant = `grant all on *.* to '${SERVER_USER}'@'127.0.0.1' identified by '${password}' with grant option;`;
      writeFileSync(file, `${grant}\nalter user root@localhost identified by '${password}';\n`, { mode: 0o600 });
      own(file, identity);
    },
    command(program, { folder, port, settings }) {
      const paths = [`--datadir=${join(folder, "data")}`, `--socket=${join(folder, "socket")}`, `--pid-file=${join(folder, "pid")}`, `--tmpdir=${folder}`];
      const own = ["--bind-address=127.0.0.1", `--port=${port}`, "--skip-name-resolve", `--init-file=${join(folder, "users.sql")}`, "--max-connections=200"];
      const fast = ["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=32M", "--skip-log-bin"];
      return [program("mariadbd"), ["--no-defaults", ...paths, ...own, ...fast, ...settings]];
    },
    ready: /ready for connections/,
    stop: "SIGKILL",
  },
};

/** @type {readonly ServerKind[]} */
export const SERVER_KINDS = ["postgres", "mariadb"];

/**
 * Starts a server in a folder of its own and resolves when it takes connections.
 *
 * @param {ServerKind} kind
 * @param {readonly string[]} [settings] of the server's own: `name=value` for PostgreSQL, `--name=value` for MariaDB
 * @returns {Promise<{ url: string, pid: number, exited: Promise<void>, stop(): Promise<void> }>} `url` names the server, with no database in its path
 * @throws {ServerProblem}
 */
export async function startServer(kind, settings = []) {
  const recipe = RECIPES[kind];
  await ensureServer(kind);
  const identity = unprivileged();
  const folder = makeFolder(identity);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const program = (/** @type {string} */ name) => String(find(recipe, name));
  try {
    const password = crypto.randomUUID();
    await recipe.prepare(program, { folder, port: 0, password, identity, settings });
    const { child, port } = await launch(kind, program, { folder, password, identity, settings });
    const exited = new Promise((resolve) => void child.once("exit", () => resolve(undefined)));
    const scheme = kind === "postgres" ? "postgres" : "mariadb";
    return {
      url: `${scheme}://${SERVER_USER}:${password}@127.0.0.1:${port}`,
      pid: Number(child.pid),
      exited,
      async stop() {
        child.kill(recipe.stop);
        await exited;
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error instanceof ServerProblem ? error : new ServerProblem(`${recipe.label} could not be started: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Makes sure that a server's programs are there; root installs them where there is apt.
 *
 * @param {ServerKind} kind
 * @throws {ServerProblem}
 */
export async function ensureServer(kind) {
  const { label, packages, programs, variable } = RECIPES[kind];
  const missing = () => programs.filter((name) => find(RECIPES[kind], name) === null);
  if (missing().length === 0) return;
  if (process.env[variable] === undefined && which("apt-get") && process.getuid?.() === 0) {
    const apt = ["-y", "-q", "-o", "DPkg::Lock::Timeout=600"];
    const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, quiet: true };
    try {
      await run("apt-get", [...apt, "update"], options);
      await run("apt-get", [...apt, "install", "--no-install-recommends", ...packages], options);
    } catch (cause) {
      throw new ServerProblem(`apt-get could not install ${packages.join(", ")}: ${outputOf(cause)}`, { cause });
    }
  }
  if (missing().length === 0) return;
  throw new ServerProblem(
    `${label} is missing (${missing().join(", ")}): install it (on Debian and Ubuntu as root: apt-get install ${packages.join(" ")}), or name the folder of its programs in ${variable}.`,
  );
}

/** @param {Recipe} recipe @param {string} name @returns {string | null} */
function find({ variable, folders }, name) {
  const named = process.env[variable];
  for (const folder of named === undefined ? folders() : [named]) {
    if (existsSync(join(folder, name))) return join(folder, name);
  }
  return named === undefined ? which(name) : null;
}

/** @param {string} parent @param {string} below @returns {string[]} `parent/<version>/below`, the highest version first */
function newestFirst(parent, below) {
  if (!existsSync(parent)) return [];
  const versions = readdirSync(parent).filter((name) => /^\d+$/.test(name));
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(parent, version, below));
}

/** @returns {Identity} */
function unprivileged() {
  if (process.getuid?.() !== 0) return {};
  const id = (/** @type {string} */ option) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A folder that the server's user owns and reaches: the way into root's own temporary folder may be closed to others. @param {Identity} identity */
function makeFolder(identity) {
  const parent = "uid" in identity && existsSync("/tmp") ? "/tmp" : tmpdir();
  const folder = mkdtempSync(join(parent, "agent-turn-db-"));
  own(folder, identity);
  chmodSync(folder, 0o700);
  return folder;
}

/** @param {string} path @param {Identity} identity */
function own(path, identity) {
  if ("uid" in identity) chownSync(path, identity.uid, identity.gid);
}

/**
 * @param {ServerKind} kind
 * @param {(name: string) => string} program
 * @param {Omit<Place, "port">} place
 * @returns {Promise<{ child: import("node:child_process").ChildProcess, port: number }>}
 */
async function launch(kind, program, place) {
  const { label, command, ready } = RECIPES[kind];
  let log = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const port = await freePort();
    const [path, args] = command(program, { ...place, port });
    const child = spawn(path, args, { cwd: place.folder, stdio: ["ignore", "pipe", "pipe"], ...place.identity });
    log = "";
    const up = await new Promise((resolve) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
      const settle = (/** @type {boolean} */ answer) => {
        clearTimeout(timer);
        resolve(answer);
      };
      const read = (/** @type {string} */ text) => {
        log = (log + text).slice(-20_000);
        if (ready.test(log)) settle(true);
      };
      // Read on for good: a server whose pipe is full stands still.
      child.stdout.setEncoding("utf8").on("data", read);
      child.stderr.setEncoding("utf8").on("data", read);
      child.once("error", (error) => read(error.message)).once("error", () => settle(false));
      child.once("exit", () => settle(false));
    });
    if (up) return { child, port };
  }
  throw new ServerProblem(`${label} did not start: ${log.trim().split("\n").slice(-8).join("\n")}`);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
}

/**
 * Runs a program to its end as that user.
 *
 * @param {string} path @param {string[]} args @param {string} cwd @param {Identity} identity
 */
async function finish(path, args, cwd, identity) {
  const child = spawn(path, args, { cwd, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, HOME: cwd, TMPDIR: cwd, LC_ALL: "C" }, ...identity });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise((resolve, reject) => void child.once("error", reject).once("close", resolve));
  if (status !== 0) throw new ServerProblem(`${path} ended with status ${status}: ${output.trim().split("\n").slice(-8).join("\n")}`);
}

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {unknown} error */
const outputOf = (error) => (error instanceof Error && "output" in error ? String(error.output).trim().split("\n").slice(-3).join("\n") : messageOf(error));
