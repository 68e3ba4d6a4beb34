/**
 * The sign of life of the turns this process carries out (C5). The engine refreshes a claim with every step; a step that takes long (a slow model, a long
 * tool call) would look like a dead worker to the upkeep of another process (G1). The storage tells which claims are this process's own: it wrote them.
 */

/** @typedef {import("agent-turn").Uid} Uid */

/** After that long without a step nobody believes any more that a turn goes on; its run is asked (G1). */
const LONGEST_MS = 3_600_000;

/**
 * @template {import("agent-turn").Storage} S
 * @param {S} storage
 * @param {object} options
 * @param {number} options.intervalMs Well below `stuckAfterSeconds`.
 * @param {import("./log.js").Log} options.log
 * @param {() => number} [options.now] Unix milliseconds.
 * @returns {{ storage: S, claims(): number, release(uid?: Uid): void, beat(): Promise<void>, stop(): void }} `storage` is for the engine.
 */
export function withHeartbeat(storage, { intervalMs, log, now = Date.now }) {
  /** @type {Map<string, { uid: Uid, claimId: string, since: number }>} */
  const held = new Map();

  /** @param {Uid} uid @param {import("agent-turn").Patch} patch */
  function note(uid, { status, claimId }) {
    if (status === "locked" && claimId) held.set(String(uid), { uid, claimId, since: now() });
    else if (status !== undefined) held.delete(String(uid));
  }

  async function beat() {
    for (const [key, claim] of held) {
      const over = now() - claim.since > LONGEST_MS;
      const alive = !over && (await storage.touch(claim.uid, claim.claimId, Math.floor(now() / 1000)));
      if (!alive && held.get(key) === claim) held.delete(key);
    }
  }

  let beating = false;
  const timer = setInterval(async () => {
    if (beating) return;
    beating = true;
    // A database that is away for a moment takes no claim from anybody.
    await beat().catch((error) => log("warn", "heartbeat failed", { error: error instanceof Error ? error.name : "unknown" }));
    beating = false;
  }, intervalMs);
  timer.unref();

  return {
    storage: {
      ...storage,
      async swap(uid, revision, patch) {
        const done = await storage.swap(uid, revision, patch);
        if (done) note(uid, patch);
        return done;
      },
    },
    claims: () => held.size,
    /**
     * The turn of a conversation is over, whatever became of it: one that lost its run to another process leaves its row locked (O10), and the upkeep has to
     * find it. Without a uid: a turn ended in a fault and nobody knows which; the others show their steps, and their runs are asked (G1).
     */
    release(uid) {
      if (uid === undefined) held.clear();
      else held.delete(String(uid));
    },
    beat,
    stop: () => clearInterval(timer),
  };
}
