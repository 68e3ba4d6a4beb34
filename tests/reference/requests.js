// Section 10: the requests of a person that enter a turn.
import { ACTIVE, applied, becameOf, keptResult, mapWithEvents, noticeLine } from "./authority.js";
import { filesOf } from "./files.js";
import { noDecision } from "./outcome.js";
import { isContinueIntent } from "./phrases.js";
import { BUSY, statusRules } from "./status.js";
import { codePoints, demand, isBlank, isObject, isUid, refuseDepth, storable, textOr, timeText, titleOf, trim } from "./values.js";
import { writesOfEvents } from "./writes.js";

/** @typedef {Record<string, any>} Row */
/** @typedef {import("./host.js").Port} Port */

const PROMPT_LENGTH = 10000;

/** @param {number} ms */
export const seconds = (ms) => Math.floor(ms / 1000);
/** @param {number} httpStatus @param {string} code */
export const refusal = (httpStatus, code) => ({ ok: false, httpStatus, code });
/** @param {unknown} actor */
export const demandActor = (actor) => demand(isObject(actor) && isUid(/** @type {any} */ (actor).uid), "actor");

/** N6: who may not read gets what a missing row gives. @param {Port} port @param {any} uid @param {any} actor @param {"write" | "decide"} action @returns {Promise<{ row: Row, refused?: undefined } | { row?: undefined, refused: Row }>} */
export async function open(port, uid, actor, action) {
  const row = await port.load(uid);
  if (!row || !(await port.mayAct(actor, row, "read"))) return { refused: refusal(404, "notFound") };
  if (!(await port.mayAct(actor, row, action))) return { refused: refusal(403, "forbidden") };
  return { row };
}

/** What every request that enters `processing` writes (S5, S6, C6). @param {number} now */
export const queued = (now) => ({ status: "processing", claimId: "", errorMessage: "", errorCode: "", updatedAt: seconds(now) });

/** A new turn leaves the old run behind (S5, G2, V6). @param {number} now */
const newTurn = (now) => ({ ...queued(now), ...noDecision(), runUuid: "", lastRunUuid: "", activity: [], archived: false });

/** @param {Port} port @param {any} actor @param {any} input N0 */
export async function createConversation(port, actor, input = {}) {
  demandActor(actor);
  demand(isObject(input), "input");
  for (const key of ["title", "systemPrompt"]) demand(input[key] === undefined || typeof input[key] === "string", key);
  demand(input.viewContext === undefined || input.viewContext === null || isObject(input.viewContext), "viewContext");
  refuseDepth(actor, input);
  const systemPrompt = storable(input.systemPrompt ?? "");
  if (codePoints(systemPrompt) > PROMPT_LENGTH) return refusal(400, "promptTooLong");
  const at = seconds(await port.now());
  const row = {
    owner: actor.uid,
    title: titleOf(input.title ?? ""),
    messages: [],
    status: "idle",
    revision: 0,
    claimId: "",
    errorMessage: "",
    errorCode: "",
    runUuid: "",
    lastRunUuid: "",
    ...noDecision(),
    systemPrompt,
    viewContext: input.viewContext ?? null,
    activity: [],
    archived: false,
    pinned: false,
    createdAt: at,
    updatedAt: at,
  };
  return { ok: true, uid: await port.insert(row) };
}

/** N5. @param {Row} row @param {string | undefined} clientId */
function firstReply(row, clientId) {
  if (clientId === undefined || clientId === "") return null;
  const at = row.messages.findIndex((/** @type {any} */ m) => isObject(m) && m.clientId === clientId);
  if (at < 0) return null;
  return { ok: true, status: row.messages[at + 1]?.notice === "runFinishedOutside" ? "idle" : "processing" };
}

/** @param {Port} port @param {string} content */
function badContent(port, content) {
  if (isBlank(content)) return refusal(400, "messageEmpty");
  return codePoints(content) > port.settings.maxMessageLength ? refusal(400, "messageTooLong") : null;
}

/** @param {Port} port @param {Row} row */
async function tooManyActive(port, row) {
  const most = port.settings.maxActivePerOwner;
  if (most === 0) return null;
  const busy = await port.find({ statuses: BUSY, owner: row.owner, limit: most });
  return busy.length >= most ? refusal(429, "tooManyActive") : null;
}

/** @param {Port} port @param {Row} row @param {any[]} files */
async function badFiles(port, row, files) {
  if (files.length === 0) return null;
  const stored = row.messages.filter(isObject).reduce((/** @type {number} */ n, /** @type {any} */ m) => n + filesOf(m).length, 0);
  if (stored + files.length > port.settings.maxFilesPerConversation) return refusal(400, "tooManyFiles");
  if (!port.host.readFile) return null;
  const owner = await port.actorOf(row.owner);
  for (const { fileUid } of files) {
    if (!(await port.readFile(fileUid, owner))) return refusal(404, "fileUnavailable");
  }
  return null;
}

/** N2: the run that is left behind is withdrawn; null: the way is free. @param {Port} port @param {Row} row */
export async function leaveRun(port, row) {
  const waiting = statusRules(row.status).waiting;
  const run = waiting ? row.runUuid : row.status === "failed" ? row.lastRunUuid : "";
  if (run === "" || typeof port.host.runtime.cancelIfWaiting !== "function") return null;
  const { value } = await port.quiet("cancelIfWaiting", await port.actorOf(row.owner), run);
  const alive = isObject(value) && ACTIVE.includes(textOr(value.status));
  if (!alive) return null;
  const believed = waiting || seconds(await port.now()) - row.updatedAt < port.settings.abandonAfterSeconds;
  return believed ? refusal(409, "busy") : null;
}

/** C1: a lost swap. @param {Port} port @param {any} uid @param {string} [clientId] */
export async function lost(port, uid, clientId) {
  const row = await port.load(uid);
  return (row && firstReply(row, clientId)) || refusal(409, "conflict");
}

/** @param {any} input */
function demandMessage(input) {
  demand(isObject(input) && typeof input.content === "string", "input");
  demand(input.clientId === undefined || typeof input.clientId === "string", "clientId");
  demand(input.files === undefined || (Array.isArray(input.files) && input.files.every((/** @type {any} */ f) => isObject(f) && isUid(f.fileUid))), "files");
  demand(input.viewContext === undefined || input.viewContext === null || isObject(input.viewContext), "viewContext");
}

/** @param {any} input @param {string} content @param {number} now */
function userMessage(input, content, now) {
  const files = (input.files ?? []).map((/** @type {any} */ f) => ({
    fileUid: f.fileUid,
    fileName: storable(textOr(f.fileName)),
    fileMimeType: storable(textOr(f.fileMimeType)),
  }));
  return {
    role: "user",
    content,
    createdAt: timeText(now),
    ...(input.clientId ? { clientId: input.clientId } : {}),
    ...(files.length > 0 ? { files } : {}),
  };
}

/** N1 to N8. @param {Port} port @param {any} uid @param {any} actor @param {any} input */
export async function sendMessage(port, uid, actor, input) {
  demand(isUid(uid), "uid");
  demandActor(actor);
  demandMessage(input);
  refuseDepth(actor, input);
  const opened = await open(port, uid, actor, "write");
  if (opened.refused) return opened.refused;
  const { row } = opened;
  const again = firstReply(row, input.clientId);
  if (again) return again;
  const content = trim(storable(input.content));
  const files = input.files ?? [];
  const bad = badContent(port, content) ?? (await badFiles(port, row, files));
  if (bad) return bad;
  if (statusRules(row.status).busy) return refusal(409, "busy");
  const now = await port.now();
  const own = {
    messages: { keep: row.messages.length, append: [userMessage(input, content, now)] },
    ...titled(row, content),
    ...(input.viewContext === undefined ? {} : { viewContext: input.viewContext }),
  };
  if (row.status === "awaiting_approval" && files.length === 0 && row.runUuid !== "" && isContinueIntent(content)) {
    const reply = await goOn(port, row, own, now, input.clientId);
    if (reply) return reply;
  }
  const stopped = (await tooManyActive(port, row)) ?? (await leaveRun(port, row));
  if (stopped) return stopped;
  return (await port.swap(row, { ...newTurn(now), ...own })) ? { ok: true, status: "processing" } : lost(port, uid, input.clientId);
}

/** N1. @param {Row} row @param {string} content */
function titled(row, content) {
  if (row.title !== "" || row.messages.some((/** @type {any} */ m) => isObject(m) && m.role === "user")) return {};
  return { title: titleOf(content) };
}

/**
 * N2: "go on" while a card is shown; null: an ordinary turn.
 * @param {Port} port @param {Row} row @param {Row} own @param {number} now @param {string} [clientId]
 */
async function goOn(port, row, own, now, clientId) {
  const actor = await port.actorOf(row.owner);
  const became = await becameOf(port, actor, row.runUuid);
  if (became.kind === "waiting") return refusal(409, "approvalStillPending");
  if (became.kind === "active") return refusal(409, "busy");
  if (became.kind === "unknown") return null;
  const { value } = await port.quiet("events", actor, row.runUuid);
  const line = noticeLine("runFinishedOutside", writesOfEvents(value).names, now);
  const result = became.status === "completed" ? await keptResult(port, actor, row.runUuid, "completed") : null;
  const append = [...own.messages.append, line];
  const told = applied(row, { messages: { keep: row.messages.length, append } });
  const answer = result && (await mapWithEvents(port, actor, told, result, now));
  if (answer?.status === "idle") append.push(...answer.messages.append);
  const patch = {
    ...own,
    status: "idle",
    runUuid: "",
    ...(answer?.lastRunUuid ? { lastRunUuid: answer.lastRunUuid } : {}),
    ...noDecision(),
    claimId: "",
    errorMessage: "",
    errorCode: "",
    activity: [],
    archived: false,
    updatedAt: seconds(now),
    messages: { keep: row.messages.length, append },
  };
  return (await port.swap(row, patch)) ? { ok: true, status: "idle" } : lost(port, row.uid, clientId);
}

/** N3. @param {Port} port @param {any} uid @param {any} actor @param {any} index @param {any} input */
export async function editMessage(port, uid, actor, index, input) {
  demand(isUid(uid), "uid");
  demandActor(actor);
  demand(Number.isSafeInteger(index) && index >= 0, "index");
  demand(
    isObject(input) && typeof input.content === "string" && typeof input.expectedContent === "string" && Number.isSafeInteger(input.messageCount),
    "input",
  );
  refuseDepth(actor, input);
  const opened = await open(port, uid, actor, "write");
  if (opened.refused) return opened.refused;
  const { row } = opened;
  const content = trim(storable(input.content));
  const bad = badContent(port, content);
  if (bad) return bad;
  if (statusRules(row.status).busy) return refusal(409, "busy");
  const crowded = await tooManyActive(port, row);
  if (crowded) return crowded;
  if (input.messageCount !== row.messages.length || index >= row.messages.length) return refusal(409, "editStale");
  const old = row.messages[index];
  if (!isObject(old) || old.role !== "user" || typeof old.content !== "string") return refusal(400, "notEditable");
  if (old.content !== input.expectedContent) return refusal(409, "editStale");
  const now = await port.now(); // before the run is withdrawn: without a clock nothing could be written
  const stopped = await leaveRun(port, row);
  if (stopped) return stopped;
  const { notice, noticeArgs, decisionLine, clientId, ...kept } = old;
  const edited = { ...kept, content, createdAt: timeText(now) };
  const first = row.messages.findIndex((/** @type {any} */ m) => isObject(m) && m.role === "user") === index;
  const title = first && row.title === titleOf(old.content) ? { title: titleOf(content) } : {};
  return (await port.swap(row, { ...newTurn(now), ...title, messages: { keep: index, append: [edited] } }))
    ? { ok: true, status: "processing" }
    : lost(port, uid);
}
