/** `npm start` in a project of its own, with an npm that only notes how it is called. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const SCRIPTS = fileURLToPath(new URL("../../../scripts", import.meta.url));
/** The script and all it imports before the installation. */
const NEEDED = ["start.mjs", "lib/install.mjs", "lib/project.mjs"];

/** What an npm would install, as package-lock.json and npm's own record name it. */
const PACKAGES = {
  "": { name: "x" },
  pkg: { name: "agent-turn", version: "0.1.0" },
  "node_modules/hono": { version: "4.0.0" },
  "node_modules/typescript": { version: "5.0.0", dev: true },
  "node_modules/@esbuild/other-system": { version: "1.0.0", dev: true, optional: true },
};

/** @param {import("node:test").TestContext} t @param {{ npmStatus?: number }} [options] */
function project(t, { npmStatus = 0 } = {}) {
  const root = mkdtempSync(join(tmpdir(), "agent-turn-start-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const write = (/** @type {string} */ file, /** @type {string} */ text) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  mkdirSync(join(root, "scripts", "lib"), { recursive: true });
  for (const file of NEEDED) copyFileSync(join(SCRIPTS, file), join(root, "scripts", file));
  write("package.json", '{"type":"module"}');
  write("package-lock.json", JSON.stringify({ packages: PACKAGES }));
  write("pkg/wasm/agent_turn_bg.wasm", "");
  write("www/host/cli.mjs", "export const main = async (args) => { console.log('host', JSON.stringify(args)); return 7; };");
  write("tool/package.json", '{"type":"commonjs"}');
  write(
    "tool/npm.js",
    `
    const { mkdirSync, appendFileSync } = require("node:fs");
    mkdirSync("node_modules", { recursive: true });
    appendFileSync("npm.log", process.argv.slice(2).join(" ") + "\\n");
    process.exit(${npmStatus});`,
  );
  return {
    root,
    write,
    /** Records packages as npm does. @param {string[]} places */
    install(...places) {
      for (const place of places) mkdirSync(join(root, place), { recursive: true });
      write(
        "node_modules/.package-lock.json",
        JSON.stringify({ packages: Object.fromEntries(places.map((place) => [place, PACKAGES[/** @type {keyof typeof PACKAGES} */ (place)]])) }),
      );
    },
    stamp: () => JSON.parse(readFileSync(join(root, "node_modules", ".agent-turn-install"), "utf8")).mode,
    calls: () => (existsSync(join(root, "npm.log")) ? readFileSync(join(root, "npm.log"), "utf8").trim().split("\n") : []),
    start: (/** @type {string[]} */ ...args) => node(root, join(root, "scripts", "start.mjs"), ...args),
    /** What `npm test` installs first. */
    installAll: () => node(root, "--input-type=module", "-e", 'import { ensureInstalled } from "./scripts/lib/install.mjs"; await ensureInstalled();'),
  };
}

/** Runs Node in a project, with its npm. @param {string} root @param {string[]} args */
const node = (root, ...args) =>
  spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", env: { ...process.env, npm_execpath: join(root, "tool", "npm.js") } });

const CI = "ci --no-audit --no-fund --omit=dev";

describe("npm start", () => {
  it("installs what is missing once, says so, and passes arguments and exit code on", (t) => {
    const { start, calls, stamp } = project(t);
    const first = start("worker", "--x");
    assert.deepEqual([first.status, first.stderr], [7, ""]);
    assert.match(first.stdout, /^Installing .*better-sqlite3[\s\S]*host \["worker","--x"\]\n$/);
    assert.deepEqual([calls(), stamp()], [[CI], "production"]);
    const second = start();
    assert.deepEqual([second.status, second.stdout, calls().length], [7, "host []\n", 1]);
  });

  it("installs again when the lock file has changed", (t) => {
    const { start, calls, write } = project(t);
    start();
    write("package-lock.json", JSON.stringify({ packages: { ...PACKAGES, "node_modules/new": { version: "1.0.0" } } }));
    start();
    assert.deepEqual(calls(), [CI, CI]);
  });

  it("is content with an installation made by hand, full or not", (t) => {
    const full = project(t);
    full.install("node_modules/hono", "node_modules/typescript");
    full.start();
    assert.deepEqual([full.calls(), full.stamp()], [[], "full"]);
    const production = project(t);
    production.install("node_modules/hono");
    production.start();
    assert.deepEqual([production.calls(), production.stamp()], [[], "production"]);
  });

  it("keeps development tools when it has to install again", (t) => {
    const { install, start, calls, stamp } = project(t);
    install("node_modules/typescript");
    start();
    assert.deepEqual([calls(), stamp()], [["ci --no-audit --no-fund"], "full"]);
  });

  it("takes the stamp of a full installation", (t) => {
    const { root, install, start, calls, write } = project(t);
    install("node_modules/hono", "node_modules/typescript");
    start();
    rmSync(join(root, "node_modules", ".package-lock.json"));
    start();
    assert.deepEqual(calls(), []);
    write("node_modules/.agent-turn-install", "{ broken");
    start();
    assert.equal(calls().length, 1);
  });

  it("adds the development tools where a production installation is there and all is wanted", (t) => {
    const { install, start, installAll, calls, stamp } = project(t);
    install("node_modules/hono");
    start();
    assert.deepEqual([calls(), stamp()], [[], "production"]);
    const first = installAll();
    assert.deepEqual([first.status, first.stderr, calls(), stamp()], [0, "", ["ci --no-audit --no-fund"], "full"]);
    installAll();
    start();
    assert.equal(calls().length, 1);
  });

  it("says in a sentence what to do where the component or the installation is missing", (t) => {
    const broken = project(t, { npmStatus: 1 });
    const failed = broken.start();
    assert.equal(failed.status, 1);
    assert.match(failed.stderr, /^The installation failed; .* C\+\+ compiler/);
    assert.ok(!existsSync(join(broken.root, "node_modules", ".agent-turn-install")));
    rmSync(join(broken.root, "pkg"), { recursive: true });
    const missing = broken.start();
    assert.deepEqual([missing.status, missing.stdout], [1, ""]);
    assert.match(missing.stderr, /^pkg\/wasm\/agent_turn_bg\.wasm is missing: .*npm run build/);
  });
});
