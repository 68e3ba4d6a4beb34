/** What the parts of the chat have in common: the state, the controller and the words they are given. */

import { LitElement } from "../vendor/lit.js";
import { wordsFor } from "./i18n/index.js";
import { initialState } from "./store.js";

export class Part extends LitElement {
  /** @type {import("../vendor/lit.js").PropertyDeclarations} */
  static properties = {
    chat: { attribute: false },
    actions: { attribute: false },
    words: { attribute: false },
  };

  constructor() {
    super();
    /** @type {import("./store.js").ChatState} */
    this.chat = initialState();
    /** @type {import("./controller.js").Controller | null} */
    this.actions = null;
    /** @type {import("./i18n/index.js").Words} */
    this.words = wordsFor("en");
  }

  /** True while a request of this kind about the open conversation is under way. @param {string} kind */
  isBusyWith(kind) {
    return this.chat.inFlight[`${kind}:${this.chat.openUid ?? ""}`] === true;
  }

  /** Tells the element above. @param {string} name @param {unknown} [detail] */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
