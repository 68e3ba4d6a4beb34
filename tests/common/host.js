// A host in memory for the boundary tests: one conversation, one run, and the faults a test asks for.

/** @param {string} fault which callback misbehaves, and how: "" | "throws" | "rejects" | "nonsense" | "missing" beside its name */
export function createHost(callback, fault) {
  const row = {
    uid: 1,
    owner: 7,
    title: "",
    messages: [{ role: "user", content: "Hallo 👋", x_host: { n: 9007199254740993n } }],
    status: "processing",
    revision: 3,
    claimId: "",
    errorMessage: "",
    errorCode: "",
    runUuid: "",
    lastRunUuid: "",
    decision: "",
    decidedBy: null,
    turnDigest: "",
    denyReason: "",
    pendingInput: null,
    systemPrompt: "",
    viewContext: null,
    activity: [],
    archived: false,
    pinned: false,
    createdAt: 0,
    updatedAt: 1,
  };
  const host = {
    row,
    runs: 0,
    storage: {
      load: () => ({ ...row }),
      insert: () => 2,
      swap(_uid, revision, { messages, ...fields }) {
        if (revision !== row.revision) return false;
        Object.assign(row, fields);
        if (messages) row.messages = [...row.messages.slice(0, messages.keep), ...messages.append];
        row.revision += 1;
        return true;
      },
      touch: () => true,
      find: () => [1],
      remove: () => true,
    },
    runtime: {
      async run(request, onStep) {
        host.runs += 1;
        host.request = request;
        host.onStep = onStep;
        await new Promise((done) => setTimeout(done, 5));
        onStep({ kind: "tool", round: 1, durationMs: 2, toolName: "list_pages" });
        return { outcome: "completed", runUuid: request.runUuid, steps: [], loopResult: { finalContent: "Guten Tag" } };
      },
      approve: () => null,
      submitInput: () => null,
      status: () => null,
    },
    resolveTask: () => ({ uid: 5, promptTemplate: "", configuration: { uid: 9, name: "Default", systemPrompt: "" } }),
  };
  const path = callback.split(".");
  const name = path.pop();
  const owner = path.reduce((object, key) => object[key], host);
  if (fault === "throws")
    owner[name] = () => {
      throw Object.assign(new Error("boom"), { mark: host });
    };
  if (fault === "rejects") owner[name] = () => Promise.reject("just a text");
  if (fault === "nonsense") owner[name] = () => Symbol("nonsense");
  if (fault === "missing") owner[name] = undefined;
  if (fault === "getter")
    Object.defineProperty(row, name, {
      enumerable: true,
      configurable: true,
      get() {
        throw new Error("getter");
      },
    });
  return host;
}

export function settings() {
  return { taskUid: 5, extensionKey: "boundary" };
}

export function actor() {
  return { uid: 7, isAdmin: false, groups: [] };
}

export function get(value, path) {
  return path.split(".").reduce((object, key) => (object === undefined || object === null ? object : object[key]), value);
}

/** Whether the cause of what was thrown is the host's own error. */
export function isCauseOf(host, thrown) {
  return thrown.cause?.mark === host;
}

export function nested(levels) {
  let value = {};
  for (let i = 1; i < levels; i++) value = { value };
  return value;
}
