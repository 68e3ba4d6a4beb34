import { conversationChecks } from "./checks/conversations.js";
import { faultChecks } from "./checks/faults.js";
import { queryChecks } from "./checks/queries.js";
import { raceChecks } from "./checks/races.js";
import { swapChecks } from "./checks/swaps.js";
import { textChecks } from "./checks/texts.js";

/**
 * @typedef {import("../index.js").Storage} Storage
 * @typedef {import("./index.js").OpenedStore} OpenedStore
 * @typedef {object} Bench what one check works with
 * @property {Storage} storage
 * @property {() => Promise<Storage>} connect a second connection; the same one where the adapter has no other
 * @property {() => Promise<Storage>} reopen
 * @property {NonNullable<OpenedStore["breakDown"]>} breakDown
 * @property {NonNullable<OpenedStore["inProcess"]>} inProcess
 *
 * @typedef {(name: string, run: (bench: Bench) => Promise<void>) => void} Register
 * @typedef {object} Registrars what kinds of checks there are
 * @property {(name: string, group: () => void) => void} describe puts a name before those of the checks in it
 * @property {Register} check for every adapter
 * @property {Register} strictly for adapters that refuse bad input with the codes of `StorageError`
 * @property {Register} whenReopened for adapters that outlive their process
 * @property {Register} whenForked for adapters that several processes share
 * @property {Register} whenBroken for adapters that can be cut off from their data
 *
 * @typedef {(registrars: Registrars) => void} Group
 */

/** @type {Group[]} */
const GROUPS = [conversationChecks, textChecks, swapChecks, queryChecks, faultChecks, raceChecks];

/** @type {typeof import("./index.js").storageKit} */
export function storageKit({ it, open, name = "storage", strict = false, outlives = false, processes = false, breaks = false }) {
  /** @type {string[]} */
  const path = [name];
  /** @param {boolean} wanted @returns {Register} */
  const registrar = (wanted) => (title, run) => {
    if (wanted) it([...path, title].join(": "), () => onBench(open, run));
  };
  /** @type {Registrars} */
  const registrars = {
    describe(title, group) {
      path.push(title);
      group();
      path.pop();
    },
    check: registrar(true),
    strictly: registrar(strict),
    whenReopened: registrar(outlives),
    whenForked: registrar(processes),
    whenBroken: registrar(breaks),
  };
  for (const group of GROUPS) group(registrars);
}

/**
 * @param {() => OpenedStore | Promise<OpenedStore>} open
 * @param {(bench: Bench) => Promise<void>} run
 */
async function onBench(open, run) {
  const opened = await open();
  try {
    await run({
      storage: opened.storage,
      connect: async () => opened.connect?.() ?? opened.storage,
      reopen: async () => offered(opened, "reopen")(),
      breakDown: async () => offered(opened, "breakDown")(),
      inProcess: async (worker) => offered(opened, "inProcess")(worker),
    });
  } finally {
    await opened.close?.();
  }
}

/**
 * @template {"reopen" | "breakDown" | "inProcess"} Name
 * @param {OpenedStore} opened
 * @param {Name} name
 * @returns {NonNullable<OpenedStore[Name]>}
 */
function offered(opened, name) {
  const method = opened[name];
  if (!method) throw new TypeError(`open() gave no ${name}, which this check needs`);
  return /** @type {NonNullable<OpenedStore[Name]>} */ (method.bind(opened));
}
