// Values of every variant, as hosts and runtimes write them, and misuse that must not compile. Checked by tsc; nothing here runs.

import type {
  ActivityEntry,
  Answer,
  Conversation,
  ConversationView,
  FileContent,
  Host,
  InputForm,
  Message,
  Patch,
  RunEvent,
  RunResult,
  RunStep,
  TurnReport,
  WaitingView,
  WirePart,
} from "agent-turn";
import { ChatEngine, present, RunRefused } from "agent-turn";

export const messages = [
  { role: "user", content: "Hi", clientId: "c-1", createdAt: "2026-01-01T00:00:00Z", files: [{ fileUid: 4, fileName: "a.png", fileMimeType: "image/png" }] },
  { role: "user", content: "Older form", fileUid: "f", fileName: "a.pdf", fileMimeType: "application/pdf" },
  { role: "assistant", content: "…", notice: "noAnswer", noticeArgs: ["completed"] },
  { role: "assistant", content: "Looking", besideToolCall: true },
  { role: "assistant", content: [{ type: "text", text: "parts" }], feedback: { stars: 5 } },
  { role: "tool", content: "ok", tool_call_id: "c1" },
  { role: "user", content: "no", decisionLine: "d1", notice: "one of the host's own" },
] satisfies Message[];

export const results = [
  { outcome: "completed", runUuid: "r", loopResult: { finalContent: "Done", terminationReason: "max_iterations", truncated: true }, steps: [] },
  { outcome: "awaiting_approval", runUuid: "r", suspendedState: { turnDigest: "d" } },
  { outcome: "awaiting_input", runUuid: "r", suspendedState: { inputSchema: { title: "Where?" }, turnDigest: "i" } },
  { outcome: "guardrail_blocked", runUuid: "r", guardrailClass: "input_pii", error: { message: "no", cause: { message: "why", code: "x" } } },
  {
    outcome: "not known yet",
    runUuid: "",
    error: { name: "TypeError", message: "x", cause: null },
    loopResult: null,
    suspendedState: null,
    guardrailClass: null,
  },
] satisfies RunResult[];

export const steps = [
  { kind: "request", round: 1 },
  { kind: "llm", round: 1, durationMs: 4, content: "", requestedToolCalls: [{ id: "1" }] },
  { kind: "tool", round: 1, toolName: "f", toolIsError: true },
  { kind: "tool_write", round: 1, writeTargetTable: "pages", writeTargetUid: 4 },
  { kind: "of tomorrow", round: 2 },
] satisfies RunStep[];

export const events = [
  { kind: "approval", payload: { approved: true } },
  { kind: "tool", round: 1, payload: {} },
] satisfies RunEvent[];

export const views = [
  { runUuid: "r", mode: "approval", turnDigest: "d", pendingCalls: [{ name: "f", arguments: {}, target: { table: "pages", uid: "7" } }], expiresAt: 1 },
  { runUuid: "r", mode: "input", turnDigest: "i", pendingCalls: [], inputSchema: { properties: {} } },
  { runUuid: "r", mode: "unreadable", turnDigest: null, pendingCalls: [], unreadableReason: "state-unreadable" },
] satisfies WaitingView[];

export const answers = [{ choice: "a" }, { freeText: "own" }, { fields: { a: 1, b: [null] } }] satisfies Answer[];

export const patches = [
  { status: "idle", errorMessage: "", errorCode: "", messages: { keep: 3, append: [{ role: "assistant", content: "Hi" }] } },
  { archived: true, updatedAt: 5 },
  {},
] satisfies Patch[];

export const parts = [
  { type: "text", text: "a" },
  { type: "image_url", image_url: { url: "data:image/png;base64," } },
  { type: "document", source: { type: "base64", media_type: "application/pdf", data: "" } },
] satisfies WirePart[];

export const files = [
  { name: "a", identifier: "1:/a", mimeType: "text/plain", base64: "" },
  { name: "a", identifier: "1:/a", mimeType: "text/plain", bytes: new Uint8Array(), extractedText: null },
] satisfies FileContent[];

export const activity = [
  { kind: "llm", round: 1, ms: 4 },
  { kind: "tool", round: 1, ms: 4, tool: "f", error: true },
  { kind: "approval", round: 0, ms: 0, approved: false },
] satisfies ActivityEntry[];

/** What a reader of a report has to handle. */
export function describe(report: TurnReport): string {
  switch (report.outcome) {
    case "settled":
    case "handedBack":
      return report.status ?? "gone";
    case "superseded":
      return report.result?.outcome ?? "";
    case "notClaimed":
      return "";
    default:
      return report.outcome satisfies never;
  }
}

export function kinds(form: InputForm): number {
  switch (form.kind) {
    case "choice":
      return form.options.length;
    case "form":
      return form.fields.length;
    case "unsupported":
      return 0;
    default:
      return form.kind satisfies never;
  }
}

export async function misuse(host: Host, conversation: Conversation, view: ConversationView) {
  const engine = new ChatEngine(host, { taskUid: 1, extensionKey: "x" });
  const actor = { uid: 7, isAdmin: false, groups: [] };
  const reply = await engine.sendMessage(1, actor, { content: "Hi" });
  // @ts-expect-error a refusal has no status
  reply.status;
  if (!reply.ok) {
    const code: string = reply.code;
    return code;
  }
  // @ts-expect-error the content is a text
  engine.sendMessage(1, actor, { content: 5 });
  // @ts-expect-error two reasons to deny
  engine.recordDecision(1, actor, { approve: false, turnDigest: "d", denyReason: "later" });
  // @ts-expect-error a digest is required
  engine.recordDecision(1, actor, { approve: true });
  // @ts-expect-error an actor has groups
  engine.retry(1, { uid: 7, isAdmin: false });
  // @ts-expect-error an unknown rule set
  new ChatEngine(host, { taskUid: 1, extensionKey: "x", ruleSet: "relaxed" });
  // @ts-expect-error an unknown reason
  new RunRefused("coffeeBreak");
  // @ts-expect-error a reader says whether they may decide
  present(conversation, { uid: 7, isAdmin: false });
  // @ts-expect-error an unknown status
  conversation.status = "paused";
  // @ts-expect-error a revision is never part of a patch
  const patch: Patch = { revision: 4 };
  // @ts-expect-error a card may be missing
  view.card.turnDigest;
  // @ts-expect-error runtime.status is required
  const runtime: Host["runtime"] = { run: () => results[0], approve: () => results[0], submitInput: () => results[0] };
  return { patch, runtime };
}
