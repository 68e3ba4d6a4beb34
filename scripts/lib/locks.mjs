// What is wrong with a lock file: pure functions over its text, so that a test can show each fault.
import { isAllowed } from "./licences.mjs";

/** Licences whose terms this project can meet in every way it uses a package. */
export const licences = new Set([
  "0BSD",
  "AFL-2.1",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "Unicode-3.0",
  "Unlicense",
  "WTFPL",
  "Zlib",
]);

/**
 * Packages whose licence is not in the list, with the expression that was read when they were let in and the reason.
 * @type {Record<string, { licence: string, reason: string }>}
 */
export const exceptions = {
  "@axe-core/playwright": { licence: "MPL-2.0", reason: "used unchanged by the accessibility tests, not shipped" },
  "axe-core": { licence: "MPL-2.0", reason: "used unchanged by the accessibility tests, not shipped" },
  "@modelcontextprotocol/server-everything": {
    licence: "SEE LICENSE IN LICENSE",
    reason: "a server that tests talk to, not shipped",
  },
  duck: { licence: "BSD", reason: "its file is the two-clause licence" },
};

/** Packages that may run a script when they are installed: they fetch or build what belongs to this machine. */
export const scripted = new Set(["better-sqlite3", "esbuild"]);

/**
 * @typedef {{ version?: string, license?: string, integrity?: string, resolved?: string, link?: boolean, hasInstallScript?: boolean }} Locked
 */

/**
 * The faults of a package-lock.json (version 3).
 * @param {{ packages: Record<string, Locked> }} lock @param {ReadonlySet<string>} [own] folders of this project's own packages
 * @returns {string[]}
 */
export function npmFaults(lock, own = new Set(["", "pkg"])) {
  const faults = [];
  for (const [path, locked] of Object.entries(lock.packages)) {
    if (own.has(path) || locked.link) continue;
    const name = path.replace(/^.*node_modules\//, "");
    if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(locked.integrity ?? "")) faults.push(`${name}: no sha512 of what is installed`);
    if (locked.resolved) faults.push(`${name}: names the host it comes from`);
    if (locked.hasInstallScript && !scripted.has(name)) faults.push(`${name}: runs a script when it is installed`);
    faults.push(...licenceFaults(name, locked.license));
  }
  return faults;
}

/**
 * The faults of a Cargo.lock: every crate comes from crates.io, with its checksum.
 * @param {string} text @param {ReadonlySet<string>} own crates of this project
 * @returns {string[]}
 */
export function cargoFaults(text, own) {
  const faults = [];
  for (const block of text.split("[[package]]").slice(1)) {
    const field = (/** @type {string} */ key) => new RegExp(`^${key} = "([^"]*)"`, "m").exec(block)?.[1];
    const name = field("name") ?? "a crate without a name";
    if (own.has(name)) continue;
    if (field("source") !== "registry+https://github.com/rust-lang/crates.io-index") faults.push(`${name}: does not come from crates.io`);
    if (!/^[0-9a-f]{64}$/.test(field("checksum") ?? "")) faults.push(`${name}: has no checksum`);
  }
  return faults;
}

/** @param {string} name @param {string | null | undefined} licence @returns {string[]} */
export function licenceFaults(name, licence) {
  const known = licence ?? "unknown";
  if (isAllowed(known, licences) || exceptions[name]?.licence === known) return [];
  return [`${name}: licence ${known}`];
}
