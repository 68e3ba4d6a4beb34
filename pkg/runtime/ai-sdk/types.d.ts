/** Shapes inside the runtime; nothing of this file is public. */

import type { LanguageModel, ModelMessage } from "ai";
import type { Kysely } from "kysely";
import type { Actor, Json, LlmConfiguration, RunEvent, RunRequest, RunResult, RunStep, Uid } from "../../index.d.ts";
import type { AiSdkRuntimeOptions, Tool, ToolEffect, ToolSource } from "./index.d.ts";

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
  sources: ToolSource[];
  log: Log;
}

export interface Tables {
  agent_run: RunRow;
  agent_run_event: EventRow;
  agent_effect: EffectRow;
}

export interface RunRow {
  uuid: string;
  version: number;
  status: string;
  /** The owner's uid as text (C8). */
  owner: string;
  /** JSON of {@link StoredRequest}; "" once the run is settled. */
  request: string;
  /** JSON of {@link RunState}; "" once the run is settled. */
  state: string;
  /** JSON of the RunResult of a settled or paused run. */
  result: string | null;
  /** How often a decision or an answer has claimed the run. */
  resumes: number;
  recoveries: number;
  /** How many events are stored, hence the next sequence number. */
  events: number;
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
  /** Steps of this segment, with their contents. */
  steps: RunStep[];
  /** The assistant turn whose tool calls are being worked off. */
  turn: Turn | null;
}

export interface Turn {
  round: number;
  calls: Call[];
  results: { [callId: string]: CallResult };
  /** Calls a person approved, with the digest they were approved under. */
  approved: { callIds: string[]; digest: string } | null;
  pause: Pause | null;
}

export interface Call {
  /** Unique in its run, whatever the model said. */
  id: string;
  name: string;
  input: { [key: string]: unknown };
  /** Why the call is not carried out; absent: it is sound. */
  problem?: string;
  /** read: may run at once, again and again; run: changes something without asking; approve: a person decides; ask: the user answers. */
  mode: "read" | "run" | "approve" | "ask";
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
}
export interface InputPause {
  kind: "input";
  callId: string;
  inputSchema: Json;
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
