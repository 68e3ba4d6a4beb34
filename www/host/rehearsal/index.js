export { createRehearsalModel, nextStep } from "./model.js";
