// A chat without a host: conversations in IndexedDB, the rules in WebAssembly, a runtime of the page's own. Four folders of files beside each other
// are all that has to be served: chat/, vendor/, agent-turn/ (the package) and this one.
// @ts-expect-error the package is served beside this folder, and lies elsewhere in its sources
import { createIndexedDbStorage } from "../agent-turn/storage/indexeddb.js";
import { AgentChat } from "../chat/app.js";
import { createLocalApi } from "../chat/local/api.js";
import { createExampleRuntime } from "./runtime.js";
import { openSite } from "./site.js";

const site = openSite(localStorage);

const chat = new AgentChat();
chat.api = createLocalApi({
  storage: createIndexedDbStorage({ name: "agent-turn-example" }),
  runtime: createExampleRuntime(site),
  user: { uid: 1, name: "You" },
  pages: async () => site.pages(),
  name: "agent-turn-example",
});
chat.sitePages = true;
document.body.append(chat);
