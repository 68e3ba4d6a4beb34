/** The host with a secret: what waits for a person cannot be changed in the database. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { created, polled, realHost } from "./real-host.js";

/** A host with a conversation that waits for a decision. @param {import("node:test").TestContext} t @param {Record<string, string>} env */
async function waiting(t, env) {
  const host = await realHost(t, { env });
  const page = (await host.editor.get("/api/pages")).body.pages.at(-1);
  const uid = await created(host.editor);
  await host.editor.post(`/api/conversations/${uid}/messages`, { content: `rename ${page.uid} to Fresh` });
  const poll = await polled(host.editor, uid);
  assert.equal(poll.conversation.status, "awaiting_approval");
  const forge = () => sql`update agent_run_log set body = replace(body, 'Fresh', 'Forged') where kind = 'turn'`.execute(host.parts.db);
  // An approver: what cannot be read may be a deletion, which needs a second person.
  const approve = () => host.approver.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: poll.view.card.turnDigest });
  const title = async () => (await host.editor.get("/api/pages")).body.pages.find((/** @type {{ uid: number }} */ { uid: other }) => other === page.uid).title;
  return { forge, approve, settled: () => polled(host.approver, uid), title, before: page.title };
}

const RUN_SECRET = "a secret of the test";

describe("RUN_SECRET", () => {
  it("lets nobody approve a changed call, and nothing is written", async (t) => {
    const { forge, approve, settled, title, before } = await waiting(t, { RUN_SECRET });
    await forge();
    assert.equal((await settled()).view.card.unreadable, "state-unreadable", "what was changed is not offered");
    assert.equal((await approve()).status, 202);
    const { conversation } = await settled();
    assert.deepEqual([conversation.status, conversation.errorCode], ["awaiting_approval", "handBack.staleTurn"]);
    assert.equal(await title(), before);
  });

  it("leaves what was not changed as it is", async (t) => {
    const { approve, settled, title } = await waiting(t, { RUN_SECRET });
    assert.equal((await approve()).status, 202);
    assert.equal((await settled()).conversation.status, "idle");
    assert.equal(await title(), "Fresh");
  });
});
