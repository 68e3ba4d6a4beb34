/**
 * A runtime as small as one can be: a script instead of a model, one tool that asks, two that write after approval. It keeps what a chat needs from a
 * runtime: runs survive a reload, a decision is bound to the digest of what was shown, and an approved change is made once.
 */
import { plan } from "./script.js";

/**
 * @typedef {import("agent-turn").Runtime} Runtime
 * @typedef {import("agent-turn").RunResult} RunResult
 * @typedef {import("./site.js").Run} Run
 * @typedef {import("./site.js").Site} Site
 */

/** Work of a run that is said to be slow, milliseconds. */
const SLOW = 3000;

/** @param {Site} site @returns {Runtime} */
export function createExampleRuntime(site) {
  /** A run is alive while its tab holds its lock: a closed tab lets it go. @param {string} uuid */
  const lockOf = (uuid) => `agent-turn-example:run:${uuid}`;

  /** @param {string} uuid @param {() => Promise<RunResult>} work @returns {Promise<RunResult>} */
  const alive = async (uuid, work) => navigator.locks.request(lockOf(uuid), work);

  /** @param {string} uuid */
  async function isAlive(uuid) {
    const { held = [] } = await navigator.locks.query();
    return held.some(({ name }) => name === lockOf(uuid));
  }

  /** @param {string} uuid @returns {Promise<Run | null>} with the status as it is */
  async function current(uuid) {
    const run = site.run(uuid);
    if (run?.status !== "running" || (await isAlive(uuid))) return run;
    // It may have ended while the locks were looked at.
    const later = site.run(uuid);
    return later?.status === "running" ? { ...later, status: "failed" } : later;
  }

  /** @param {string} uuid @param {Partial<Run>} change */
  function save(uuid, change) {
    site.change(({ runs }) => {
      const run = runs[uuid];
      if (run) Object.assign(run, change);
    });
  }

  /** @param {string} uuid @param {string} text @returns {RunResult} */
  function complete(uuid, text) {
    const result = answer(uuid, text);
    save(uuid, ended(result));
    return result;
  }

  /** Stops before a change, until a person has decided. @param {string} uuid @param {import("./site.js").Call} call @returns {Promise<RunResult>} */
  async function pauseForApproval(uuid, call) {
    const digest = await digestOf({ uuid, call, preview: preview(call) });
    /** @type {RunResult} */
    const result = { outcome: "awaiting_approval", runUuid: uuid, suspendedState: { turnDigest: digest } };
    save(uuid, { status: "waiting_for_approval", call, question: null, digest, result });
    return result;
  }

  /** @param {string} uuid @param {{ schema: NonNullable<Run["question"]>, notes: Run["notes"] }} asked @returns {Promise<RunResult>} */
  async function pauseForInput(uuid, { schema, notes }) {
    const digest = await digestOf({ uuid, schema });
    /** @type {RunResult} */
    const result = { outcome: "awaiting_input", runUuid: uuid, suspendedState: { inputSchema: schema, turnDigest: digest } };
    save(uuid, { status: "waiting_for_input", call: null, question: schema, notes, digest, result });
    return result;
  }

  /** What a card shows of a change, from the pages as they are now. @param {import("./site.js").Call} call */
  function preview({ name, arguments: { uid, title } }) {
    if (name === "create_page") return [`New page: ${title}`];
    const page = site.pages().find((candidate) => candidate.uid === uid);
    return [`Title: ${page?.title ?? "?"} → ${title}`];
  }

  /**
   * The run as it waits, taken by whoever decides; only while it waits and what was shown is what is there (D5, D7).
   * @param {string} uuid @param {Run["status"]} status @param {string} digest
   */
  async function take(uuid, status, digest) {
    const run = site.run(uuid);
    if (run?.status !== status) throw refusal("notAwaiting");
    if (run.digest !== digest) throw refusal("staleTurn");
    if (run.call && (await digestOf({ uuid, call: run.call, preview: preview(run.call) })) !== digest) throw refusal("staleTurn");
    save(uuid, { status: "running" });
    return run;
  }

  return {
    run: ({ runUuid: uuid, messages, actor }, onStep) =>
      alive(uuid, async () => {
        // With one event the list is known to be whole: a run without a `tool_write` in it has written nothing (R2a).
        const fresh = { call: null, question: null, notes: {}, digest: "", result: null, events: [{ kind: "llm", payload: {} }] };
        site.change(({ runs }) => void (runs[uuid] = { status: "running", owner: String(actor.uid), ...fresh }));
        const said = messages.at(-1)?.content;
        const next = plan(typeof said === "string" ? said : "", site);
        onStep({ kind: "llm", round: 1, durationMs: 5 });
        if (next.slow) await pause(SLOW);
        if (next.call) return pauseForApproval(uuid, next.call);
        if (next.question) return pauseForInput(uuid, next.question);
        return complete(uuid, next.text);
      }),

    approve: (_actor, uuid, { approved, turnDigest, denyReason }, onStep) =>
      alive(uuid, async () => {
        const { call } = await take(uuid, "waiting_for_approval", turnDigest);
        if (!approved || !call)
          return complete(uuid, denyReason === "skip" ? "Skipped. Everything stays as it is." : "All right, I leave everything as it is.");
        onStep({ kind: "tool", round: 1, durationMs: 1, toolName: call.name });
        if (/slow/i.test(String(call.arguments.title))) await pause(SLOW);
        return carryOut(uuid, call);
      }),

    submitInput: (_actor, uuid, { data, turnDigest }) =>
      alive(uuid, async () => {
        const { notes } = await take(uuid, "waiting_for_input", turnDigest);
        return pauseForApproval(uuid, { name: "create_page", arguments: { title: notes.title ?? "", parent: Number(data.parent) } });
      }),

    async status(_actor, uuid) {
      const run = await current(uuid);
      return run && { status: run.status };
    },
    async result(_actor, uuid) {
      return site.run(uuid)?.result ?? null;
    },
    async events(_actor, uuid) {
      return site.run(uuid)?.events ?? [];
    },
    async waitingView(_actor, uuid) {
      const run = site.run(uuid);
      if (run?.status === "waiting_for_input" && run.question) {
        return { runUuid: uuid, mode: "input", turnDigest: run.digest, pendingCalls: [], inputSchema: run.question };
      }
      if (run?.status !== "waiting_for_approval" || !run.call) return null;
      const { name, arguments: args } = run.call;
      const page = site.pages().find(({ uid }) => uid === args.uid);
      const target = page ? { table: "pages", uid: page.uid, title: page.title } : null;
      const label = name === "create_page" ? "Create a page" : "Rename a page";
      return {
        runUuid: uuid,
        mode: "approval",
        turnDigest: run.digest,
        pendingCalls: [{ name, arguments: args, label, previewLines: preview(run.call), declaresWrite: true, target }],
      };
    },
    async cancelIfWaiting(_actor, uuid) {
      const run = await current(uuid);
      if (run?.status !== "waiting_for_approval" && run?.status !== "waiting_for_input") return { cancelled: false, status: run?.status ?? null };
      save(uuid, { status: "cancelled", call: null, question: null });
      return { cancelled: true, status: "cancelled" };
    },
  };

  /** The change, and in the same write what became of its run: never the one without the other. @param {string} uuid @param {import("./site.js").Call} call */
  function carryOut(uuid, { name, arguments: args }) {
    const title = String(args.title);
    const result = answer(uuid, name === "create_page" ? `I have created the page ${title}.` : `The page is now called ${title}.`);
    site.change((content) => {
      const uid = name === "create_page" ? addPage(content, title, Number(args.parent)) : renamePage(content, Number(args.uid), title);
      const written = { writeTargetTable: "pages", writeTargetUid: uid };
      const run = content.runs[uuid];
      if (!run) return;
      Object.assign(run, ended(result));
      run.events.push({ kind: "approval", payload: { approved: true } }, { kind: "tool_write", payload: written });
    });
    return result;
  }
}

/** @param {string} uuid @param {string} text @returns {RunResult} */
function answer(uuid, text) {
  return { outcome: "completed", runUuid: uuid, steps: [{ kind: "llm", round: 1, durationMs: 5 }], loopResult: { finalContent: text } };
}

/** @param {RunResult} result @returns {Partial<Run>} */
function ended(result) {
  return { status: "completed", call: null, question: null, digest: "", result };
}

/** @param {import("./site.js").Content} content @param {string} title @param {number} parent */
function addPage({ pages }, title, parent) {
  const uid = Math.max(...pages.map((page) => Number(page.uid))) + 1;
  pages.push({ uid, parent, title, slug: `/${slugOf(title)}`, hidden: false, language: "en", updatedAt: Date.now() });
  return uid;
}

/** @param {import("./site.js").Content} content @param {number} uid @param {string} title */
function renamePage({ pages }, uid, title) {
  const page = pages.find((candidate) => candidate.uid === uid);
  if (page) Object.assign(page, { title, slug: `/${slugOf(title)}`, updatedAt: Date.now() });
  return uid;
}

const slugOf = (/** @type {string} */ title) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");

const pause = (/** @type {number} */ milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What the engine takes for a refusal: an error with a reason of D7. @param {import("agent-turn").RefusalReason} reason */
const refusal = (reason) => Object.assign(new Error(reason), { reason });

/** @param {unknown} shown */
async function digestOf(shown) {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(shown)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
