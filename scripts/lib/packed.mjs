// The package as users get it: packed, installed into an empty project without network, and played from there.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inRoot } from "./project.mjs";
import { CommandFailed, run } from "./run.mjs";

/** What npm sets for scripts would speak of this project in the other one. @returns {NodeJS.ProcessEnv} */
const withoutNpm = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(lifecycle|package|config_local_prefix|command)|^INIT_CWD$/.test(name)));

/** Takes the package by its name, through its `exports`. @param {string} name */
const consumer = (name) => `export * from "${name}";\nexport { default } from "${name}";\n`;

const vectors = [inRoot("tests", "vectors"), inRoot("tests", "vectors-own")];

/**
 * Packs pkg/, installs the archive alone and plays the vectors with it, in Node and as a plain module script in Chromium.
 * @returns {Promise<string>} what the player printed
 */
export async function playPacked() {
  const folder = mkdtempSync(join(tmpdir(), "agent-turn-packed-"));
  const env = withoutNpm();
  try {
    await run("npm", ["pack", inRoot("pkg"), "--pack-destination", folder, "--silent"], { env, cwd: folder });
    const archive = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (!archive) throw new CommandFailed("npm pack made no archive", "");
    writeFileSync(join(folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
    writeFileSync(join(folder, "index.js"), consumer("agent-turn"));
    writeFileSync(join(folder, "page.js"), consumer("agent-turn/page"));
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--silent", `./${archive}`], { env, cwd: folder });
    const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
    if (installed.join() !== "agent-turn") throw new CommandFailed(`the package brought dependencies along: ${installed.join(", ")}`, "");
    const inNode = await run(process.execPath, [inRoot("tests", "play.mjs"), join(folder, "index.js"), ...vectors]);
    const onPage = await run(process.execPath, [inRoot("tests", "play.mjs"), join(folder, "page.js"), ...vectors, "--part"]);
    const inBrowser = await run(process.execPath, [
      inRoot("tests", "browser", "vectors.mjs"),
      "chromium",
      "--package",
      join(folder, "node_modules", "agent-turn"),
    ]);
    return inNode + onPage + inBrowser;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
