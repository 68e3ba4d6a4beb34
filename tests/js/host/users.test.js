import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createMayAct, createUsers } from "../../../www/host/users.js";

const users = createUsers();
const [editor, approver] = [users.actorOf(1), users.actorOf(2)];
const stranger = users.actorOf(3);

/** @param {string[] | null} tools Names of the pending calls; null: nothing is pending. @param {"approval" | "unreadable"} [mode] */
const mayActWith = (tools, mode = "approval") =>
  createMayAct({
    waitingView: async (_actor, runUuid) => tools && { runUuid, mode, turnDigest: "d", pendingCalls: tools.map((name) => ({ name, arguments: {} })) },
  });
const conversation = (fields = {}) => /** @type {any} */ ({ uid: 1, owner: 1, status: "awaiting_approval", runUuid: "run", ...fields });

describe("demo users", () => {
  it("compares uids as text", () => {
    assert.equal(users.find("2"), users.find(2));
    assert.deepEqual([users.find("3"), users.find("__proto__"), users.find(null), users.find("")], [null, null, null, null]);
  });

  it("gives nobody rights who is gone", () => {
    assert.deepEqual(stranger, { uid: 3, isAdmin: false, groups: [] });
  });

  it("has an administrator only where it is configured", () => {
    assert.ok(users.list.every(({ isAdmin }) => !isAdmin));
    assert.deepEqual(
      createUsers({ demoAdmin: true }).list.map(({ isAdmin }) => isAdmin),
      [false, true],
    );
  });
});

describe("who may do what", () => {
  const renaming = mayActWith(["update_page"]);
  const deleting = mayActWith(["update_page", "delete_page"]);
  /** @type {[string, any, any, any, [boolean, boolean, boolean]][]} read, write, decide */
  const cases = [
    ["the owner, a change", renaming, editor, conversation(), [true, true, true]],
    ["the owner, uid as text", renaming, { ...editor, uid: "1" }, conversation(), [true, true, true]],
    ["the owner, a deletion", deleting, editor, conversation(), [true, true, false]],
    ["the owner, a card nobody can read", mayActWith([], "unreadable"), editor, conversation(), [true, true, false]],
    ["the owner, nothing pending any more", mayActWith(null), editor, conversation(), [true, true, true]],
    ["the owner, nothing waits", deleting, editor, conversation({ status: "idle", runUuid: "" }), [true, true, true]],
    ["the approver, a change", renaming, approver, conversation(), [true, false, true]],
    ["the approver, a deletion", deleting, approver, conversation(), [true, false, true]],
    ["the approver, an own conversation", deleting, approver, conversation({ owner: 2 }), [true, true, true]],
    ["somebody else", renaming, stranger, conversation(), [false, false, false]],
    ["the editor, the approver's conversation", renaming, editor, conversation({ owner: 2 }), [false, false, false]],
  ];
  for (const [name, mayAct, actor, row, expected] of cases) {
    it(name, async () => {
      assert.deepEqual(await Promise.all([mayAct(actor, row, "read"), mayAct(actor, row, "write"), mayAct(actor, row, "decide")]), expected);
    });
  }
});
