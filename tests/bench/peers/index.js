// The same work with libraries of the field. They do more than this component does; the ratio says what a user pays for the work in question.
import assert from "node:assert/strict";
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { convertToModelMessages as convert6 } from "ai6";
import { convertToModelMessages as convert7 } from "ai7";
import { createActor, createMachine } from "xstate";
import { approvedTurn } from "../engine.js";
import { compareAsync } from "../rounds.js";
import { completed, conversation, suspended, task } from "../workloads.js";

/** @typedef {import("../rules.js").Row} Row */

/** Messages as `ai` keeps those of a chat. @param {any} row */
const uiMessages = (row) =>
  row.messages.map((/** @type {any} */ message, /** @type {number} */ index) => ({
    id: String(index),
    role: message.role,
    parts: [{ type: "text", text: message.content }],
  }));

/** From what is stored to what a model takes. @param {any} component @param {number[]} sizes @param {number} rounds @returns {Promise<Row[]>} */
async function transcripts(component, sizes, rounds) {
  const rows = [];
  for (const n of sizes) {
    const row = conversation(n);
    const messages = uiMessages(row);
    assert.equal((await convert7(messages)).length, n);
    const candidates = [
      { name: "component", run: async () => component.buildTranscript({ conversation: row, task }) },
      { name: "ai 6", run: async () => convert6(messages) },
      { name: "ai 7", run: async () => convert7(messages) },
    ];
    rows.push({ workload: "transcript", n, microseconds: await compareAsync(candidates, { rounds, repeat: Math.max(2, Math.round(2000 / n)) }) });
  }
  return rows;
}

const machine = createMachine({
  id: "turn",
  initial: "locked",
  context: {},
  states: {
    locked: { on: { COMPLETED: "idle", AWAITING_APPROVAL: "awaiting_approval", AWAITING_INPUT: "awaiting_input", FAILED: "failed" } },
    awaiting_approval: { on: { DECIDED: "processing" } },
    awaiting_input: { on: { ANSWERED: "processing" } },
    processing: { on: { CLAIMED: "locked" } },
    failed: { on: { RETRY: "processing" } },
    idle: { on: { SEND: "processing" } },
  },
});

/** From stored text over one event to stored text again. xstate keeps the status alone, the component the whole row and the event's meaning. */
function transitions(/** @type {any} */ component) {
  const { messages: _, ...row } = conversation(0);
  const storedRow = JSON.stringify({ ...row, messages: [] });
  const first = createActor(machine).start();
  const storedState = JSON.stringify(first.getPersistedSnapshot());
  const ours = () => {
    const before = JSON.parse(storedRow);
    return JSON.stringify({ ...before, ...component.mapOutcome(before, suspended) });
  };
  const theirs = () => {
    const actor = createActor(machine, { snapshot: JSON.parse(storedState) }).start();
    actor.send({ type: "AWAITING_APPROVAL" });
    const text = JSON.stringify(actor.getPersistedSnapshot());
    actor.stop();
    return text;
  };
  assert.equal(JSON.parse(ours()).status, JSON.parse(theirs()).value);
  return [
    { name: "component", run: async () => ours() },
    { name: "xstate", run: async () => theirs() },
  ];
}

/** A graph of one node that asks a person before it answers. */
function graphTurn() {
  const State = Annotation.Root({ answer: Annotation });
  const graph = new StateGraph(State)
    .addNode("write", () => ({ answer: interrupt({ call: "update_page" }) ? completed.loopResult.finalContent : "" }))
    .addEdge(START, "write")
    .addEdge("write", END)
    .compile({ checkpointer: new MemorySaver() });
  let thread = 0;
  return async () => {
    const config = { configurable: { thread_id: String(thread++) } };
    await graph.invoke({ answer: "" }, config);
    const { answer } = await graph.invoke(new Command({ resume: true }), config);
    assert.equal(answer, completed.loopResult.finalContent);
  };
}

/** The rules of that turn alone, without an engine around them. @param {any} component */
function approvedRules(component) {
  const row = conversation(10);
  return async () => {
    const paused = { ...row, ...component.mapOutcome(row, suspended), messages: row.messages };
    assert.equal(component.mapOutcome({ ...paused, status: "locked" }, completed).status, "idle");
  };
}

/** @param {any} component @param {{ sizes: number[], rounds: number, repeat: number }} how @returns {Promise<Row[]>} */
export async function peerRows(component, { sizes, rounds, repeat }) {
  const rows = await transcripts(component, sizes, rounds);
  rows.push({ workload: "stored transition", n: 0, microseconds: await compareAsync(transitions(component), { rounds, repeat: repeat * 10 }) });
  const langgraph = graphTurn();
  const turns = [
    { name: "component", run: approvedTurn(component, 10) },
    { name: "LangGraph", run: langgraph },
  ];
  rows.push({ workload: "approved turn, engine", n: 10, microseconds: await compareAsync(turns, { rounds, repeat }) });
  const rules = [
    { name: "component", run: approvedRules(component) },
    { name: "LangGraph", run: langgraph },
  ];
  rows.push({ workload: "approved turn, rules", n: 10, microseconds: await compareAsync(rules, { rounds, repeat }) });
  return rows;
}
