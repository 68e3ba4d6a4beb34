/**
 * agent-turn: the public interface, version 1. Normative for names and shapes; `rules.md` gives the behaviour.
 * It may be extended; nothing here is renamed or removed. One npm package, `pkg/`, serves browsers (ES modules),
 * bundlers and Node with one WebAssembly binary:
 *
 *   import init, { ChatEngine, mapOutcome } from "agent-turn";
 *   await init();                       // idempotent; finds its binary by itself in browsers, bundlers and Node
 *   const engine = new ChatEngine(host, { taskUid: 7, extensionKey: "my_cms_chat" });
 *   await engine.runNext("worker-1");
 */

export default function init(source?: URL | string | Response | BufferSource | WebAssembly.Module, options?: { fresh?: boolean }): Promise<void>;
export function version(): string;

/* ---------------------------------------------------------------- values */

export type Uid = number | string;
export type MaybePromise<T> = T | Promise<T>;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type ConversationStatus = "idle" | "processing" | "locked" | "tool_loop" | "awaiting_approval" | "awaiting_input" | "failed";

export interface Message {
  role: "user" | "assistant" | "system" | "tool";
  content: string | Json[];
  /** RFC 3339, UTC. */
  createdAt?: string;
  files?: FileReference[];
  /** Older form of one file (rule N8). */
  fileUid?: Uid;
  fileName?: string;
  fileMimeType?: string;
  notice?: "nothingSaved" | "noAnswer" | "runFinishedOutside" | "alreadyWritten" | "guardrail" | (string & {});
  noticeArgs?: string[];
  besideToolCall?: true;
  clientId?: string;
  /** The digest of the decision or answer this line belongs to (rule D3). */
  decisionLine?: string;
  /** Whatever else the host stores is kept and never sent to the runtime unless it is a provider field (tool_calls, tool_call_id, name). */
  [key: string]: unknown;
}

export interface Conversation {
  uid: Uid;
  owner: Uid;
  title: string;
  messages: Message[];
  status: ConversationStatus;
  /** 0 when inserted, raised by one at every swap. */
  revision: number;
  claimId: string;
  errorMessage: string;
  errorCode: string;
  /** The run a waiting conversation waits on, "" otherwise. */
  runUuid: string;
  /** The run of this turn that was started last; kept when the turn settles, cleared by send and edit (rule S5). */
  lastRunUuid: string;
  decision: "" | "approve" | "deny" | "input";
  decidedBy: Uid | null;
  turnDigest: string;
  denyReason: "" | "variant" | "skip";
  pendingInput: { [field: string]: Json } | null;
  /** The conversation's own instructions; written by the host on its own, never by a turn. */
  systemPrompt: string;
  viewContext: { pageId?: Uid; module?: string; languageId?: number } | null;
  activity: ActivityEntry[];
  archived: boolean;
  pinned: boolean;
  /** Unix seconds. */
  createdAt: number;
  updatedAt: number;
}

export interface FileReference {
  fileUid: Uid;
  fileName: string;
  fileMimeType: string;
}

/** What one swap changes. Absent fields stay as stored; `messages` keeps the first `keep` and appends. */
export interface Patch extends Partial<Omit<Conversation, "uid" | "owner" | "messages" | "revision" | "systemPrompt" | "createdAt">> {
  messages?: { keep: number; append: Message[] };
}

export interface ActivityEntry {
  kind: "llm" | "tool" | "approval" | "input";
  round: number;
  ms: number;
  tool?: string;
  error?: boolean;
  approved?: boolean;
}

/* ---------------------------------------------------------------- what the host supplies */

export interface Host {
  storage: Storage;
  runtime: Runtime;
  /** null: there is no such task. */
  resolveTask(taskUid: Uid, actor: Actor): MaybePromise<Task | null>;
  /** null: the file is gone or may not be read. */
  readFile?(fileUid: Uid, actor: Actor): MaybePromise<FileContent | null>;
  /** Extra system prompt material for this turn. */
  promptContext?(conversation: Conversation, actor: Actor): MaybePromise<PromptContext>;
  /** Default: the owner may do everything with the own conversation, nobody else anything. */
  mayAct?(actor: Actor, conversation: Conversation, action: "read" | "write" | "decide"): MaybePromise<boolean>;
  /** Admin flag and groups of a user (the owner, or whoever decided); default: a plain user with no groups. */
  actorOf?(uid: Uid): MaybePromise<Actor>;
  log?(level: "debug" | "info" | "warn" | "error", message: string, context: Record<string, unknown>): void;
  /** Unix milliseconds; default Date.now. */
  now?(): number;
  /** Default crypto.randomUUID. */
  uuid?(): string;
}

export interface Storage {
  load(uid: Uid): MaybePromise<Conversation | null>;
  /** Optional, for cheap polls: the row with the messages from index `after` on only. */
  loadSince?(uid: Uid, after: number): MaybePromise<(Conversation & { messageCount: number }) | null>;
  insert(conversation: Omit<Conversation, "uid">): MaybePromise<Uid>;
  /** Atomic: applied, and the revision raised by one, only if the stored revision equals `revision`. */
  swap(uid: Uid, revision: number, patch: Patch): MaybePromise<boolean>;
  /** Refreshes updatedAt (and activity) only while the row is locked by this claim; leaves the revision alone. */
  touch(uid: Uid, claimId: string, updatedAt: number, activity?: ActivityEntry[]): MaybePromise<boolean>;
  /** Uids in one of the statuses, oldest updatedAt first. */
  find(query: {
    statuses?: ConversationStatus[];
    owner?: Uid;
    archived?: boolean;
    pinned?: boolean;
    updatedBefore?: number;
    limit: number;
  }): MaybePromise<Uid[]>;
  /** Removes the conversation and its messages if the stored revision equals `revision`. */
  remove(uid: Uid, revision: number): MaybePromise<boolean>;
}

export interface Runtime {
  run(request: RunRequest, onStep: (step: RunStep) => void): MaybePromise<RunResult>;
  approve(actor: Actor, runUuid: string, decision: ApprovalDecision, onStep: (step: RunStep) => void): MaybePromise<RunResult>;
  submitInput(actor: Actor, runUuid: string, submission: InputSubmission, onStep: (step: RunStep) => void): MaybePromise<RunResult>;
  /** null: unknown, forbidden or unreadable; never read as "gone". */
  status(actor: Actor, runUuid: string): MaybePromise<{ status: RunStatus } | null>;
  /** The settled or paused result of a run, where it is kept; null where it is not. */
  result?(actor: Actor, runUuid: string): MaybePromise<RunResult | null>;
  waitingView?(actor: Actor, runUuid: string): MaybePromise<WaitingView | null>;
  events?(actor: Actor, runUuid: string): MaybePromise<RunEvent[]>;
  cancelIfWaiting?(actor: Actor, runUuid: string): MaybePromise<{ cancelled: boolean; status: RunStatus | null }>;
}

export type RunStatus = "queued" | "running" | "waiting_for_approval" | "waiting_for_input" | "completed" | "failed" | "cancelled";

export interface Actor {
  uid: Uid;
  isAdmin: boolean;
  groups: Uid[];
}

export interface Task {
  uid: Uid;
  promptTemplate: string;
  configuration: LlmConfiguration | null;
}
export interface LlmConfiguration {
  uid: Uid;
  name: string;
  systemPrompt: string;
  /** false: switched off; default true. */ active?: boolean;
  /** false: this actor may not use it; default true. */ allowed?: boolean;
  /** What the provider takes; default neither. */ accepts?: { images?: boolean; documents?: boolean; repeatedRoles?: boolean };
  [key: string]: unknown;
}

export interface RunRequest {
  /** Announced by the engine (rule T7); a runtime that can adopts it as the run's uuid. */
  runUuid: string;
  configuration: LlmConfiguration;
  messages: WireMessage[];
  /** The owner of the conversation, as `actorOf` describes them. */
  actor: Actor;
  allowedToolNames: null;
  options: { callerSource: { extension: string; operation: "chatTurn" | "resumeChatTurn" } };
}
export interface WireMessage {
  role: Message["role"];
  content: string | WirePart[];
  tool_calls?: Json[];
  tool_call_id?: string;
  name?: string;
}
export type WirePart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "document"; source: { type: "base64"; media_type: string; data: string } };

export interface RunResult {
  /** completed, awaiting_approval, awaiting_input, failed, guardrail_blocked, guardrail_approval_required, suspend_failed, cancelled, requeued, lease_lost, or one that is not known yet. */
  outcome: string;
  runUuid: string;
  steps?: RunStep[];
  loopResult?: { finalContent: string; terminationReason?: string; truncated?: boolean } | null;
  suspendedState?: { inputSchema?: Json; turnDigest?: string } | null;
  guardrailClass?: string | null;
  error?: RunError | null;
}
/** A JS Error fits: name, message, code and cause are read. */
export interface RunError {
  name?: string;
  code?: string;
  message: string;
  cause?: RunError | null;
}
export interface RunStep {
  kind: "request" | "llm" | "tool" | "tool_write" | (string & {});
  round: number;
  durationMs?: number;
  content?: string;
  requestedToolCalls?: Json[];
  toolName?: string;
  toolIsError?: boolean;
  writeTargetTable?: string;
  writeTargetUid?: number;
}
export interface RunEvent {
  kind: string;
  round?: number;
  payload: { [key: string]: Json };
}
export interface ApprovalDecision {
  approved: boolean;
  decidedBy: Uid;
  turnDigest: string;
  denyReason?: "variant" | "skip";
}
export interface InputSubmission {
  data: { [field: string]: Json };
  submittedBy: Uid;
  turnDigest: string;
}

export type RefusalReason =
  | "staleTurn"
  | "alreadyResuming"
  | "notPermitted"
  | "configurationInactive"
  | "notAwaiting"
  | "invalidInput"
  | "selfApprovalDenied"
  | "notAuditable"
  | "processVerdictUnreadable"
  | "onlyInitiatorMayDecide"
  | "secondApproverRequired";
/** What approve() and submitInput() throw or reject with when the runtime refuses. Any error with a `reason` of the list counts. */
export class RunRefused extends Error {
  constructor(reason: RefusalReason, message?: string);
  reason: RefusalReason;
}

export interface WaitingView {
  runUuid: string;
  mode: "approval" | "input" | "unreadable";
  turnDigest: string | null;
  pendingCalls: PendingCall[];
  inputSchema?: Json;
  /** Unix seconds; absent: never. */
  expiresAt?: number;
  unreadableReason?: string | null;
}
export interface PendingCall {
  name: string;
  arguments: Json;
  label?: string;
  previewLines?: string[];
  previewFailed?: boolean;
  previewStale?: boolean;
  declaresWrite?: boolean;
  target?: { table: string; uid: Uid; title?: string } | null;
}

export interface FileContent {
  name: string;
  identifier: string;
  mimeType: string;
  /** One of the two. */ base64?: string;
  bytes?: Uint8Array;
  /** Plain text for providers that take no documents. */ extractedText?: string | null;
}
export interface PromptContext {
  siteLanguages?: { uid: number; title: string; isoCode: string; isDefault: boolean }[];
  unavailableTools?: { name: string; reason: string }[];
  openPoints?: string;
  user?: { language?: string; module?: string; page?: { uid: Uid; title: string } | null };
}

/* ---------------------------------------------------------------- pure rules (no host, no promise) */

export type RuleSet = "current" | "withoutPauses";

/** Section 4. The patch to swap in; the conversation is not changed. `now`: Unix milliseconds. */
export function mapOutcome(conversation: Conversation, result: RunResult, options?: { ruleSet?: RuleSet; now?: number }): Patch;
/** Section 5, table D7. `kind` is what was being carried out. */
export function mapRefusal(conversation: Conversation, refusal: { reason: RefusalReason; message?: string }, kind: "approval" | "input"): Patch;
/** Section 7. `files` holds what `readFile` gave per fileUid (null: gone). Throws AgentTurnError `attachmentUnsupported`. */
export function buildTranscript(input: {
  conversation: Pick<Conversation, "messages" | "systemPrompt">;
  task: Task;
  identityPrompt?: string;
  context?: PromptContext;
  files?: Record<string, FileContent | null>;
  attachmentBudget?: number;
}): WireMessage[];
export function statusRules(status: string): { known: boolean; busy: boolean; waiting: boolean; resumable: boolean };
export function mayTransition(from: string, to: string, ruleSet?: RuleSet): boolean;
export function sanitizeError(text: string, maxLength?: number): string;
export function inputForm(schema: unknown): InputForm;
/** null: not an answer this form offers. */
export function answerForm(schema: unknown, answer: Answer, words?: { yes: string; no: string }): { data: { [field: string]: Json }; display: string } | null;
export function isContinueIntent(text: string): boolean;
export function claimsChange(text: string): boolean;
export function present(conversation: Conversation, reader: Reader, waiting?: WaitingView | null, options?: { now?: number }): ConversationView;

export interface InputForm {
  kind: "choice" | "form" | "unsupported";
  question: string;
  options: { value: string | number | boolean; label: string }[];
  freeText: boolean;
  fields: {
    name: string;
    label: string;
    type: "text" | "integer" | "number" | "boolean" | "select";
    required: boolean;
    description: string;
    options: { value: string | number | boolean; label: string }[];
  }[];
}
export type Answer = { choice: Json } | { freeText: string } | { fields: { [name: string]: Json } };

export interface Reader {
  uid: Uid;
  isAdmin: boolean;
  mayDecide: boolean /** Default: the owner. */;
  mayWrite?: boolean;
}
export interface ConversationView {
  busy: boolean;
  maySend: boolean;
  mayRetry: boolean;
  /** Label keys with their arguments, in the order they are shown. */
  notices: { key: string; args: string[] }[];
  card: { turnDigest: string; calls: PendingCall[]; stale: boolean; expired: boolean; unreadable: string | null } | null;
  form: (InputForm & { turnDigest: string }) | null;
  pointsToRun: boolean;
  /** Milliseconds until the next poll; 0: nothing will change by itself. */
  pollAfter: number;
}

/* ---------------------------------------------------------------- the engine (drives the host) */

export interface Settings {
  taskUid: Uid;
  extensionKey: string;
  ruleSet?: RuleSet;
  identityPrompt?: string;
  maxMessageLength?: number;
  maxFilesPerConversation?: number;
  maxActivePerOwner?: number;
  attachmentBudget?: number;
  graceSeconds?: number;
  stuckAfterSeconds?: number;
  queueTimeoutSeconds?: number;
  abandonAfterSeconds?: number;
  autoArchiveDays?: number;
  deleteAfterDays?: number;
  locale?: string;
}

export type Reply<T> = ({ ok: true } & T) | { ok: false; httpStatus: number; code: string };
export interface TurnReport {
  /** settled: the conversation was written; superseded: a newer turn owns it, `result` is all there is; notClaimed: nothing was done. */
  outcome: "settled" | "handedBack" | "superseded" | "notClaimed";
  uid: Uid;
  status: ConversationStatus | null;
  errorCode: string;
  runUuid: string;
  result?: RunResult;
}

export class ChatEngine {
  constructor(host: Host, settings: Settings);
  free(): void;

  // requests
  createConversation(actor: Actor, input?: { title?: string; systemPrompt?: string; viewContext?: Conversation["viewContext"] }): Promise<Reply<{ uid: Uid }>>;
  sendMessage(
    uid: Uid,
    actor: Actor,
    input: { content: string; clientId?: string; files?: FileReference[]; viewContext?: Conversation["viewContext"] },
  ): Promise<Reply<{ status: ConversationStatus }>>;
  editMessage(
    uid: Uid,
    actor: Actor,
    index: number,
    input: { content: string; expectedContent: string; messageCount: number },
  ): Promise<Reply<{ status: ConversationStatus }>>;
  recordDecision(
    uid: Uid,
    actor: Actor,
    decision: { approve: boolean; turnDigest: string; denyReason?: "variant" | "skip"; display?: string },
  ): Promise<Reply<{ status: ConversationStatus }>>;
  recordInput(uid: Uid, actor: Actor, answer: Answer & { turnDigest: string }): Promise<Reply<{ status: ConversationStatus }>>;
  retry(uid: Uid, actor: Actor): Promise<Reply<{ status: ConversationStatus }>>;
  endProcess(uid: Uid, actor: Actor): Promise<Reply<{ status: ConversationStatus }>>;
  /** Messages from `after` on, with the view; reconciles first where section 9 says so. A conversation the actor may not read: 404, like one that does not exist. */
  poll(
    uid: Uid,
    actor: Actor,
    after?: number,
  ): Promise<Reply<{ conversation: Omit<Conversation, "messages">; messages: Message[]; messageCount: number; truncated: boolean; view: ConversationView }>>;

  // consumers
  claim(uid: Uid): Promise<string | null>;
  processConversation(uid: Uid, claimId?: string): Promise<TurnReport>;
  resumeConversation(uid: Uid, claimId?: string): Promise<TurnReport>;
  /** Claims the oldest waiting conversation and carries it out; null: nothing to do. */
  runNext(workerId: string): Promise<TurnReport | null>;
  reconcile(uid: Uid): Promise<boolean>;
  cleanup(): Promise<{ timedOut: number; archived: number; removed: number }>;
}

/** What malformed arguments and broken host callbacks raise; `code` is stable. */
export class AgentTurnError extends Error {
  code: string;
  cause?: unknown;
}
