/**
 * The WebAssembly component in the browser: page and host check answers with the same rules. It is loaded on first need; where it cannot be
 * loaded the page still works, and the host's own check decides.
 */

/** The package's folder lies beside the module's, wherever both are served. */
const COMPONENT = new URL("../agent-turn/web.js", import.meta.url).href;

/** @typedef {typeof import("../../pkg/index.js")} Component */
/** @typedef {Pick<Component, "answerForm" | "inputForm">} Rules */

/** @type {Promise<Component> | null} */
let loading = null;

/** The component, ready to be used; where it cannot be loaded the next call tries again. @returns {Promise<Component>} */
export function loadComponent() {
  loading ??= importComponent().catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/** The rules of the component; null when it cannot be loaded. @returns {Promise<Rules | null>} */
export function loadRules() {
  return loadComponent().catch(() => null);
}

/** @returns {Promise<Component>} */
async function importComponent() {
  const component = await import(COMPONENT);
  await component.default();
  return component;
}
