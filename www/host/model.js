/** The language model: an OpenAI-compatible endpoint where one is configured, else the rehearsal model. */

/**
 * @typedef {object} OpenedModel
 * @property {import("ai").LanguageModel} model
 * @property {string} name What the page shows.
 * @property {boolean} rehearsal Whether it is the built-in one.
 */

/**
 * Only the one that is used is loaded: the host stays small.
 *
 * @param {import("./config.js").ModelConfig | null} config
 * @returns {Promise<OpenedModel>}
 */
export async function openModel(config) {
  if (config === null) {
    const { createRehearsalModel } = await import("./rehearsal/index.js");
    return { model: createRehearsalModel(), name: "rehearsal", rehearsal: true };
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({ name: "endpoint", baseURL: config.url, apiKey: config.key });
  return { model: provider.chatModel(config.name), name: config.name, rehearsal: false };
}
