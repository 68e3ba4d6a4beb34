// The one instance of the build with everything in it.
import { instanceOf } from "./instance.js";
import init, { onPanic, __wbg_reset_state as reset } from "./wasm/agent_turn.js";

export const instance = instanceOf({ init, reset, onPanic });
