/**
 * The WebAssembly component in the browser: page and host check answers with the same rules. It is loaded on first need; where it cannot be
 * loaded the page still works, and the host's own check decides.
 */

/** The package's folder lies beside the module's, wherever both are served. */
const COMPONENT = new URL("../agent-turn/web.js", import.meta.url).href;

/** @typedef {Pick<typeof import("../../pkg/index.js"), "answerForm" | "inputForm">} Rules */

/** @type {Promise<Rules | null> | null} */
let loading = null;

/** The rules of the component; null when it cannot be loaded. @returns {Promise<Rules | null>} */
export function loadRules() {
  loading ??= importRules().catch(() => {
    loading = null;
    return null;
  });
  return loading;
}

async function importRules() {
  const { default: init, answerForm, inputForm } = await import(COMPONENT);
  await init();
  return { answerForm, inputForm };
}
