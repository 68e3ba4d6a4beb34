/** Shapes of the rehearsal model. */
import type { Json } from "agent-turn";

export type Language = "en" | "de";

/** A request may be read in more than one way ("Rename How to get here to Directions"); the site decides which page was meant. */
export interface Reading {
  page: string;
  value: string;
}

export type Intent =
  | { kind: "rename"; readings: Reading[] }
  | { kind: "setText"; readings: Reading[] }
  | { kind: "setHidden"; page: string; hidden: boolean }
  | { kind: "delete"; page: string }
  | { kind: "create"; title: string; topic: string; parent: string; text: string }
  | { kind: "list"; hidden: boolean | null; count: boolean }
  | { kind: "find"; query: string }
  | { kind: "show"; page: string }
  | { kind: "left" | "greeting" | "thanks" | "help" | "unknown" | "tooLong" | "nothing" };

export interface Parsed {
  language: Language;
  intent: Intent;
}

/** One way to say something: the pattern, and what it means; null: it does not mean that after all. */
export interface Rule {
  pattern: RegExp;
  intent: (groups: Record<string, string>, text: MaskedText) => Intent | null;
  keepsLines?: true;
}

export interface MaskedText {
  /** The text with each quoted part replaced by a token that no pattern looks into. */
  masked: string;
  /** A part of the masked text as it was written; a part that is one quotation loses its quotation marks. */
  plain(part: string): string;
}

export interface Grammar {
  language: Language;
  rules: Rule[];
  /** Polite words before and after a request. */
  opening: RegExp;
  closing: RegExp;
  /** Words that only this language has, to tell the language of what was not understood. */
  typical: RegExp;
}

export type StepResult =
  | { state: "ok"; value: unknown }
  | { state: "denied"; reason: "variant" | "skip" | "" }
  | { state: "error"; message: string }
  | { state: "open" };

/** A tool call of the present turn with what became of it. */
export interface Step {
  name: string;
  input: unknown;
  result: StepResult;
}

export interface Call {
  name: string;
  input: { [key: string]: Json };
  text: string;
}

/** A plan yields the calls it wants and is given their results; what it returns is the answer. */
export type Plan<T = string> = Generator<Call, T, StepResult>;

/** What the prompt says about the present turn. */
export interface Turn {
  language: Language;
  intent: Intent;
  /** Records an earlier run of the same request has written, such as "site_page:3" (M5). */
  writtenRecords: string[];
  /** There was an earlier run, and nobody knows what it wrote. */
  writesUnknown: boolean;
  /** The user's answer to a question of an earlier run of the same request; "" if there is none. */
  answer: string;
  /** Proposals an earlier run of the same request had turned down. */
  skipProposals: number;
}

export interface PageSummary {
  uid: number;
  title: string;
  slug: string;
  parent: number;
  hidden: boolean;
  language: string;
}

export interface Decision {
  text: string;
  call: { name: string; input: { [key: string]: Json } } | null;
}
