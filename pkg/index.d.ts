/**
 * agent-turn: the public interface, version 1. Rule numbers in the comments point to docs/rules.md.
 * It may be extended; nothing here is renamed or removed. One npm package, `pkg/`, serves browsers (ES modules),
 * bundlers and Node with one WebAssembly binary:
 *
 *   import init, { ChatEngine, mapOutcome } from "agent-turn";
 *   await init();                       // idempotent; finds its binary by itself in browsers, bundlers and Node
 *   const engine = new ChatEngine(host, { taskUid: 7, extensionKey: "my_cms_chat" });
 *   await engine.runNext("worker-1");
 */

export default function init(source?: URL | string | Response | BufferSource | WebAssembly.Module, options?: { fresh?: boolean }): Promise<void>;
/** The version of the component, as in the package. @throws AgentTurnError `notInitialized`, `poisoned` */
export function version(): string;

/* ---------------------------------------------------------------- values */

/** An identifier of the host; compared as text, so 7 and "7" are one (rule C8). */
export type Uid = number | string;
/** A host callback may answer either; both are awaited (rule C7). */
export type MaybePromise<T> = T | Promise<T>;
/** What survives `JSON.stringify`. At most 64 levels deep, 64 MiB of text (rule W4). */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** See rule S1; the groups are what `statusRules` answers. */
export type ConversationStatus = "idle" | "processing" | "locked" | "tool_loop" | "awaiting_approval" | "awaiting_input" | "failed";

/** One stored message. Unknown fields are kept and never sent to the runtime (rules M3, O11). */
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

/** One stored row. Decision fields are set and cleared together (rule S5), error message and code are written together (rule S6). */
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

/** A file of the host that hangs on a message (rule N8); its content is read with `Host.readFile` when a turn needs it. */
export interface FileReference {
  fileUid: Uid;
  fileName: string;
  fileMimeType: string;
}

/** What one swap changes. Absent fields stay as stored; `messages` keeps the first `keep` and appends. */
export interface Patch extends Partial<Omit<Conversation, "uid" | "owner" | "messages" | "revision" | "systemPrompt" | "createdAt">> {
  messages?: { keep: number; append: Message[] };
}

/** One line of the activity list: no arguments, no results; `ms` is milliseconds (rule V6). */
export interface ActivityEntry {
  kind: "llm" | "tool" | "approval" | "input";
  round: number;
  ms: number;
  tool?: string;
  error?: boolean;
  approved?: boolean;
}

/* ---------------------------------------------------------------- what the host supplies */

/** What the host supplies. What happens when a callback throws, rejects, answers nonsense or is missing: rule W4. */
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

/** Where conversations are. `swap`, `touch` and `remove` answer booleans (rules C1, C5). */
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

/** What drives the model over tools. Functions marked optional let a chat recover more by itself (rules K2, R2a). */
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

/** Where a run stands; the last three are terminal. */
export type RunStatus = "queued" | "running" | "waiting_for_approval" | "waiting_for_input" | "completed" | "failed" | "cancelled";

/** A user as the host describes them. */
export interface Actor {
  uid: Uid;
  isAdmin: boolean;
  groups: Uid[];
}

/** What a chat is configured to do; its prompt template is a section of the system prompt (rule M2). */
export interface Task {
  uid: Uid;
  promptTemplate: string;
  configuration: LlmConfiguration | null;
}
/** A model configuration; handed to the runtime as it is. */
export interface LlmConfiguration {
  uid: Uid;
  name: string;
  systemPrompt: string;
  /** false: switched off; default true. */ active?: boolean;
  /** false: this actor may not use it; default true. */ allowed?: boolean;
  /** What the provider takes; default neither. */ accepts?: { images?: boolean; documents?: boolean; repeatedRoles?: boolean };
  [key: string]: unknown;
}

/** What `Runtime.run` is called with (rules T4, A1). */
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
/** A message as the runtime gets it: only what providers know (rule M3). */
export interface WireMessage {
  role: Message["role"];
  content: string | WirePart[];
  tool_calls?: Json[];
  tool_call_id?: string;
  name?: string;
}
/** One part of a message with attachments (rule M6). */
export type WirePart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "document"; source: { type: "base64"; media_type: string; data: string } };

/** The settled or paused result of a run; what each outcome means for a conversation: section 4 of the rules. */
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
/** One step of a run, reported while it goes on. `round` counts from 1, `durationMs` is milliseconds. */
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
/** One stored event of a run; payload keys that are looked at: rule V7. */
export interface RunEvent {
  kind: string;
  round?: number;
  payload: { [key: string]: Json };
}
/** What a person decided, as the runtime gets it (rule D6). */
export interface ApprovalDecision {
  approved: boolean;
  decidedBy: Uid;
  turnDigest: string;
  denyReason?: "variant" | "skip";
}
/** What a person answered, as the runtime gets it (rule D6). */
export interface InputSubmission {
  data: { [field: string]: Json };
  submittedBy: Uid;
  turnDigest: string;
}

/** Why a runtime refuses a decision or an answer; each has a code (table in rule D7). */
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

/** What a waiting run shows to who looks (rules V2, V3). */
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
/** One call that waits for a decision; shown with its invisible characters made visible (rule V3a). */
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

/** What `readFile` gives; the type is read from the first bytes (rule M6a). */
export interface FileContent {
  name: string;
  identifier: string;
  mimeType: string;
  /** One of the two. */ base64?: string;
  bytes?: Uint8Array;
  /** Plain text for providers that take no documents. */ extractedText?: string | null;
}
/** What the host knows about site and user, for the system prompt of one turn (rule M2). */
export interface PromptContext {
  siteLanguages?: { uid: number; title: string; isoCode: string; isDefault: boolean }[];
  unavailableTools?: { name: string; reason: string }[];
  openPoints?: string;
  user?: { language?: string; module?: string; page?: { uid: Uid; title: string } | null };
}

/* ---------------------------------------------------------------- pure rules (no host, no promise) */

/** Rule S7. */
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
/** The groups of a status (rules S2, S3). */
export function statusRules(status: string): { known: boolean; busy: boolean; waiting: boolean; resumable: boolean };
/** Whether the engine may go from one status to another (rules S4, S7); false for unknown names. */
export function mayTransition(from: string, to: string, ruleSet?: RuleSet): boolean;
/** An error message that a person may read (rule E1). `maxLength` in code points, default 500. Sanitizing twice changes nothing. */
export function sanitizeError(text: string, maxLength?: number): string;
/** What a reader gets of a question's schema (rules F1-F5, F7); what cannot be shown is of kind `unsupported`. */
export function inputForm(schema: unknown): InputForm;
/** null: not an answer this form offers. */
export function answerForm(schema: unknown, answer: Answer, words?: { yes: string; no: string }): { data: { [field: string]: Json }; display: string } | null;
/** Whether a message is nothing but "go on" or "I approved it", in English or German (rules N2, V8). */
export function isContinueIntent(text: string): boolean;
/** Whether an answer claims a finished change, in English or German (rules V7, V8). */
export function claimsChange(text: string): boolean;
/**
 * What this reader sees of a conversation: the only place that decides it (section 11). `now`: Unix milliseconds; without it no card counts as expired.
 * @throws AgentTurnError `unknownStatus`, `invalidArgument`, `tooDeep`, `tooLarge`
 */
export function present(conversation: Conversation, reader: Reader, waiting?: WaitingView | null, options?: { now?: number }): ConversationView;

/** A question as controls: reply buttons (`options`), or one field per property (`fields`), or neither. */
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
/** An answer names exactly one of these, the one of the form's kind (rule F6). */
export type Answer = { choice: Json } | { freeText: string } | { fields: { [name: string]: Json } };

/** Who looks. */
export interface Reader {
  uid: Uid;
  isAdmin: boolean;
  mayDecide: boolean /** Default: the owner. */;
  mayWrite?: boolean;
}
/** What a reader sees; label keys, never sentences (rule V4). */
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

/** What a host configures. Lengths in code points, times in seconds or days as named; defaults: rules N6, M6a, K1, G1, G2. */
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

/** The answer of a request. A refusal is a value with the HTTP status to answer and a code of rule N6. */
export type Reply<T> = ({ ok: true } & T) | { ok: false; httpStatus: number; code: string };
/** What became of a consumer's call (rules T9, C6). */
export interface TurnReport {
  /** settled: the conversation was written; superseded: a newer turn owns it, `result` is all there is; notClaimed: nothing was done. */
  outcome: "settled" | "handedBack" | "superseded" | "notClaimed";
  uid: Uid;
  status: ConversationStatus | null;
  errorCode: string;
  runUuid: string;
  result?: RunResult;
}

/**
 * The operations over one host. Requests answer a reply and carry nothing out; consumers carry out what requests queued.
 * Every method rejects with AgentTurnError: `invalidArgument`, `tooDeep`, `tooLarge` before anything is loaded; `host.<callback>` where the host fails
 * (rule W4); `unknownStatus` for a row nobody understands (rule S3); `notInitialized`, `freed`, `poisoned` where there is no component to ask.
 */
export class ChatEngine {
  constructor(host: Host, settings: Settings);
  /** Calls in flight still settle, later ones reject with `freed`; may be called twice (rule W7). */
  free(): void;

  // requests
  /** A conversation at rest, owned by the actor (rule N0). */
  createConversation(actor: Actor, input?: { title?: string; systemPrompt?: string; viewContext?: Conversation["viewContext"] }): Promise<Reply<{ uid: Uid }>>;
  /** Stores a message and queues a turn (rules N1, N2, N5, N6). */
  sendMessage(
    uid: Uid,
    actor: Actor,
    input: { content: string; clientId?: string; files?: FileReference[]; viewContext?: Conversation["viewContext"] },
  ): Promise<Reply<{ status: ConversationStatus }>>;
  /** Replaces one of the user's own messages, drops what follows and queues a turn (rule N3). */
  editMessage(
    uid: Uid,
    actor: Actor,
    index: number,
    input: { content: string; expectedContent: string; messageCount: number },
  ): Promise<Reply<{ status: ConversationStatus }>>;
  /** Records a decision about the card with this digest; a consumer carries it out (rules D1, D4). */
  recordDecision(
    uid: Uid,
    actor: Actor,
    decision: { approve: boolean; turnDigest: string; denyReason?: "variant" | "skip"; display?: string },
  ): Promise<Reply<{ status: ConversationStatus }>>;
  /** Records an answer that the question offers; a consumer carries it out (rules D2, F6). */
  recordInput(uid: Uid, actor: Actor, answer: Answer & { turnDigest: string }): Promise<Reply<{ status: ConversationStatus }>>;
  /** Queues the turn once more, unless its last run still lives (rules R1, R2a). */
  retry(uid: Uid, actor: Actor): Promise<Reply<{ status: ConversationStatus }>>;
  /** Ends a guided process while it waits (rule N7). */
  endProcess(uid: Uid, actor: Actor): Promise<Reply<{ status: ConversationStatus }>>;
  /** Messages from `after` on, with the view; reconciles first where section 9 says so. A conversation the actor may not read: 404, like one that does not exist. */
  poll(
    uid: Uid,
    actor: Actor,
    after?: number,
  ): Promise<Reply<{ conversation: Omit<Conversation, "messages">; messages: Message[]; messageCount: number; truncated: boolean; view: ConversationView }>>;

  // consumers
  /** A claim on a queued conversation, or null where somebody else has it (rule C2). */
  claim(uid: Uid): Promise<string | null>;
  /** Carries a turn out under this claim, or under one of its own (rules C4-C6, T1). */
  processConversation(uid: Uid, claimId?: string): Promise<TurnReport>;
  /** The same, tagged as a resumed turn (rule A1). */
  resumeConversation(uid: Uid, claimId?: string): Promise<TurnReport>;
  /** Claims the oldest waiting conversation and carries it out; null: nothing to do. */
  runNext(workerId: string): Promise<TurnReport | null>;
  /** Finds out what became of a run that nobody carries any more; true where something was written (rules K1-K3). */
  reconcile(uid: Uid): Promise<boolean>;
  /** Gives up stuck turns, archives, removes; for a timer (rules G1-G3). */
  cleanup(): Promise<{ timedOut: number; archived: number; removed: number }>;
}

/** What malformed arguments and broken host callbacks raise; `code` is stable. */
export class AgentTurnError extends Error {
  code: string;
  cause?: unknown;
}
