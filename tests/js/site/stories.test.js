/** The stories of the demo through the agent runtime: rehearsal model, site tools and a real database file. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAiSdkRuntime } from "agent-turn/runtime/ai-sdk";
import { createRehearsalModel } from "../../../www/host/rehearsal/index.js";
import { APPROVER_GROUP, siteTools } from "../../../www/host/site/index.js";
import { freshSite, pageCalled } from "./support.js";

const EDITOR = { uid: 1, isAdmin: false, groups: [1] };
const APPROVER = { uid: 2, isAdmin: false, groups: [1, APPROVER_GROUP] };
let runs = 0;

/** @param {import("node:test").TestContext} t */
async function freshRuntime(t) {
  const { site, db, file } = await freshSite(t);
  const runtime = createAiSdkRuntime({ db, model: () => createRehearsalModel(), tools: siteTools(site), mayRead: () => true });
  await runtime.migrate();
  t.after(() => runtime.close());

  /** @param {...string} messages of the user */
  function run(...messages) {
    runs += 1;
    const runUuid = `00000000-0000-4000-8000-${String(runs).padStart(12, "0")}`;
    /** @type {import("agent-turn").RunRequest} */
    const request = {
      runUuid,
      configuration: { uid: 1, name: "Rehearsal", systemPrompt: "" },
      messages: [{ role: "system", content: "You help with the site." }, ...messages.map((content) => ({ role: /** @type {const} */ ("user"), content }))],
      actor: EDITOR,
      allowedToolNames: null,
      options: { callerSource: { extension: "test", operation: "chatTurn" } },
    };
    return runtime.run(request, () => {});
  }

  /**
   * @param {import("agent-turn").RunResult} paused
   * @param {boolean} approved
   * @param {"variant" | "skip"} [denyReason]
   * @param {import("agent-turn").Actor} [actor]
   */
  async function decide(paused, approved, denyReason, actor = EDITOR) {
    const view = await runtime.waitingView(actor, paused.runUuid);
    assert.ok(view?.turnDigest);
    return runtime.approve(
      actor,
      paused.runUuid,
      { approved, decidedBy: actor.uid, turnDigest: view.turnDigest, ...(denyReason ? { denyReason } : {}) },
      () => {},
    );
  }

  /**
   * @param {import("agent-turn").RunResult} paused
   * @param {{ [field: string]: import("agent-turn").Json }} data
   */
  async function answer(paused, data) {
    const view = await runtime.waitingView(EDITOR, paused.runUuid);
    assert.ok(view?.turnDigest);
    return runtime.submitInput(EDITOR, paused.runUuid, { data, submittedBy: EDITOR.uid, turnDigest: view.turnDigest }, () => {});
  }

  const card = async (/** @type {import("agent-turn").RunResult} */ paused) => (await runtime.waitingView(EDITOR, paused.runUuid))?.pendingCalls[0];
  return { site, db, file, runtime, run, decide, answer, card };
}

test("rename: looked up, proposed with a preview, approved, renamed, said so", async (t) => {
  const { site, run, decide, card, runtime } = await freshRuntime(t);
  const team = await pageCalled(site, "Team");
  const paused = await run("Rename the page Team to About us");
  assert.equal(paused.outcome, "awaiting_approval");
  const call = await card(paused);
  assert.deepEqual([call?.name, call?.label, call?.previewLines], ["update_page", "Rename page", ["Title: Team → About us"]]);
  assert.deepEqual(
    paused.steps?.filter(({ kind }) => kind === "llm").map(({ content }) => content),
    ["I will look the page “Team” up.", "I found “Team” and propose the title “About us”."],
  );
  assert.equal((await site.read(team.uid)).title, "Team", "nothing is written before it is approved");
  const done = await decide(paused, true);
  assert.equal(done.outcome, "completed");
  assert.match(done.loopResult?.finalContent ?? "", /^Renamed: “Team” is now called “About us” \(\/about-us\)/);
  assert.equal((await site.read(team.uid)).title, "About us");
  const written = (await runtime.events(EDITOR, paused.runUuid)).filter(({ kind }) => kind === "tool_write");
  assert.deepEqual(
    written.map(({ payload }) => payload),
    [{ writeTargetTable: "site_page", writeTargetUid: team.uid }],
  );
});

test("umbenennen: abgelehnt, andere Variante, übersprungen", async (t) => {
  const { site, run, decide, card } = await freshRuntime(t);
  const team = await pageCalled(site, "Team");
  const declined = await decide(await run("Benenne die Seite Team in Über uns um"), false);
  assert.match(declined.loopResult?.finalContent ?? "", /ich lasse alles/);
  const other = await decide(await run("Benenne die Seite Team in Über uns um"), false, "variant");
  assert.equal(other.outcome, "awaiting_approval");
  assert.deepEqual((await card(other))?.previewLines, ["Title: Team → Über uns auf einen Blick"]);
  const skipped = await decide(other, false, "skip");
  assert.match(skipped.loopResult?.finalContent ?? "", /^Übersprungen/);
  assert.equal((await site.read(team.uid)).title, "Team");
});

test("create: asks where, proposes, creates a hidden page there", async (t) => {
  const { site, run, answer, decide, card } = await freshRuntime(t);
  const asked = await run("Create a page about our summer party");
  assert.equal(asked.outcome, "awaiting_input");
  const schema = /** @type {{ title: string, properties: { choice: { oneOf: { const: number, title: string }[] } } }} */ (asked.suspendedState?.inputSchema);
  assert.equal(schema.title, "Where should the page “Our summer party” go?");
  assert.deepEqual(
    schema.properties.choice.oneOf.map(({ title }) => title),
    ["Our school", "News", "Events", "Home", "At the top level"],
  );
  const events = await pageCalled(site, "Events");
  const proposed = await answer(asked, { choice: events.uid });
  assert.equal(proposed.outcome, "awaiting_approval");
  assert.deepEqual((await card(proposed))?.previewLines?.slice(0, 2), ["Below: Events", "Title: Our summer party"]);
  const done = await decide(proposed, true);
  assert.match(done.loopResult?.finalContent ?? "", /^Created: the page “Our summer party”/);
  const draft = await pageCalled(site, "Our summer party");
  assert.deepEqual([draft.parent, draft.hidden, draft.language], [events.uid, true, "en"]);
});

test("anlegen: eine getippte Antwort nennt die Stelle", async (t) => {
  const { site, run, answer, decide } = await freshRuntime(t);
  const asked = await run("Lege eine Seite über unser Sommerfest an");
  const proposed = await answer(asked, { text: "Aktuelles" });
  const done = await decide(proposed, true);
  assert.equal(done.outcome, "completed");
  const draft = await pageCalled(site, "Unser Sommerfest");
  assert.deepEqual([draft.parent, draft.language], [(await pageCalled(site, "Aktuelles")).uid, "de"]);
});

test("hidden pages: answered from a read, in one run", async (t) => {
  const { run } = await freshRuntime(t);
  const { outcome, loopResult } = await run("Which pages are hidden?");
  assert.equal(outcome, "completed");
  assert.equal(
    loopResult?.finalContent,
    "2 pages are hidden:\n- “Old opening hours” (/old-opening-hours, hidden)\n- “Draft: winter timetable” (/draft-winter-timetable, hidden)",
  );
});

test("delete: the owner may not approve it, the approver may", async (t) => {
  const { site, run, decide } = await freshRuntime(t);
  const old = await pageCalled(site, "Old opening hours");
  const paused = await run("Delete the page Old opening hours");
  await assert.rejects(decide(paused, true), (error) => /** @type {{ reason?: string }} */ (error).reason !== undefined);
  assert.equal((await site.read(old.uid)).title, "Old opening hours");
  const done = await decide(paused, true, undefined, APPROVER);
  assert.match(done.loopResult?.finalContent ?? "", /^Deleted/);
  await assert.rejects(site.read(old.uid), { code: "pageNotFound" });
});

test("a write the site refuses is an error result, and the answer says why", async (t) => {
  const { site, run, decide } = await freshRuntime(t);
  const imprint = await pageCalled(site, "Imprint");
  const paused = await run("Rename the page Imprint to Legal notice");
  await site.remove(imprint.uid);
  const after = await decide(paused, true);
  // The page is gone, so the preview is not the one that was approved: the card comes back instead of a write (O7).
  assert.equal(after.outcome, "awaiting_approval");
  const again = await decide(after, true);
  assert.match(again.loopResult?.finalContent ?? "", /did not work: The tool update_page failed: There is no page with uid/);
});

test("what an earlier run has written is told and not written again", async (t) => {
  const { site, run } = await freshRuntime(t);
  const team = await pageCalled(site, "Team");
  await site.update(team.uid, { title: "About us" });
  const { outcome, loopResult } = await run(
    "Rename the page Team to About us",
    `An earlier run of this turn has already written these records: site_page:${team.uid}.`,
  );
  assert.equal(outcome, "completed");
  assert.match(loopResult?.finalContent ?? "", new RegExp(`site_page:${team.uid}\\. The page is called “About us”`));
});
