/** What goes in and out of the page as a file, and the instructions of a conversation. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";
import { sitDown } from "./desk.mjs";

const desk = sitDown();
const { open, bodies } = desk;
/** @type {import("playwright-core").Page} */
let page;
beforeEach(() => ({ page } = desk));

const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

test("files by button, paste and drop: shown, taken away, sent with the message", async () => {
  await open(9);
  await page.getByText("Three pages are").waitFor();
  await page.locator("input[type=file]").setInputFiles([
    { name: "photo.png", mimeType: "image/png", buffer: PNG },
    { name: "<img src=x onerror=alert(1)>.txt", mimeType: "text/plain", buffer: Buffer.from("hello") },
    { name: "refuse.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") },
    { name: "tool.exe", mimeType: "application/x-msdownload", buffer: Buffer.from("MZ") },
  ]);
  const chips = page.locator("agent-chat-files .chip");
  await page.getByText("This kind of file cannot be attached.").waitFor();
  await page.getByText("The server does not take this kind of file.").waitFor();
  await chips.filter({ hasText: "photo.png" }).locator("img").waitFor();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Use these");
  assert.equal(await page.getByRole("button", { name: "Send", exact: true }).isDisabled(), true, "nothing is left out silently");
  await page.getByRole("button", { name: "Remove refuse.pdf" }).click();
  await page.getByRole("button", { name: "Remove tool.exe" }).click();
  /** @param {"paste" | "drop"} kind @param {string} target @param {string} name */
  const bring = (kind, target, name) =>
    page.locator(target).evaluate(
      (element, [type, fileName]) => {
        const data = new DataTransfer();
        data.items.add(new File(["hello"], fileName ?? "", { type: "text/plain" }));
        const init = { bubbles: true, cancelable: true, composed: true };
        if (type === "paste") element.dispatchEvent(new ClipboardEvent("paste", { ...init, clipboardData: data }));
        else for (const step of ["dragenter", "dragover", "drop"]) element.dispatchEvent(new DragEvent(step, { ...init, dataTransfer: data }));
      },
      [kind, name],
    );
  await bring("paste", "agent-chat-composer textarea", "pasted.txt");
  await bring("drop", "agent-chat-transcript", "dropped.txt");
  await page.locator(".chip.ready", { hasText: "dropped.txt" }).waitFor();
  await field.press("Enter");
  await page.getByText("You wrote:").last().waitFor();
  const [body] = bodies("POST", "/messages");
  assert.deepEqual(
    /** @type {{ fileName: string }[]} */ (body?.files ?? []).map(({ fileName }) => fileName),
    ["photo.png", "<img src=x onerror=alert(1)>.txt", "pasted.txt", "dropped.txt"],
  );
  assert.equal(await chips.count(), 0);
  assert.equal(await page.locator("agent-chat-message .file").count(), 4);
  assert.equal(await page.locator("agent-chat-message .file img").count(), 0);
  desk.expectRefusal("415");
});

test("instructions are edited by keyboard; the conversation is handed over as a file", async () => {
  await open(9);
  await page.getByRole("button", { name: "Instructions for this conversation" }).press("Enter");
  await page.keyboard.type("Answer briefly.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Instructions for this conversation (set)" }).waitFor();
  assert.deepEqual(bodies("PATCH", "/9"), [{ systemPrompt: "Answer briefly." }]);
  const arriving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as Markdown" }).click();
  const file = await arriving;
  assert.equal(file.suggestedFilename(), "which-pages-are-hidden-9.md");
  const text = await readFile(await file.path(), "utf8");
  assert.match(text, /^# Which pages are hidden\?\n\nInstructions for this conversation:\n\n```text\nAnswer briefly\.\n```\n/);
  assert.match(text, /Three pages are \*\*hidden\*\* at the moment/);
});
