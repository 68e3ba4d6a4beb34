/** A simulated person: writes, decides, answers, edits, clicks twice, retries, reloads, and thinks a little in between. */
import { Chat } from "./chat.js";
import { createClient } from "./client.js";

/** A conversation with more messages is left for a new one. */
const LONG = 16;
const THINKS_MS = 30;

/**
 * @typedef {object} World
 * @property {import("./random.js").Random} random
 * @property {import("./journal.js").Journal} journal
 * @property {() => string} address
 * @property {() => boolean} over Nothing new is begun any more.
 * @property {() => string} mark A mark that no other request carries.
 */

/**
 * Lives until the soak is over; its conversations are settled then, or wait for a word that never comes.
 *
 * @param {World} world
 * @param {{ page: number, user: number }} self The page this person works on, and who is logged in.
 */
export async function livePerson(world, { page, user }) {
  const { random, over } = world;
  const client = createClient(world.address, user);
  /** @type {Chat[]} */
  const chats = [];
  while (!over()) {
    let chat = chats.length > 0 && random.chance(0.8) ? random.pick(chats) : null;
    if (chat === null || chat.shown.length > LONG) {
      chats.splice(0, chats.length > 4 ? 1 : 0);
      chat = await begin(world, client);
      chats.push(chat);
    }
    if (random.chance(0.15)) await chat.reload();
    await chat.settle();
    await act(world, chat, client, page);
    await chat.settle();
    await new Promise((resolve) => setTimeout(resolve, random.below(THINKS_MS)));
  }
  for (const chat of chats) await chat.settle();
}

/** @param {World} world @param {import("./client.js").Client} client */
async function begin({ journal }, client) {
  // A lost answer leaves an empty conversation behind, which nobody uses.
  const { body } = await client.send("POST", "/api/conversations", {});
  return new Chat(client, journal, body.uid);
}

/** One act that fits the state of the conversation. @param {World} world @param {Chat} chat @param {import("./client.js").Client} client @param {number} page */
async function act(world, chat, client, page) {
  const { random, mark } = world;
  const twice = random.chance(0.15);
  const write = async () => chat.send(await request(world, client, page), `c-${mark()}`, twice);
  switch (chat.status) {
    case "awaiting_approval":
      switch (random.weighted({ approve: 72, deny: 8, variant: 8, over: 7, end: 5 })) {
        case "approve":
          return chat.decide(true, {}, twice);
        case "deny":
          return chat.decide(false, random.chance(0.5) ? { display: `No, leave it (${mark()})` } : {}, twice);
        case "variant":
          return chat.decide(false, { denyReason: "variant" }, twice);
        case "over":
          chat.withdraw();
          return write();
        default:
          return chat.end();
      }
    case "awaiting_input":
      if (random.chance(0.1)) return chat.end();
      if (random.chance(0.1) || chat.view.form?.options.length === 0) return write();
      return chat.answer({ choice: random.pick(chat.view.form.options).value }, twice);
    case "failed":
      return random.chance(0.8) && chat.view.mayRetry ? chat.retry(twice) : write();
    default: {
      const own = chat.shown.flatMap((message, index) => (message.role === "user" && message.decisionLine === undefined ? [index] : []));
      if (own.length > 0 && random.chance(0.1)) return chat.edit(random.pick(own), await request(world, client, page), twice);
      return write();
    }
  }
}

/** What a person asks for. @param {World} world @param {import("./client.js").Client} client @param {number} page @returns {Promise<string>} */
async function request({ random, mark }, client, page) {
  const mine = mark();
  switch (random.weighted({ find: 45, rename: 30, text: 20, create: 5 })) {
    case "rename":
      return `Rename the page "${await titleOf(client, page)}" to "Page ${page} ${mine}"`;
    case "text":
      return `Set the text of "${await titleOf(client, page)}" to "Text ${mine}"`;
    case "create":
      return `Create a page called "Draft ${mine}"`;
    default:
      return `Find pages about ${mine}`;
  }
}

/** @param {import("./client.js").Client} client @param {number} page @returns {Promise<string>} */
async function titleOf(client, page) {
  const { body } = await client.send("GET", "/api/pages");
  return body.pages.find((/** @type {{ uid: number }} */ { uid }) => uid === page).title;
}
