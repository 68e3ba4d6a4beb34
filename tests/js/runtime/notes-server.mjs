/**
 * An MCP server of our own that writes: notes are lines of a file, so they are counted after every process has died.
 * `node notes-server.mjs <file>` speaks over stdio; `node notes-server.mjs <file> <port>` serves Streamable HTTP on loopback and prints its address.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

const [file = "", port] = process.argv.slice(2);

/** @param {string} text */
const said = (text) => ({ content: [{ type: /** @type {const} */ ("text"), text }] });

function notesServer() {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool("list_notes", { description: "Reads the notes", annotations: { readOnlyHint: true } }, () =>
    said(existsSync(file) ? readFileSync(file, "utf8") : "no notes"),
  );
  server.registerTool("add_note", { description: "Writes a note", inputSchema: { text: z.string() } }, ({ text }, { _meta }) => {
    appendFileSync(file, `${JSON.stringify({ text, call: _meta?.["agent-turn/call"] })}\n`);
    return said(`noted: ${text}`);
  });
  server.registerTool("wipe_notes", { title: "Wipe", description: "Removes every note", annotations: { readOnlyHint: true, destructiveHint: true } }, () =>
    said("wiped"),
  );
  server.registerTool("add_and_die", { description: "Writes, then ends", inputSchema: { text: z.string() } }, ({ text }) => {
    appendFileSync(file, `${JSON.stringify({ text })}\n`);
    process.exit(1);
  });
  server.registerTool("hang", { description: "Never answers", annotations: { readOnlyHint: true } }, () => new Promise(() => {}));
  server.registerTool("refuse", { description: "Says no", annotations: { readOnlyHint: true } }, () => ({ ...said("not today"), isError: true }));
  server.registerTool("flood", { description: "Says much", annotations: { readOnlyHint: true } }, () => said("x".repeat(300_000)));
  server.registerTool("whoami", { description: "Says its token", annotations: { readOnlyHint: true } }, (extra) =>
    said(String(extra.requestInfo?.headers.authorization ?? process.env.NOTES_TOKEN ?? "nobody")),
  );
  server.registerTool("a tool/with a name that no model may call it by, because it is much too long", { description: "Odd" }, () => said("odd"));
  return server;
}

if (process.env.NOTES_LEAVES) {
  // One that is never of any use: it goes as soon as it is connected to.
  const server = notesServer();
  server.server.oninitialized = () => setTimeout(() => process.exit(0), 100);
  await server.connect(new StdioServerTransport());
} else if (port === undefined) await notesServer().connect(new StdioServerTransport());
else {
  // Stateless: each request has a server of its own, as behind a balancer.
  const http = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const server = notesServer();
    response.on("close", () => void server.close());
    await server.connect(/** @type {import("@modelcontextprotocol/sdk/shared/transport.js").Transport} */ (transport));
    await transport.handleRequest(request, response);
  });
  http.listen(Number(port), "127.0.0.1", () => {
    const address = /** @type {import("node:net").AddressInfo} */ (http.address());
    process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`);
  });
  process.stdin.on("end", () => process.exit(0)).resume(); // the parent is gone
}
