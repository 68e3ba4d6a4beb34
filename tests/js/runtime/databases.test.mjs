// What the runtime's tests say of a run in a SQLite file holds on the servers too: the same file, run again.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sharedServer } from "../../../scripts/databases.mjs";
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
