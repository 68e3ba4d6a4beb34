/**
 * agent-turn/testing/runtime: what a chat depends on in an agent runtime, as a suite that any host runs against its own.
 *
 * The host wires four tools and a model that says `nextTurn()` into its runtime; the kit does the rest.
 */
import type { Runtime } from "../index.d.ts";
import type { Tool } from "../runtime/ai-sdk/index.d.ts";

/** What the model says next: text, calls, or (with `fails`) nothing, because the provider is down. */
export interface ModelTurn {
  text?: string;
  calls?: { name: string; input: { [field: string]: string } }[];
  fails?: string;
}

export interface RuntimeScene {
  /** Asked once for each call of the model. */
  nextTurn(): ModelTurn;
  /** `kit_read`, `kit_write` (needs approval, has a preview), `kit_ask` (asks the user), `kit_fail`. */
  tools: Tool[];
}

export interface RuntimeUnderTest {
  runtime: Runtime;
  /** A second instance over the same store, as in another process. */
  other?: Runtime;
  close?(): void | Promise<void>;
}

/** Registers the checks with a test function such as that of node:test; each gets a runtime of its own from `setup`. Users 7 and 8 are plain ones. */
export function runtimeKit(
  test: (name: string, body: () => Promise<void>) => unknown,
  setup: (scene: RuntimeScene) => RuntimeUnderTest | Promise<RuntimeUnderTest>,
): void;
