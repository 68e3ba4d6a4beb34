import assert from "node:assert/strict";
import { test } from "node:test";
import { changedPages, createStore, initialState, mergeMessages, reduce } from "../../../www/chat/store.js";
import { cardOf, idleView, messageOf as message, pageOf, pollOf as poll, sessionOf } from "./builders.mjs";

const opened = (/** @type {import("./builders.mjs").Uid} */ uid = 7) => reduce(initialState(), { type: "opened", uid });

test("an answer for a conversation that is no longer open is dropped", () => {
  const state = opened(8);
  assert.equal(reduce(state, { type: "polled", uid: 7, after: 0, poll: poll([message("late")]) }), state);
  assert.equal(reduce(state, { type: "accepted", uid: 7, confirmation: "chat.approved" }), state);
  assert.equal(reduce(state, { type: "refused", uid: 7, code: "busy" }), state);
  assert.equal(reduce(state, { type: "missing", uid: 7, code: "notFound" }), state);
});

test("uids are compared as text (C8)", () => {
  const state = reduce(opened("7"), { type: "polled", uid: 7, after: 0, poll: poll([message("a")]) });
  assert.equal(state.messages.length, 1);
  assert.equal(state.loading, false);
});

test("new messages are appended and known ones keep their identity", () => {
  const first = message("a");
  const merged = mergeMessages([first], 1, poll([message("b")], { messageCount: 2 }));
  assert.equal(merged?.[0], first);
  assert.deepEqual(
    merged?.map(({ content }) => content),
    ["a", "b"],
  );
  const known = [first];
  assert.equal(mergeMessages(known, 1, poll([], { messageCount: 1 })), known, "nothing new: the same array");
  assert.equal(mergeMessages(known, 0, poll([message("a")])), known, "read anew without a change: the same array");
});

test("a truncated transcript replaces what was known", () => {
  const merged = mergeMessages([message("a"), message("b"), message("c")], 3, poll([message("a"), message("z")], { truncated: true }));
  assert.deepEqual(
    merged?.map(({ content }) => content),
    ["a", "z"],
  );
});

test("an answer that does not fit what is known asks for everything", () => {
  assert.equal(mergeMessages([message("a")], 2, poll([], { messageCount: 2 })), null);
  assert.equal(mergeMessages([message("a")], 1, poll([message("b")], { messageCount: 5 })), null);
});

test("a sent message leaves the outbox when it is stored, another one stays", () => {
  const outgoing = { clientId: "c1", content: "hi", files: [], failed: true };
  const state = reduce(opened(), { type: "outgoing", uid: 7, outgoing });
  assert.equal(reduce(state, { type: "polled", uid: 7, after: 0, poll: poll([message("hi", { clientId: "other" })]) }).outbox["7"], outgoing);
  assert.equal(reduce(state, { type: "polled", uid: 7, after: 0, poll: poll([message("hi", { clientId: "c1" })]) }).outbox["7"], undefined);
});

test("an accepted request makes the turn busy at once: no card, no form, no second click", () => {
  const waiting = { ...idleView, card: cardOf("d") };
  const state = reduce(reduce(opened(), { type: "polled", uid: 7, after: 0, poll: poll([], { view: waiting }) }), {
    type: "accepted",
    uid: 7,
    confirmation: "chat.approved",
  });
  assert.equal(state.view?.card, null);
  assert.equal(state.view?.busy, true);
  assert.equal(state.view?.maySend, false);
  assert.equal(state.underWay, true);
  assert.equal(state.confirmation, "chat.approved");
  assert.equal(reduce(state, { type: "polled", uid: 7, after: 0, poll: poll([]) }).confirmation, "", "settled: the confirmation has done its work");
});

test("another user starts without anything of the one before", () => {
  const state = reduce(reduce(opened(), { type: "polled", uid: 7, after: 0, poll: poll([message("private")]) }), {
    type: "userSwitched",
    session: sessionOf(2),
  });
  assert.equal(state.openUid, null);
  assert.deepEqual(state.messages, []);
  assert.deepEqual(state.list.items, []);
});

test("a list that answers an older query is dropped", () => {
  const state = reduce(initialState(), { type: "listQuery", search: "team" });
  assert.equal(reduce(state, { type: "list", conversations: [], search: "te", archived: false }), state);
  assert.equal(reduce(state, { type: "list", conversations: [], search: "team", archived: false }).list.loaded, true);
});

test("an edit ends when its transcript is cut or busy elsewhere", () => {
  const open = reduce(opened(), { type: "polled", uid: 7, after: 0, poll: poll([message("a"), message("b")]) });
  const editing = reduce(open, { type: "editing", index: 1 });
  assert.equal(reduce(editing, { type: "polled", uid: 7, after: 2, poll: poll([], { messageCount: 2 }) }).editing, 1);
  assert.equal(reduce(editing, { type: "polled", uid: 7, after: 2, poll: poll([message("a")], { truncated: true }) }).editing, null);
});

test("pages that are new or different are marked, others not", () => {
  const page = (/** @type {number} */ uid, /** @type {string} */ title) => pageOf(uid, { title });
  assert.deepEqual(changedPages([page(1, "a"), page(2, "b")], [page(1, "a"), page(2, "c"), page(3, "d")]), ["2", "3"]);
});

test("subscribers hear of changes only, until they leave", () => {
  const store = createStore();
  let calls = 0;
  const leave = store.subscribe(() => (calls += 1));
  store.dispatch({ type: "polled", uid: 1, after: 0, poll: poll([]) });
  assert.equal(calls, 0);
  store.dispatch({ type: "opened", uid: 1 });
  leave();
  store.dispatch({ type: "opened", uid: 2 });
  assert.equal(calls, 1);
});
