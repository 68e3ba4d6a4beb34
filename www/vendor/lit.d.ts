export { LitElement, html, svg, css, nothing } from "lit";
export { ifDefined } from "lit/directives/if-defined.js";
export { classMap } from "lit/directives/class-map.js";
export { keyed } from "lit/directives/keyed.js";
export { live } from "lit/directives/live.js";
export { ref, createRef } from "lit/directives/ref.js";
export { repeat } from "lit/directives/repeat.js";
export { unsafeHTML } from "lit/directives/unsafe-html.js";
export type { PropertyDeclarations, SVGTemplateResult, TemplateResult } from "lit";
