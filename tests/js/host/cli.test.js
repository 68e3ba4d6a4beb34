/** The commands as processes: exit codes, what they say, signals, and the real port. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { startHost } from "./processes.js";
import { created, polled, temporaryFolder } from "./real-host.js";

const CLI = fileURLToPath(new URL("../../../www/host/cli.mjs", import.meta.url));

/** Runs a command to its end. @param {string[]} args @param {Record<string, string>} [env] */
async function command(args, env = {}) {
  const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

describe("commands", { concurrency: 3 }, () => {
  it("explain themselves", async () => {
    const { code, out } = await command(["--help"]);
    assert.equal(code, 0);
    for (const word of ["serve", "worker", "process", "cleanup", "MODEL_URL", "DATABASE_FILE"]) assert.ok(out.includes(word), word);
  });

  it("refuse wrong use and configuration with 2", async (t) => {
    const database = { DATABASE_FILE: join(temporaryFolder(t), "chat.sqlite") };
    assert.equal((await command(["nothing"])).code, 2);
    assert.equal((await command(["cleanup", "more"])).code, 2);
    assert.equal((await command(["process"])).code, 2);
    const wrong = await command(["serve"], { PORT: "x", WORKER: "y" });
    assert.deepEqual([wrong.code, wrong.err.trim().split("\n").length], [2, 2]);
    const uid = await command(["process", "seven"], database);
    assert.deepEqual([uid.code, uid.err], [2, '"seven" is not the uid of a conversation.\n']);
  });

  it("purge and list usage", async (t) => {
    const database = { DATABASE_FILE: join(temporaryFolder(t), "chat.sqlite") };
    const host = await startHost(t, [CLI], { ...database, PORT: "0" });
    const uid = await created(host.client);
    await host.client.post(`/api/conversations/${uid}/messages`, { content: "Which pages are hidden?" });
    await polled(host.client, uid);
    host.child.kill("SIGTERM");
    await host.exited;
    const usage = await command(["usage"], database);
    assert.equal(usage.code, 0);
    assert.match(usage.out, /^caller\t.*\nagent_turn_demo\/chatTurn\tDefault\t[^\t]*\t1\t\d+\t/);
    assert.equal((await command(["usage", "--since", "2999-01-01"], database)).out.trim().split("\n").length, 1);
    assert.deepEqual([(await command(["purge"], database)).out], ["runs removed: 0, usage records removed: 0\n"]);
    for (const wrong of [
      ["purge", "--settled-days", "x"],
      ["purge", "--usage-days", "0"],
      ["usage", "--since", "yesterday"],
    ]) {
      assert.equal((await command(wrong, database)).code, 2);
    }
  });

  it("say what is wrong with the file of MCP servers, named by --mcp or MCP_FILE", async (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, "mcp.json");
    writeFileSync(file, '{"servers": {"notes": {"command": "x", "url": "y"}}}');
    const database = { DATABASE_FILE: join(folder, "chat.sqlite") };
    for (const { code, err } of [await command(["cleanup", "--mcp", file], database), await command(["cleanup"], { ...database, MCP_FILE: file })]) {
      assert.equal(code, 1);
      assert.match(err, /^The MCP servers cannot be used: .*mcp\.json: servers\.notes: exactly one of command and url is needed\.\n$/);
    }
  });

  it("say in one sentence that the port is taken or the database unusable", async (t) => {
    const folder = temporaryFolder(t);
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (other.address());
    const taken = await command(["serve"], { DATABASE_FILE: join(folder, "chat.sqlite"), PORT: String(port) });
    other.close();
    assert.equal(taken.code, 1);
    assert.match(taken.err, new RegExp(`^Port ${port} is in use\\.[^\\n]+\\n$`));
    const file = join(folder, "no-database");
    writeFileSync(file, "this is not a database, but long enough to look at ".repeat(40));
    for (const path of [file, join(file, "below.sqlite")]) {
      const unusable = await command(["serve"], { DATABASE_FILE: path, PORT: "0" });
      assert.equal(unusable.code, 1);
      assert.match(unusable.err, /^The database [^\n]+ cannot be used: [^\n]+DATABASE_FILE[^\n]+\n$/);
    }
  });

  it("process one conversation and clean up", async (t) => {
    const database = { DATABASE_FILE: join(temporaryFolder(t), "chat.sqlite") };
    const host = await startHost(t, [CLI], { ...database, PORT: "0", WORKER: "none" });
    const uid = await created(host.client);
    await host.client.post(`/api/conversations/${uid}/messages`, { content: "Which pages are hidden?" });
    const processed = await command(["process", String(uid)], database);
    assert.deepEqual([processed.code, processed.out], [0, `settled: conversation ${uid} is idle\n`], processed.err);
    assert.equal((await polled(host.client, uid)).messages.at(-1).role, "assistant");
    const again = await command(["process", String(uid)], database);
    assert.deepEqual([again.code, again.out], [3, `notClaimed: conversation ${uid} is idle\n`]);
    const missing = await command(["process", "999"], database);
    assert.equal(missing.code, 3);
    const cleanup = await command(["cleanup"], database);
    assert.deepEqual([cleanup.code, cleanup.out], [0, "timed out: 0, archived: 0, removed: 0\n"]);
  });

  it("carry out turns in a process of their own", async (t) => {
    const database = { DATABASE_FILE: join(temporaryFolder(t), "chat.sqlite") };
    const host = await startHost(t, [CLI], { ...database, PORT: "0", WORKER: "none" });
    const worker = spawn(process.execPath, [CLI, "worker"], { env: { ...process.env, ...database }, stdio: ["ignore", "pipe", "ignore"] });
    t.after(() => worker.kill("SIGKILL"));
    const uid = await created(host.client);
    await host.client.post(`/api/conversations/${uid}/messages`, { content: "Which pages are hidden?" });
    assert.equal((await polled(host.client, uid)).messages.at(-1).role, "assistant");
    worker.kill("SIGTERM");
    assert.deepEqual(await once(worker, "exit"), [0, null]);
  });
});

describe("the host on a port", { concurrency: 2 }, () => {
  it("serves, refuses foreign origins and host names, and stops on SIGTERM with 0", async (t) => {
    const { address, client, child, exited, errors } = await startHost(t, [CLI], { DATABASE_FILE: join(temporaryFolder(t), "chat.sqlite"), PORT: "0" });
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await client.get("/api/health")).body.ok, true);
    assert.equal((await client.post("/api/session", { uid: 2 }, { origin: address })).status, 200);
    assert.equal((await client.post("/api/session", { uid: 2 }, { origin: "http://127.0.0.1:1" })).body.code, "forbidden");
    assert.equal(await statusFor(address, "evil.example"), 403);
    assert.equal(await statusFor(address, "localhost"), 200);
    // However much is sent, the client gets the refusal, and the connection serves the next request.
    for (const length of [300_000, 9_000_000]) {
      assert.equal((await client.post("/api/session", { uid: 2, more: "x".repeat(length) })).body.code, "payloadTooLarge");
      assert.equal((await client.post("/api/session", { uid: 2, more: "x".repeat(length) }, { "content-type": "text/plain" })).body.code, "payloadTooLarge");
      assert.equal((await client.post("/api/session", { uid: 2, more: "x".repeat(length) }, { origin: "http://127.0.0.1:1" })).body.code, "forbidden");
      assert.equal(
        (await client.send("POST", "/api/files?name=x.bin", new Uint8Array(length), { "content-type": "application/zip" })).body.code,
        length > 8_388_608 ? "payloadTooLarge" : "unsupportedMediaType",
      );
    }
    const uid = await created(client);
    await client.post(`/api/conversations/${uid}/messages`, { content: "Which pages are hidden?" });
    assert.equal((await polled(client, uid)).conversation.status, "idle");
    child.kill("SIGTERM");
    assert.deepEqual(await exited, { code: 0, signal: null });
    const lines = errors()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.ok(lines.some(({ route, status }) => route === "/api/conversations/:uid/messages" && status === 202));
    assert.ok(lines.some(({ message, outcome }) => message === "turn" && outcome === "settled"));
    assert.ok(!errors().includes("hidden?"), "what people write is not in the log");
  });

  it("may be reached by name when it listens on localhost, and takes under 150 MB after a turn; an upload leaves little behind", async (t) => {
    const { address, client, child } = await startHost(t, [CLI], { DATABASE_FILE: join(temporaryFolder(t), "chat.sqlite"), PORT: "0", HOST: "localhost" });
    assert.match(address, /^http:\/\/localhost:/);
    assert.equal((await client.get("/api/session")).status, 200);
    const uid = await created(client);
    await client.post(`/api/conversations/${uid}/messages`, { content: "Which pages are hidden?" });
    await polled(client, uid);
    const before = megabytes(child);
    assert.ok(before > 1 && before < 150, `the host takes ${before} MB`);
    const picture = new Uint8Array(8_388_608);
    picture.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
    const upload = await client.send("POST", "/api/files?name=x.png", picture, { "content-type": "image/png" });
    assert.equal(upload.status, 201);
    // Copies of the largest file go with the next garbage collection, which comes by itself; what stays is the heap that it has grown to.
    const deadline = Date.now() + 60_000;
    while (megabytes(child) >= before + 50) {
      assert.ok(Date.now() < deadline, `the host still takes ${megabytes(child)} MB`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
});

/** Resident memory of a process. @param {import("node:child_process").ChildProcess} child */
const megabytes = ({ pid }) => Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024;

/** fetch does not let its caller name another host. @param {string} address @param {string} name @returns {Promise<number | undefined>} */
function statusFor(address, name) {
  return new Promise((resolve, reject) => {
    request(`${address}/api/health`, { headers: { host: name } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
