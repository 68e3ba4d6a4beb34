/** The API over the real engine, runtime, site and database. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { present } from "agent-turn";
import { FILE_TYPES } from "../../../www/host/files.js";
import { created, polled, realHost } from "./real-host.js";
import { scriptedModel } from "./scripted-model.js";

const NOT_FOUND = { ok: false, httpStatus: 404, code: "notFound" };
const FORBIDDEN = { ok: false, httpStatus: 403, code: "forbidden" };
/** A visible page without pages below it, of the seeded site. */
const leafPage = async (/** @type {any} */ host) => {
  const pages = (await host.editor.get("/api/pages")).body.pages;
  return pages.find((/** @type {any} */ page) => !pages.some((/** @type {any} */ other) => other.parent === page.uid));
};
const pageOf = async (/** @type {any} */ host, /** @type {number} */ uid) =>
  (await host.editor.get("/api/pages")).body.pages.find((/** @type {any} */ page) => page.uid === uid);

/** A conversation that waits for a decision about `request`. @param {any} host @param {string} request */
async function waiting(host, request, client = host.editor) {
  const uid = await created(client);
  const sent = await client.post(`/api/conversations/${uid}/messages`, { content: request });
  assert.deepEqual([sent.status, sent.body], [202, { ok: true, status: "processing" }]);
  const poll = await polled(client, uid);
  assert.equal(poll.conversation.status, "awaiting_approval", JSON.stringify(poll));
  return { uid, poll };
}

describe("session", () => {
  it("logs in the first user, switches, and says what the page needs", async (t) => {
    const { editor } = await realHost(t, { worker: false });
    const first = await editor.get("/api/session");
    assert.deepEqual(first.body, {
      ok: true,
      user: { uid: 1, name: "Edda Editor", isAdmin: false, groups: [1], role: "editor" },
      users: [
        { uid: 1, name: "Edda Editor", role: "editor" },
        { uid: 2, name: "Alex Approver", role: "approver" },
      ],
      model: { name: "scripted", rehearsal: true },
      limits: {
        maxMessageLength: 10000,
        maxFiles: 5,
        maxFileBytes: 8388608,
        fileTypes: [...FILE_TYPES],
      },
    });
    const switched = await editor.post("/api/session", { uid: 2 });
    assert.equal(switched.body.user.name, "Alex Approver");
    const cookie = switched.headers.get("set-cookie") ?? "";
    assert.match(cookie, /^agent_turn_user=2; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.equal((await editor.get("/api/session", { cookie: cookie.split(";")[0] ?? "" })).body.user.uid, 2);
    assert.deepEqual((await editor.post("/api/session", { uid: 3 })).body, NOT_FOUND);
    assert.equal((await editor.post("/api/session", { uid: null })).body.code, "badRequest");
  });

  it("is well", async (t) => {
    const { editor } = await realHost(t, { worker: false });
    const { body } = await editor.get("/api/health");
    assert.deepEqual([body.ok, typeof body.version, typeof body.uptimeSeconds], [true, "string", "number"]);
  });
});

describe("conversations", () => {
  it("are created, listed, searched and hidden from others", async (t) => {
    const { editor, approver } = await realHost(t, { worker: false });
    const [plain, pinned, old] = [
      await created(editor, { title: "Über uns" }),
      await created(editor, { title: "Team 100%" }),
      await created(editor, { title: "Old" }),
    ];
    const foreign = await created(approver, { title: "Alex's own" });
    assert.equal((await editor.send("PATCH", `/api/conversations/${pinned}`, { pinned: true })).status, 200);
    assert.equal((await editor.send("PATCH", `/api/conversations/${old}`, { archived: true })).status, 200);

    const list = async (/** @type {any} */ client, query = "") => (await client.get(`/api/conversations${query}`)).body.conversations;
    assert.deepEqual(
      (await list(editor)).map((/** @type {any} */ row) => row.uid),
      [pinned, plain],
    );
    assert.deepEqual(
      (await list(editor, "?archived=true")).map((/** @type {any} */ row) => row.uid),
      [old],
    );
    assert.deepEqual(
      (await list(editor, "?search=%20%C3%BCBER")).map((/** @type {any} */ row) => row.uid),
      [plain],
    );
    assert.deepEqual(
      (await list(editor, "?search=%25")).map((/** @type {any} */ row) => row.uid),
      [pinned],
    );
    assert.deepEqual(await list(editor, "?search=nothing"), []);
    const [row] = await list(editor, "?search=team");
    const { updatedAt, ...rest } = row;
    assert.ok(Number.isSafeInteger(updatedAt));
    assert.deepEqual(rest, {
      uid: pinned,
      title: "Team 100%",
      status: "idle",
      errorCode: "",
      pinned: true,
      archived: false,
      owner: 1,
      ownerName: "Edda Editor",
      mine: true,
    });

    const seen = await list(approver);
    assert.deepEqual(
      seen.map((/** @type {any} */ { uid, mine }) => [uid, mine]).sort(),
      [
        [pinned, false],
        [plain, false],
        [foreign, true],
      ].sort(),
    );
  });

  it("of somebody else are not there; the approver reads them and no more", async (t) => {
    const { editor, approver } = await realHost(t, { worker: false });
    const [mine, foreign] = [await created(editor), await created(approver)];
    for (const uid of [foreign, 999]) {
      assert.deepEqual((await editor.get(`/api/conversations/${uid}`)).body, NOT_FOUND);
      assert.deepEqual((await editor.send("PATCH", `/api/conversations/${uid}`, { pinned: true })).body, NOT_FOUND);
      assert.deepEqual((await editor.post(`/api/conversations/${uid}/messages`, { content: "x" })).body, NOT_FOUND);
      assert.deepEqual(
        (await editor.send("PUT", `/api/conversations/${uid}/messages/0`, { content: "x", expectedContent: "y", messageCount: 1 })).body,
        NOT_FOUND,
      );
      assert.deepEqual((await editor.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: "d" })).body, NOT_FOUND);
      assert.deepEqual((await editor.post(`/api/conversations/${uid}/answer`, { turnDigest: "d", choice: 1 })).body, NOT_FOUND);
      assert.deepEqual((await editor.post(`/api/conversations/${uid}/retry`, {})).body, NOT_FOUND);
      assert.deepEqual((await editor.post(`/api/conversations/${uid}/end`, {})).body, NOT_FOUND);
    }
    const read = await approver.get(`/api/conversations/${mine}`);
    assert.deepEqual([read.status, read.body.you], [200, { mayWrite: false, mayDecide: true }]);
    assert.deepEqual((await approver.post(`/api/conversations/${mine}/messages`, { content: "x" })).body, FORBIDDEN);
    assert.deepEqual((await approver.send("PATCH", `/api/conversations/${mine}`, { title: "x" })).body, FORBIDDEN);
  });

  it("refuse wrong types with a code and store nothing", async (t) => {
    const { editor, entries } = await realHost(t, { worker: false });
    const viewContexts = ["x", [], { pageId: {} }, { pageId: 1.5 }, { module: 7 }, { languageId: "0" }].map((viewContext) => ({ viewContext }));
    for (const body of [{ title: 7 }, { systemPrompt: [] }, ...viewContexts]) {
      assert.deepEqual((await editor.post("/api/conversations", body)).body, { ok: false, httpStatus: 400, code: "invalidArgument" }, JSON.stringify(body));
    }
    assert.deepEqual((await editor.get("/api/conversations")).body.conversations, []);
    const uid = await created(editor);
    for (const [path, body] of /** @type {[string, unknown][]} */ ([
      ["messages", { content: 7 }],
      ["messages", {}],
      ["messages", { content: "x", files: "y" }],
      ["messages", { content: "x", files: [7] }],
      ["messages", { content: "x", clientId: {} }],
      ...viewContexts.map((body) => ["messages", { content: "x", ...body }]),
      ["decision", { approve: "yes", turnDigest: "d" }],
      ["decision", { approve: true }],
      ["decision", { approve: true, turnDigest: "" }],
      ["decision", { approve: true, turnDigest: "d", denyReason: "skip" }],
      ["answer", { turnDigest: 7, choice: 1 }],
    ])) {
      assert.deepEqual(
        (await editor.post(`/api/conversations/${uid}/${path}`, body)).body,
        { ok: false, httpStatus: 400, code: "invalidArgument" },
        JSON.stringify(body),
      );
    }
    const tooDeep = `{"content":"x","viewContext":${'{"a":'.repeat(80)}1${"}".repeat(80)}}`;
    assert.equal((await editor.post(`/api/conversations/${uid}/messages`, tooDeep)).body.code, "tooDeep");
    const poll = await editor.get(`/api/conversations/${uid}`);
    assert.deepEqual([poll.body.messageCount, poll.body.conversation.revision], [0, 0]);
    assert.ok(entries().filter(({ code }) => code === "invalidArgument").length >= 24);
  });

  it("pass the engine's refusals on", async (t) => {
    const { editor } = await realHost(t, { worker: false });
    const uid = await created(editor);
    const refused = async (/** @type {string} */ path, /** @type {unknown} */ body) => {
      const { status, body: reply } = await editor.post(`/api/conversations/${uid}/${path}`, body);
      assert.equal(status, reply.httpStatus);
      return `${status} ${reply.code}`;
    };
    assert.equal(await refused("messages", { content: " \u200b " }), "400 messageEmpty");
    assert.equal(await refused("messages", { content: "x".repeat(10001) }), "400 messageTooLong");
    assert.equal(await refused("messages", { content: "x", files: [{ fileUid: 99, fileName: "a", fileMimeType: "text/plain" }] }), "404 fileUnavailable");
    assert.equal(
      await refused("messages", { content: "x", files: Array(6).fill({ fileUid: 99, fileName: "a", fileMimeType: "text/plain" }) }),
      "400 tooManyFiles",
    );
    assert.equal(await refused("decision", { approve: true, turnDigest: "d" }), "409 notAwaiting");
    assert.equal(await refused("answer", { turnDigest: "d", choice: 1 }), "409 notAwaiting");
    assert.equal(await refused("retry", {}), "400 nothingToRetry");
    assert.equal(await refused("end", {}), "409 notAwaiting");
    assert.equal((await editor.post(`/api/conversations/${uid}/messages`, { content: "hello", clientId: "c1" })).status, 202);
    assert.equal(await refused("messages", { content: "again" }), "409 busy");
    assert.equal((await editor.post(`/api/conversations/${uid}/messages`, { content: "hello", clientId: "c1" })).status, 202, "N5: the first reply again");
    assert.equal((await editor.get(`/api/conversations/${uid}`)).body.messageCount, 1);
  });
});

/** What a page makes of the other fields of a poll. @param {any} poll @param {{ uid: number, isAdmin: boolean }} reader */
const seen = ({ conversation, waiting, now, you }, reader) => present(conversation, { ...reader, ...you }, waiting, { now });

describe("a poll", () => {
  const editor = { uid: 1, isAdmin: false };
  const approver = { uid: 2, isAdmin: false };

  it("tells everything that its view was made of", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { uid, poll } = await waiting(host, `rename ${page.uid} to \u202eFresh \\u{202E}`);
    assert.match(JSON.stringify(poll.view.card.calls), /\\u\{202E\}Fresh/, "V3a");
    assert.deepEqual(seen(poll, editor), poll.view);
    const other = (await host.approver.get(`/api/conversations/${uid}`)).body;
    assert.deepEqual([seen(other, approver), other.waiting.turnDigest], [other.view, poll.waiting.turnDigest]);

    await host.editor.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: "0".repeat(64) });
    const back = await polled(host.editor, uid);
    assert.equal(back.view.notices.at(-1).key, "error.handBack.staleTurn");
    assert.deepEqual(seen(back, editor), back.view);

    const asked = await created(host.editor);
    await host.editor.post(`/api/conversations/${asked}/messages`, { content: "ask" });
    const question = await polled(host.editor, asked);
    assert.deepEqual([seen(question, editor), question.waiting.mode], [question.view, "input"]);
    assert.ok(question.waiting.inputSchema.properties, "answers are checked with the question's own schema");
  });

  it("tells a pending call to nobody who is not shown it", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { poll } = await waiting(host, `delete ${page.uid}`);
    assert.deepEqual([poll.view.card, poll.waiting], [null, null]);
    assert.deepEqual(seen(poll, editor), poll.view);
    const asked = await created(host.editor);
    await host.editor.post(`/api/conversations/${asked}/messages`, { content: "ask" });
    await polled(host.editor, asked);
    const other = (await host.approver.get(`/api/conversations/${asked}`)).body;
    assert.deepEqual([other.view.form, other.waiting], [null, null]);
    assert.deepEqual(seen(other, approver), other.view);
  });
});

describe("a turn", () => {
  it("is carried out by the worker and polled", async (t) => {
    const { editor } = await realHost(t);
    const uid = await created(editor);
    await editor.post(`/api/conversations/${uid}/messages`, { content: "hello" });
    const poll = await polled(editor, uid);
    assert.deepEqual(
      poll.messages.map((/** @type {any} */ { role, content }) => [role, content]),
      [
        ["user", "hello"],
        ["assistant", "You said: hello"],
      ],
    );
    assert.deepEqual([poll.conversation.title, poll.conversation.claimId, poll.you], ["hello", "", { mayWrite: true, mayDecide: true }]);
    const rest = await editor.get(`/api/conversations/${uid}?after=1`);
    assert.deepEqual([rest.body.messages.length, rest.body.messageCount], [1, 2]);

    const edited = await editor.send("PUT", `/api/conversations/${uid}/messages/0`, { content: "hi", expectedContent: "hello", messageCount: 2 });
    assert.equal(edited.status, 202);
    assert.deepEqual(
      (await polled(editor, uid)).messages.map((/** @type {any} */ { content }) => content),
      ["hi", "You said: hi"],
    );
    const stale = await editor.send("PUT", `/api/conversations/${uid}/messages/0`, { content: "hey", expectedContent: "hello", messageCount: 2 });
    assert.deepEqual(stale.body, { ok: false, httpStatus: 409, code: "editStale" });
  });

  it("writes what the owner approves", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { uid, poll } = await waiting(host, `rename ${page.uid} to Fresh`);
    assert.equal((await pageOf(host, page.uid)).title, page.title);
    const { card } = poll.view;
    assert.deepEqual(
      card.calls.map((/** @type {any} */ call) => call.name),
      ["update_page"],
    );
    const decided = await host.editor.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: card.turnDigest });
    assert.deepEqual([decided.status, decided.body], [202, { ok: true, status: "processing" }]);
    const done = await polled(host.editor, uid);
    assert.deepEqual([done.conversation.status, done.messages.at(-1).content], ["idle", `Done with: rename ${page.uid} to Fresh`]);
    assert.equal((await pageOf(host, page.uid)).title, "Fresh");
  });

  it("writes nothing that is declined, and records the words", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { uid, poll } = await waiting(host, `rename ${page.uid} to Fresh`);
    await host.editor.post(`/api/conversations/${uid}/decision`, {
      approve: false,
      turnDigest: poll.view.card.turnDigest,
      denyReason: "variant",
      display: "Another one, please",
    });
    const done = await polled(host.editor, uid);
    assert.equal(done.conversation.status, "idle");
    assert.ok(done.messages.some((/** @type {any} */ { role, content }) => role === "user" && content === "Another one, please"));
    assert.equal((await pageOf(host, page.uid)).title, page.title);
  });

  it("hands a decision on a stale card back", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { uid, poll } = await waiting(host, `rename ${page.uid} to Fresh`);
    const decided = await host.editor.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: "0".repeat(64) });
    assert.equal(decided.status, 202);
    const back = await polled(host.editor, uid);
    assert.deepEqual([back.conversation.status, back.conversation.errorCode], ["awaiting_approval", "handBack.staleTurn"]);
    assert.equal(back.view.card.turnDigest, poll.view.card.turnDigest);
    assert.equal((await pageOf(host, page.uid)).title, page.title);
  });

  it("is decided by the approver, too, and a deletion by nobody else", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const rename = await waiting(host, `rename ${page.uid} to Fresh`);
    const card = (await host.approver.get(`/api/conversations/${rename.uid}`)).body.view.card;
    assert.equal((await host.approver.post(`/api/conversations/${rename.uid}/decision`, { approve: true, turnDigest: card.turnDigest })).status, 202);
    const renamed = await polled(host.editor, rename.uid);
    assert.equal(renamed.conversation.status, "idle", JSON.stringify(renamed));
    assert.equal((await pageOf(host, page.uid)).title, "Fresh");

    const removal = await waiting(host, `delete ${page.uid}`);
    assert.deepEqual([removal.poll.view.card, removal.poll.you.mayDecide], [null, false]);
    assert.deepEqual(
      removal.poll.view.notices.map((/** @type {any} */ { key }) => key),
      ["chat.approvalPendingElsewhere"],
    );
    const forApprover = (await host.approver.get(`/api/conversations/${removal.uid}`)).body.view.card;
    assert.deepEqual(
      (await host.editor.post(`/api/conversations/${removal.uid}/decision`, { approve: true, turnDigest: forApprover.turnDigest })).body,
      FORBIDDEN,
    );
    assert.ok(await pageOf(host, page.uid));
    assert.equal((await host.approver.post(`/api/conversations/${removal.uid}/decision`, { approve: true, turnDigest: forApprover.turnDigest })).status, 202);
    const removed = await polled(host.editor, removal.uid);
    assert.equal(removed.conversation.status, "idle", JSON.stringify(removed));
    assert.equal(await pageOf(host, page.uid), undefined);
  });

  it("is decided by nobody who may not see it", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { uid, poll } = await waiting(host, `rename ${page.uid} to Fresh`, host.approver);
    const digest = poll.view.card.turnDigest;
    assert.deepEqual((await host.editor.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: digest })).body, NOT_FOUND);
    assert.equal((await host.approver.get(`/api/conversations/${uid}`)).body.conversation.status, "awaiting_approval");
  });

  it("of an approver: a deletion may be decided by its own author", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { uid, poll } = await waiting(host, `delete ${page.uid}`, host.approver);
    assert.equal(poll.you.mayDecide, true);
    assert.equal((await host.approver.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: poll.view.card.turnDigest })).status, 202);
    assert.equal((await polled(host.approver, uid)).conversation.status, "idle");
    assert.equal(await pageOf(host, page.uid), undefined);
  });

  it("asks, takes an answer that is offered, and refuses others", async (t) => {
    const { editor, approver } = await realHost(t);
    const uid = await created(editor);
    await editor.post(`/api/conversations/${uid}/messages`, { content: "ask" });
    const { view, conversation } = await polled(editor, uid);
    assert.deepEqual([conversation.status, view.form.kind], ["awaiting_input", "choice"]);
    const { turnDigest } = view.form;
    assert.deepEqual((await approver.post(`/api/conversations/${uid}/answer`, { turnDigest, choice: "a" })).body, FORBIDDEN);
    assert.deepEqual((await editor.post(`/api/conversations/${uid}/answer`, { turnDigest, choice: "z" })).body, {
      ok: false,
      httpStatus: 400,
      code: "answerInvalid",
    });
    assert.equal((await editor.post(`/api/conversations/${uid}/answer`, { turnDigest, choice: "b" })).status, 202);
    const done = await polled(editor, uid);
    assert.equal(done.conversation.status, "idle");
    assert.deepEqual(
      done.messages.slice(-2).map((/** @type {any} */ { role, content }) => [role, content]),
      [
        ["user", "Second"],
        ["assistant", "Done with: ask"],
      ],
    );
  });

  it("can be ended while it waits", async (t) => {
    const host = await realHost(t);
    const page = await leafPage(host);
    const { uid, poll } = await waiting(host, `rename ${page.uid} to Fresh`);
    assert.deepEqual((await host.editor.post(`/api/conversations/${uid}/end`, {})).body, { ok: true, status: "idle" });
    assert.equal(
      (await host.editor.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: poll.view.card.turnDigest })).body.code,
      "notAwaiting",
    );
    assert.equal((await pageOf(host, page.uid)).title, page.title);
  });

  it("can be stopped while it is worked on, by whoever may write; the work is told as cancelled and can be repeated", async (t) => {
    let thinking = true;
    const gate = (/** @type {string} */ _what, /** @type {AbortSignal | undefined} */ signal) =>
      thinking ? new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true })) : Promise.resolve();
    const host = await realHost(t, {
      overrides: { model: { model: scriptedModel({ gate: /** @type {never} */ (gate) }), name: "scripted", rehearsal: true } },
    });
    const { editor, approver } = host;
    const uid = await created(editor);
    const stop = (/** @type {any} */ client) => client.post(`/api/conversations/${uid}/stop`, {});
    const NOTHING = { ok: false, httpStatus: 409, code: "nothingToStop" };
    assert.deepEqual((await stop(editor)).body, NOTHING);
    await editor.post(`/api/conversations/${uid}/messages`, { content: "think" });
    await polled(editor, uid, ({ conversation }) => conversation.status === "locked" && conversation.activity.length === 0);
    assert.deepEqual((await stop(approver)).body, FORBIDDEN);
    // The claim comes a moment before the run: what is not there yet cannot be stopped.
    let reply = await stop(editor);
    for (; reply.body.code === "nothingToStop"; reply = await stop(editor)) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.deepEqual([reply.status, reply.body], [202, { ok: true, status: "locked" }]);
    const stopped = await polled(editor, uid);
    assert.deepEqual([stopped.conversation.status, stopped.conversation.errorCode, stopped.view.mayRetry], ["failed", "cancelled", true]);
    assert.deepEqual((await stop(editor)).body, NOTHING);
    assert.deepEqual((await editor.post("/api/conversations/987654/stop", {})).body, NOT_FOUND);
    thinking = false;
    assert.equal((await editor.post(`/api/conversations/${uid}/retry`, {})).status, 202);
    assert.equal((await polled(editor, uid)).messages.at(-1).content, "You said: think");
  });

  it("shows the text of a failure to administrators only, and lets the owner retry", async (t) => {
    const host = await realHost(t, { env: { DEMO_ADMIN: "1" } });
    const uid = await created(host.editor);
    await host.editor.post(`/api/conversations/${uid}/messages`, { content: "fail" });
    const own = await polled(host.editor, uid);
    assert.deepEqual([own.conversation.status, own.conversation.errorMessage], ["failed", ""]);
    assert.ok(!JSON.stringify(own).includes("secret"));
    const adminView = (await host.approver.get(`/api/conversations/${uid}`)).body;
    assert.match(adminView.conversation.errorMessage, /something secret about/);
    assert.ok(!adminView.conversation.errorMessage.includes("/srv/models"), "E1: paths are redacted");
    assert.deepEqual((await host.approver.post(`/api/conversations/${uid}/retry`, {})).body, FORBIDDEN);
    assert.equal((await host.editor.post(`/api/conversations/${uid}/retry`, {})).status, 202);
    assert.equal((await polled(host.editor, uid)).conversation.status, "failed");
  });
});
