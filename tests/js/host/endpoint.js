/** An OpenAI-compatible endpoint on loopback whose answers are given one by one. */
import { once } from "node:events";
import { createServer } from "node:http";

/**
 * @typedef {import("node:http").IncomingMessage} Incoming
 * @typedef {import("node:http").ServerResponse} Outgoing
 * @typedef {{ authorization: string | undefined, path: string | undefined, body: any }} Asked
 * @typedef {(response: Outgoing, asked: Asked) => void} Answer
 */

/** @param {number} status @param {unknown} body @param {Record<string, string>} [headers] @returns {Answer} */
export const reply =
  (status, body, headers = {}) =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** @param {Record<string, unknown>} message @param {string} finishReason */
const completion = (message, finishReason) =>
  reply(200, {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "test-model",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  });

/** @param {string} content */
export const say = (content) => completion({ content }, "stop");

/** @param {string} name @param {unknown} input */
export const callTool = (name, input) =>
  completion({ content: null, tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: JSON.stringify(input) } }] }, "tool_calls");

/** Answers nothing at all. @type {Answer} */
export const hang = () => {};

/** Begins an answer and goes no further. @type {Answer} */
export const stall = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"id":"c1","choices":[');
};

/**
 * @param {{ after(fn: () => unknown): void }} t
 * @param {Answer[]} answers In the order of the calls; a call too many gets 500.
 * @param {number} [port]
 */
export async function startEndpoint(t, answers, port = 0) {
  /** @type {Asked[]} */
  const asked = [];
  const left = [...answers];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const call = { authorization: request.headers.authorization, path: request.url, body: JSON.parse(text) };
    asked.push(call);
    server.emit("asked", request.socket);
    (left.shift() ?? reply(500, { error: { message: "nobody expected this call" } }))(response, call);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  t.after(close);
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    asked,
    port: address.port,
    url: `http://127.0.0.1:${address.port}/v1`,
    /** The connection of the next call. @returns {Promise<import("node:net").Socket>} */
    nextCall: async () => (await once(server, "asked"))[0],
  };
}
