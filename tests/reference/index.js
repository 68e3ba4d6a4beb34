// A second, independent implementation of the rules (docs/rules.md) in plain JavaScript, for differential tests and as the baseline of
// measurements. Written from the rules alone. Only `sanitizeError` (E1) is taken from the package, which is why it has to be loaded.
import initPackage from "../../pkg/node.js";

export { AgentTurnError, RunRefused, sanitizeError } from "../../pkg/node.js";
export { ChatEngine } from "./engine.js";
export { answerForm, inputForm } from "./forms.js";
export { mapOutcome } from "./outcome.js";
export { claimsChange, isContinueIntent } from "./phrases.js";
export { present } from "./present.js";
export { mapRefusal } from "./refusal.js";
export { mayTransition, statusRules } from "./status.js";
export { buildTranscript } from "./transcript.js";

export const version = () => "reference";

/** Loads the package for `sanitizeError`; nothing else here needs loading. */
export default function init() {
  return initPackage();
}
