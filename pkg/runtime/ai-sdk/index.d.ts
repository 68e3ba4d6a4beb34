/**
 * agent-turn/runtime/ai-sdk: the runtime of the contract on the Vercel AI SDK 6.
 *
 * The loop is its own: one model step per call of the SDK, the state of the run saved after every step with compare-and-swap, so
 * that another process can carry a run on after this one died. Calls that change something run at most once (a ledger keyed by
 * run and tool call), calls that need approval wait for a person, an asking tool waits for the user's answer.
 */
import type { LanguageModel, ModelMessage } from "ai";
import type { Kysely } from "kysely";
import type {
  Actor,
  ApprovalDecision,
  InputSubmission,
  Json,
  LlmConfiguration,
  RunEvent,
  RunRequest,
  RunResult,
  RunStatus,
  RunStep,
  Runtime,
  Uid,
  WaitingView,
} from "../../index.d.ts";

/** read: changes nothing. idempotentWrite: may be carried out again with the same result. write: everything else. */
export type ToolEffect = "read" | "idempotentWrite" | "write";

export interface ToolContext {
  actor: Actor;
  runUuid: string;
  toolCallId: string;
  signal: AbortSignal;
  /** Tells how far the call is; stored as an event `progress` with the call's result. Whole numbers; nonsense is ignored. */
  progress?(done: number, total: number): void;
}

export interface Preview {
  /** What would change, one line each. A card shows 20 lines of 500 characters; what is compared before execution is all of it. */
  lines: string[];
  target?: { table: string; uid: Uid; title?: string } | null;
}

/** Arguments that fit the tool's input schema. */
export type ToolInput = { [key: string]: Json };

interface NeedsApproval<Input> {
  ask(input: Input, context: { actor: Actor; runUuid: string }): boolean | Promise<boolean>;
}

export interface Tool<Input = ToolInput> {
  /** 1 to 64 of `A-Za-z0-9_-`, the first a letter or digit. */
  name: string;
  description: string;
  /** JSON Schema of the arguments, an object schema. */
  inputSchema: { [key: string]: unknown };
  effect: ToolEffect;
  /** Default: everything but a read. A function that throws counts as true. */
  needsApproval?: boolean | NeedsApproval<Input>["ask"];
  /** Whether this actor (the owner of the run) is offered the tool; asked again before each call. Default: everybody. */
  allowed?(actor: Actor): boolean;
  /** Why `allowed` says no, in a word or two for the prompt (`unavailableTools`), such as `requiresAdmin`; default `notPermitted`. */
  closedReason?: string;
  /** Whether this actor may approve that call. Default: the owner, administrators, and whom `mayRead` names. */
  mayApprove?(actor: Actor, input: Input): boolean;
  /** Makes this an asking tool: no `execute`; the schema is what the user answers (section 6), the answer is the tool's result. */
  asks?(input: Input): { [key: string]: unknown };
  /** Runs as the owner of the run. A value, or `written(value, records)`. What it throws becomes an error result for the model. */
  execute?(input: Input, context: ToolContext): unknown;
  /** Whether this reader of the card may see the preview; a reader who may not is told that it is withheld. Default: whoever sees the run. */
  mayPreview?(actor: Actor, input: Input): boolean;
  /** What a card shows; computed when the run pauses and again before the call is carried out. */
  preview?(input: Input, context: ToolContext): Preview | Promise<Preview>;
  /** Name of the change on the card. */
  label?(input: Input): string;
}

/**
 * Tools that come and go, as those of `agent-turn/runtime/mcp`. Asked before every call of the model and every call of a tool. One that throws, or
 * whose tool is malformed or named as one of the host's, costs those tools and a line in the log.
 */
export interface ToolSource {
  /** Those that can be called now; the same object for the same tool, as long as it does not change. */
  tools(): readonly Tool[];
  /** A tool of this name is the source's, but out of reach for the moment: an approval of it is refused (`configurationInactive`) and may be repeated. */
  missing?(name: string): boolean;
  /**
   * Resolves when no first attempt to find the tools (at the start, or after they were lost) is under way, however it went; every step of a run and every
   * decision waits for it.
   */
  ready?(): Promise<void>;
}

export interface AiSdkRuntimeOptions<DB = unknown> {
  /** Tables agent_run, agent_run_event and agent_effect are made by `migrate()`. */
  db: Kysely<DB>;
  /**
   * The model of a configuration, an object of the AI SDK (never a name). Null, or an error with the code `providerNotConfigured`:
   * the run fails with that code (E2). The configuration is stored with the run while it is open: keep keys out of it.
   */
  model(configuration: LlmConfiguration, request: ModelRequest): LanguageModel | null | undefined | Promise<LanguageModel | null | undefined>;
  tools: Tool[];
  sources?: ToolSource[];
  /** Unix milliseconds; default Date.now. */
  now?(): number;
  /** How long a run stays with a process that gives no sign of life; default 30. */
  leaseSeconds?: number;
  /** Default a third of the lease. */
  heartbeatSeconds?: number;
  /** Model calls with tools between two pauses; then one closing answer without tools. Default 20. */
  maxRounds?: number;
  /** How often a call of the model that failed for a passing reason is repeated, with growing pauses; default 2, 0: never. */
  retries?: number;
  /** How long one step of the model may take, repetitions included; default 300. */
  modelTimeoutSeconds?: number;
  /** What a model reads at once, in tokens, as estimated; older steps are left out, calls never without their results. Default 100000. */
  contextTokens?: number;
  /** What a run may cost; checked before each call of the model. Spent: completed, truncated, `budget_exhausted`. Null: no limit. */
  budget?(request: ModelRequest): { tokens?: number; cost?: number } | null | undefined;
  /** What one call of the model cost, in the host's currency; default 0. */
  price?(configuration: LlmConfiguration, usage: { model: string; promptTokens: number; completionTokens: number }): number;
  guardrails?: Guardrails;
  /**
   * The configuration of a run as it is now, asked before each decision. `active: false`: every decision is refused (`configurationInactive`).
   * `secondPerson: true`: who started the run may not approve it (`selfApprovalDenied`), administrators included; declining is free.
   */
  configurationState?(
    configuration: LlmConfiguration,
  ): { active?: boolean; secondPerson?: boolean } | null | Promise<{ active?: boolean; secondPerson?: boolean } | null>;
  /**
   * Whether a run follows a guided process, asked before each decision and each turn. Only who started it decides it (`onlyInitiatorMayDecide`), one
   * change at a time; with `secondPerson` it is stopped (`secondApproverRequired`). Null, or a function that throws: nobody can tell
   * (`processVerdictUnreadable` for others than who started it).
   */
  isProcess?(request: ModelRequest): boolean | null | Promise<boolean | null>;
  /** Characters of one tool result; default 40000. */
  resultLimit?: number;
  /** Absent: an approval never expires. */
  approvalTtlSeconds?: number;
  /** Keys the digests (HMAC), so that stored arguments cannot be changed between card and decision. All processes need the same one. */
  secret?: string;
  /** Who besides the owner and administrators sees a run of that owner. Default: nobody. */
  mayRead?(actor: Actor, ownerUid: Uid): boolean;
  log?(level: "debug" | "info" | "warn" | "error", message: string, context: Record<string, unknown>): void;
  /** Aborted: as `close()`. */
  signal?: AbortSignal;
}

/** What a guardrail answers to stop a run: `guardrail_blocked`, or `guardrail_approval_required`. Neither can be approved (O8). */
export interface GuardrailVerdict {
  /** Becomes `input:<name>` or `output:<name>`. */
  name: string;
  /** A sentence for the reader. */
  reason: string;
  approvalRequired?: boolean;
}
/** Rules of the host. Nothing (or true) lets it pass; a rule that throws stops the run. What `after` stops is not stored. */
export interface Guardrails {
  before?(step: ModelRequest & { round: number; messages: readonly ModelMessage[] }): Passing;
  after?(step: ModelRequest & { round: number; text: string; calls: readonly { name: string; input: ToolInput }[] }): Passing;
}
type Passing = GuardrailVerdict | null | undefined | boolean | Promise<GuardrailVerdict | null | undefined | boolean>;

/** Why a call has an error result: `toolErrorCode` of its step and event. */
export type ToolErrorCode =
  | "unknownTool"
  | "toolNotAvailable"
  | "toolOutOfReach"
  | "argumentsInvalid"
  | "argumentsMismatch"
  | "argumentsTooLarge"
  | "argumentsTooDeep"
  | "oneChangeAtATime"
  | "denied"
  | "questionFailed"
  | "toolFailed"
  | "effectUnknown";

export type ModelRequest = Omit<RunRequest, "messages" | "allowedToolNames"> & { allowedToolNames: string[] | null };

export interface AiSdkRuntime extends Runtime {
  /** Rejects with `runExists` if the announced uuid is taken (T7), `invalidArgument` for a malformed request; everything else is a result. */
  run(request: RunRequest, onStep: (step: RunStep) => void): Promise<RunResult>;
  /** Rejects with RunRefused (D7). */
  approve(actor: Actor, runUuid: string, decision: ApprovalDecision, onStep: (step: RunStep) => void): Promise<RunResult>;
  /** Rejects with RunRefused (D7). */
  submitInput(actor: Actor, runUuid: string, submission: InputSubmission, onStep: (step: RunStep) => void): Promise<RunResult>;
  /** `leaseExpired`: the process that ran it is dead; `recover()` of any process carries it on. */
  status(actor: Actor, runUuid: string): Promise<{ status: RunStatus; leaseExpired?: true } | null>;
  result(actor: Actor, runUuid: string): Promise<RunResult | null>;
  waitingView(actor: Actor, runUuid: string): Promise<WaitingView | null>;
  events(actor: Actor, runUuid: string): Promise<RunEvent[]>;
  cancelIfWaiting(actor: Actor, runUuid: string): Promise<{ cancelled: boolean; status: RunStatus | null }>;
  /**
   * Stops a run at its owner's or an administrator's request, also one that another process works on (that one learns of it with its next heartbeat or
   * save). The model is not waited for; a write under way is finished and told by the events; no other begins. The run ends as `cancelled` (O10).
   * False: there is nothing to stop, or it is not this actor's.
   */
  cancel(actor: Actor, runUuid: string): Promise<boolean>;
  /**
   * Tools that exist, but not for this user, for `promptContext` (M2): those that `allowedToolNames` leaves out (`toolDisabled`) and those that are closed to
   * the user (`closedReason`). Tools of sources are named to administrators only.
   */
  unavailableTools(actor: Actor, allowedToolNames?: string[] | null): Promise<{ name: string; reason: string }[]>;
  /** Makes or updates the tables; safe when several processes start at once. */
  migrate(): Promise<void>;
  /**
   * Settles what nobody carries on: running rows without a sign of life for `abandonedSeconds` (3600) are failed, with what they wrote told from the
   * ledger; waiting ones are withdrawn after `waitingSeconds` (absent: never).
   */
  reap(options?: { abandonedSeconds?: number; waitingSeconds?: number }): Promise<{ failed: number; withdrawn: number }>;
  /** Removes settled runs with their events and ledger once they are `settledSeconds` old, and usage records once they are `usageSeconds` old (absent: never). */
  purge(options: { settledSeconds: number; usageSeconds?: number }): Promise<{ runs: number; usage: number }>;
  /** What calls of models cost, per caller source, configuration and model, the dearest first. Times in Unix milliseconds. */
  usage(options?: { since?: number; until?: number }): Promise<UsageLine[]>;
  /** Carries on every run whose process died, from its last saved state; at most three times per run, then it is failed. Gives how many. */
  recover(): Promise<number>;
  /** Stops the runs of this process where they were saved last and hands them to whoever recovers first. The database stays open. */
  close(): Promise<void>;
}

export interface UsageLine {
  /** Who asked for the run (`options.callerSource`); continuations count for whoever started it. */
  extension: string;
  operation: string;
  configuration: string;
  model: string;
  runs: number;
  calls: number;
  promptTokens: number;
  completionTokens: number;
  cost: number;
}

export function createAiSdkRuntime<DB = unknown>(options: AiSdkRuntimeOptions<DB>): AiSdkRuntime;

declare const writtenBrand: unique symbol;
export interface Written {
  readonly [writtenBrand]: true;
  result: unknown;
  writes: { table: string; uid: Uid }[];
}
/** What a writing tool returns to name the records it wrote; they become `tool_write` steps and events (V7). */
export function written(result: Json | undefined, writes: { table: string; uid: Uid }[]): Written;

/**
 * What `execute` throws when no answer came but the change may have been made: the model is told so, the call is not made again, and the run counts
 * as one that may have written (V7).
 */
export class EffectUnknown extends Error {
  constructor(message: string, cause?: unknown);
  code: "effectUnknown";
}

export class AiSdkRuntimeError extends Error {
  code: "invalidArgument" | "invalidOption" | "runExists" | "migrationFailed" | "closed" | "providerNotConfigured" | "modelTimeout";
}
