// V7: what a run wrote, read from its events or, for a run without uuid, from its steps.
import { isBlank, isObject, storable, textOr } from "./values.js";

/** @typedef {{ known: boolean, wrote: boolean, names: string[] }} Writes `known` false: nothing could be read */

/** @param {unknown} table @param {unknown} uid */
function nameOf(table, uid) {
  if (typeof table !== "string" || isBlank(table) || !Number.isSafeInteger(uid) || Number(uid) <= 0) return "";
  return `${storable(table)}:${uid}`;
}

/** An entry that cannot be read breaks a row of tools. */
const NONSENSE = Object.freeze({ kind: "", payload: {} });

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
  return { known: entries.some((entry) => entry !== NONSENSE), wrote, names };
}

/** @param {unknown} events @returns {Writes} */
export function writesOfEvents(events) {
  if (!Array.isArray(events)) return { known: false, wrote: false, names: [] };
  return read(events.map((e) => (isObject(e) ? { kind: textOr(e.kind), payload: isObject(e.payload) ? e.payload : {} } : NONSENSE)));
}

/** @param {unknown} steps @returns {Writes} */
export function writesOfSteps(steps) {
  if (!Array.isArray(steps)) return { known: false, wrote: false, names: [] };
  return read(steps.map((s) => (isObject(s) ? { kind: textOr(s.kind), payload: s } : NONSENSE)));
}
