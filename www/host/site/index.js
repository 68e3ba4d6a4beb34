export { SiteError } from "./errors.js";
export { PAGE_TABLE } from "./schema.js";
export { openSite } from "./site.js";
export { APPROVER_GROUP, siteTools } from "./tools.js";
