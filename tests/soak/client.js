/** Requests as a page makes them, over a connection that may break at any time: the process behind it is killed now and then. */

/** No answer: whether the request was carried out is not known. */
export class Uncertain extends Error {}

/** How long a request is repeated until an answer comes; a host that is started again takes a while on a busy machine. */
const PATIENCE_MS = 90_000;
const REQUEST_MS = 30_000;

/**
 * @typedef {{ status: number, body: any }} Answer
 *
 * @param {() => string} address Of a host that serves at present.
 * @param {number} user Uid of who is logged in.
 */
export function createClient(address, user) {
  /** Validators and bodies of polls, as the page keeps them. @type {Map<string, { etag: string, body: any }>} */
  const kept = new Map();

  /** @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<Answer>} */
  async function once(method, path, body) {
    const known = kept.get(path);
    const headers = { cookie: `agent_turn_user=${user}`, "content-type": "application/json", ...(known ? { "if-none-match": known.etag } : {}) };
    try {
      const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal: AbortSignal.timeout(REQUEST_MS) };
      const response = await fetch(address() + path, init);
      const text = await response.text();
      if (response.status === 304) return { status: 200, body: known?.body };
      if (response.status >= 500) throw new Uncertain(text);
      const answer = { status: response.status, body: JSON.parse(text) };
      const etag = response.headers.get("etag");
      if (method === "GET" && etag !== null) kept.set(path, { etag, body: answer.body });
      return answer;
    } catch (error) {
      throw error instanceof Uncertain ? error : new Uncertain(String(error));
    }
  }

  return {
    once,
    /** Repeats until there is an answer. @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<Answer & { repeated: boolean }>} */
    async send(method, path, body) {
      const deadline = Date.now() + PATIENCE_MS;
      for (let repeated = false; ; repeated = true) {
        try {
          return { ...(await once(method, path, body)), repeated };
        } catch (error) {
          if (!(error instanceof Uncertain) || Date.now() > deadline) throw error;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    },
    /** Nothing of a conversation is looked at any more. */
    forget: () => kept.clear(),
  };
}

/** @typedef {ReturnType<typeof createClient>} Client */
