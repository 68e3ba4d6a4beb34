/**
 * agent-turn/page: what a reader's page asks of the rules, in a build of its own without the engine, a fifth of the whole in size. The functions are those of
 * `agent-turn`, made of the same sources, and answer the same; `init` loads this build's own binary.
 *
 *   import init, { answerForm } from "agent-turn/page";
 *   await init();
 */

export type { Answer, Conversation, ConversationView, InputForm, Json, Message, PendingCall, Reader, Uid, WaitingView } from "./index.js";
export { AgentTurnError, answerForm, default, inputForm, present, version } from "./index.js";
