/** One call of the model, through the SDK. */
import { generateText, stepCountIs, wrapLanguageModel } from "ai";
import { fitting } from "./context.js";
import { AiSdkRuntimeError, shortMessage } from "./errors.js";
import { guard } from "./guard.js";
import { passes } from "./guardrails.js";
import { under, unlessAborted } from "./signal.js";
import { cut, isPlainObject } from "./text.js";

const CLOSING_REQUEST = "The limit of tool calls is reached. Answer now with what is known, without calling a tool, and say what is still open.";

/** The provider failed, or there is none; the run fails with its error. */
export class ModelFailure extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super("The model could not be asked.", { cause });
    this.name = "ModelFailure";
  }
}

/** Not even the last step fits into the model's context. */
export class ContextFull extends Error {
  constructor() {
    super("The conversation is longer than the model can read.");
    this.name = "ContextFull";
  }
}

/**
 * @typedef {object} ModelStep
 * @property {string} text
 * @property {string} finishReason
 * @property {import("ai").ModelMessage[]} messages the assistant message, none for an empty answer
 * @property {{ id: string, name: string, input: { [key: string]: unknown }, problem?: import("./types.js").Problem }[]} calls
 */

/**
 * Asks the model once and reports the steps `request` and `llm`.
 * @param {import("./session.js").Session} session
 * @param {{ closing: boolean }} options `closing`: the answer has to come without tools
 * @returns {Promise<ModelStep>}
 * @throws {ModelFailure}
 * @throws {ContextFull}
 * @throws {import("./guardrails.js").Blocked}
 */
export async function modelStep(session, { closing }) {
  const { config, tools } = session.deps;
  const { state, request } = session;
  await unlessAborted(session.asking, tools.ready());
  session.check();
  const offered = tools.offered(request);
  const names = Object.keys(offered);
  const round = state.round + 1;
  const whole = [...request.messages, ...state.messages];
  const fit = fitting(closing ? [...whole, { role: "user", content: CLOSING_REQUEST }] : whole, config.contextTokens);
  if (!fit) throw new ContextFull();
  if (fit.dropped > 0) session.record("context", round, { droppedMessages: fit.dropped, estimatedTokens: fit.tokens });
  const asking = modelRequest(session);
  await passes(session, "input", config.guardrails.before, { ...asking, round, messages: fit.messages });
  const toolSpecs = closing ? [] : names;
  const shown = /** @type {import("./types.js").RunStep & { durationMs: number }} */ ({ kind: "request", round, durationMs: 0, toolSpecs });
  session.emit(shown, { toolSpecs, messagesSentCount: fit.messages.length });

  const begun = config.now();
  const problems = new Map();
  const middleware = guard({ usedIds: callIds(whole), problems, isTool: (name) => Object.hasOwn(offered, name), closing, log: config.log });
  const answer = await ask(session, middleware, offered, fit.messages, closing);
  state.round = round;
  state.segmentRounds += 1;
  account(session, answer);

  const calls = answer.content.flatMap((part) => (part.type === "tool-call" && !part.providerExecuted ? [loopCall(part, problems)] : []));
  const seen = calls.map(({ name, input }) => ({ name, input: /** @type {import("./index.d.ts").ToolInput} */ (input) }));
  await passes(session, "output", config.guardrails.after, { ...asking, round, text: answer.text, calls: seen });
  reportAnswer(session, answer, calls, config.now() - begun);
  return { text: answer.text, finishReason: answer.finishReason, messages: answer.response.messages.filter(isAssistant).map(withObjectInputs), calls };
}

/**
 * Books what the call cost, before anything is made of the answer: a blocked one was paid for too.
 * @param {import("./session.js").Session} session
 * @param {Awaited<ReturnType<typeof ask>>} answer
 */
function account(session, { usage, response }) {
  const { config } = session.deps;
  const { spent, round } = session.state;
  const promptTokens = usage.inputTokens ?? 0;
  const completionTokens = usage.outputTokens ?? 0;
  const model = cut(String(response.modelId ?? ""), 191);
  let cost = 0;
  try {
    cost = Number(config.price(session.request.configuration, { model, promptTokens, completionTokens }));
  } catch (error) {
    config.log("error", "price threw; the call counts as free", { runUuid: session.uuid, error: shortMessage(error) });
  }
  const costMicros = Number.isFinite(cost) && cost > 0 ? Math.round(cost * 1e6) : 0;
  spent.promptTokens += promptTokens;
  spent.completionTokens += completionTokens;
  spent.costMicros += costMicros;
  session.book({ round, model, prompt_tokens: promptTokens, completion_tokens: completionTokens, cost_micros: costMicros });
}

/**
 * What the host is told of a run, without its transcript.
 * @param {{ uuid: string, request: import("./types.js").StoredRequest }} run
 * @returns {import("./index.d.ts").ModelRequest}
 */
export function modelRequest({ uuid, request: { configuration, actor, allowedToolNames, options } }) {
  return { runUuid: uuid, configuration, actor, allowedToolNames, options };
}

/**
 * @param {import("./session.js").Session} session
 * @param {import("ai").LanguageModelMiddleware} middleware
 * @param {import("ai").ToolSet} offered
 * @param {import("ai").ModelMessage[]} transcript
 * @param {boolean} closing
 */
async function ask(session, middleware, offered, transcript, closing) {
  const { retries, modelTimeoutMs } = session.deps.config;
  const asked = async (/** @type {AbortSignal} */ abortSignal) => {
    try {
      const model = wrapLanguageModel({ model: await resolveModel(session), middleware });
      // The leading system message goes where the SDK wants it.
      const [first, ...rest] = transcript;
      const prompt = first?.role === "system" ? { system: first.content, messages: rest } : { messages: transcript };
      return await generateText({
        model,
        ...prompt,
        allowSystemInMessages: true,
        ...(Object.keys(offered).length > 0 ? { tools: offered, toolChoice: closing ? /** @type {const} */ ("none") : /** @type {const} */ ("auto") } : {}),
        stopWhen: stepCountIs(1),
        maxRetries: retries,
        abortSignal,
      });
    } catch (error) {
      session.check(); // an aborted call is no failure of the model
      throw new ModelFailure(abortSignal.aborted ? new AiSdkRuntimeError("modelTimeout", "The language model did not answer in time.", error) : error);
    }
  };
  return under(session.asking, asked, modelTimeoutMs);
}

/** @param {import("./session.js").Session} session */
async function resolveModel(session) {
  const model = await session.deps.config.model(session.request.configuration, modelRequest(session));
  if (model === null || model === undefined) throw new AiSdkRuntimeError("providerNotConfigured", "No model is configured.");
  // A name would be sent to a hosted gateway by the SDK.
  if (typeof model === "string" || model.specificationVersion !== "v3" || typeof model.doGenerate !== "function") {
    throw new AiSdkRuntimeError("providerNotConfigured", "model() must give a LanguageModelV3 object of the AI SDK 6.");
  }
  return model;
}

/**
 * @param {{ toolCallId: string, toolName: string, input: unknown, invalid?: boolean }} part
 * @param {Map<string, import("./types.js").Problem>} problems
 */
function loopCall({ toolCallId, toolName, input, invalid }, problems) {
  const known = problems.get(toolCallId);
  if (isPlainObject(input) && !known) return { id: toolCallId, name: toolName, input };
  const text = invalid ? "the arguments are not valid JSON" : "the arguments are not an object";
  return {
    id: toolCallId,
    name: toolName,
    input: isPlainObject(input) ? input : {},
    problem: known ?? { code: /** @type {const} */ ("argumentsInvalid"), text },
  };
}

/**
 * @param {import("./session.js").Session} session
 * @param {Awaited<ReturnType<typeof ask>>} answer
 * @param {ModelStep["calls"]} calls
 * @param {number} durationMs
 */
function reportAnswer(session, { text, finishReason, usage }, calls, durationMs) {
  const { round } = session.state;
  const tokens = { promptTokens: usage.inputTokens ?? 0, completionTokens: usage.outputTokens ?? 0, totalTokens: usage.totalTokens ?? 0 };
  const requestedToolCalls = /** @type {import("./types.js").Json[]} */ (calls.map(({ id, name, input }) => ({ id, name, arguments: input })));
  const step = { kind: "llm", round, durationMs, content: text, finishReason, ...tokens, requestedToolCalls };
  const requestedToolNames = calls.map(({ name }) => cut(name, 64));
  session.emit(step, { contentRedacted: true, contentLength: text.length, finishReason, ...tokens, requestedToolNames });
}

/**
 * The call ids a transcript uses, in lower case.
 * @param {import("ai").ModelMessage[]} messages
 */
function callIds(messages) {
  const ids = new Set();
  for (const { role, content } of messages) {
    if (role !== "assistant" || typeof content === "string") continue;
    for (const part of content) if (part.type === "tool-call") ids.add(part.toolCallId.toLowerCase());
  }
  return ids;
}

/** @param {import("ai").ModelMessage} message */
const isAssistant = (message) => message.role === "assistant";

/**
 * Providers want the arguments of a call to be an object, also of one that made no sense.
 * @param {import("ai").ModelMessage} message
 * @returns {import("ai").ModelMessage}
 */
function withObjectInputs(message) {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  return { ...message, content: message.content.map((part) => (part.type === "tool-call" && !isPlainObject(part.input) ? { ...part, input: {} } : part)) };
}
