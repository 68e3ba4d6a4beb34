/** How this host uses the engine. */

/** Limits that the page is told, too (N6). */
export const LIMITS = Object.freeze({ maxMessageLength: 10000, maxFilesPerConversation: 5 });

export const TASK_UID = 1;

const IDENTITY_PROMPT = [
  "You are the assistant in the backend of a content management system. You help editors with the pages of their site.",
  "Look things up with the tools before you answer or change anything; never guess the uid of a page.",
  "A tool that writes is proposed to a person first and runs only if that person approves. Propose one change at a time, and never say that something was changed unless a tool result says so.",
  "If a request leaves something open, such as where a new page belongs, ask with the tool ask_choice. Answer briefly, in the language of the user.",
].join("\n");

/**
 * Settings of the engine; the times come from the configuration. The runtime can be asked about every run, so a turn whose worker died is looked at soon
 * (G1), and one that still goes on is left alone.
 *
 * @type {import("agent-turn").Settings}
 */
export const SETTINGS = {
  taskUid: TASK_UID,
  extensionKey: "agent_turn_demo",
  identityPrompt: IDENTITY_PROMPT,
  ...LIMITS,
};
