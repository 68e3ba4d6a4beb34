// Where the two implementations read a rule differently and the question is still open, the fuzzer does not go. Each entry names the rule; when
// it is decided, the entry is removed. `OPEN=1` lets the fuzzer in.

/** @typedef {Record<string, any>} Data */

/** @param {Data} scenario */
const allSteps = (scenario) => [...scenario.steps, ...scenario.plans.flatMap((/** @type {Data} */ plan) => plan.during ?? [])];

/** S4, S7 against D8: what a refusal that hands back makes of a row under `withoutPauses`. @param {Data} scenario */
function refusalWithoutPauses(scenario) {
  if (scenario.settings.ruleSet === "withoutPauses") for (const plan of scenario.plans) delete plan.refuses;
}

/** N2, N5: "go on" where the kept result of the finished run is no answer (O3). @param {Data} scenario */
function finishedWithoutAnswer(scenario) {
  const steps = allSteps(scenario);
  if (!steps.some((step) => step.call === "sendMessage")) return;
  const known = [...Object.values(scenario.knows), ...steps.flatMap((step) => (step.know ? [step.know.as] : []))];
  for (const { result } of known) if (result?.outcome === "completed") result.loopResult ??= { finalContent: "Answer" };
}

/** W4, N7: whether the clock is read before a run is withdrawn for good. @param {Data} scenario */
function endWithoutClock(scenario) {
  const steps = allSteps(scenario);
  if (steps.some((step) => step.call === "endProcess")) for (const step of steps) if (step.fail?.includes("now")) step.fail = [];
}

/** @param {Data} scenario */
export function closed(scenario) {
  if (!process.env.OPEN) for (const question of [refusalWithoutPauses, finishedWithoutAnswer, endWithoutClock]) question(scenario);
  return scenario;
}
