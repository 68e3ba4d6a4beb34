// What the runtime's tests say of a run in a SQLite file holds on the servers too: the same file, run again.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import pg from "pg";
import { together } from "../../../pkg/runtime/ai-sdk/together.js";
import { DATABASE_KINDS, sharedServer } from "../../../scripts/databases.mjs";
import { emptyDatabase } from "../storage/databases.js";
import { answer, KIND_VARIABLE, noStep, OWNER, request, runtime, script } from "./support.mjs";

const FILES = ["pause.test.mjs", "stop.test.mjs"].map((name) => fileURLToPath(new URL(name, import.meta.url)));

/** Those that go through every kind of statement: claims, saves, races, questions, cancelling, effects. */
const CHOSEN = "^(approve:|one decision covers|two decisions at once|a question: schema|cancelIfWaiting|a second round|cancel:)";

for (const kind of /** @type {const} */ (["postgres", "mariadb"])) {
  describe(`the runtime on ${kind}`, () => {
    test("pauses, decisions, answers and refusals", async () => {
      const server = await sharedServer(kind);
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const variables = { ...env, [KIND_VARIABLE]: kind, [`AGENT_TURN_TEST_${kind.toUpperCase()}`]: server };
      const child = spawn(process.execPath, ["--test", "--test-reporter=tap", `--test-name-pattern=/${CHOSEN}/`, ...FILES], {
        env: variables,
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
      const [status] = await once(child, "close");
      assert.equal(status, 0, output);
      assert.equal(/^# pass (\d+)$/m.exec(output)?.[1], "13", output);
    });

    test("several processes may make the tables at once, again and again, and text of every kind is kept", async (t) => {
      const database = await emptyDatabase(t, kind);
      const model = script(answer("Fertig 🧪 𐍈"));
      const opened = await Promise.all([database.open(), database.open(), database.open()]);
      const agents = await Promise.all(opened.map(({ db }) => runtime(t, { db: /** @type {never} */ (db), model })));
      const asked = request({ messages: [{ role: "user", content: "Benenne „Über uns“ um 🏝️" }] });
      const result = await agents[0].run(asked, noStep);
      assert.equal(result.loopResult.finalContent, "Fertig 🧪 𐍈");
      assert.deepEqual(await agents[1].result(OWNER, asked.runUuid), result);
    });
  });
}

test("on PostgreSQL a write of a run is one trip, with all that belongs to it", async (t) => {
  const database = await emptyDatabase(t, "postgres");
  const { db } = await database.open();
  const look = { name: "look", description: "", inputSchema: { type: "object" }, effect: /** @type {const} */ ("read"), execute: () => "seen" };
  const change = { ...look, name: "change", effect: /** @type {const} */ ("write"), needsApproval: false };
  const model = script(answer("", ["look", {}]), answer("", ["change", {}]), answer("Done."));
  const agent = await runtime(t, { db: /** @type {never} */ (db), model, tools: [look, change] });
  const asked = request();
  const trips = t.mock.method(pg.Client.prototype, "query");
  assert.equal((await agent.run(asked, noStep)).outcome, "completed");
  const told = trips.mock.calls.map((call) => /^\s*(\S+)/.exec(String(/** @type {any} */ (call.arguments[0]).text ?? call.arguments[0]))?.[1]);
  // The row; per round the step and its call; of the write also the look into the ledger, its beginning and its end; the end of the run.
  assert.deepEqual(told, ["with", ...["with", "with"], ...["with", "select", "with", "update", "with"], "with"]);
  trips.mock.restore();
  const { rows } = await sql`select count(*) as events from agent_run_event`.execute(db);
  assert.equal(Number(/** @type {any} */ (rows[0]).events), (await agent.events(OWNER, asked.runUuid)).length);
});

for (const kind of DATABASE_KINDS) {
  test(`a write is all or nothing on ${kind}`, async (t) => {
    const database = await emptyDatabase(t, kind);
    const { db } = await database.open();
    const agent = await runtime(t, { db: /** @type {never} */ (db), model: script(answer("Done.")) });
    const { runUuid = "" } = await agent.run(request(), noStep);
    const line = { run_uuid: runUuid, sequence: 7, kind: "step", body: '{"text":"\\u0000 ü 𐍈"}' };
    const events = async () => (await agent.events(OWNER, runUuid)).length;
    const change = (/** @type {number} */ version) => (/** @type {any} */ on) =>
      on.updateTable("agent_run").set({ resumes: 9 }).where("uuid", "=", runUuid).where("version", "=", version);
    const row = () => sql`select version, resumes from agent_run`.execute(db).then(({ rows }) => /** @type {any} */ (rows[0]));
    const { version } = await row();
    const write = (/** @type {number} */ at, /** @type {any} */ parts) => together(/** @type {never} */ (db), change(at), parts);
    const before = await events();

    assert.equal(await write(version + 1, { added: [{ table: "agent_run_log", rows: [line] }], cleared: runUuid }), false);
    const taken = { run_uuid: runUuid, sequence: 0, kind: "llm", round: 1, duration_ms: 0, payload: "{}", created_at: 0 };
    await assert.rejects(
      write(version, {
        added: [
          { table: "agent_run_log", rows: [line] },
          { table: "agent_run_event", rows: [taken] },
        ],
      }),
    );
    assert.deepEqual([(await row()).resumes, await events()], [0, before]);
    assert.deepEqual((await sql`select * from agent_run_log`.execute(db)).rows, []);

    assert.equal(
      await write(version, {
        added: [
          { table: "agent_run_log", rows: [line] },
          { table: "agent_usage", rows: [] },
        ],
      }),
      true,
    );
    assert.deepEqual((await sql`select * from agent_run_log`.execute(db)).rows, [line]);
    assert.equal(await write(version, { cleared: runUuid }), true);
    assert.deepEqual((await sql`select * from agent_run_log`.execute(db)).rows, []);
  });
}
