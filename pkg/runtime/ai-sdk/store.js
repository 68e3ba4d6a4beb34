/** The rows of the runtime. Every write of a run is a compare-and-swap, with all that belongs to it (together.js). */
import { Cancelled, LeaseLost, StoreFault } from "./errors.js";
import { together } from "./together.js";

/**
 * @typedef {import("./types.js").Tables} Tables
 * @typedef {import("./types.js").RunRow} RunRow
 * @typedef {import("kysely").Kysely<Tables>} Db
 */

const WAITING = ["waiting_for_approval", "waiting_for_input"];
const SETTLED = ["completed", "failed", "cancelled"];
const READS = 3;

/**
 * @typedef {object} Added
 * @property {import("./types.js").NewEvent[]} events
 * @property {import("./types.js").LogEntry[]} log
 * @property {import("./types.js").UsageRow[]} usage
 */

export class Store {
  #db;

  /** @param {Db} db */
  constructor(db) {
    this.#db = db;
  }

  /**
   * @param {string} uuid
   * @returns {Promise<RunRow | undefined>}
   */
  async load(uuid) {
    const row = await this.#db.selectFrom("agent_run").selectAll().where("uuid", "=", uuid).executeTakeFirst();
    return row && numbers(row);
  }

  /**
   * A run with its log. The two are read one after the other: where another process settled or saved the run in between, both are read again.
   * @param {string} uuid
   * @returns {Promise<{ row: RunRow, log: import("./types.js").LogRow[] } | undefined>}
   */
  async loadOpen(uuid) {
    for (let left = READS; ; left -= 1) {
      const row = await this.load(uuid);
      if (!row) return undefined;
      const log = await this.#db.selectFrom("agent_run_log").selectAll().where("run_uuid", "=", uuid).orderBy("sequence").execute();
      if (log.length >= row.logged || row.state === "" || left === 0) return { row, log };
    }
  }

  /**
   * @param {RunRow} row
   * @param {string} request the first line of its log
   * @returns {Promise<boolean>} false: a run of that uuid exists
   */
  async insert(row, request) {
    try {
      const line = { run_uuid: row.uuid, sequence: 0, kind: /** @type {const} */ ("request"), body: request };
      await together(this.#db, (db) => db.insertInto("agent_run").values(row), { added: [{ table: "agent_run_log", rows: [line] }] });
      return true;
    } catch (error) {
      if (await this.load(row.uuid)) return false;
      throw error;
    }
  }

  /**
   * Takes a row that nobody holds; false: somebody was faster.
   * @param {RunRow} row as it was read
   * @param {Partial<RunRow>} patch
   */
  async claim(row, patch) {
    const { numUpdatedRows } = await this.#db
      .updateTable("agent_run")
      .set({ ...patch, version: row.version + 1 })
      .where("uuid", "=", row.uuid)
      .where("version", "=", row.version)
      .where("status", "=", row.status)
      .where("claim_id", "=", row.claim_id)
      .where("lease_expires", "=", row.lease_expires) // a heartbeat raises no version, but it is a sign of life
      .executeTakeFirst();
    return Number(numUpdatedRows) === 1;
  }

  /**
   * Writes a run this process holds, with what belongs to the change: its cost does not grow with the run. A settled run keeps no log, and
   * settling is all that is left for one that shall stop.
   * @param {RunRow} row as it was written last
   * @param {Partial<RunRow>} patch
   * @param {Added} added
   * @param {number} now
   * @throws {LeaseLost} the row is not this claim's any more; nothing was written
   * @throws {Cancelled} somebody wants it to stop; nothing was written
   * @throws {StoreFault}
   */
  async save(row, patch, { events, log, usage }, now) {
    const settled = patch.state === "";
    const change = (/** @type {Db} */ db) =>
      db
        .updateTable("agent_run")
        .set({ ...patch, version: row.version + 1, events: row.events + events.length, logged: row.logged + log.length, updated_at: now })
        .where("uuid", "=", row.uuid)
        .where("version", "=", row.version)
        .where("claim_id", "=", row.claim_id)
        .where("status", "=", "running")
        .where("stop_asked", "<=", settled ? 1 : 0);
    /** @type {import("./together.js").Added[]} */
    const added = [
      { table: "agent_run_event", rows: events.map((event, index) => eventRow(row, event, index, now)) },
      { table: "agent_usage", rows: usage },
      { table: "agent_run_log", rows: settled ? [] : log.map((entry, index) => ({ run_uuid: row.uuid, sequence: row.logged + index, ...entry })) },
    ];
    await faulty(async () => {
      if (!(await together(this.#db, change, { added, cleared: settled && row.uuid }))) throw await whyNot(this.#db, row);
    });
  }

  /**
   * The sign of life of a running run. `stopAsked`: somebody wants it to stop; `lost`: it is not this claim's any more.
   * @param {string} uuid
   * @param {string} claimId
   * @param {number} leaseExpires
   * @returns {Promise<"held" | "stopAsked" | "lost">}
   */
  async beat(uuid, claimId, leaseExpires) {
    const beaten = async (/** @type {number} */ stopAsked) => {
      const { numUpdatedRows } = await this.#db
        .updateTable("agent_run")
        .set({ lease_expires: leaseExpires })
        .where("uuid", "=", uuid)
        .where("claim_id", "=", claimId)
        .where("status", "=", "running")
        .where("stop_asked", "=", stopAsked)
        .executeTakeFirst();
      return Number(numUpdatedRows) === 1;
    };
    if (await beaten(0)) return "held";
    return (await beaten(1)) ? "stopAsked" : "lost";
  }

  /**
   * Notes on a running run that it shall stop. Whoever holds it finds the note with its next heartbeat or save.
   * @param {string} uuid
   * @returns {Promise<boolean>} false: it does not run (any more)
   */
  async askStop(uuid) {
    const { numUpdatedRows } = await this.#db
      .updateTable("agent_run")
      .set({ stop_asked: 1 })
      .where("uuid", "=", uuid)
      .where("status", "=", "running")
      .executeTakeFirst();
    return Number(numUpdatedRows) === 1;
  }

  /**
   * Running rows without a sign of life, the oldest first.
   * @param {number} now
   * @param {number} limit
   */
  async abandoned(now, limit) {
    const rows = await this.#db
      .selectFrom("agent_run")
      .selectAll()
      .where("status", "=", "running")
      .where("lease_expires", "<", now)
      .orderBy("lease_expires")
      .limit(limit)
      .execute();
    return rows.map(numbers);
  }

  /**
   * Running rows without a sign of life, or of a save, since then.
   * @param {number} before
   * @param {number} limit
   */
  async silentSince(before, limit) {
    const running = this.#db.selectFrom("agent_run").selectAll().where("status", "=", "running");
    const rows = await running.where("lease_expires", "<", before).where("updated_at", "<", before).orderBy("updated_at").limit(limit).execute();
    return rows.map(numbers);
  }

  /**
   * @param {number} before
   * @param {number} limit
   */
  async waitingSince(before, limit) {
    const rows = await this.#db
      .selectFrom("agent_run")
      .selectAll()
      .where("status", "in", WAITING)
      .where("updated_at", "<", before)
      .orderBy("updated_at")
      .limit(limit)
      .execute();
    return rows.map(numbers);
  }

  /**
   * Removes settled runs with their events and ledger; a settled run never changes again.
   * @param {number} before
   * @param {number} limit
   * @returns {Promise<number>} how many
   */
  async removeSettled(before, limit) {
    const found = this.#db.selectFrom("agent_run").select("uuid").where("status", "in", SETTLED).where("updated_at", "<", before);
    const uuids = (await found.orderBy("updated_at").limit(limit).execute()).map(({ uuid }) => uuid);
    if (uuids.length === 0) return 0;
    await this.#db.transaction().execute(async (trx) => {
      await trx.deleteFrom("agent_run").where("uuid", "in", uuids).execute();
      for (const table of /** @type {const} */ (["agent_run_event", "agent_run_log", "agent_effect"])) {
        await trx.deleteFrom(table).where("run_uuid", "in", uuids).execute();
      }
    });
    return uuids.length;
  }

  /** @param {number} before */
  async removeUsage(before) {
    const { numDeletedRows } = await this.#db.deleteFrom("agent_usage").where("created_at", "<", before).executeTakeFirst();
    return Number(numDeletedRows);
  }

  /**
   * @param {number} since
   * @param {number} until
   */
  async usage(since, until) {
    return this.#db
      .selectFrom("agent_usage")
      .select(["extension", "operation", "configuration", "model"])
      .select(({ fn }) => [
        fn.count("run_uuid").distinct().as("runs"),
        fn.countAll().as("calls"),
        fn.sum("prompt_tokens").as("prompt_tokens"),
        fn.sum("completion_tokens").as("completion_tokens"),
        fn.sum("cost_micros").as("cost_micros"),
      ])
      .where("created_at", ">=", since)
      .where("created_at", "<", until)
      .groupBy(["extension", "operation", "configuration", "model"])
      .execute();
  }

  /**
   * Moves a waiting run to `cancelled`; false: it was not waiting any more.
   * @param {RunRow} row as it was read
   * @param {string} result
   * @param {number} now
   */
  async cancelWaiting(row, result, now) {
    const change = (/** @type {Db} */ db) =>
      db
        .updateTable("agent_run")
        .set({ status: "cancelled", reason: "cancelled", result, state: "", version: row.version + 1, updated_at: now })
        .where("uuid", "=", row.uuid)
        .where("version", "=", row.version)
        .where("status", "in", WAITING);
    return together(this.#db, change, { cleared: row.uuid });
  }

  /** @param {string} uuid */
  async events(uuid) {
    return this.#db.selectFrom("agent_run_event").selectAll().where("run_uuid", "=", uuid).orderBy("sequence").execute();
  }

  /**
   * @param {string} uuid
   * @param {string} callId
   */
  async effect(uuid, callId) {
    return faulty(() => this.#db.selectFrom("agent_effect").selectAll().where("run_uuid", "=", uuid).where("call_id", "=", callId).executeTakeFirst());
  }

  /**
   * Notes that a call begins to take effect. Only who holds the run may do that, and only once per call: the key is unique.
   * @param {RunRow} row
   * @param {{ callId: string, tool: string, leaseExpires: number, now: number }} effect
   * @throws {LeaseLost}
   * @throws {Cancelled}
   * @throws {StoreFault}
   */
  async beginEffect(row, { callId, tool, leaseExpires, now }) {
    const change = (/** @type {Db} */ db) =>
      db
        .updateTable("agent_run")
        .set({ lease_expires: leaseExpires })
        .where("uuid", "=", row.uuid)
        .where("version", "=", row.version)
        .where("claim_id", "=", row.claim_id)
        .where("status", "=", "running")
        .where("stop_asked", "=", 0);
    const begun = { run_uuid: row.uuid, call_id: callId, tool, status: "started", result: null, created_at: now, updated_at: now };
    await faulty(async () => {
      if (!(await together(this.#db, change, { added: [{ table: "agent_effect", rows: [begun] }] }))) throw await whyNot(this.#db, row);
    });
  }

  /**
   * Notes what an effect gave; also after the run was lost, because the effect happened all the same.
   * @param {string} uuid
   * @param {string} callId
   * @param {string} result
   * @param {number} now
   */
  async endEffect(uuid, callId, result, now) {
    await faulty(() =>
      this.#db
        .updateTable("agent_effect")
        .set({ status: "done", result, updated_at: now })
        .where("run_uuid", "=", uuid)
        .where("call_id", "=", callId)
        .execute(),
    );
  }
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function faulty(work) {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LeaseLost || error instanceof Cancelled ? error : new StoreFault(error);
  }
}

/**
 * Why a run could not be written.
 * @param {Db} db
 * @param {RunRow} row
 */
async function whyNot(db, { uuid, claim_id, version }) {
  const now = await db.selectFrom("agent_run").select(["claim_id", "version", "status", "stop_asked"]).where("uuid", "=", uuid).executeTakeFirst();
  const ours = now?.status === "running" && now.claim_id === claim_id && Number(now.version) === version;
  return ours && now.stop_asked ? new Cancelled() : new LeaseLost();
}

/**
 * @param {RunRow} row
 * @param {import("./types.js").NewEvent} event
 * @param {number} index
 * @param {number} now
 * @returns {import("./types.js").EventRow}
 */
const eventRow = (row, event, index, now) => ({
  run_uuid: row.uuid,
  sequence: row.events + index,
  kind: event.kind,
  round: event.round,
  duration_ms: Math.max(0, Math.round(event.durationMs)),
  payload: JSON.stringify(event.payload),
  created_at: now,
});

/**
 * 64-bit columns come as text from some drivers.
 * @param {RunRow} row
 * @returns {RunRow}
 */
const numbers = (row) => ({
  ...row,
  lease_expires: Number(row.lease_expires),
  created_at: Number(row.created_at),
  updated_at: Number(row.updated_at),
});
