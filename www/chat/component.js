/**
 * The WebAssembly component in the browser: page and host see and check with the same rules. A page with a host needs only those of the reader's side, a
 * smaller binary; without a host the whole engine runs here. Either is loaded on first need; where it cannot be loaded the page still works, and what the
 * host says decides.
 */

/** The package's folder lies beside the module's, wherever both are served. */
const address = (/** @type {string} */ entry) => new URL(`../agent-turn/${entry}`, import.meta.url).href;

/** @typedef {typeof import("../../pkg/index.js")} Component */
/** @typedef {Pick<Component, "answerForm" | "inputForm" | "present">} Rules what the page asks of the component */

/** The whole component, ready to be used. @type {() => Promise<Component>} */
export const loadComponent = loader("web.js");

/** What of it a reader's page needs. @type {() => Promise<Rules>} */
export const loadRules = loader("page.js");

/**
 * Loads once; after a failure the next call tries again.
 * @param {string} entry of the package @returns {() => Promise<any>}
 */
function loader(entry) {
  /** @type {Promise<Component> | null} */
  let loading = null;
  return () => {
    loading ??= load(address(entry)).catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

/** @param {string} href @returns {Promise<Component>} */
async function load(href) {
  const component = await import(href);
  await component.default();
  return component;
}
