/**
 * The story of the chat - look up, propose, approve, write, answer - through a worker that is killed at random points and started again. Two MCP servers
 * are attached: the official one, and one that writes and dies with its host. Writes are counted where they happen, so that no bookkeeping of ours is trusted.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { created, realHost, temporaryFolder } from "../host/real-host.js";
import { notes, notesEntry, serveEverything } from "../runtime/mcp-servers.mjs";
import { startModel } from "./model.mjs";

/** @typedef {import("node:test").TestContext} TestContext */

const WORKER = fileURLToPath(new URL("./worker.mjs", import.meta.url));
/** Times of the worker in seconds, as short as the configuration allows. */
const TIMES = { LEASE_SECONDS: "1", STUCK_SECONDS: "2", UPKEEP_SECONDS: "1" };
/**
 * Looks at a conversation that nobody was killed in the middle of, after which it counts as stalled: ten times what the times above add up to. Looks and
 * not seconds, since a machine that is busy with other things slows down those who look as well.
 */
const STALLED = 400;
const POINTS = 24;
const DELAY_MS = 25;
const STANDBY = 2;
const PAGES = [2, 3];
const POLL_MS = 100;
/** Lines of the workers that a failure shows. */
const NOTICES = 20;

/** A generator with a seed, so that a run can be told from another. @param {number} seed */
export const seeded = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
};

/**
 * Plays stories until the worker was killed `points` times and the last story has ended; then one more, in peace.
 * @param {Pick<TestContext, "after">} t
 * @param {{ points: number, seed: number, tell?: (line: string) => void }} options
 */
export async function killLoop(t, { points, seed, tell = () => {} }) {
  const random = seeded(seed);
  const folder = temporaryFolder(/** @type {TestContext} */ (t));
  const [file, notesFile, mcpFile] = ["chat.sqlite", "notes.jsonl", "mcp.json"].map((name) => join(folder, name));
  const model = await startModel(t, random);
  const servers = { all: { url: await serveEverything(/** @type {TestContext} */ (t)) }, notes: { ...notesEntry(notesFile ?? ""), connectSeconds: 60 } };
  writeFileSync(mcpFile ?? "", JSON.stringify({ servers }));
  const host = await realHost(t, { env: { DATABASE_FILE: file ?? "", ...TIMES }, worker: false });
  const db = new Database(file, { timeout: 5000 });
  t.after(() => db.close());
  db.exec("create table page_audit (title text)");
  db.exec("create trigger page_watch after update on site_page begin insert into page_audit values (new.title); end");

  const env = { ...process.env, DATABASE_FILE: file, MCP_FILE: mcpFile, MODEL_URL: model.url, MODEL_NAME: "story", LOG_LEVEL: "debug", ...TIMES };
  const fate = () => [1 + Math.floor(random() * POINTS), Math.floor(random() * 2) * Math.floor(random() * DELAY_MS)];
  /** @type {string[]} */
  const notices = [];
  const notice = (/** @type {string} */ line) => void notices.push(`${new Date().toISOString()} ${line}`);
  const worker = killedWorker(t, env, points, fate, notice);
  /** @type {{ title: string, status: string, pages: number, notes: number }[]} */
  const stories = [];
  let told = 0;
  /** @param {number} page */
  const story = async (page) => {
    const title = `Story ${(told += 1)}`;
    const request = `Rename page ${page} to ${title} and note it.`;
    const counted = () => ({
      pages: Number(db.prepare("select count(*) from page_audit where title = ?").pluck().get(title)),
      notes: notes(notesFile ?? "").filter(({ text }) => text === title).length,
    });
    const { status, texts } = await playStory(host.editor, request, worker, counted);
    const ended = { title, status, ...counted() };
    stories.push(ended);
    check(ended, request, texts);
    if (model.lacking.length > 0)
      throw new Error(`${title}: the model was not offered every tool\n${[...model.lacking, ...notices.slice(-NOTICES)].join("\n")}`);
    tell(`${worker.kills.length} kills ${JSON.stringify(ended)}`);
    return ended;
  };
  /** Stories on one page, one after the other. @param {number} page */
  const lane = async (page) => {
    while (worker.kills.length < points) await story(page);
  };
  await Promise.all(PAGES.map(lane));
  // Whatever was left behind: a worker that lives plays a whole story.
  model.behave();
  const { status, pages, notes: noted } = await story(PAGES[0] ?? 0);
  if (status !== "idle" || pages !== 1 || noted !== 1) throw new Error(`after the kills: ${status}, ${pages} and ${noted} writes`);
  await worker.end();
  return { stories, kills: worker.kills, model: model.counts };
}

/**
 * A worker that is always there: it dies at a random point, and another one, which stood by, takes over, until it is told to be the last.
 * @param {Pick<TestContext, "after">} t
 * @param {NodeJS.ProcessEnv} env
 * @param {number} points how many die
 * @param {() => number[]} fate after how many points, and how many milliseconds later
 * @param {(line: string) => void} notice what cost a worker the tools of a server
 */
function killedWorker(t, env, points, fate, notice) {
  /** @type {string[]} */
  const kills = [];
  let stopping = false;
  /** @type {Promise<void> | null} The one that is at work, from when it is sent for. */
  let atWork = null;
  /** @type {Set<import("node:child_process").ChildProcess>} */
  const children = new Set();
  const spawned = () => {
    const child = spawn(process.execPath, [WORKER], { env, stdio: ["pipe", "pipe", "inherit"] });
    children.add(child);
    let point = "";
    const ready = new Promise((resolve) => {
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line === "ready") resolve(undefined);
        else if (line.startsWith("#")) notice(`worker ${child.pid}: ${line.slice(2)}`);
        else point = line.slice(2);
      });
    });
    child.once("exit", (code, signal) => {
      children.delete(child);
      if (stopping) return;
      if (signal !== "SIGKILL") throw new Error(`the worker ended by itself: ${code ?? signal}`);
      atWork = null;
      kills.push(point);
    });
    return { child, ready };
  };
  let left = points + 1; // the last one lives
  /** @type {ReturnType<typeof spawned>[]} */
  const waiting = [];
  const prepare = () => {
    while (waiting.length < STANDBY && left > 0) {
      left -= 1;
      waiting.push(spawned());
    }
  };
  const send = async () => {
    prepare();
    const next = waiting.shift();
    if (!next) throw new Error("more workers died than were to be killed");
    await next.ready;
    next.child.stdin?.write(`${(kills.length < points ? fate() : [0, 0]).join(" ")}\n`);
    prepare();
  };
  const end = async () => {
    stopping = true;
    const gone = [...children].map((child) => once(child, "exit"));
    for (const child of children) child.kill("SIGKILL");
    await Promise.all(gone);
  };
  t.after(end);
  return {
    kills,
    end,
    /** Sends one in where there is none. */
    async run() {
      atWork ??= send();
      await atWork;
    },
  };
}

/**
 * @param {Awaited<ReturnType<typeof realHost>>["editor"]} editor
 * @param {string} request
 * @param {ReturnType<typeof killedWorker>} worker
 * @param {() => { pages: number, notes: number }} counted
 */
async function playStory(editor, request, worker, counted) {
  const uid = await created(editor);
  await must(editor.post(`/api/conversations/${uid}/messages`, { content: request }));
  for (;;) {
    const body = await settled(editor, uid, worker);
    const { status } = body.conversation;
    const texts = body.messages.map((/** @type {{ role: string, content: string }} */ { role, content }) => `${role}: ${content}`);
    if (status === "awaiting_approval") await must(editor.post(`/api/conversations/${uid}/decision`, { approve: true, turnDigest: body.view.card.turnDigest }));
    // A run that was given up may have written: a person would look first. Here the counters tell.
    else if (status === "failed" && counted().pages + counted().notes === 0 && body.view.mayRetry)
      await must(editor.post(`/api/conversations/${uid}/retry`, {}));
    else return { status, texts };
  }
}

/**
 * Waits, with a worker, until the conversation is not busy.
 * @param {Awaited<ReturnType<typeof realHost>>["editor"]} editor
 * @param {number} uid
 * @param {ReturnType<typeof killedWorker>} worker
 * @returns {Promise<any>}
 */
async function settled(editor, uid, worker) {
  let looks = 0;
  for (let kills = worker.kills.length; ; looks += 1) {
    await worker.run();
    if (kills !== worker.kills.length) looks = 0;
    kills = worker.kills.length;
    const { body } = await editor.get(`/api/conversations/${uid}`);
    if (!body.view.busy) return body;
    if (looks > STALLED) throw new Error(`${JSON.stringify(body)} has stalled`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** @param {Promise<{ status: number, text: string }>} reply */
async function must(reply) {
  const { status, text } = await reply;
  // A card that came back in the meantime is decided the next time round.
  if (status >= 300 && status !== 409) throw new Error(`${status}: ${text}`);
}

/**
 * Nothing twice, nothing lost: what was said to be done is there, what is there was not said to be undone, and no message is gone.
 * @param {{ title: string, status: string, pages: number, notes: number }} story
 * @param {string} request
 * @param {string[]} texts
 */
function check({ title, status, pages, notes: noted }, request, texts) {
  const problem = (/** @type {string} */ what) => new Error(`${title}: ${what}\n${texts.join("\n")}`);
  if (pages > 1 || noted > 1) throw problem(`written ${pages} and ${noted} times`);
  if (texts.filter((text) => text === `user: ${request}`).length !== 1) throw problem("the request is not there once");
  if (status !== "idle") {
    if (status !== "failed") throw problem(`ended as ${status}`);
    return;
  }
  const answer = texts.at(-1) ?? "";
  const [, page = "", note = ""] = /ended\. Page: (.*) Note: (.*)$/s.exec(answer) ?? [];
  if (page === "") throw problem("no answer");
  for (const [what, count, text] of /** @type {const} */ ([
    ["page", pages, page],
    ["note", noted, note],
  ])) {
    // What was interrupted is said to be unknown; every other call took place, since its tool was there.
    if (count === 0 && !/unknown whether/.test(text)) throw problem(`the ${what} was not written, and nobody says so: ${text}`);
    if (count === 1 && /was not carried out|failed:/.test(text)) throw problem(`the ${what} was said not to be written, but is`);
  }
}
