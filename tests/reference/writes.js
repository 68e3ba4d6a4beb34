// V7: what a run wrote, read from its events or, for a run without uuid, from its steps.
import { isBlank, isObject, storable } from "./values.js";

/** @typedef {{ known: boolean, wrote: boolean, names: string[] }} Writes `known` false: nothing could be read */

/** @param {unknown} table @param {unknown} uid */
function nameOf(table, uid) {
  if (typeof table !== "string" || isBlank(table) || !Number.isSafeInteger(uid) || Number(uid) <= 0) return "";
  return `${storable(table)}:${uid}`;
}

/** @param {{ kind: string, payload: Record<string, unknown> }[]} entries @returns {Writes} */
function read(entries) {
  const names = /** @type {string[]} */ ([]);
  let wrote = false;
  let approved = false;
  for (const { kind, payload } of entries) {
    if (kind === "approval") {
      approved = payload.approved === true;
    } else if (kind === "tool") {
      // a tool in the unbroken row behind an approved approval wrote, unless it failed
      if (approved && payload.toolIsError !== true) wrote = true;
    } else {
      if (kind === "tool_write") {
        wrote = true;
        const name = nameOf(payload.writeTargetTable, payload.writeTargetUid);
        if (name !== "" && !names.includes(name)) names.push(name);
      }
      approved = approved && kind === "tool_write";
    }
  }
  return { known: entries.length > 0, wrote, names };
}

/** Entries without a kind are nonsense and count for nothing. @param {unknown} entries */
const readable = (entries) => (Array.isArray(entries) ? entries.filter((entry) => isObject(entry) && typeof entry.kind === "string") : []);

/** @param {unknown} events @returns {Writes} */
export function writesOfEvents(events) {
  return read(readable(events).map((event) => ({ kind: event.kind, payload: isObject(event.payload) ? event.payload : {} })));
}

/** @param {unknown} steps @returns {Writes} */
export function writesOfSteps(steps) {
  return read(readable(steps).map((step) => ({ kind: step.kind, payload: step })));
}
