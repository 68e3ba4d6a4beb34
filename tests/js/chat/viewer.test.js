/** The page's own look at a poll, with the component itself. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import init, * as component from "agent-turn";
import { pollReply } from "../../../www/chat/shared/poll.js";
import { createViewer } from "../../../www/chat/viewer.js";
import { headOf, idleView, pollOf } from "./builders.mjs";

before(() => init());

const user = { uid: 1, name: "E", isAdmin: false, groups: [], role: "editor" };
const NOW = 1_700_000_000_000;
const EXPIRES = NOW / 1000 + 60;

/** A card that waits, as the host tells it. @param {Partial<import("../../../www/chat/types.js").Poll>} [more] */
function waitingPoll(more = {}) {
  const conversation = { ...headOf(7), status: /** @type {const} */ ("awaiting_approval"), runUuid: "r" };
  /** @type {import("../../../www/chat/types.js").WaitingView} */
  const waiting = {
    runUuid: "r",
    mode: "approval",
    turnDigest: "d",
    pendingCalls: [{ name: "page_update", arguments: { title: "\u202Ea" } }],
    expiresAt: EXPIRES,
  };
  const view = component.present({ ...conversation, messages: [] }, { ...user, mayDecide: true, mayWrite: true }, waiting, { now: NOW });
  return pollOf([], { conversation, waiting, now: NOW, view, ...more });
}

/** A viewer whose machine is far from the host's time. @param {number} [ahead] milliseconds */
function rig(ahead = 3_600_000) {
  let time = NOW + ahead;
  const viewer = createViewer({ loadRules: async () => component, clock: () => time });
  return { viewer, pass: (/** @type {number} */ milliseconds) => void (time += milliseconds) };
}

test("V1: the page sees what the host saw, made by its own component", async () => {
  const { viewer } = rig();
  assert.equal(await viewer.load(), true);
  const poll = waitingPoll();
  const seen = viewer.view({ ...poll, view: idleView }, user);
  assert.deepEqual(seen, poll.view);
  assert.match(JSON.stringify(seen.card), /u\{202E\}a/, "V3a");
});

test("V3: a card expires between two polls, by the host's clock and not by this machine's", async () => {
  for (const ahead of [-3_600_000, 0, 3_600_000]) {
    const { viewer, pass } = rig(ahead);
    await viewer.load();
    const poll = waitingPoll();
    assert.equal(viewer.view(poll, user).card?.expired, false);
    assert.equal(viewer.untilExpiry(poll), 60_001);
    pass(60_000);
    assert.equal(viewer.view(poll, user).card?.expired, false);
    pass(viewer.untilExpiry(poll) ?? Number.NaN);
    assert.equal(viewer.view(poll, user).card?.expired, true);
    assert.equal(viewer.untilExpiry(poll), null);
  }
});

test("a poll that is told again is as old as it is; a new one is not", async () => {
  const { viewer, pass } = rig();
  await viewer.load();
  const poll = waitingPoll();
  viewer.view(poll, user);
  pass(61_000);
  assert.equal(viewer.view(poll, user).card?.expired, true);
  assert.equal(viewer.view({ ...poll }, user).card?.expired, false);
});

test("without the component, and of an API that tells only its view, the view is what is seen", async () => {
  const view = { ...idleView, pollAfter: 7 };
  const missing = createViewer({ loadRules: () => Promise.reject(new Error("not served")) });
  assert.equal(await missing.load(), false);
  assert.equal(missing.view(waitingPoll({ view }), user), view);
  const { viewer } = rig();
  await viewer.load();
  const { waiting: _, now: __, ...bare } = waitingPoll({ view });
  assert.equal(viewer.view(bare, user), view);
  assert.equal(viewer.untilExpiry(bare), null);
});

test("a card that this component cannot read is shown as the host shows it", async () => {
  const { viewer } = rig();
  await viewer.load();
  const poll = waitingPoll();
  const conversation = { ...poll.conversation, status: /** @type {any} */ ("from_the_future") };
  assert.equal(viewer.view({ ...poll, conversation }, user), poll.view);
});

test("W4: an inbox that breaks makes no chat unreadable", async () => {
  const { waiting, you: _, ...poll } = waitingPoll();
  const parts = { actor: user, mayAct: () => true, present: component.present, now: NOW };
  const reply = /** @type {const} */ ({ ok: true, ...poll });
  const whole = await pollReply(reply, { ...parts, waitingView: async () => /** @type {any} */ ({ ...waiting, secret: 1 }) });
  assert.deepEqual([whole.view, whole.waiting], [poll.view, waiting], "nothing that a runtime keeps beside it");
  /** @type {any[]} */
  const broken = [() => Promise.reject(new Error("broken")), () => null];
  for (const waitingView of broken) {
    const told = await pollReply(reply, { ...parts, waitingView });
    assert.deepEqual([told.waiting, told.view.card, told.view.notices.map(({ key }) => key)], [null, null, ["chat.approvalPending"]]);
  }
});
