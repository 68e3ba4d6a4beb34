// A consumer in a process of its own: takes part in the race of the storage kit and tells what it won.
import { openDatabase } from "../../../pkg/storage/sql.js";
import { claimAll } from "../../../pkg/testing/index.js";

const [url, worker] = process.argv.slice(2);
const { storage, close } = await openDatabase(String(url));
process.send?.(await claimAll(storage, String(worker)));
await close();
process.disconnect();
