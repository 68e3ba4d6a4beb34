// What both entries of the small build offer: the rules that a reader's page asks, in a binary without the engine.
import { instanceOf } from "./instance.js";
import * as component from "./wasm/page.js";
import init, { onPanic, __wbg_reset_state as reset } from "./wasm/page.js";

export { AgentTurnError } from "./errors.js";

/** Its own instance: that of `agent-turn`, where a page has loaded it as well, is another. */
export const instance = instanceOf({ init, reset, onPanic });
const { guarded } = instance;

/** @type {typeof import("./index.js").version} */
export const version = () => guarded(() => component.version());
/** @type {typeof import("./index.js").inputForm} */
export const inputForm = (schema) => guarded(() => component.inputForm(schema));
/** @type {typeof import("./index.js").answerForm} */
export const answerForm = (schema, answer, words) => guarded(() => component.answerForm(schema, answer, words));
/** @type {typeof import("./index.js").present} */
export const present = (conversation, reader, waiting, options) => guarded(() => component.present(conversation, reader, waiting, options));
