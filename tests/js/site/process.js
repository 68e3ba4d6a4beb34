/** A process of its own that opens the database file and writes: `node process.js <file> <seed | once | drafts>`; prints its results as JSON. */
import { openSite } from "../../../www/host/site/index.js";
import { openDatabase } from "./support.js";

const [, , file = "", what = ""] = process.argv;
const db = openDatabase(file);
const site = openSite(db);

async function run() {
  if (what === "seed") {
    await site.migrate();
    return site.seed();
  }
  if (what === "once") return site.once("run/call", (writer) => writer.createDraft({ parent: 0, title: "Once" }));
  const drafts = [];
  for (let index = 0; index < 25; index += 1) drafts.push((await site.createDraft({ parent: 0, title: "Same" })).slug);
  return drafts;
}

console.log(JSON.stringify(await run()));
await db.destroy();
