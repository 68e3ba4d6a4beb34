import assert from "node:assert/strict";
import { test } from "node:test";
import { written } from "agent-turn/runtime/ai-sdk";
import { Ajv } from "ajv";
import { APPROVER_GROUP, PAGE_TABLE, SiteError, siteTools } from "../../../www/host/site/index.js";
import { freshSite, pageCalled, TOOL_NAMES } from "./support.js";

const EDITOR = { uid: 1, isAdmin: false, groups: [1] };
const APPROVER = { uid: 2, isAdmin: false, groups: [1, APPROVER_GROUP] };

let calls = 0;
/** A call of its own each time, as the runtime makes them. */
function context() {
  calls += 1;
  return { actor: EDITOR, runUuid: "run-1", toolCallId: `call-${calls}`, signal: new AbortController().signal };
}

/**
 * @param {import("node:test").TestContext} t
 * @param {{ locale?: string }} [options]
 */
async function freshTools(t, options) {
  const { site } = await freshSite(t);
  const tools = new Map(siteTools(site, options).map((tool) => [tool.name, tool]));
  /** @param {string} name */
  const tool = (name) => tools.get(name) ?? assert.fail(`no tool ${name}`);
  return { site, tools: [...tools.values()], tool };
}

test("the tools have the names, effects and gates the host shows", async (t) => {
  const { tools } = await freshTools(t);
  assert.deepEqual(
    tools.map(({ name }) => name),
    TOOL_NAMES,
  );
  const writing = tools.filter(({ effect }) => effect !== "read");
  assert.deepEqual(
    writing.map(({ name }) => name),
    ["update_page", "create_draft_page", "set_page_hidden", "delete_page"],
  );
  for (const tool of writing) {
    assert.equal(tool.needsApproval, true, tool.name);
    assert.equal(typeof tool.preview, "function", tool.name);
    assert.equal(typeof tool.label, "function", tool.name);
  }
});

test("every schema is strict JSON Schema of an object that takes no unknown arguments", async (t) => {
  const { tools } = await freshTools(t);
  for (const { name, inputSchema } of tools) {
    const validate = new Ajv({ strict: true }).compile(inputSchema);
    assert.equal(inputSchema.type, "object", name);
    assert.equal(validate({ surprise: 1 }), false, name);
  }
});

/** @type {[string, object, boolean][]} */
const ARGUMENTS = [
  ["list_pages", {}, true],
  ["list_pages", { hidden: true }, true],
  ["list_pages", { hidden: "yes" }, false],
  ["search_pages", { query: "team" }, true],
  ["search_pages", { query: "  " }, false],
  ["read_page", { uid: 3 }, true],
  ["read_page", { uid: 0 }, false],
  ["update_page", { uid: 3, title: "About us" }, true],
  ["update_page", { uid: 3, text: "" }, true],
  ["update_page", { uid: 3 }, false],
  ["update_page", { uid: 3, title: " " }, false],
  ["update_page", { uid: 3, title: "x".repeat(256) }, false],
  ["create_draft_page", { parent: 0, title: "x" }, true],
  ["create_draft_page", { parent: -1, title: "x" }, false],
  ["create_draft_page", { parent: 0, title: "x", language: "EN" }, false],
  ["set_page_hidden", { uid: 3, hidden: false }, true],
  ["set_page_hidden", { uid: 3 }, false],
  ["delete_page", { uid: 3 }, true],
  ["delete_page", { uid: "3" }, false],
  ["ask_choice", { question: "Where?", options: [{ value: 1, title: "Here" }] }, true],
  ["ask_choice", { question: "Where?", options: [] }, false],
  ["ask_choice", { question: " ", options: [{ value: 1, title: "Here" }] }, false],
  ["ask_choice", { question: "Where?", options: [{ value: null, title: "Here" }] }, false],
];

test("the schemas take what fits and refuse what does not", async (t) => {
  const { tool } = await freshTools(t);
  for (const [name, input, fits] of ARGUMENTS) {
    assert.equal(new Ajv().compile(tool(name).inputSchema)(input), fits, `${name} ${JSON.stringify(input)}`);
  }
});

test("reading", async (t) => {
  const { tool, site } = await freshTools(t);
  const team = await pageCalled(site, "Team");
  const hidden = await tool("list_pages").execute?.({ hidden: true }, context());
  assert.deepEqual(hidden, {
    total: 2,
    pages: [
      { uid: 5, title: "Old opening hours", slug: "old-opening-hours", parent: 2, hidden: true, language: "en" },
      { uid: 8, title: "Draft: winter timetable", slug: "draft-winter-timetable", parent: 6, hidden: true, language: "en" },
    ],
  });
  const read = await tool("read_page").execute?.({ uid: team.parent }, context());
  assert.equal(/** @type {{ children: number }} */ (read).children, 3);
  assert.equal(JSON.stringify(await tool("search_pages").execute?.({ query: "Team" }, context())).includes(team.text), false, "a hit carries no text");
});

test("a search names twenty pages at most and says how many there are", async (t) => {
  const { tool, site } = await freshTools(t);
  for (let index = 0; index < 25; index += 1) await site.createDraft({ parent: 0, title: `Crowd ${index}` });
  const found = /** @type {{ total: number, pages: unknown[] } | undefined} */ (await tool("search_pages").execute?.({ query: "crowd" }, context()));
  assert.deepEqual([found?.total, found?.pages.length], [25, 20]);
});

test("renaming: label, preview with current and proposed value, write, record", async (t) => {
  const { tool, site } = await freshTools(t);
  const team = await pageCalled(site, "Team");
  const update = tool("update_page");
  const input = { uid: team.uid, title: "About us" };
  assert.equal(update.label?.(input), "Rename page");
  assert.deepEqual(await update.preview?.(input, context()), {
    lines: ["Title: Team → About us"],
    target: { table: PAGE_TABLE, uid: team.uid, title: "Team" },
  });
  const summary = { uid: team.uid, title: "About us", slug: "about-us", parent: team.parent, hidden: false, language: "en" };
  assert.deepEqual(await update.execute?.(input, context()), written(summary, [{ table: PAGE_TABLE, uid: team.uid }]));
  assert.equal((await site.read(team.uid)).title, "About us");
});

test("a new text is shown whole, beside the one it replaces", async (t) => {
  const { tool, site } = await freshTools(t);
  const update = tool("update_page");
  const imprint = await pageCalled(site, "Imprint");
  const long = `First line\n${"x".repeat(1_000)}`;
  assert.equal(update.label?.({ uid: imprint.uid, text: long }), "Change page text");
  const preview = await update.preview?.({ uid: imprint.uid, text: long }, context());
  assert.deepEqual(preview?.lines, [
    "Page: Imprint",
    `Text now (${imprint.text.length} characters): ${imprint.text}`,
    "Proposed text (1011 characters): First line",
    "x".repeat(1_000),
  ]);
  const emptied = await update.preview?.({ uid: imprint.uid, title: "Legal", text: "" }, context());
  assert.equal(emptied?.lines.at(-1), "Proposed text (0 characters): (empty)");
  assert.equal(emptied?.lines[0], "Title: Imprint → Legal");
});

test("a preview moves on with the page", async (t) => {
  const { tool, site } = await freshTools(t);
  const imprint = await pageCalled(site, "Imprint");
  const input = { uid: imprint.uid, text: "New" };
  const before = await tool("update_page").preview?.(input, context());
  await site.update(imprint.uid, { text: `${imprint.text} More.` });
  assert.notDeepEqual(await tool("update_page").preview?.(input, context()), before);
});

test("creating: where, title, text; the record is named after the write", async (t) => {
  const { tool, site } = await freshTools(t);
  const events = await pageCalled(site, "Events");
  const create = tool("create_draft_page");
  const input = { parent: events.uid, title: "Summer party", text: "In July." };
  const preview = await create.preview?.(input, context());
  assert.deepEqual(preview, { lines: ["Below: Events", "Title: Summer party", "Proposed text (8 characters): In July.", "Hidden: yes"] });
  assert.equal((await create.preview?.({ parent: 0, title: "Shop" }, context()))?.lines[0], "Below: top level");
  const result = /** @type {import("agent-turn/runtime/ai-sdk").Written} */ (await create.execute?.(input, context()));
  const draft = await pageCalled(site, "Summer party");
  assert.deepEqual(result.writes, [{ table: PAGE_TABLE, uid: draft.uid }]);
  assert.equal(draft.hidden, true);
});

test("hiding and showing", async (t) => {
  const { tool, site } = await freshTools(t);
  const events = await pageCalled(site, "Events");
  const hide = tool("set_page_hidden");
  assert.deepEqual([hide.label?.({ uid: 1, hidden: true }), hide.label?.({ uid: 1, hidden: false })], ["Hide page", "Show page"]);
  assert.deepEqual((await hide.preview?.({ uid: events.uid, hidden: true }, context()))?.lines, ["Page: Events", "Hidden: no → yes"]);
  await hide.execute?.({ uid: events.uid, hidden: true }, context());
  assert.equal((await site.read(events.uid)).hidden, true);
});

test("deleting needs the group of the approvers, and a page without others below it", async (t) => {
  const { tool, site } = await freshTools(t);
  const remove = tool("delete_page");
  const old = await pageCalled(site, "Old opening hours");
  assert.equal(remove.mayApprove?.(EDITOR, { uid: old.uid }), false);
  assert.equal(remove.mayApprove?.(APPROVER, { uid: old.uid }), true);
  assert.equal(remove.mayApprove?.({ uid: 9, isAdmin: true, groups: [] }, { uid: old.uid }), false);
  assert.equal(remove.mayApprove?.({ uid: 9, isAdmin: false, groups: [String(APPROVER_GROUP)] }, { uid: old.uid }), true, "uids compare as text (C8)");
  assert.deepEqual((await remove.preview?.({ uid: old.uid }, context()))?.lines, [
    "Title: Old opening hours",
    `Text that goes with it: ${old.text.length} characters`,
  ]);
  const school = await pageCalled(site, "Our school");
  assert.match((await remove.preview?.({ uid: school.uid }, context()))?.lines[2] ?? "", /^Pages below it: 3/);
  await assert.rejects(
    async () => remove.execute?.({ uid: school.uid }, context()),
    (error) => error instanceof SiteError && error.code === "pageHasChildren",
  );
  const done = await remove.execute?.({ uid: old.uid }, context());
  assert.deepEqual(done, written({ uid: old.uid, title: "Old opening hours", deleted: true }, [{ table: PAGE_TABLE, uid: old.uid }]));
});

test("a call that is carried out again after a crash writes nothing and reports the same", async (t) => {
  const { tool, site } = await freshTools(t);
  const old = await pageCalled(site, "Old opening hours");
  for (const [name, input] of /** @type {[string, import("agent-turn/runtime/ai-sdk").ToolInput][]} */ ([
    ["create_draft_page", { parent: 0, title: "Twice" }],
    ["update_page", { uid: old.uid, title: "Older hours" }],
    ["set_page_hidden", { uid: old.uid, hidden: false }],
    ["delete_page", { uid: old.uid }],
  ])) {
    const call = context();
    const first = await tool(name).execute?.(input, call);
    const pages = await site.list();
    assert.deepEqual(await tool(name).execute?.(input, call), first, name);
    assert.deepEqual(await site.list(), pages, name);
  }
});

test("a call that was called off writes nothing", async (t) => {
  const { tool, site } = await freshTools(t);
  const before = await site.list();
  const signal = AbortSignal.abort();
  await assert.rejects(async () => tool("create_draft_page").execute?.({ parent: 0, title: "x" }, { ...context(), signal }), { name: "AbortError" });
  assert.deepEqual(await site.list(), before);
});

test("the question of ask_choice is a choice the chat can show (F2)", async (t) => {
  const { tool } = await freshTools(t);
  const { asks, execute } = tool("ask_choice");
  assert.equal(execute, undefined, "the answer is the result");
  const options = [
    { value: 6, title: "News" },
    { value: 6, title: "News again" },
    { value: "6", title: "Six" },
  ];
  assert.deepEqual(asks?.({ question: "Where?", options }), {
    type: "object",
    title: "Where?",
    properties: {
      choice: {
        oneOf: [
          { const: 6, title: "News" },
          { const: "6", title: "Six" },
        ],
      },
    },
    required: ["choice"],
  });
  const open = asks?.({ question: "Where?", options, allowFreeText: true });
  assert.deepEqual(open?.required, []);
  assert.deepEqual({ ...Object(open?.properties) }.text, { type: "string" });
  for (const schema of [asks?.({ question: "Where?", options }), open]) assert.equal(new Ajv({ strict: true }).compile(schema ?? {})({ choice: 6 }), true);
});

test("German cards", async (t) => {
  const { tool, site } = await freshTools(t, { locale: "de-AT" });
  const team = await pageCalled(site, "Team");
  assert.equal(tool("update_page").label?.({ uid: team.uid, title: "Über uns" }), "Seite umbenennen");
  assert.deepEqual((await tool("set_page_hidden").preview?.({ uid: team.uid, hidden: true }, context()))?.lines, ["Seite: Team", "Versteckt: nein → ja"]);
});
