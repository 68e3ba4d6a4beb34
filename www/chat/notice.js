/** What a message's notice says, in words (V4: what is stored is a key, never a sentence). */

/**
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./i18n/index.js").Words} Words
 */

/** The text of a message; of a message made of parts, the text parts. @param {Message["content"] | undefined} content @returns {string} */
export function plainText(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (part !== null && typeof part === "object" && !Array.isArray(part) && typeof part.text === "string" ? part.text : ""))
    .filter((text) => text !== "")
    .join("\n\n");
}

/**
 * The note of a message, null without one. `instead`: it stands in place of the content, which is only a mark for the model.
 * @param {Message} message @param {Words} words
 * @returns {{ text: string, instead: boolean } | null}
 */
export function noticeOf(message, { t }) {
  const args = Array.isArray(message.noticeArgs) ? message.noticeArgs.map(String) : [];
  const records = args.join(", ");
  switch (message.notice) {
    case "nothingSaved":
      return { text: t("message.nothingSaved"), instead: false };
    case "noAnswer":
      return { text: records === "" || records === "completed" ? t("message.noAnswer") : t("message.noAnswerReason", records), instead: true };
    case "runFinishedOutside":
      return { text: records === "" ? t("message.runFinishedOutsideNothing") : t("message.runFinishedOutside", records), instead: true };
    case "alreadyWritten":
      return { text: records === "" ? t("message.alreadyWrittenUnknown") : t("message.alreadyWritten", records), instead: true };
    case "guardrail":
      return { text: t("message.guardrail"), instead: false };
    default:
      return null;
  }
}

/** True for a message that has nothing to show: an assistant's turn that only called tools. @param {Message} message */
export function isSilent(message) {
  return message.role === "assistant" && message.notice === undefined && plainText(message.content).trim() === "";
}
