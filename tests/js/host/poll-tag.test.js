/** An unchanged poll: one statement by key, and 304. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { migrate, openDatabase } from "agent-turn/storage/sql";
import { sql } from "kysely";
import { freshDatabase } from "../../../scripts/databases.mjs";
import { headQuery, matches, openPollTags } from "../../../www/host/poll-tag.js";
import { created, polled, realHost } from "./real-host.js";
import { scriptedApp } from "./support.js";

const ACTOR = { uid: 1, isAdmin: false, groups: [1] };

/** Counts the statements of a database. @param {import("kysely").Kysely<any>} db */
function counted(db) {
  let statements = 0;
  /** @type {import("kysely").KyselyPlugin} */
  const plugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), statements: () => statements };
}

describe("the validator of a poll", () => {
  it("answers an unchanged poll with 304 and one statement, without the engine", async (t) => {
    const { parts, editor } = await realHost(t);
    const uid = await created(editor);
    await editor.post(`/api/conversations/${uid}/messages`, { content: "hello" });
    const { messageCount } = await polled(editor, uid);
    const first = await editor.get(`/api/conversations/${uid}?after=${messageCount}`);
    const etag = String(first.headers.get("etag"));
    assert.deepEqual([first.status, first.headers.get("cache-control")], [200, "no-store"]);
    // The same database behind a host whose engine must not be asked.
    const { db, statements } = counted(parts.db);
    const pollTags = openPollTags(db, { graceSeconds: 45, version: parts.version });
    const { client } = scriptedApp({ pollTags });
    const again = await client.get(`/api/conversations/${uid}?after=${messageCount}`, { "if-none-match": etag });
    assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
    assert.equal(statements(), 1);
  });

  it("is another one after every change, for every reader, and for every place in the transcript", async (t) => {
    const { parts, editor, approver } = await realHost(t);
    const uid = await created(editor);
    const path = `/api/conversations/${uid}?after=0`;
    const tagOf = async (client = editor, at = path) => String((await client.get(at)).headers.get("etag"));
    const tags = [await tagOf(), await tagOf(approver), await tagOf(editor, `/api/conversations/${uid}?after=1`)];
    await editor.send("PATCH", `/api/conversations/${uid}`, { pinned: true });
    tags.push(await tagOf());
    await editor.post(`/api/conversations/${uid}/messages`, { content: "rename 3 to Other" });
    await polled(editor, uid, ({ conversation }) => conversation.status === "awaiting_approval");
    tags.push(await tagOf());
    assert.equal((await editor.get(path, { "if-none-match": tags.at(-1) ?? "" })).status, 304, "a card that waits unchanged");
    const { run_uuid } = await parts.db.selectFrom("agent_conversation").select("run_uuid").where("uid", "=", uid).executeTakeFirstOrThrow();
    await sql`update agent_run set version = version + 1 where uuid = ${run_uuid}`.execute(parts.db);
    tags.push(await tagOf());
    assert.equal(new Set(tags).size, tags.length, "all differ");
    const changed = await editor.get(path, { "if-none-match": tags.slice(0, -1).join(", ") });
    assert.equal(changed.status, 200);
  });

  it("does not keep a poll from asking about a decision that nobody carries out (K1)", async (t) => {
    const { parts, editor, approver } = await realHost(t);
    const uid = await created(editor);
    await sql`update agent_conversation set status = 'processing', run_uuid = 'r', updated_at = 100 where uid = ${uid}`.execute(parts.db);
    const at = (/** @type {number} */ seconds) => openPollTags(parts.db, { graceSeconds: 45, version: "1", now: () => seconds * 1000 }).tag(uid, ACTOR, 0);
    assert.ok(await at(144));
    assert.equal(await at(145), null);
    assert.equal((await approver.get(`/api/conversations/999`)).status, 404);
  });

  it("reads the entity tags of RFC 9110", () => {
    for (const header of ['W/"a"', '"a"', '"b", W/"a"', ' W/"b" ,W/"a" ']) assert.ok(matches(header, 'W/"a"'), header);
    for (const header of [undefined, "", '"b"', "a", "*"]) assert.ok(!matches(header, 'W/"a"'), header);
  });
});

for (const kind of /** @type {const} */ (["sqlite", "postgres"])) {
  it(`the validator's statement uses an index for both rows on ${kind}`, async (t) => {
    const { url, drop } = await freshDatabase(kind);
    const { db: opened, storage, close } = await openDatabase(url);
    const db = /** @type {import("kysely").Kysely<any>} */ (/** @type {unknown} */ (opened));
    t.after(async () => {
      await close();
      await drop();
    });
    const { createAiSdkRuntime } = await import("agent-turn/runtime/ai-sdk");
    await migrate(opened);
    await createAiSdkRuntime({ db, model: () => /** @type {any} */ (null), tools: [] }).migrate();
    const row = /** @type {any} */ ({ owner: 1, title: "", status: "idle", messages: [] });
    for (let index = 0; index < 300; index += 1) await storage.insert(row);
    await sql`insert into agent_run (uuid, version, status, owner, state, resumes, recoveries, events, claim_id, lease_expires, created_at, updated_at)
      select cast(a.uid as varchar(8)) || '/' || cast(b.uid as varchar(8)), 0, 'completed', '1', '', 0, 0, 0, '', 0, 0, 0
      from agent_conversation as a cross join agent_conversation as b where b.uid <= 20`.execute(db);
    await sql`analyze`.execute(db);
    const { sql: text, parameters } = headQuery(db, 7).compile();
    const prefix = kind === "sqlite" ? "explain query plan " : "explain ";
    const { rows } = await db.executeQuery(/** @type {any} */ ({ sql: prefix + text, parameters, query: { kind: "RawNode" } }));
    const plan = JSON.stringify(rows);
    assert.ok(!/Seq Scan|\bSCAN\b/.test(plan), plan);
    assert.equal(plan.match(/SEARCH|Index Scan/g)?.length, 2, plan);
  });
}
