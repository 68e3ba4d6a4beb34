/**
 * A conversation as a Markdown document, whole and always the same for the same conversation: no clock, no time zone, nothing of the page.
 *
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./i18n/index.js").Words} Words
 */

import { isSilent, noticeOf, plainText } from "./notice.js";

const MAX_NAME = 60;

/** A title on one line, so that it stays the heading. @param {string} text */
const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** A text that Markdown shows as it stands. @param {string} text */
const literal = (text) => oneLine(text).replace(/[\\`*_{}[\]<>#|~&!]/g, "\\$&");

/** @param {Message} message @returns {string[]} */
const fileNames = ({ files, fileUid, fileName }) =>
  Array.isArray(files) ? files.map((file) => file.fileName) : fileUid === undefined ? [] : [String(fileName ?? "")];

/**
 * The text of a person is theirs, not Markdown: it is quoted line by line in a fence longer than any in it.
 * @param {string} text
 */
function fenced(text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** An answer's own headings go below those of the document. @param {string} text */
function demoted(text) {
  let open = "";
  return text
    .split("\n")
    .map((line) => {
      const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
      if (open === "") open = fence;
      else if (fence.startsWith(open) && line.trim() === fence) open = "";
      const heading = open === "" ? /^ {0,3}(#{1,6})(?=\s|$)/.exec(line)?.[1] : undefined;
      return heading === undefined ? line : line.replace(heading, "#".repeat(Math.min(6, heading.length + 2)));
    })
    .join("\n");
}

/** @param {Message} message @param {Words} words @returns {string} one section, "" for a message with nothing to read */
function section(message, words) {
  if ((message.role !== "user" && message.role !== "assistant") || isSilent(message)) return "";
  const { t } = words;
  const notice = noticeOf(message, words);
  const text = notice?.instead ? "" : plainText(message.content).replace(/\s+$/, "");
  const when = typeof message.createdAt === "string" ? ` · ${literal(message.createdAt)}` : "";
  return [
    `## ${t(message.role === "user" ? "message.you" : "message.assistant")}${when}`,
    text === "" ? "" : message.role === "user" ? fenced(text) : demoted(text),
    ...fileNames(message).map((name) => `- ${literal(t("message.file", name))}`),
    notice ? `> ${literal(notice.text)}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/**
 * @param {{ title: string, messages: readonly Message[], systemPrompt?: string }} conversation
 * @param {Words} words
 */
export function conversationMarkdown({ title, messages, systemPrompt = "" }, words) {
  const parts = [`# ${literal(title) || words.t("list.untitled")}`];
  if (systemPrompt.trim() !== "") parts.push(`${words.t("instructions.title")}:\n\n${fenced(systemPrompt.trim())}`);
  parts.push(...messages.map((message) => section(message, words)).filter((part) => part !== ""));
  return `${parts.join("\n\n")}\n`;
}

/** A file name that every system takes. @param {string} title @param {import("./types.js").Uid} uid */
export function exportName(title, uid) {
  const words = title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-");
  const name = [...words]
    .slice(0, MAX_NAME)
    .join("")
    .replace(/^-+|-+$/g, "");
  return `${name || "conversation"}-${String(uid).replace(/[^\w-]+/g, "-")}.md`;
}

/** Hands a text to the reader as a file. @param {string} name @param {string} text */
export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/markdown;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // The browser reads the address after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
