import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { ConfigError, isLoopback, loadConfig, PROJECT_ROOT } from "../../../www/host/config.js";

/** @param {Record<string, string>} env */
const problemsOf = (env) => {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.equal(error.code, "invalidConfiguration");
    return error.problems;
  }
  return [];
};

/** @param {string} path */
const sqlite = (path) => ({ kind: "sqlite", url: `sqlite:${path}`, name: path });

describe("configuration", () => {
  it("has defaults that work without any variable", () => {
    assert.deepEqual(loadConfig({}), {
      root: PROJECT_ROOT,
      port: 8787,
      hostname: "127.0.0.1",
      allowRemote: false,
      database: sqlite(resolve(PROJECT_ROOT, ".data", "agent-turn.sqlite")),
      model: null,
      runSecret: undefined,
      mcpFile: null,
      worker: "in-process",
      concurrency: 2,
      metricsPort: null,
      stopSeconds: 10,
      leaseSeconds: 30,
      stuckSeconds: 45,
      upkeepSeconds: 10,
      maxActive: 3,
      demoAdmin: false,
      logLevel: "info",
      locale: "en",
    });
  });

  it("takes every value from the environment and counts empty ones as absent", () => {
    const config = loadConfig(
      {
        PORT: "0",
        HOST: "::1",
        DATABASE_FILE: "data/x.sqlite",
        WORKER_CONCURRENCY: "8",
        METRICS_PORT: "0",
        STOP_SECONDS: "0",
        LEASE_SECONDS: "5",
        STUCK_SECONDS: "6",
        UPKEEP_SECONDS: "7",
        MAX_ACTIVE: "0",
        MODEL_URL: "http://localhost:9/v1/",
        MODEL_NAME: "m",
        MODEL_KEY: "",
        RUN_SECRET: "sixteen letters!",
        MCP_FILE: "mcp.json",
        WORKER: "none",
        DEMO_ADMIN: "1",
        LOG_LEVEL: "warn",
        LOCALE: "de",
        ALLOW_REMOTE: "",
      },
      "/project",
    );
    assert.deepEqual(config, {
      root: "/project",
      port: 0,
      hostname: "::1",
      allowRemote: false,
      database: sqlite(resolve("/project", "data/x.sqlite")),
      model: { url: "http://localhost:9/v1", name: "m", key: undefined, timeoutSeconds: 120 },
      runSecret: "sixteen letters!",
      mcpFile: resolve("/project", "mcp.json"),
      worker: "none",
      concurrency: 8,
      metricsPort: 0,
      stopSeconds: 0,
      leaseSeconds: 5,
      stuckSeconds: 6,
      upkeepSeconds: 7,
      maxActive: 0,
      demoAdmin: true,
      logLevel: "warn",
      locale: "de",
    });
  });

  it("takes a database by its address, and shows it without user and password", () => {
    const of = (/** @type {string} */ url) => loadConfig({ DATABASE_URL: url }, "/project").database;
    assert.deepEqual(of("sqlite:data/x.sqlite"), sqlite(resolve("/project", "data/x.sqlite")));
    assert.deepEqual(of("sqlite:///srv/x.sqlite"), sqlite("/srv/x.sqlite"));
    assert.deepEqual(of("sqlite::memory:"), sqlite(":memory:"));
    const server = "postgres://me:secret@db.example:5433/chat";
    assert.deepEqual(of(server), { kind: "postgres", url: server, name: "postgres://db.example:5433/chat" });
    for (const scheme of ["mysql", "mariadb"]) assert.equal(of(`${scheme}://me:secret@db/chat`).kind, "mysql");
  });

  it("refuses an address that names no database, without repeating it", () => {
    for (const url of ["postgres://me:secret@db", "postgres:///chat", "oracle://me:secret@db/chat", "postgres://me:secret@:x/chat", "sqlite:"]) {
      const [problem = "", ...more] = problemsOf({ DATABASE_URL: url });
      assert.match(problem, /^DATABASE_URL must be/, url);
      assert.ok(!problem.includes("secret") && more.length === 0, url);
    }
    assert.deepEqual(problemsOf({ DATABASE_URL: "sqlite:x", DATABASE_FILE: "x" }), ["DATABASE_URL and DATABASE_FILE are both set; choose one."]);
  });

  const WRONG = {
    WORKER_CONCURRENCY: ["0", "65", "two"],
    METRICS_PORT: ["x"],
    STUCK_SECONDS: ["0"],
    PORT: ["-1", "65536", "80a", "1e3", "0x10", "8787.5"],
    WORKER: ["yes"],
    DEMO_ADMIN: ["true"],
    ALLOW_REMOTE: ["yes"],
    LOG_LEVEL: ["loud"],
  };
  const wrong = Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => ({ name, value })));
  for (const { name, value } of wrong) {
    it(`refuses ${name}=${value} and names it`, () => {
      const problems = problemsOf({ [name]: value });
      assert.equal(problems.length, 1);
      assert.ok(problems[0]?.includes(name) && problems[0].includes(value), problems[0]);
    });
  }

  it("refuses an address that is not loopback unless it is asked for", () => {
    for (const address of ["0.0.0.0", "::", "192.168.1.5", "example.org", "127.0.0.1.example.org", "localhost.example.org"]) {
      assert.equal(problemsOf({ HOST: address }).length, 1, address);
      assert.equal(loadConfig({ HOST: address, ALLOW_REMOTE: "1" }).hostname, address);
    }
    for (const address of ["localhost", "127.0.0.1", "127.8.9.10", "::1", "[::1]"]) assert.deepEqual(problemsOf({ HOST: address }), [], address);
  });

  it("refuses half a model", () => {
    assert.deepEqual(problemsOf({ MODEL_URL: "http://localhost:1/v1" }), ["MODEL_URL is set without MODEL_NAME."]);
    assert.deepEqual(problemsOf({ MODEL_NAME: "m" }), ["MODEL_NAME is set without MODEL_URL."]);
    assert.deepEqual(problemsOf({ MODEL_KEY: "k" }), ["MODEL_KEY is set without MODEL_URL."]);
    assert.deepEqual(problemsOf({ MODEL_TIMEOUT_SECONDS: "30" }), ["MODEL_TIMEOUT_SECONDS is set without MODEL_URL."]);
    for (const url of ["localhost:1/v1", "ftp://localhost/v1", "nonsense", "http://user:secret@localhost/v1"]) {
      const [problem = ""] = problemsOf({ MODEL_URL: url, MODEL_NAME: "m" });
      assert.match(problem, /^MODEL_URL must/, url);
      assert.ok(!problem.includes("secret"));
    }
  });

  it("refuses a secret that can be guessed, without repeating it", () => {
    assert.deepEqual(problemsOf({ RUN_SECRET: "fifteen letters" }), ["RUN_SECRET must have at least 16 characters."]);
  });

  it("takes a time-out of 1 to 300 seconds for the model", () => {
    const endpoint = { MODEL_URL: "http://localhost:1/v1", MODEL_NAME: "m" };
    for (const value of ["1", "300"]) assert.equal(loadConfig({ ...endpoint, MODEL_TIMEOUT_SECONDS: value }).model?.timeoutSeconds, Number(value));
    for (const value of ["0", "301", "1.5", "-1", "soon"]) {
      assert.deepEqual(problemsOf({ ...endpoint, MODEL_TIMEOUT_SECONDS: value }), [
        `MODEL_TIMEOUT_SECONDS must be a whole number of seconds from 1 to 300, not "${value}".`,
      ]);
    }
  });

  it("names all problems at once", () => {
    assert.equal(problemsOf({ PORT: "x", HOST: "0.0.0.0", WORKER: "y", MODEL_URL: "z" }).length, 5);
  });

  it("knows loopback names", () => {
    for (const name of ["localhost", "LOCALHOST", "127.0.0.1", "127.255.255.255", "::1", "[::1]"]) assert.ok(isLoopback(name), name);
    for (const name of ["", "127.0.0.1.example.org", "localhost.", "127.1", "10.0.0.1", "::2", "evil.localhost.org"]) assert.ok(!isLoopback(name), name);
  });
});
