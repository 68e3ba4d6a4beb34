/** Turns over an OpenAI-compatible endpoint, as `MODEL_URL` gives it: what it is asked, what becomes of its faults, and that the key stays ours. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { describe, it } from "node:test";
import Database from "better-sqlite3";
import { openModel } from "../../../www/host/model.js";
import { within } from "../../../www/host/time.js";
import { callTool, hang, reply, say, stall, startEndpoint } from "./endpoint.js";
import { created, polled, realHost } from "./real-host.js";

/** No pattern for keys knows this one. */
const KEY = "quiet harbour 7 lanterns";

/** @param {import("node:test").TestContext} t @param {string} url @param {import("../../../www/host/model.js").OpenedModel} [model] */
async function hostOn(t, url, model) {
  // The second demo user is an administrator, who reads technical messages (E3).
  const host = await realHost(t, { env: { MODEL_URL: url, MODEL_NAME: "test-model", MODEL_KEY: KEY, DEMO_ADMIN: "1" }, overrides: { model } });
  const uid = await created(host.editor);
  const path = `/api/conversations/${uid}`;
  /** @type {string[]} */
  const replies = [];
  const settled = async () => {
    const poll = await polled(host.editor, uid);
    replies.push(JSON.stringify(poll), (await host.approver.get(path)).text);
    return poll;
  };
  return {
    ...host,
    uid,
    async send(/** @type {string} */ content) {
      assert.equal((await host.editor.post(`${path}/messages`, { content })).status, 202);
      return settled();
    },
    async retry() {
      assert.equal((await host.editor.post(`${path}/retry`, {})).status, 202);
      return settled();
    },
    async approve(/** @type {string} */ turnDigest) {
      assert.equal((await host.editor.post(`${path}/decision`, { approve: true, turnDigest })).status, 202);
      return settled();
    },
    /** What went wrong, for an administrator. @returns {Promise<string>} */
    problem: async () => (await host.approver.get(path)).body.conversation.errorMessage,
    /** The key is neither in the log, nor in what anybody was told, nor in the database. */
    assertKeyKept() {
      assert.ok(host.lines.length > 0 && replies.length > 0);
      for (const text of [...host.lines, ...replies, contentsOf(host.config.database.name)]) assert.ok(!text.includes(KEY), text);
    },
  };
}

/** All rows of all tables. @param {string} file */
function contentsOf(file) {
  const db = new Database(file, { readonly: true });
  try {
    const tables = /** @type {{ name: string }[]} */ (db.prepare("select name from sqlite_master where type = 'table'").all());
    return JSON.stringify(tables.map(({ name }) => db.prepare(`select * from "${name}"`).all()));
  } finally {
    db.close();
  }
}

/** @param {{ messages: { role: string, content: string }[] }} poll */
const texts = ({ messages }) => messages.map(({ role, content }) => `${role}: ${content}`);

describe("a model endpoint", { concurrency: 4 }, () => {
  it("is asked with the key, gets the result of its tool call, and its answer is the chat's", async (t) => {
    const endpoint = await startEndpoint(t, [callTool("list_pages", {}), say("There are some pages.")]);
    const host = await hostOn(t, endpoint.url);
    assert.deepEqual((await host.editor.get("/api/session")).body.model, { name: "test-model", rehearsal: false });
    const poll = await host.send("Which pages are there?");
    assert.equal(poll.conversation.status, "idle");
    assert.deepEqual(texts(poll), ["user: Which pages are there?", "assistant: There are some pages."]);
    const [first, second] = endpoint.asked;
    assert.equal(endpoint.asked.length, 2);
    assert.deepEqual([first?.path, first?.authorization, first?.body.model], ["/v1/chat/completions", `Bearer ${KEY}`, "test-model"]);
    assert.deepEqual(
      first?.body.messages.map((/** @type {any} */ { role }) => role),
      ["system", "user"],
    );
    assert.ok(first?.body.tools.some((/** @type {any} */ tool) => tool.function.name === "list_pages"));
    const result = second?.body.messages.at(-1);
    assert.deepEqual([result.role, result.tool_call_id], ["tool", "call_1"]);
    assert.match(result.content, /"slug"/);
    host.assertKeyKept();
  });

  it("proposes a change that a person approves", async (t) => {
    const endpoint = await startEndpoint(t, [callTool("update_page", { uid: 3, title: "Fresh" }), say("It is called Fresh now.")]);
    const host = await hostOn(t, endpoint.url);
    const waiting = await host.send("Call page 3 Fresh");
    assert.equal(waiting.conversation.status, "awaiting_approval");
    const done = await host.approve(waiting.view.card.turnDigest);
    assert.deepEqual([done.conversation.status, texts(done).at(-1)], ["idle", "assistant: It is called Fresh now."]);
    const { pages } = (await host.editor.get("/api/pages")).body;
    assert.equal(pages.find((/** @type {any} */ { uid }) => uid === 3).title, "Fresh");
    host.assertKeyKept();
  });

  it("that is overloaded for a moment is asked once more", async (t) => {
    const endpoint = await startEndpoint(t, [reply(503, { error: { message: "overloaded" } }, { "retry-after-ms": "1" }), say("Here I am.")]);
    const host = await hostOn(t, endpoint.url);
    const poll = await host.send("hello");
    assert.deepEqual([poll.conversation.status, texts(poll), endpoint.asked.length], ["idle", ["user: hello", "assistant: Here I am."], 2]);
  });

  const FAULTS = /** @type {[string, import("./endpoint.js").Answer, RegExp][]} */ ([
    ["answers with something that is not JSON", reply(200, "<html>gateway</html>"), /Invalid JSON response/],
    ["answers with JSON of another shape", reply(200, { choices: "none" }), /./],
    ["answers without a choice", reply(200, { id: "c1", created: 1, model: "m", choices: [] }), /./],
    [
      "refuses the key and quotes it",
      reply(401, { error: { message: `Incorrect API key provided: ${KEY}. See https://endpoint.example/keys?key=1` } }),
      /^Incorrect API key provided: \[redacted\]\. See \[redacted\]$/,
    ],
    ["does not answer", hang, /^The language model did not answer within 7 s\.$/],
    ["stops in the middle of an answer", stall, /^The language model did not answer within 7 s\.$/],
  ]);
  for (const [what, answer, problem] of FAULTS) {
    it(`that ${what} ends the turn as failed, and Retry asks it again`, async (t) => {
      const endpoint = await startEndpoint(t, [answer, say("Now I can.")]);
      const alarms = /** @type {{ ms: number, ring: () => void }[]} */ ([]);
      /** @type {import("../../../www/host/model.js").Alarm} */
      const alarm = (ms, ring) => {
        alarms.push({ ms, ring });
        return () => {};
      };
      const config = { url: endpoint.url, name: "test-model", key: KEY, timeoutSeconds: 7 };
      const host = await hostOn(t, endpoint.url, await openModel(config, { alarm }));
      const called = endpoint.nextCall();
      const ended = host.send("hello");
      await called;
      // No clock is involved: a slow machine is no slow endpoint.
      assert.deepEqual([alarms.length, alarms[0]?.ms], [1, 7000]);
      if (answer === hang || answer === stall) alarms[0]?.ring();
      const failed = await ended;
      assert.deepEqual([failed.conversation.status, failed.view.mayRetry, texts(failed)], ["failed", true, ["user: hello"]]);
      assert.equal(failed.conversation.errorMessage, "", "not for an editor (E3)");
      const message = await host.problem();
      assert.match(message, problem);
      assert.doesNotMatch(message, /https?:|\/v1|\n/);
      assert.equal(endpoint.asked.length, 1, "asked once");
      const done = await host.retry();
      assert.deepEqual([done.conversation.status, texts(done)], ["idle", ["user: hello", "assistant: Now I can."]]);
      host.assertKeyKept();
    });
  }

  it("that cannot be reached ends the turn as failed, and Retry works when it is back", async (t) => {
    const { port, url } = await unusedPort();
    const host = await hostOn(t, url);
    const failed = await host.send("hello");
    assert.deepEqual([failed.conversation.status, failed.view.mayRetry], ["failed", true]);
    const message = await host.problem();
    assert.match(message, /Cannot connect to API/);
    assert.doesNotMatch(message, /https?:|\/v1|\n/);
    await startEndpoint(t, [say("Back again.")], port);
    assert.deepEqual(texts(await host.retry()), ["user: hello", "assistant: Back again."]);
    host.assertKeyKept();
  });

  it("that hangs does not keep the host from closing: the call is given up", async (t) => {
    const endpoint = await startEndpoint(t, [hang]);
    const host = await hostOn(t, endpoint.url);
    const called = endpoint.nextCall();
    assert.equal((await host.editor.post(`/api/conversations/${host.uid}/messages`, { content: "hello" })).status, 202);
    const closed = once(await called, "close");
    assert.ok(await within(20_000, Promise.all([closed, host.parts.runtime.close()])), "given up long before its time-out");
    assert.equal(endpoint.asked.length, 1);
  });
});

/** An address that nobody listens on. */
async function unusedPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return { port, url: `http://127.0.0.1:${port}/v1` };
}
