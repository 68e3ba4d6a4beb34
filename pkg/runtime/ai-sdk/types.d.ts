/** Shapes inside the runtime; nothing of this file is public. */

import type { LanguageModel, ModelMessage } from "ai";
import type { Kysely } from "kysely";
import type { Actor, Json, LlmConfiguration, RunEvent, RunRequest, RunResult, RunStep, Uid } from "../../index.d.ts";
import type { AiSdkRuntimeOptions, Guardrails, Tool, ToolEffect, ToolErrorCode, ToolSource } from "./index.d.ts";

export type Log = (level: "debug" | "info" | "warn" | "error", message: string, context: Record<string, unknown>) => void;

/** The options with every default filled in. */
export interface Config {
  db: Kysely<Tables>;
  model: AiSdkRuntimeOptions["model"];
  now: () => number;
  leaseMs: number;
  heartbeatMs: number;
  maxRounds: number;
  resultLimit: number;
  /** null: an approval never expires. */
  approvalTtlMs: number | null;
  secret: string | undefined;
  mayRead: (actor: Actor, ownerUid: Uid) => boolean;
  retries: number;
  modelTimeoutMs: number;
  contextTokens: number;
  budget: NonNullable<AiSdkRuntimeOptions["budget"]>;
  price: NonNullable<AiSdkRuntimeOptions["price"]>;
  guardrails: Guardrails;
  configurationState: NonNullable<AiSdkRuntimeOptions["configurationState"]>;
  isProcess: NonNullable<AiSdkRuntimeOptions["isProcess"]>;
  sources: ToolSource[];
  log: Log;
}

export interface Tables {
  agent_run: RunRow;
  agent_run_event: EventRow;
  agent_effect: EffectRow;
  agent_run_log: LogRow;
  agent_usage: UsageRow;
}

export interface RunRow {
  uuid: string;
  version: number;
  status: string;
  /** The owner's uid as text (C8). */
  owner: string;
  /** JSON of {@link StoredState}; "" once the run is settled. */
  state: string;
  /** JSON of the RunResult of a settled or paused run. */
  result: string | null;
  /** How often a decision or an answer has claimed the run. */
  resumes: number;
  recoveries: number;
  /** How many events are stored, hence the next sequence number. */
  events: number;
  /** The next sequence number of the log. */
  logged: number;
  /** Why it ended: a termination reason; "" while it is open. */
  reason: string;
  /** 1: somebody wants the running run to stop. */
  stop_asked: number;
  claim_id: string;
  /** Unix milliseconds. */
  lease_expires: number;
  created_at: number;
  updated_at: number;
}

export interface EventRow {
  run_uuid: string;
  sequence: number;
  kind: string;
  round: number;
  duration_ms: number;
  payload: string;
  created_at: number;
}

export interface EffectRow {
  run_uuid: string;
  call_id: string;
  tool: string;
  status: string;
  result: string | null;
  created_at: number;
  updated_at: number;
}

/** One line of what an open run has gathered. It is only ever appended to, so that saving the thousandth step costs what the first did. */
export interface LogRow {
  run_uuid: string;
  sequence: number;
  kind: LogKind;
  /** JSON: {@link StoredRequest}, ModelMessage, {@link StoredTurn}, {@link StoredResult} or RunStep. */
  body: string;
}
export type LogKind = "request" | "message" | "turn" | "result" | "step";
export interface LogEntry {
  kind: LogKind;
  body: string;
}

/** What one call of a model cost; outlives its run. */
export interface UsageRow {
  run_uuid: string;
  round: number;
  extension: string;
  operation: string;
  configuration: string;
  model: string;
  prompt_tokens: number;
  completion_tokens: number;
  /** Millionths of the host's currency. */
  cost_micros: number;
  created_at: number;
}

/** The part of a run's state that changes with every step; the rest is in the log. */
export interface StoredState {
  round: number;
  segmentRounds: number;
  spent: Spent;
  /** The sequence number of the segment's first step. */
  segment: number;
  turn: { at: number; approved: Approved | null; pause: Pause | null } | null;
}

/** What the run has cost so far. */
export interface Spent {
  promptTokens: number;
  completionTokens: number;
  costMicros: number;
}
/** A call keyed by a secret of the host; absent: there is none. */
export interface StoredTurn {
  round: number;
  calls: Call[];
  seal?: string;
}
export interface StoredResult extends CallResult {
  callId: string;
}

/** What never changes while a run is open. */
export interface StoredRequest {
  configuration: LlmConfiguration;
  actor: Actor;
  allowedToolNames: string[] | null;
  options: RunRequest["options"];
  messages: ModelMessage[];
}

export interface RunState {
  /** What the run itself added to the transcript: assistant turns and tool results, always paired. */
  messages: ModelMessage[];
  /** Model calls of the whole run. */
  round: number;
  /** Model calls since the run was started or resumed. */
  segmentRounds: number;
  spent: Spent;
  /** Steps of this segment, with their contents. */
  steps: RunStep[];
  /** The log's sequence number of the first of them. */
  segment: number;
  /** The assistant turn whose tool calls are being worked off. */
  turn: Turn | null;
}

export interface Turn {
  /** Where the log holds it. */
  at: number;
  round: number;
  calls: Call[];
  results: { [callId: string]: CallResult };
  approved: Approved | null;
  pause: Pause | null;
  seal?: string;
}
/** Calls a person approved, with the digest they were approved under. */
export interface Approved {
  callIds: string[];
  digest: string;
  seal?: string;
}

export interface Call {
  /** Unique in its run, whatever the model said. */
  id: string;
  name: string;
  input: { [key: string]: unknown };
  /** Why the call is not carried out; absent: it is sound. */
  problem?: Problem;
  /** read: may run at once, again and again; run: changes something without asking; approve: a person decides; ask: the user answers. */
  mode: "read" | "run" | "approve" | "ask";
}

/** What is wrong with a call: a stable code for the events, a few words for the model. */
export interface Problem {
  code: ToolErrorCode;
  text: string;
}

export interface CallResult {
  text: string;
  isError: boolean;
}

export type Pause = ApprovalPause | InputPause;
export interface ApprovalPause {
  kind: "approval";
  callIds: string[];
  views: CallView[];
  /** Unix milliseconds; null: never. */
  expiresAt: number | null;
  seal?: string;
}
export interface InputPause {
  kind: "input";
  callId: string;
  inputSchema: Json;
  seal?: string;
}

/** What a card shows of a pending call, computed under the run's owner. */
export interface CallView {
  label?: string;
  lines: string[];
  failed: boolean;
  stale: boolean;
  target: { table: string; uid: Uid; title?: string } | null;
  /** Digest of the whole preview, before it was cut to what a card shows; null: no preview that binds. */
  hash: string | null;
}

/** What an effect left in the ledger. */
export interface Outcome extends CallResult {
  writes: { table: string; uid: Uid }[];
  /** The tool names its writes (possibly none) instead of leaving that open. */
  named: boolean;
  code?: ToolErrorCode;
}

export interface NewEvent {
  kind: string;
  round: number;
  durationMs: number;
  payload: RunEvent["payload"];
}

export interface CheckedTool extends Tool {
  effect: ToolEffect;
  check: (value: unknown) => string | null;
}

export type { Actor, Json, LanguageModel, ModelMessage, RunResult, RunStep, Uid };
