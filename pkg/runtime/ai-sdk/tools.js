/** The tools of the host: checked at start, asked by the loop. */
import { jsonSchema } from "ai";
import { digestOf } from "./digest.js";
import { AiSdkRuntimeError, shortMessage } from "./errors.js";
import { compileSchema } from "./schema.js";
import { cut } from "./text.js";

const EFFECTS = ["read", "idempotentWrite", "write"];
const PREVIEW_LINES = 20;
const PREVIEW_LINE_LENGTH = 500;

const WRITTEN = Symbol.for("agent-turn.runtime.written");

/**
 * What a writing tool returns to name the records it wrote (V7).
 * @param {unknown} result
 * @param {{ table: string, uid: import("../../index.d.ts").Uid }[]} writes
 * @returns {import("./index.d.ts").Written}
 */
export function written(result, writes) {
  if (!Array.isArray(writes)) throw new TypeError("written: the second argument must be a list of {table, uid}");
  return /** @type {import("./index.d.ts").Written} */ (/** @type {unknown} */ ({ [WRITTEN]: true, result, writes }));
}

/**
 * @param {unknown} value
 * @returns {value is import("./index.d.ts").Written}
 */
export function isWritten(value) {
  return typeof value === "object" && value !== null && /** @type {Record<symbol, unknown>} */ (value)[WRITTEN] === true;
}

/**
 * @typedef {import("./index.d.ts").Tool} Tool
 * @typedef {import("./types.js").CheckedTool} CheckedTool
 */

/** The host's tools and those of its sources, by name. */
export class Toolset {
  /** @type {Map<string, CheckedTool>} */
  #tools = new Map();
  /** Tools of sources as they were checked; null: not usable. @type {WeakMap<Tool, CheckedTool | null>} */
  #checked = new WeakMap();
  #sources;
  #log;

  /**
   * @param {Tool[]} tools
   * @param {import("./index.d.ts").ToolSource[]} sources
   * @param {import("./types.js").Log} log
   * @throws {AiSdkRuntimeError} `invalidOption` naming the tool
   */
  constructor(tools, sources, log) {
    this.#log = log;
    this.#sources = sources;
    if (!Array.isArray(tools)) throw new AiSdkRuntimeError("invalidOption", "createAiSdkRuntime: tools must be a list");
    for (const tool of tools) {
      const checked = checkedTool(tool);
      if (this.#tools.has(checked.name)) throw new AiSdkRuntimeError("invalidOption", `Tool ${checked.name}: registered twice`);
      this.#tools.set(checked.name, checked);
    }
  }

  /** Resolves when no source is in the middle of its first attempt, at the start or after a loss. */
  async ready() {
    await Promise.all(this.#sources.map((source) => this.#asked(source, () => source.ready?.())));
  }

  /**
   * The tool, if it exists and this run may use it.
   * @param {string} name
   * @param {import("./types.js").StoredRequest} request
   */
  find(name, request) {
    const tool = this.registered(name);
    return tool && this.#offers(tool, request) ? tool : undefined;
  }

  /**
   * The registered tool, whoever may use it.
   * @param {string} name
   */
  registered(name) {
    return this.#tools.get(name) ?? this.#fromSources().find((tool) => tool.name === name);
  }

  /**
   * Whether a tool is not there only because what brings it is out of reach for the moment.
   * @param {string} name
   */
  missing(name) {
    if (this.registered(name)) return false;
    return this.#sources.some((source) => this.#asked(source, () => source.missing?.(name)) === true);
  }

  /** @returns {CheckedTool[]} */
  #fromSources() {
    return this.#sources.flatMap((source) => {
      const tools = this.#asked(source, () => source.tools());
      return Array.isArray(tools) ? tools.flatMap((tool) => this.#usable(tool) ?? []) : [];
    });
  }

  /**
   * A source that throws costs its tools, not the turn.
   * @template T
   * @param {import("./index.d.ts").ToolSource} source
   * @param {() => T} question
   * @returns {T | undefined}
   */
  #asked(source, question) {
    const told = (/** @type {unknown} */ error) => this.#log("error", "tools.sourceFailed", { source: source?.constructor?.name, error: shortMessage(error) });
    try {
      const answer = question();
      return answer instanceof Promise ? /** @type {T} */ (answer.catch(told)) : answer;
    } catch (error) {
      told(error);
      return undefined;
    }
  }

  /** @param {Tool} tool */
  #usable(tool) {
    if (typeof tool !== "object" || tool === null) return null;
    const known = this.#checked.get(tool);
    if (known !== undefined) return known;
    let checked = null;
    try {
      checked = checkedTool(tool);
      if (this.#tools.has(checked.name)) throw new AiSdkRuntimeError("invalidOption", `Tool ${checked.name}: the host has one of that name`);
    } catch (error) {
      checked = null;
      this.#log("warn", "tools.refused", { tool: String(tool.name).slice(0, 100), error: shortMessage(error) });
    }
    this.#checked.set(tool, checked);
    return checked;
  }

  /**
   * The tools as the SDK wants them: without `execute`, because the loop decides what runs.
   * @param {import("./types.js").StoredRequest} request
   * @returns {import("ai").ToolSet}
   */
  offered(request) {
    /** @type {import("ai").ToolSet} */
    const offered = Object.create(null); // a model may call "constructor" (W6)
    for (const tool of [...this.#fromSources(), ...this.#tools.values()]) {
      if (this.#offers(tool, request)) {
        offered[tool.name] = { description: tool.description, inputSchema: jsonSchema(/** @type {import("ai").JSONSchema7} */ (tool.inputSchema)) };
      }
    }
    return offered;
  }

  /**
   * Tools that exist, but are not offered to this user, with the reason. What servers elsewhere have is told to administrators only.
   * @param {Pick<import("./types.js").StoredRequest, "actor" | "allowedToolNames">} request
   * @returns {{ name: string, reason: string }[]}
   */
  unavailable(request) {
    const known = request.actor.isAdmin ? [...this.#fromSources(), ...this.#tools.values()] : [...this.#tools.values()];
    return known.flatMap((tool) => {
      const reason = this.#closed(tool, request);
      return reason === null ? [] : [{ name: tool.name, reason }];
    });
  }

  /**
   * @param {import("./types.js").CheckedTool} tool
   * @param {Pick<import("./types.js").StoredRequest, "actor" | "allowedToolNames">} request
   */
  #offers(tool, request) {
    return this.#closed(tool, request) === null;
  }

  /**
   * Why a tool is not offered; null: it is.
   * @param {import("./types.js").CheckedTool} tool
   * @param {Pick<import("./types.js").StoredRequest, "actor" | "allowedToolNames">} request
   */
  #closed(tool, { actor, allowedToolNames }) {
    if (allowedToolNames && !allowedToolNames.includes(tool.name)) return "toolDisabled";
    const reason = typeof tool.closedReason === "string" ? tool.closedReason : "notPermitted";
    try {
      return (tool.allowed?.(actor) ?? true) ? null : reason;
    } catch (error) {
      this.#log("error", "tool.allowed threw; the tool is not offered", { tool: tool.name, error: shortMessage(error) });
      return reason;
    }
  }

  /**
   * Whether a reader of a card may see the preview of a call. A rule that throws has not let anybody look.
   * @param {import("./types.js").Call} call
   * @param {import("./types.js").Actor} actor
   */
  shows({ name, input }, actor) {
    const tool = this.registered(name);
    try {
      return tool?.mayPreview?.(actor, /** @type {import("./index.d.ts").ToolInput} */ (structuredClone(input))) ?? true;
    } catch (error) {
      this.#log("error", "tool.mayPreview threw; the preview is withheld", { tool: name, error: shortMessage(error) });
      return false;
    }
  }

  /**
   * Default: everything but a read. An answer nobody could give counts as yes.
   * @param {import("./types.js").CheckedTool} tool
   * @param {import("./types.js").Call["input"]} input
   * @param {{ actor: import("./types.js").Actor, runUuid: string }} context
   */
  async needsApproval(tool, input, context) {
    if (tool.needsApproval === undefined) return tool.effect !== "read";
    if (typeof tool.needsApproval !== "function") return tool.needsApproval;
    try {
      return (await tool.needsApproval(/** @type {import("./index.d.ts").ToolInput} */ (input), context)) !== false;
    } catch (error) {
      this.#log("error", "tool.needsApproval threw; approval is asked for", { tool: tool.name, error: shortMessage(error) });
      return true;
    }
  }

  /**
   * What a card shows of a call, computed under the run's owner. Never throws: a preview that fails is a fact about the card.
   * @param {import("./types.js").Call} call
   * @param {import("./types.js").StoredRequest} request
   * @param {import("./index.d.ts").ToolContext} context
   * @returns {Promise<import("./types.js").CallView>}
   */
  async view(call, request, context) {
    const tool = this.find(call.name, request);
    const input = /** @type {import("./index.d.ts").ToolInput} */ (call.input);
    /** @type {import("./types.js").CallView} */
    const view = { lines: [], failed: false, stale: false, target: null, hash: null };
    const label = this.#label(tool, input);
    if (label) view.label = label;
    if (!tool?.preview) return view;
    try {
      const { lines, target } = await tool.preview(input, context);
      const all = Array.isArray(lines) ? lines.map(String) : [];
      view.target = target ? { table: String(target.table), uid: target.uid, ...(target.title === undefined ? {} : { title: String(target.title) }) } : null;
      view.hash = digestOf({ lines: all, target: view.target });
      view.lines = shown(all);
    } catch (error) {
      this.#log("warn", "tool.preview threw", { tool: tool.name, error: shortMessage(error) });
      view.failed = true;
    }
    return view;
  }

  /**
   * @param {import("./types.js").CheckedTool | undefined} tool
   * @param {import("./index.d.ts").ToolInput} input
   */
  #label(tool, input) {
    try {
      const label = tool?.label?.(input);
      return typeof label === "string" ? cut(label, PREVIEW_LINE_LENGTH) : undefined;
    } catch (error) {
      this.#log("warn", "tool.label threw", { tool: tool?.name, error: shortMessage(error) });
      return undefined;
    }
  }
}

/** @param {string[]} lines */
function shown(lines) {
  const head = lines.slice(0, PREVIEW_LINES).map((line) => (line.length > PREVIEW_LINE_LENGTH ? `${cut(line, PREVIEW_LINE_LENGTH)}…` : line));
  return lines.length > PREVIEW_LINES ? [...head, `… (+${lines.length - PREVIEW_LINES})`] : head;
}

/**
 * @param {import("./index.d.ts").Tool} tool
 * @returns {import("./types.js").CheckedTool}
 */
function checkedTool(tool) {
  const name = tool?.name;
  if (typeof name !== "string" || !/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw new AiSdkRuntimeError(
      "invalidOption",
      `A tool's name must be 1 to 64 of A-Z, a-z, 0-9, _ and -, the first a letter or digit, not ${JSON.stringify(name)}`,
    );
  }
  const refuse = (/** @type {string} */ problem, /** @type {unknown} */ cause) => {
    throw new AiSdkRuntimeError("invalidOption", `Tool ${name}: ${problem}`, cause);
  };
  if (typeof tool.description !== "string") refuse("description must be a text", undefined);
  if (!EFFECTS.includes(tool.effect)) refuse(`effect must be one of ${EFFECTS.join(", ")}`, undefined);
  if ((typeof tool.execute === "function") === (typeof tool.asks === "function")) refuse("exactly one of execute and asks must be a function", undefined);
  let check;
  try {
    check = compileSchema(tool.inputSchema);
  } catch (error) {
    return refuse("inputSchema is not a usable JSON Schema", error);
  }
  // The tool object itself stays behind the copy, so that its functions keep their `this`.
  return Object.assign(Object.create(tool), { name, effect: tool.effect, check });
}
