/** An engine whose runtime does nothing for 5 ms: what is left is the cost of the host. */
import { setTimeout as delay } from "node:timers/promises";
import init, { ChatEngine } from "agent-turn";

export const RUNTIME_MS = 5;
export const OWNER = { uid: 1, isAdmin: false, groups: [] };

/** @param {import("agent-turn").Storage} storage */
export async function createEngine(storage) {
  await init();
  /** @type {import("agent-turn").Host} */
  const host = {
    storage,
    runtime: {
      async run({ runUuid }) {
        await delay(RUNTIME_MS);
        return { outcome: "completed", runUuid, loopResult: { finalContent: "Done." } };
      },
      approve: () => Promise.reject(new Error("nothing waits")),
      submitInput: () => Promise.reject(new Error("nothing waits")),
      status: () => null,
    },
    resolveTask: () => ({ uid: 1, promptTemplate: "", configuration: { uid: 1, name: "Load", systemPrompt: "" } }),
  };
  return new ChatEngine(host, { taskUid: 1, extensionKey: "load", maxActivePerOwner: 0 });
}
