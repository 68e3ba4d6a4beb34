// A process that opens a file, migrates it and stores one conversation, at the same moment as others.
import { once } from "node:events";
import { conversation } from "../../../pkg/testing/fixtures.js";
import { open } from "./sqlite-store.js";

process.send?.("ready");
await once(process, "message");
const { storage, close } = await open({ path: String(process.argv[2]) });
await storage.insert(conversation());
await close();
process.disconnect();
