/**
 * kill -9 before, during and after a run and an approval: after the restart the conversation settles by itself, the page was written at most
 * once, and no message is gone. Writes are counted by a trigger in the database, so that nothing of the host's own bookkeeping is trusted.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { startHost } from "./processes.js";
import { created, polled, temporaryFolder } from "./real-host.js";

const HOST = fileURLToPath(new URL("gated-host.mjs", import.meta.url));
const SETTLE_MS = 40_000;
const BUSY = new Set(["processing", "locked"]);

/** @param {import("node:test").TestContext} t */
async function scene(t) {
  const file = join(temporaryFolder(t), "chat.sqlite");
  const start = (/** @type {"gated" | "free"} */ mode, worker = "in-process") => startHost(t, [HOST, file, mode, worker]);
  /** @template T @param {(db: import("better-sqlite3").Database) => T} work @returns {T} */
  const database = (work) => {
    const db = new Database(file, { timeout: 5000 });
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  return {
    start,
    /** Counts the writes of pages from now on. */
    watchPages: () =>
      database((db) =>
        db.exec(
          "create table page_audit (uid integer, title text); create trigger page_watch after update on site_page begin insert into page_audit values (new.uid, new.title); end",
        ),
      ),
    writes: () => database((db) => db.prepare("select uid, title from page_audit").all()),
    row: (/** @type {number} */ uid) =>
      database(
        (db) => /** @type {{ status: string, error_code: string }} */ (db.prepare("select status, error_code from agent_conversation where uid = ?").get(uid)),
      ),
    texts: (/** @type {number} */ uid) =>
      database((db) =>
        db
          .prepare("select body from agent_message where conversation_uid = ? order by seq")
          .all(uid)
          .map((row) => JSON.parse(/** @type {{ body: string }} */ (row).body)),
      ),
    /** Waits without asking the host, so that no poll helps. @param {number} uid */
    async settled(uid) {
      const deadline = Date.now() + SETTLE_MS;
      while (BUSY.has(this.row(uid).status)) {
        assert.ok(Date.now() < deadline, `conversation ${uid} did not settle: ${JSON.stringify(this.row(uid))}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return this.row(uid);
    },
  };
}

const REQUEST = "rename 3 to Fresh";
const WRITTEN = [{ uid: 3, title: "Fresh" }];

/** A conversation with a request, that to rename a page by default. @param {{ client: any }} host */
async function requested({ client }, content = REQUEST) {
  const uid = await created(client);
  assert.equal((await client.post(`/api/conversations/${uid}/messages`, { content })).status, 202);
  return uid;
}

/** The request, proposed and waiting. @param {any} host */
async function proposed(host) {
  const uid = await requested(host);
  for (const point of ["run:before", "model:before", "run:after"]) await host.pass(point);
  const { view } = await polled(host.client, uid);
  return { uid, digest: view.card.turnDigest };
}

/** @param {any} client @param {number} uid @param {string} turnDigest */
async function approve(client, uid, turnDigest) {
  assert.equal((await client.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest })).status, 202);
}

/** Approves the card as it stands now and waits for the answer. @param {any} scene @param {any} host @param {number} uid */
async function approveAgain(scene, host, uid) {
  const { view } = await polled(host.client, uid);
  await approve(host.client, uid, view.card.turnDigest);
  assert.equal((await scene.settled(uid)).status, "idle");
}

/** @param {any} scene @param {number} uid @param {number} least */
function nothingLost(scene, uid, least) {
  const messages = scene.texts(uid);
  assert.deepEqual([messages[0].role, messages[0].content], ["user", REQUEST]);
  assert.equal(messages.filter((/** @type {any} */ { role }) => role === "user").length, 1);
  assert.ok(messages.length >= least, JSON.stringify(messages));
}

describe("a process that ends", { concurrency: 4 }, () => {
  it("before run: nobody had claimed the turn", async (t) => {
    const s = await scene(t);
    const first = await s.start("gated", "none");
    s.watchPages();
    const uid = await requested(first);
    await first.kill();
    const second = await s.start("free");
    assert.equal((await s.settled(uid)).status, "awaiting_approval");
    assert.deepEqual(s.writes(), []);
    await approveAgain(s, second, uid);
    assert.deepEqual(s.writes(), WRITTEN);
    nothingLost(s, uid, 2);
  });

  for (const [point, passed, state] of /** @type {[string, string[], string][]} */ ([
    ["run:before", [], "not begun"],
    ["model:before", ["run:before"], "under way"],
    ["run:after", ["run:before", "model:before"], "paused but not recorded"],
  ])) {
    it(`${point}: the turn was claimed, the run ${state}`, async (t) => {
      const s = await scene(t);
      const first = await s.start("gated");
      s.watchPages();
      const uid = await requested(first);
      for (const earlier of passed) await first.pass(earlier);
      await first.killAt(point);
      assert.equal(s.row(uid).status, "locked");
      const second = await s.start("free");
      let { status } = await s.settled(uid);
      if (point === "run:before") {
        // No run was begun, so there is nothing to carry on: the turn is given up, and Retry starts it again (G1, R2).
        assert.deepEqual([status, s.row(uid).error_code], ["failed", "timedOut"]);
        assert.equal((await second.client.post(`/api/conversations/${uid}/retry`, {})).status, 202);
        ({ status } = await s.settled(uid));
      }
      assert.equal(status, "awaiting_approval");
      assert.deepEqual(s.writes(), []);
      await approveAgain(s, second, uid);
      assert.deepEqual(s.writes(), WRITTEN);
      nothingLost(s, uid, 2);
    });
  }

  it("run:after: the run was finished but not recorded, so its answer is", async (t) => {
    const s = await scene(t);
    const first = await s.start("gated");
    const uid = await requested(first, "hello");
    for (const point of ["run:before", "model:before"]) await first.pass(point);
    await first.killAt("run:after");
    assert.equal(s.row(uid).status, "locked");
    await s.start("free");
    const done = await s.settled(uid);
    assert.deepEqual([done.status, done.error_code], ["idle", ""]);
    assert.deepEqual(
      s.texts(uid).map((/** @type {any} */ { role, content }) => [role, content]),
      [
        ["user", "hello"],
        ["assistant", "You said: hello"],
      ],
    );
  });

  it("before approve: nobody had claimed the decision", async (t) => {
    const s = await scene(t);
    const first = await s.start("gated");
    s.watchPages();
    const { uid, digest } = await proposed(first);
    await first.kill();
    const second = await s.start("gated", "none");
    await approve(second.client, uid, digest);
    await second.kill();
    assert.equal(s.row(uid).status, "processing");
    await s.start("free");
    assert.equal((await s.settled(uid)).status, "idle");
    assert.deepEqual(s.writes(), WRITTEN);
    nothingLost(s, uid, 2);
  });

  it("approve:before: the decision was claimed and not carried out, so the card comes back", async (t) => {
    const s = await scene(t);
    const first = await s.start("gated");
    s.watchPages();
    const { uid, digest } = await proposed(first);
    await approve(first.client, uid, digest);
    await first.killAt("approve:before");
    const second = await s.start("free");
    const back = await s.settled(uid);
    assert.deepEqual([back.status, back.error_code], ["awaiting_approval", "handBack.notCarriedOut"]);
    assert.deepEqual(s.writes(), []);
    await approveAgain(s, second, uid);
    assert.deepEqual(s.writes(), WRITTEN);
    nothingLost(s, uid, 2);
  });

  it("SIGTERM while a run is under way hands it to the next process", async (t) => {
    const s = await scene(t);
    const first = await s.start("gated");
    const uid = await requested(first);
    await first.pass("run:before");
    await first.line(/^@ model:before$/);
    first.child.kill("SIGTERM");
    assert.deepEqual(await first.exited, { code: 0, signal: null });
    await s.start("free");
    assert.equal((await s.settled(uid)).status, "awaiting_approval");
    nothingLost(s, uid, 1);
  });

  const STEPS = ["approve:before", "tool:before", "tool:after", "model:after", "approve:after"];
  for (const point of STEPS.slice(1)) {
    it(`${point}: the approved write takes place once`, async (t) => {
      const s = await scene(t);
      const first = await s.start("gated");
      s.watchPages();
      const { uid, digest } = await proposed(first);
      await approve(first.client, uid, digest);
      for (const passed of STEPS.slice(0, STEPS.indexOf(point))) await first.pass(passed);
      await first.killAt(point);
      const executed = point !== "tool:before";
      assert.deepEqual(s.writes(), executed ? WRITTEN : []);
      await s.start("free");
      const done = await s.settled(uid);
      assert.deepEqual([done.status, done.error_code], ["idle", ""], JSON.stringify([done, s.texts(uid)]));
      assert.deepEqual(s.writes(), WRITTEN);
      assert.equal(s.texts(uid).at(-1).content, `Done with: ${REQUEST}`);
      nothingLost(s, uid, 2);
    });
  }
});
