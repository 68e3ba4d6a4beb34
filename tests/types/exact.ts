// The package's types are those of the contract, no more and no less. Checked by tsc; nothing here runs.

import type * as Package from "agent-turn";
import type * as Contract from "./contract.js";

/** True where two types are the same in both directions, `any` and optionality included. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Holds<T extends true> = T;

export type Values = [
  Holds<Same<Package.Uid, Contract.Uid>>,
  Holds<Same<Package.Json, Contract.Json>>,
  Holds<Same<Package.ConversationStatus, Contract.ConversationStatus>>,
  Holds<Same<Package.Message, Contract.Message>>,
  Holds<Same<Package.Conversation, Contract.Conversation>>,
  Holds<Same<Package.FileReference, Contract.FileReference>>,
  Holds<Same<Package.Patch, Contract.Patch>>,
  Holds<Same<Package.ActivityEntry, Contract.ActivityEntry>>,
];

export type HostSide = [
  Holds<Same<Package.Host, Contract.Host>>,
  Holds<Same<Package.Storage, Contract.Storage>>,
  Holds<Same<Package.Runtime, Contract.Runtime>>,
  Holds<Same<Package.RunStatus, Contract.RunStatus>>,
  Holds<Same<Package.Actor, Contract.Actor>>,
  Holds<Same<Package.Task, Contract.Task>>,
  Holds<Same<Package.LlmConfiguration, Contract.LlmConfiguration>>,
  Holds<Same<Package.RunRequest, Contract.RunRequest>>,
  Holds<Same<Package.WireMessage, Contract.WireMessage>>,
  Holds<Same<Package.WirePart, Contract.WirePart>>,
  Holds<Same<Package.RunResult, Contract.RunResult>>,
  Holds<Same<Package.RunError, Contract.RunError>>,
  Holds<Same<Package.RunStep, Contract.RunStep>>,
  Holds<Same<Package.RunEvent, Contract.RunEvent>>,
  Holds<Same<Package.ApprovalDecision, Contract.ApprovalDecision>>,
  Holds<Same<Package.InputSubmission, Contract.InputSubmission>>,
  Holds<Same<Package.RefusalReason, Contract.RefusalReason>>,
  Holds<Same<Package.WaitingView, Contract.WaitingView>>,
  Holds<Same<Package.PendingCall, Contract.PendingCall>>,
  Holds<Same<Package.FileContent, Contract.FileContent>>,
  Holds<Same<Package.PromptContext, Contract.PromptContext>>,
];

export type Rules = [
  Holds<Same<Package.RuleSet, Contract.RuleSet>>,
  Holds<Same<typeof Package.mapOutcome, typeof Contract.mapOutcome>>,
  Holds<Same<typeof Package.mapRefusal, typeof Contract.mapRefusal>>,
  Holds<Same<typeof Package.buildTranscript, typeof Contract.buildTranscript>>,
  Holds<Same<typeof Package.statusRules, typeof Contract.statusRules>>,
  Holds<Same<typeof Package.mayTransition, typeof Contract.mayTransition>>,
  Holds<Same<typeof Package.sanitizeError, typeof Contract.sanitizeError>>,
  Holds<Same<typeof Package.inputForm, typeof Contract.inputForm>>,
  Holds<Same<typeof Package.answerForm, typeof Contract.answerForm>>,
  Holds<Same<typeof Package.isContinueIntent, typeof Contract.isContinueIntent>>,
  Holds<Same<typeof Package.claimsChange, typeof Contract.claimsChange>>,
  Holds<Same<typeof Package.present, typeof Contract.present>>,
  Holds<Same<Package.InputForm, Contract.InputForm>>,
  Holds<Same<Package.Answer, Contract.Answer>>,
  Holds<Same<Package.Reader, Contract.Reader>>,
  Holds<Same<Package.ConversationView, Contract.ConversationView>>,
];

export type Engine = [
  Holds<Same<typeof Package.default, typeof Contract.default>>,
  Holds<Same<typeof Package.version, typeof Contract.version>>,
  Holds<Same<Package.Settings, Contract.Settings>>,
  Holds<Same<Package.Reply<{ uid: 1 }>, Contract.Reply<{ uid: 1 }>>>,
  Holds<Same<Package.TurnReport, Contract.TurnReport>>,
  // Two classes are two nominal types as soon as one has a private member; what can be called is compared.
  Holds<Same<{ [K in keyof Package.ChatEngine]: Package.ChatEngine[K] }, { [K in keyof Contract.ChatEngine]: Contract.ChatEngine[K] }>>,
  Holds<Same<ConstructorParameters<typeof Package.ChatEngine>, ConstructorParameters<typeof Contract.ChatEngine>>>,
  Holds<Same<ConstructorParameters<typeof Package.RunRefused>, ConstructorParameters<typeof Contract.RunRefused>>>,
  Holds<Same<Package.AgentTurnError["code"], Contract.AgentTurnError["code"]>>,
];

/** Nothing beside them is exported. */
export type Names = Holds<Same<keyof typeof Package, keyof typeof Contract>>;
