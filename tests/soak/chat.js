/** One conversation as a person sees it: what was sent, what was shown, and the requests that change it. */
import { count, writeKey } from "./journal.js";

const POLL_MS = 400;
/** A turn that takes longer is stuck, whatever was killed meanwhile. */
const SETTLE_MS = 180_000;

/** A conversation did not do what it has to; the soak ends with it. */
export class Stuck extends Error {}

/** @param {import("./journal.js").SeenMessage} one @param {import("./journal.js").SeenMessage} other */
export const sameMessage = (one, other) =>
  one.role === other.role && JSON.stringify(one.content) === JSON.stringify(other.content) && one.createdAt === other.createdAt;

/** Whether all of `part` is in `whole`, in its order. @param {import("./journal.js").SeenMessage[]} part @param {import("./journal.js").SeenMessage[]} whole */
export function inOrder(part, whole) {
  let at = 0;
  for (const message of whole) if (at < part.length && sameMessage(/** @type {import("./journal.js").SeenMessage} */ (part[at]), message)) at += 1;
  return at === part.length;
}

export class Chat {
  /** @type {import("./journal.js").SeenMessage[]} */
  shown = [];
  /** @type {any} */
  view = null;
  status = "";

  /**
   * @param {import("./client.js").Client} client
   * @param {import("./journal.js").Journal} journal
   * @param {number} uid
   */
  constructor(client, journal, uid) {
    this.client = client;
    this.journal = journal;
    this.path = `/api/conversations/${uid}`;
    /** @type {import("./journal.js").ConversationJournal} */
    this.kept = { uid, sent: [], seen: [], left: false };
    journal.conversations.set(uid, this.kept);
  }

  /** Asks for what is new, as the page does. */
  async poll() {
    const { status, body } = await this.client.send("GET", `${this.path}?after=${this.shown.length}`);
    if (status !== 200) throw new Stuck(`${this.path}: poll was answered with ${status} ${body.code}`);
    this.shown = body.truncated ? body.messages : [...this.shown.slice(0, body.messageCount - body.messages.length), ...body.messages];
    this.view = body.view;
    this.status = body.conversation.status;
    count(this.journal, "polls");
    this.#keep();
  }

  /** The page is loaded anew. */
  async reload() {
    this.shown = [];
    this.client.forget();
    await this.poll();
  }

  #keep() {
    const lasting = this.shown.filter((message) => message.decisionLine === undefined);
    if (!inOrder(this.kept.seen, lasting)) {
      // The copy of a page may have gone stale (a line left and another came, D3); the store itself decides, in the audit.
      return;
    }
    this.kept.seen = lasting;
  }

  /** Polls until no turn goes on. */
  async settle() {
    const deadline = Date.now() + SETTLE_MS;
    await this.poll();
    while (this.view.busy) {
      if (Date.now() > deadline) throw new Stuck(`${this.path} has been ${this.status} for ${SETTLE_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      await this.poll();
    }
  }

  /**
   * A request; clicked twice now and then.
   *
   * @param {string} method @param {string} path @param {object} body @param {boolean} twice
   * @returns {Promise<{ taken: boolean, certain: boolean, code: string }>} `certain`: false where an earlier, lost answer may have been the one that counted.
   */
  async request(method, path, body, twice) {
    const answers = await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => this.client.send(method, this.path + path, body)));
    if (twice) count(this.journal, "double clicks");
    const taken = answers.some(({ status }) => status === 202);
    const refused = answers.find(({ status }) => status !== 202);
    if (refused && refused.status < 409 && !taken) throw new Stuck(`${method} ${this.path}${path} was refused with ${refused.body.code}`);
    if (!taken) count(this.journal, `refused: ${refused?.body.code}`);
    return { taken, certain: taken || !answers.some(({ repeated }) => repeated), code: refused?.body.code ?? "" };
  }

  /** @param {string} content @param {string} clientId @param {boolean} twice */
  async send(content, clientId, twice) {
    const { taken } = await this.request("POST", "/messages", { content, clientId }, twice);
    // With its id a message that was taken is told again, however often it is asked (N5).
    if (!taken) return;
    this.kept.sent.push({ clientId, content });
    this.#turn("send");
  }

  /** @param {number} index @param {string} content @param {boolean} twice */
  async edit(index, content, twice) {
    const expectedContent = String(this.shown[index]?.content);
    const body = { content, expectedContent, messageCount: this.shown.length };
    const { taken, certain } = await this.request("PUT", `/messages/${index}`, body, twice);
    if (!certain) await this.reload();
    if (!taken && !(!certain && this.shown.some((message) => message.content === content))) return;
    const at = this.kept.sent.findIndex((message) => message.content === expectedContent);
    this.kept.sent = [...this.kept.sent.slice(0, at), { clientId: "", content }];
    const cut = this.kept.seen.findIndex((message) => message.content === expectedContent);
    this.kept.seen = this.kept.seen.slice(0, cut);
    this.kept.left = false;
    this.#turn("edit");
    this.shown = this.shown.slice(0, index);
  }

  /** The keys of what the card proposes. @returns {string[]} */
  proposed() {
    return (this.view.card?.calls ?? []).map(writeKey).filter((/** @type {string | null} */ key) => key !== null);
  }

  /** @param {boolean} approve @param {{ denyReason?: string, display?: string }} more @param {boolean} twice */
  async decide(approve, more, twice) {
    // The click counts, whether or not its answer arrives.
    for (const key of this.proposed()) {
      this.journal.writes.set(key, { conversation: this.kept.uid, approved: approve });
      if (approve) this.journal.everApproved.add(key);
    }
    const { taken, certain } = await this.request("POST", "/decision", { approve, turnDigest: this.view.card.turnDigest, ...more }, twice);
    if (taken || !certain) this.#turn(approve ? "approve" : "deny");
  }

  /** @param {object} answer @param {boolean} twice */
  async answer(answer, twice) {
    const { taken, certain } = await this.request("POST", "/answer", { turnDigest: this.view.form.turnDigest, ...answer }, twice);
    if (taken || !certain) this.#turn("answer");
  }

  /** @param {boolean} twice */
  async retry(twice) {
    const { taken, certain } = await this.request("POST", "/retry", {}, twice);
    if (taken || !certain) this.#turn("retry");
  }

  async end() {
    this.withdraw();
    await this.request("POST", "/end", {}, false);
    count(this.journal, "end");
    this.kept.left = true;
  }

  /** What the card proposes is wanted no more. */
  withdraw() {
    for (const key of this.proposed()) this.journal.writes.set(key, { conversation: this.kept.uid, approved: false });
  }

  /** @param {string} what */
  #turn(what) {
    count(this.journal, "turns");
    count(this.journal, what);
    this.kept.left = false;
  }
}
