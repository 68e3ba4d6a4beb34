import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../www/chat/api.js";
import { createController } from "../../../www/chat/controller.js";
import { createDrafts } from "../../../www/chat/drafts.js";
import { createStore } from "../../../www/chat/store.js";
import { cardOf, headOf, idleView, messageOf, pollOf, sessionOf } from "./builders.mjs";

/**
 * @typedef {import("../../../www/chat/api.js").Api} Api
 * @typedef {import("./builders.mjs").Message} Message
 * @typedef {import("./builders.mjs").ConversationView} ConversationView
 * @typedef {[name: string, ...args: unknown[]]} Call
 */

const card = cardOf("digest \u0000 as it came");

function memory() {
  /** @type {Map<string, string>} */
  const map = new Map();
  return {
    map,
    getItem: (/** @type {string} */ key) => map.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void map.set(key, value),
    removeItem: (/** @type {string} */ key) => void map.delete(key),
  };
}

/** An API that accepts everything. @param {{ messages: Message[], view: ConversationView }} stored @returns {Api} */
function acceptingApi(stored) {
  const accepted = async () => ({ status: "processing" });
  return {
    session: async () => sessionOf(1),
    switchUser: async (uid) => sessionOf(uid),
    list: async () => ({ conversations: [] }),
    pages: async () => ({ pages: [] }),
    poll: async (uid, after) => pollOf(stored.messages.slice(after), { conversation: headOf(uid), messageCount: stored.messages.length, view: stored.view }),
    create: async () => ({ uid: 7 }),
    send: accepted,
    decide: accepted,
    answer: accepted,
    edit: accepted,
    retry: accepted,
    end: accepted,
    stop: accepted,
    change: accepted,
    upload: async (_file, { name, type }) => ({ fileUid: 1, fileName: name, fileMimeType: type }),
  };
}

const LOGGED = new Set(["poll", "create", "send", "decide", "answer", "edit", "retry", "end", "stop", "change"]);

/**
 * The API, with every request of a turn written down.
 * @param {Api} api @param {Call[]} log @returns {Api}
 */
function logging(api, log) {
  return new Proxy(api, {
    get(target, name, receiver) {
      const act = Reflect.get(target, name, receiver);
      if (!LOGGED.has(String(name)) || typeof act !== "function") return act;
      return (/** @type {unknown[]} */ ...args) => {
        log.push([String(name), ...args.filter((arg) => !(arg instanceof AbortSignal))]);
        return act(...args);
      };
    },
  });
}

/** A controller over an API whose single calls are replaced by a test. @param {Partial<Api>} [calls] @param {{ storage?: ReturnType<typeof memory>, view?: ConversationView }} [options] */
async function rig(calls = {}, { storage = memory(), view = idleView } = {}) {
  /** @type {Call[]} */
  const log = [];
  const stored = { messages: /** @type {Message[]} */ ([]), view };
  let ids = 0;
  const api = logging({ ...acceptingApi(stored), ...calls }, log);
  const store = createStore();
  const timers = { setTimeout: () => 0, clearTimeout() {} };
  const controller = createController({
    store,
    api,
    drafts: createDrafts(storage),
    navigate: (uid) => log.push(["navigate", uid]),
    loadRules: () => Promise.reject(new Error("not served")),
    newId: () => `id-${++ids}`,
    timers,
  });
  await controller.loadSession();
  const settle = () => new Promise((done) => setImmediate(done));
  const of = (/** @type {string} */ name) => log.filter(([call]) => call === name);
  return { api, store, controller, log, of, stored, settle, storage };
}

/** @returns {Promise<never>} */
const network = () => Promise.reject(new ApiError("network", 0));

test("a message repeated after a network failure keeps its id; the next message has another", async () => {
  let fail = true;
  const { controller, of, store, settle } = await rig({ send: () => (fail ? network() : Promise.resolve({ status: "processing" })) });
  controller.open(7);
  await settle();
  assert.equal(await controller.send(" hello "), null);
  assert.equal(store.state.outbox["7"]?.failed, true);
  fail = false;
  await controller.sendAgain();
  assert.deepEqual(
    of("send").map(([, , sent]) => sent),
    [
      { content: "hello", clientId: "id-1" },
      { content: "hello", clientId: "id-1" },
    ],
  );
  assert.equal(store.state.outbox["7"], undefined);
  await controller.send("again");
  assert.deepEqual(of("send")[2]?.[2], { content: "again", clientId: "id-2" });
});

test("a message that may not have arrived survives a reload with its id", async () => {
  const storage = memory();
  const before = await rig({ send: network }, { storage });
  before.controller.open(7);
  await before.settle();
  await before.controller.send("hello");
  const after = await rig({}, { storage });
  after.controller.open(7);
  await after.settle();
  assert.deepEqual(after.store.state.outbox["7"], { clientId: "id-1", content: "hello", files: [], failed: true });
  await after.controller.sendAgain();
  assert.deepEqual(after.of("send")[0], ["send", 7, { content: "hello", clientId: "id-1" }]);
  assert.deepEqual([...storage.map.keys()], [], "nothing is left behind once it was sent");
});

test("a refused message comes back as text, and the reason is shown", async () => {
  const { controller, store, settle } = await rig({ send: () => Promise.reject(new ApiError("tooManyActive", 429)) });
  controller.open(7);
  await settle();
  assert.equal(await controller.send("hello"), "hello");
  assert.deepEqual(store.state.refusal, { code: "tooManyActive" });
  assert.equal(store.state.outbox["7"], undefined);
});

test("taking back gives the text, and nothing is sent", async () => {
  const { controller, of, store, settle } = await rig({ send: network });
  controller.open(7);
  await settle();
  await controller.send("hello");
  assert.equal(controller.takeBack(), "hello");
  assert.equal(store.state.outbox["7"], undefined);
  await controller.sendAgain();
  assert.equal(of("send").length, 1);
});

test("a double click decides once, with the digest untouched, and polls at once", async () => {
  let release = () => {};
  const { controller, of, log, settle } = await rig(
    { decide: () => new Promise((done) => (release = () => done({ status: "processing" }))) },
    { view: { ...idleView, card } },
  );
  controller.open(7);
  await settle();
  const first = controller.decide("variant", "Another one");
  const second = controller.decide("approve", "");
  assert.equal(await second, false);
  release();
  assert.equal(await first, true);
  assert.deepEqual(of("decide"), [["decide", 7, { approve: false, turnDigest: card.turnDigest, denyReason: "variant", display: "Another one" }]]);
  assert.equal(log.at(-1)?.[0], "poll");
});

test("an approval carries no reason and no line", async () => {
  const { controller, of, settle } = await rig({}, { view: { ...idleView, card } });
  controller.open(7);
  await settle();
  await controller.decide("approve", "");
  assert.deepEqual(of("decide")[0]?.[2], { approve: true, turnDigest: card.turnDigest });
});

test("a conflict reads the whole conversation anew and keeps the reason", async () => {
  const { controller, of, store, stored, settle } = await rig(
    { decide: () => Promise.reject(new ApiError("notAwaiting", 409)) },
    { view: { ...idleView, card } },
  );
  stored.messages.push(messageOf("a"));
  controller.open(7);
  await settle();
  stored.view = idleView;
  assert.equal(await controller.decide("approve", ""), false);
  assert.equal(of("poll").at(-1)?.[2], 0, "from the beginning");
  assert.equal(store.state.view?.card, null);
  assert.deepEqual(store.state.refusal, { code: "notAwaiting" });
});

test("a refusal for a conversation that is no longer open says nothing", async () => {
  let reject = (/** @type {Error} */ _error) => {};
  const { controller, store, settle } = await rig({ retry: () => new Promise((_, no) => (reject = no)) });
  controller.open(7);
  await settle();
  const retry = controller.retry();
  controller.open(8);
  await settle();
  reject(new ApiError("runStillActive", 409));
  assert.equal(await retry, false);
  assert.equal(store.state.refusal, null);
});

test("a turn is stopped where the API can do that, and the page says so until it has stopped", async () => {
  const busy = { ...idleView, busy: true, maySend: false };
  const { controller, store, of, stored, settle } = await rig({}, { view: busy });
  controller.open(7);
  await settle();
  assert.equal(controller.mayStop, true);
  assert.equal(await controller.stopTurn(), true);
  assert.deepEqual(of("stop"), [["stop", 7]]);
  assert.equal(store.state.confirmation, "chat.stopping");
  stored.view = idleView;
  controller.visibilityChanged();
  await settle();
  assert.equal(store.state.confirmation, "");
  const { stop: _, ...without } = acceptingApi(stored);
  assert.equal((await rig({ ...without, stop: undefined })).controller.mayStop, false);
});

test("polls ask only for what is not known yet", async () => {
  const { controller, of, stored, settle } = await rig({ retry: async () => ({}) });
  stored.messages.push(messageOf("a"), messageOf("b", { role: "assistant" }));
  controller.open(7);
  await settle();
  await controller.retry();
  assert.deepEqual(
    of("poll").map(([, , after]) => after),
    [0, 2],
  );
});

test("a typed text answers where the question takes one, and is a message elsewhere", async () => {
  /** @type {NonNullable<ConversationView["form"]>} */
  const form = { kind: "choice", question: "", options: [], freeText: true, fields: [], turnDigest: "i1" };
  const { controller, of, settle } = await rig({}, { view: { ...idleView, form } });
  controller.open(7);
  await settle();
  await controller.send("own words");
  assert.deepEqual(of("answer"), [["answer", 7, { turnDigest: "i1", freeText: "own words" }]]);
  assert.deepEqual(of("send"), []);
});

test("the first message makes its conversation", async () => {
  const { controller, of, store } = await rig({});
  assert.equal(await controller.send("hello"), null);
  assert.deepEqual(of("navigate"), [["navigate", 7]]);
  assert.equal(store.state.openUid, 7);
  assert.deepEqual(of("send"), [["send", 7, { content: "hello", clientId: "id-1" }]]);
});

test("a turn that has ended before the first poll of its conversation is answered counts as one that has settled", async () => {
  let first = true;
  const { controller, store, api, stored, settle } = await rig({});
  /** @type {string[]} */
  const read = [];
  const { list, pages, poll } = api;
  Object.assign(api, {
    list(/** @type {Parameters<typeof list>} */ ...args) {
      read.push("list");
      return list(...args);
    },
    pages() {
      read.push("pages");
      return pages();
    },
    // The poll that opening begins with is superseded before its answer arrives.
    poll: (/** @type {Parameters<typeof poll>} */ ...args) => (first ? new Promise(() => (first = false)) : poll(...args)),
  });
  /** @type {boolean[]} */
  const underWay = [];
  store.subscribe((state) => void (underWay.at(-1) !== state.underWay && underWay.push(state.underWay)));
  stored.messages = [messageOf("hello", { clientId: "id-1" }), messageOf("done", { role: "assistant" })];
  await controller.send("hello");
  await settle();
  assert.deepEqual(underWay, [false, true, false]);
  assert.equal(store.state.messages.length, 2);
  assert.deepEqual(read.slice(0, 3), ["list", "pages", "list"], "when the conversation is opened, and when its turn has settled");
});

test("a list that was asked for another user is not shown", async () => {
  const { controller, store, api } = await rig({});
  let answer = (/** @type {{ conversations: import("../../../www/chat/types.js").ListItem[] }} */ _list) => {};
  api.list = () => new Promise((done) => (answer = done));
  const late = controller.loadList();
  api.list = async () => ({ conversations: [] });
  await controller.switchUser(2);
  answer({
    conversations: [{ ...headOf(1), title: "private", ownerName: "E", mine: true }],
  });
  await late;
  assert.deepEqual(store.state.list.items, []);
});

test("a user switched in another tab is noticed when the page is seen again", async () => {
  const { controller, store, stored, settle, api } = await rig({});
  stored.messages.push(messageOf("private"));
  controller.open(7);
  await settle();
  assert.equal(store.state.messages.length, 1);
  api.session = async () => sessionOf(2);
  api.poll = () => Promise.reject(new ApiError("notFound", 404));
  controller.visibilityChanged();
  await settle();
  await settle();
  assert.equal(store.state.session?.user.uid, 2);
  assert.equal(store.state.missing, "notFound");
  assert.deepEqual(store.state.messages, []);
});

test("an edit names what the reader saw", async () => {
  const { controller, of, stored, settle } = await rig({});
  stored.messages.push(messageOf("old"), messageOf("b", { role: "assistant" }));
  controller.open(7);
  await settle();
  await controller.edit(0, " new ");
  assert.deepEqual(of("edit"), [["edit", 7, 0, { content: "new", expectedContent: "old", messageCount: 2 }]]);
  assert.equal(of("poll").at(-1)?.[2], 0);
});

test("what was changed elsewhere is read anew from its beginning; another conversation only refreshes the list", async () => {
  let lists = 0;
  const { controller, of, settle, stored, store } = await rig({
    list: async () => {
      lists += 1;
      return { conversations: [] };
    },
  });
  stored.messages.push(messageOf("hello"));
  controller.open(7);
  await settle();
  const [polls, before] = [of("poll").length, lists];
  stored.messages.splice(0, 1, messageOf("edited elsewhere"), messageOf("an answer", { role: "assistant" }));
  controller.changedElsewhere("7");
  await settle();
  assert.deepEqual(of("poll").slice(polls), [["poll", 7, 0]]);
  assert.deepEqual(
    store.state.messages.map(({ content }) => content),
    ["edited elsewhere", "an answer"],
  );
  controller.changedElsewhere(8);
  await settle();
  assert.equal(of("poll").length, polls + 1);
  assert.equal(lists, before + 2);
});
