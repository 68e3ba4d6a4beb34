export { claimAll } from "./claims.js";
export { storageKit } from "./kit.js";
