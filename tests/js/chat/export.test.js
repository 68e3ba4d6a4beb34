import assert from "node:assert/strict";
import { test } from "node:test";
import { conversationMarkdown, exportName } from "../../../www/chat/export.js";
import { wordsFor } from "../../../www/chat/i18n/index.js";
import { messageOf } from "./builders.mjs";

const words = wordsFor("en");
const assistant = (/** @type {string} */ content, more = {}) => messageOf(content, { role: "assistant", ...more });

test("the whole conversation, people's words as they stand, answers as Markdown below the document's headings", () => {
  const messages = [
    messageOf("Which *pages*?\n# no heading", { createdAt: "2026-05-03T10:00:00Z", files: [{ fileUid: 1, fileName: "a[1].png", fileMimeType: "image/png" }] }),
    assistant("", { tool_calls: [] }),
    messageOf("result", { role: "tool" }),
    assistant("## Two\n\n```md\n# kept\n```\n\n- one", { createdAt: "2026-05-03T10:00:05Z" }),
    assistant("saved it", { notice: "nothingSaved" }),
    assistant("mark for the model", { notice: "alreadyWritten", noticeArgs: ["pages:12"] }),
  ];
  assert.equal(
    conversationMarkdown({ title: "Pages\n& *more*", messages, systemPrompt: "Be brief." }, words),
    `# Pages \\& \\*more\\*

Instructions for this conversation:

\`\`\`text
Be brief.
\`\`\`

## You · 2026-05-03T10:00:00Z

\`\`\`text
Which *pages*?
# no heading
\`\`\`

- Attached file: a\\[1\\].png

## Assistant · 2026-05-03T10:00:05Z

#### Two

\`\`\`md
# kept
\`\`\`

- one

## Assistant

saved it

> This answer speaks of a change, but nothing was saved.

## Assistant

> An earlier attempt had already saved: pages:12. It will not be done again.
`,
  );
});

test("a text with fences of its own stays inside its fence", () => {
  const text = conversationMarkdown({ title: "", messages: [messageOf("````\nx\n````")] }, words);
  assert.match(text, /^# New conversation\n\n## You\n\n`````text\n````\nx\n````\n`````\n$/);
});

test("file names hold no path and no sign that a system refuses", () => {
  assert.equal(exportName("Rename: the page/Team?", 12), "rename-the-page-team-12.md");
  assert.equal(exportName("../..", "a/b"), "conversation-a-b.md");
  assert.equal(exportName("Über uns 🎉", 1), "über-uns-1.md");
  assert.ok(exportName("x".repeat(500), 1).length < 80);
});
