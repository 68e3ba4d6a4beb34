/** An OpenAI-compatible endpoint that plays the story, and now and then answers garbage. What it says depends on the transcript only. */
import { once } from "node:events";
import { createServer } from "node:http";

/** @typedef {{ role: string, content?: string | null, tool_call_id?: string, tool_calls?: { id: string, function: { name: string } }[] }} Message */

const NOTE_TOOL = "mcp_notes_add_note";
const ECHO_TOOL = "mcp_all_echo";
/** What the ids of garbage begin with. */
const ROTTEN = "rotten";

/**
 * @param {Message[]} messages
 * @returns {{ content: string | null, tool_calls?: unknown[] }}
 */
export function play(messages) {
  const from = messages.findLastIndex(({ role }) => role === "user");
  const [, page = "0", title = "Story 0"] = /page (\d+) to (Story \d+)/.exec(messages[from]?.content ?? "") ?? [];
  const uid = Number(page);
  const since = messages.slice(from + 1);
  const names = new Map(since.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id, function: { name } }) => /** @type {const} */ ([id, name]))));
  const results = since
    .filter(({ role, tool_call_id = "" }) => role === "tool" && !tool_call_id.startsWith(ROTTEN))
    .map(({ tool_call_id, content }) => ({ name: names.get(tool_call_id ?? ""), content }));
  // What became of a rotten call says nothing of the proposal.
  const told = (/** @type {string} */ name) => results.findLast((result) => result.name === name)?.content;
  if (told(NOTE_TOOL) !== undefined) return { content: `${title} ended. Page: ${told("update_page")} Note: ${told(NOTE_TOOL)}` };
  if (told("read_page") === undefined) return { content: "Let me look.", tool_calls: [call("read_page", { uid }), call(ECHO_TOOL, { message: title })] };
  return { content: "I propose this.", tool_calls: [call("update_page", { uid, title }), call(NOTE_TOOL, { text: title })] };
}

let calls = 0;
/** @param {string} name @param {unknown} input @param {string} [kind] */
const call = (name, input, kind = "call") => ({
  id: `${kind}_${process.pid}_${(calls += 1)}`,
  type: "function",
  function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
});

/** @type {(() => { status?: number, body: string })[]} */
const GARBAGE = [
  () => ({ body: "<html>gateway</html>" }),
  () => ({ status: 503, body: '{"error":{"message":"busy"}}' }),
  () => ({ body: completion({ content: null, tool_calls: [call("no_such_tool", {}, ROTTEN), call("read_page", '{"uid":', ROTTEN)] }) }),
  () => ({ body: completion({ content: null, tool_calls: [call("update_page", { uid: "three" }, ROTTEN), call("constructor", {}, ROTTEN)] }) }),
];

/** @param {ReturnType<typeof play>} message */
const completion = (message) =>
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "story",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: message.tool_calls ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });

/**
 * @param {{ after(fn: () => unknown): void }} t
 * @param {() => number} random
 */
export async function startModel(t, random) {
  const counts = { asked: 0, garbage: 0 };
  /** Calls in which a tool of an MCP server was not offered. @type {string[]} */
  const lacking = [];
  let rottenness = 0.12;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    counts.asked += 1;
    const rotten = random() < rottenness ? GARBAGE[Math.floor(random() * GARBAGE.length)]?.() : undefined;
    if (rotten) counts.garbage += 1;
    const { messages, tools = [] } = JSON.parse(text);
    const offered = tools.map((/** @type {{ function: { name: string } }} */ tool) => tool.function.name);
    const missing = [NOTE_TOOL, ECHO_TOOL].filter((name) => !offered.includes(name));
    if (missing.length > 0) lacking.push(`${new Date().toISOString()} model: asked without ${missing.join(", ")}`);
    const { status = 200, body } = rotten ?? { body: completion(play(messages)) };
    response.writeHead(status, { "content-type": "application/json", "retry-after-ms": "5" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/v1`, counts, lacking, /** From now on its answers are good. */ behave: () => void (rottenness = 0) };
}
