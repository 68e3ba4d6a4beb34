import assert from "node:assert/strict";
import { test } from "node:test";
import { createPoller, FAILURES_UNTIL_LOST, pauseAfterFailure } from "../../../www/chat/poller.js";

/** Timers that run when told to. */
function fakeTimers() {
  /** @type {Map<number, { run: () => void, ms: number }>} */
  const set = new Map();
  let next = 1;
  return {
    setTimeout(/** @type {() => void} */ run, /** @type {number} */ ms) {
      set.set(next, { run, ms });
      next += 1;
      return next - 1;
    },
    clearTimeout: (/** @type {number} */ id) => void set.delete(id),
    get pauses() {
      return [...set.values()].map(({ ms }) => ms);
    },
    fire() {
      const [[id, { run }]] = set;
      set.delete(id);
      run();
    },
  };
}

const settle = () => new Promise((done) => setImmediate(done));

/** A poller whose answers are given one by one. @param {object} [more] */
function rig(more = {}) {
  const timers = fakeTimers();
  /** @type {{ resolve: (pause: number) => void, reject: (error: unknown) => void, signal: AbortSignal }[]} */
  const requests = [];
  /** @type {number[]} */
  const applied = [];
  /** @type {boolean[]} */
  const lost = [];
  const poller = createPoller({
    load: (signal) => new Promise((resolve, reject) => requests.push({ resolve, reject, signal })),
    apply(pause) {
      applied.push(pause);
      return pause;
    },
    failed: () => true,
    connection: (now) => lost.push(now),
    timers,
    ...more,
  });
  return { timers, requests, applied, lost, poller };
}

test("the next poll starts when the answer says so, and 0 ends the chain", async () => {
  const { timers, requests, poller } = rig();
  void poller.now();
  assert.equal(requests.length, 1);
  assert.deepEqual(timers.pauses, [], "no timer runs while a poll is under way");
  requests[0].resolve(1500);
  await settle();
  assert.deepEqual(timers.pauses, [1500]);
  timers.fire();
  assert.equal(requests.length, 2);
  requests[1].resolve(0);
  await settle();
  assert.deepEqual(timers.pauses, []);
});

test("a poll at once supersedes the one under way, whose answer is dropped", async () => {
  const { timers, requests, applied, poller } = rig();
  void poller.now();
  void poller.now();
  assert.equal(requests[0].signal.aborted, true);
  requests[0].resolve(1111);
  requests[1].resolve(2222);
  await settle();
  assert.deepEqual(applied, [2222]);
  assert.deepEqual(timers.pauses, [2222]);
});

test("after a stop nothing arrives any more", async () => {
  const { timers, requests, applied, poller } = rig();
  void poller.now();
  poller.stop();
  requests[0].resolve(1500);
  await settle();
  assert.deepEqual(applied, []);
  assert.deepEqual(timers.pauses, []);
});

test("apply may stop the chain itself", async () => {
  const { timers, requests, poller } = rig({
    apply() {
      poller.stop();
      return 1500;
    },
  });
  void poller.now();
  requests[0].resolve(1);
  await settle();
  assert.deepEqual(timers.pauses, []);
});

test("failures back off, are called lost after three, and one success heals them", async () => {
  const { timers, requests, lost, poller } = rig();
  void poller.now();
  const pauses = [];
  for (let failure = 0; failure < 6; failure += 1) {
    requests[failure].reject(new Error("down"));
    await settle();
    pauses.push(...timers.pauses);
    assert.deepEqual(lost, failure + 1 < FAILURES_UNTIL_LOST ? [] : [true]);
    timers.fire();
  }
  assert.deepEqual(pauses, [1000, 2000, 4000, 8000, 10_000, 10_000]);
  requests[6].resolve(1500);
  await settle();
  assert.deepEqual(lost, [true, false]);
  assert.deepEqual(timers.pauses, [1500]);
  assert.equal(pauseAfterFailure(1), 1000);
});

test("a refusal ends the chain", async () => {
  const { timers, requests, lost, poller } = rig({ failed: () => false });
  void poller.now();
  requests[0].reject(new Error("404"));
  await settle();
  assert.deepEqual(timers.pauses, []);
  assert.deepEqual(lost, []);
});

test("a hidden page does not poll; seen again, it polls at once", async () => {
  let hidden = false;
  const { timers, requests, poller } = rig({ hidden: () => hidden });
  void poller.now();
  requests[0].resolve(1500);
  await settle();
  hidden = true;
  poller.visibilityChanged();
  assert.deepEqual(timers.pauses, []);
  hidden = false;
  poller.visibilityChanged();
  assert.equal(requests.length, 2);
  hidden = true;
  requests[1].resolve(1500);
  await settle();
  assert.deepEqual(timers.pauses, [], "an answer that arrives while hidden schedules nothing");
});

test("a page that polls nothing does not begin when it is seen", () => {
  const { requests, poller } = rig();
  poller.visibilityChanged();
  assert.equal(requests.length, 0);
});
