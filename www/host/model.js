/** The language model: an OpenAI-compatible endpoint where one is configured, else the rehearsal model. */

/**
 * @typedef {import("@ai-sdk/provider").LanguageModelV3} LanguageModel
 *
 * @typedef {object} OpenedModel
 * @property {import("ai").LanguageModel} model
 * @property {string} name What the page shows.
 * @property {boolean} rehearsal Whether it is the built-in one.
 */

/** The endpoint did not answer in time. It is not asked again: whoever waits may press Retry. */
export class ModelTimeout extends Error {
  /** @param {number} seconds @param {unknown} [cause] */
  constructor(seconds, cause) {
    super(`The language model did not answer within ${seconds} s.`, { cause });
    this.name = "ModelTimeout";
  }
}

const CAUSES = 16; // E2
const REDACTED = "[redacted]"; // E1
/** Shorter ones are placeholders for endpoints that want any key; replacing such a word would only garble the texts. */
const MIN_KEY_LENGTH = 8;

/**
 * Calls `ring` after so many milliseconds, unless what it returns is called before.
 * @typedef {(ms: number, ring: () => void) => () => void} Alarm
 * @type {Alarm}
 */
const byTheClock = (ms, ring) => {
  const timer = setTimeout(ring, ms);
  return () => clearTimeout(timer);
};

/**
 * Only the one that is used is loaded: the host stays small.
 *
 * @param {import("./config.js").ModelConfig | null} config
 * @param {{ alarm?: Alarm }} [options] Ends calls that take too long; a test rings it itself.
 * @returns {Promise<OpenedModel>}
 */
export async function openModel(config, { alarm = byTheClock } = {}) {
  if (config === null) {
    const { createRehearsalModel } = await import("./rehearsal/index.js");
    return { model: createRehearsalModel(), name: "rehearsal", rehearsal: true };
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({ name: "endpoint", baseURL: config.url, apiKey: config.key });
  return { model: await guarded(provider.chatModel(config.name), config, alarm), name: config.name, rehearsal: false };
}

/**
 * A model whose calls end in time, and whose errors do not hold the key: endpoints quote the one they refuse, and no pattern knows them all.
 *
 * @param {LanguageModel} model
 * @param {import("./config.js").ModelConfig} config
 * @param {Alarm} alarm
 */
async function guarded(model, { key, timeoutSeconds }, alarm) {
  const { wrapLanguageModel } = await import("ai");
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v3",
      async wrapGenerate({ params }) {
        const call = deadline(timeoutSeconds, alarm, params.abortSignal);
        try {
          return await model.doGenerate({ ...params, abortSignal: call.signal });
        } catch (error) {
          throw withoutKey(call.late() ? new ModelTimeout(timeoutSeconds, error) : error, key);
        } finally {
          call.end();
        }
      },
    },
  });
}

/**
 * A signal that fires with `outer`, or when the time is over, whichever comes first.
 *
 * @param {number} seconds
 * @param {Alarm} alarm
 * @param {AbortSignal | undefined} outer
 */
function deadline(seconds, alarm, outer) {
  const controller = new AbortController();
  let late = false;
  const stop = () => controller.abort(outer?.reason);
  const silence = alarm(seconds * 1000, () => {
    late = !controller.signal.aborted;
    controller.abort();
  });
  if (outer?.aborted) stop();
  else outer?.addEventListener("abort", stop, { once: true });
  return {
    signal: controller.signal,
    late: () => late,
    end() {
      silence();
      outer?.removeEventListener("abort", stop);
    },
  };
}

/**
 * The error, with every text of its chain that quotes the key cleaned.
 *
 * @param {unknown} error
 * @param {string | undefined} key
 */
function withoutKey(error, key) {
  if (key === undefined || key.length < MIN_KEY_LENGTH) return error;
  for (let link = error, left = CAUSES; link instanceof Error && left > 0; link = link.cause, left -= 1) {
    for (const name of Object.getOwnPropertyNames(link)) {
      const text = Reflect.get(link, name);
      if (typeof text === "string" && text.includes(key)) Object.defineProperty(link, name, { value: text.replaceAll(key, REDACTED), configurable: true });
    }
  }
  return error;
}
